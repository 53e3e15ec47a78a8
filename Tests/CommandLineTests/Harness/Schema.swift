import Foundation
import Testing

/// The JSON Schemas in `docs/schemas`.
enum Schema: String, CaseIterable {
    case manifest, request, command, result, annotations

    var file: URL {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/schemas/\(rawValue).schema.json")
    }

    /// An independent validator's message for each line; nil for a valid line.
    func errors(in lines: [String]) throws -> [String?] {
        let script = """
            import json, sys
            from jsonschema import Draft202012Validator
            schema = json.load(open(sys.argv[1]))
            Draft202012Validator.check_schema(schema)
            validator = Draft202012Validator(schema)
            for line in sys.stdin:
                errors = [error.message for error in validator.iter_errors(json.loads(line))]
                print(json.dumps("; ".join(errors)[:500] if errors else None))
            """
        let outcome = try Child(
            ["/usr/bin/python3", "-c", script, file.path], stdin: Data(lines.joined(separator: "\n").utf8),
            folder: "/"
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        let errors = outcome.text.split(separator: "\n").map { $0 == "null" ? nil : String($0) }
        #expect(errors.count == lines.count)
        return errors
    }
}
