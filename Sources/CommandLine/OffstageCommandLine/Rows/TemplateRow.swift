import OffstageRequests

/// A row of values for a template: `identifier`, `options` with options of the command line, and a key for each token,
/// in upper or lower case.
enum TemplateRow {
    private static let ownKeys: Set = ["identifier", "options"]

    /// Reads all rows and checks them against the template.
    static func jobs(
        _ file: RowFile, _ template: RowTemplate, _ settings: inout RowSettings
    ) throws(UsageError) -> [Job] {
        var jobs: [Job] = []
        var names = RowNames()
        for line in file.lines {
            let object = try file.object(at: line)
            let place = RowIdentifier.name(of: object, at: file.place(of: line), limit: RowIdentifier.longestPath)
            let identifier = try RowIdentifier.read(object, at: place, limit: RowIdentifier.longestPath)
            try names.add(identifier, at: line, of: file)
            let defaults: [String: String]
            do {
                defaults = try template.check(try values(of: object, at: place, in: template))
            } catch {
                throw UsageError(error is UsageError ? "\(error)" : "\(place): \(error)")
            }
            let row = InputRow(file: file, line: line, identifier: identifier, content: .template(template))
            jobs.append(
                Job(
                    .row(row),
                    try settings.settings(
                        for: try options(object, place), of: .html, defaults: defaults, at: place)))
        }
        return jobs
    }

    /// The row's values by token, and its identifier if the template has that token and the row has no value for it.
    static func values(
        of row: [String: JSONValue], at place: String, in template: RowTemplate
    ) throws(UsageError) -> [String: String] {
        var values: [String: String] = [:]
        for (key, value) in row.sorted(by: { $0.key < $1.key }) where !ownKeys.contains(key) {
            guard let text = text(of: value) else {
                throw UsageError(
                    "\(place): \(key.quoted) takes text, a number, true or false, not \(value.kindName)")
            }
            if values.updateValue(text, forKey: key.uppercased()) != nil {
                throw UsageError("\(place): there are two values for __\(key.uppercased())__; use one")
            }
        }
        if values["IDENTIFIER"] == nil, template.uses("IDENTIFIER"), case .text(let identifier)? = row["identifier"] {
            values["IDENTIFIER"] = identifier
        }
        return values
    }

    private static func options(
        _ row: [String: JSONValue], _ place: String
    ) throws(UsageError) -> [String: JSONValue] {
        switch row["options"] {
        case nil: return [:]
        case .object(let options)?:
            if let problem = JSONLimits.problem(in: options) { throw UsageError("\(place): \"options\" \(problem)") }
            return options
        case let value?: throw UsageError("\(place): \"options\" takes an object, not \(value.kindName)")
        }
    }

    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let bool): "\(bool)"
        case .null, .list, .object: nil
        }
    }
}
