import Foundation
import PageSamples
import Testing

/// `/v1/openapi.json` describes the service's behaviour.
@Suite struct ServeDescriptionTests {
    private typealias Object = [String: Any]

    private static let methods = ["get", "head", "put", "post", "delete"]

    private func operations(_ document: Object) throws -> [(path: String, method: String, operation: Object)] {
        let paths = try #require(document["paths"] as? [String: Object])
        return paths.sorted { $0.key < $1.key }.flatMap { path, item in
            Self.methods.compactMap { method in (item[method] as? Object).map { (path, method, $0) } }
        }
    }

    @Test func theDocumentIsWellFormed() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let document = try service.ask("GET", "/v1/openapi.json").object
            #expect(document["openapi"] as? String == "3.1.0")
            let operations = try operations(document)
            let names = operations.compactMap { $0.operation["operationId"] as? String }
            #expect(names.count == operations.count && Set(names).count == names.count)
            let parameters =
                try #require(operations.first { $0.operation["operationId"] as? String == "drawImage" })
                .operation["parameters"] as? [Object]
            let options = Set(parameters?.compactMap { $0["name"] as? String } ?? [])
            #expect(
                options.isSuperset(of: ["width", "scale", "selector", "format", "deadline", "priority", "javascript"]))
            #expect(options.isDisjoint(with: ["html", "file", "also", "each", "max-elements", "allow-host"]))
            // Schemas are valid, and every reference resolves.
            let script = """
                import json, sys
                from jsonschema import Draft202012Validator
                document = json.load(sys.stdin)
                for schema in document["components"]["schemas"].values(): Draft202012Validator.check_schema(schema)
                def walk(value):
                    if isinstance(value, dict):
                        if "$ref" in value:
                            place = document
                            for part in value["$ref"].removeprefix("#/").split("/"): place = place[part]
                        if "schema" in value: Draft202012Validator.check_schema(value["schema"])
                        for one in value.values(): walk(one)
                    elif isinstance(value, list):
                        for one in value: walk(one)
                walk(document)
                """
            let data = try service.ask("GET", "/v1/openapi.json").body
            let check = try Child(["/usr/bin/python3", "-c", script], stdin: data, folder: "/").wait()
            #expect(check.code == 0, "\(check.error)")
        }
    }

    @Test func aPathTakesTheMethodsThatAreDescribed() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let all = try operations(try service.ask("GET", "/v1/openapi.json").object)
            for (pattern, operations) in Dictionary(grouping: all, by: \.path) {
                let answer = try service.ask("OPTIONS", pattern.replacing(/\{[a-z]+\}/, with: "a"))
                #expect(answer.status == 405)
                let allowed = answer.headers["allow"]?.components(separatedBy: ", ").map { $0.lowercased() }
                #expect(allowed.map(Set.init) == Set(operations.map(\.method)), "\(pattern)")
            }
        }
    }

    @Test func headAnswersLikeGetWithoutABody() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            for path in ["/healthz", "/readyz", "/metrics", "/", "/v1/openapi.json"] {
                let (get, head) = try (service.ask("GET", path), service.ask("HEAD", path))
                #expect(head.status == 200, "\(path)")
                #expect(head.body.isEmpty, "\(path)")
                #expect(Set(head.headers.keys) == Set(get.headers.keys), "\(path)")
                // The counters have changed, and perhaps the length with them.
                for (name, value) in get.headers where !["date", "content-length"].contains(name) {
                    #expect(head.headers[name] == value, "\(path)")
                }
            }
            #expect(try service.ask("HEAD", "/healthz").headers["content-length"] == "3")
            // This GET would never end.
            let events = try service.ask("HEAD", "/v1/events")
            #expect(events.status == 200)
            #expect(events.headers["content-type"] == "text/event-stream")
            #expect(events.body.isEmpty)
        }
    }

    /// Every operation, with valid and invalid requests, answers with a status and a type that the document lists.
    @Test func theServiceAnswersAsItIsDescribed() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let document = try service.ask("GET", "/v1/openapi.json").object
            let bodies: [(type: String?, body: String?)] = [
                (nil, nil), ("text/html", "<p>x"), ("text/html", ""), ("application/json", #"{"html": "<p>x"}"#),
                ("application/json", #"{"seconds": 1}"#), ("application/json", #"{"html": 5}"#),
                ("application/json", #"{"html": "x", "nothing": 1}"#), ("application/json", "{"),
                ("application/jsonl", #"{"html": "<p>x", "inline": true}"# + "\n"), ("text/plain", "x"),
                ("text/html; charset=latin1", "x"),
                (
                    "application/json",
                    #"{"document": "\#(TestPDF("q Q").data.base64EncodedString())", "annotations": {"version": 1}}"#
                ),
            ]
            let variations: [(query: String, headers: [String: String])] = [
                ("", [:]), ("?width=50&scale=2", [:]), ("?width=wide", [:]), ("?nothing=1", [:]),
                ("", ["Accept": "image/webp"]), ("", ["Accept": "text/plain"]), ("", ["If-None-Match": "*"]),
                ("", ["If-Match": "\"x\""]), ("", ["Origin": "http://example.org"]),
            ]
            var seen: Set<String> = []
            for (pattern, method, operation) in try operations(document) {
                // This stream never ends.
                if pattern == "/v1/events" { continue }
                let answers = try #require(operation["responses"] as? [String: Object])
                let path = pattern.replacing(/\{[a-z]+\}/, with: "a")
                for (type, body) in method == "post" || method == "put" ? bodies : [(nil, nil)] {
                    for (query, headers) in variations {
                        var headers = headers
                        headers["Content-Type"] = type
                        let answer = try service.ask(method.uppercased(), path + query, headers, body)
                        let what = "\(method) \(path)\(query) \(headers) \(body ?? ""): \(answer.status)"
                        let found = answers["\(answer.status)"] ?? answers["default"]
                        seen.insert("\(operation["operationId"] ?? "") \(answer.status)")
                        #expect(found != nil, "\(what) is not described")
                        guard let found, method != "head", answer.status != 304, answer.status != 204 else { continue }
                        let said = answer.headers["content-type"]?.split(separator: ";").first.map(String.init)
                        let isProblem = found["$ref"] != nil
                        let types = (found["content"] as? Object)?.keys.map { $0 } ?? []
                        let isRight =
                            isProblem ? said == "application/problem+json" : said.map(types.contains) ?? types.isEmpty
                        #expect(isRight, "\(what) has the type \(said ?? "none")")
                    }
                }
            }
            // Some requests were accepted.
            for one in [
                "drawImage 200", "putImage 201", "putImage 200", "drawMany 200", "suspend 201", "prefetch 202",
                "saveAnnotations 200",
            ] {
                #expect(seen.contains(one), "\(one) was not met: \(seen.sorted())")
            }
        }
    }
}
