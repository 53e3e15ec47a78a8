import OffstageRequests
import OffstageService

/// Options from a C program: alternating names and values, ended by NULL.
enum TextOptions {
    typealias List = UnsafePointer<UnsafePointer<CChar>?>

    static func pairs(_ list: List?, at place: String) throws(UsageError) -> [(name: String, value: String)] {
        guard var next = list else { return [] }
        var pairs: [(name: String, value: String)] = []
        while let start = next.pointee {
            guard let name = String(validatingCString: start) else {
                throw UsageError("\(place): an option's name is not UTF-8")
            }
            guard let text = next[1] else {
                throw UsageError("\(place): \(name.quoted) has no value; a switch takes \"true\" or \"false\"")
            }
            guard let value = String(validatingCString: text) else {
                throw UsageError(
                    "\(place): the value of \(name.quoted) is not UTF-8; "
                        + "for a document in another charset, pass its path as \"file\"")
            }
            pairs.append((name, value))
            next += 2
        }
        return pairs
    }

    /// Converts options to the keys and values of a line of `offstage pipe`.
    static func object(_ pairs: [(name: String, value: String)], at place: String) throws(UsageError) -> [String:
        JSONValue]
    {
        var object: [String: JSONValue] = [:]
        for (name, text) in pairs {
            let value = value(ofText: text, of: name)
            guard let before = object[name] else {
                object[name] = value
                continue
            }
            guard RowSettings.kind(of: name)?.isList == true else {
                throw UsageError("\(place): \(name.quoted) is given twice; leave one out")
            }
            if case .list(let values) = before {
                object[name] = .list(values + [value])
            } else {
                object[name] = .list([before, value])
            }
        }
        return object
    }

    private static func value(ofText text: String, of name: String) -> JSONValue {
        switch TreatmentKey(rawValue: name) {
        case .immediate, .refresh, .store: JSONValue(boolText: text) ?? .text(text)
        case .deadline: JSONValue(numberText: text) ?? .text(text)
        case .priority, .group: .text(text)
        case nil: RowSettings.kind(of: name)?.value(ofText: text) ?? .text(text)
        }
    }

    /// Converts options to those of a command line.
    ///
    /// - Parameter table: the known options.
    static func parsed(
        _ pairs: [(name: String, value: String)], _ table: [OptionTable.Option], at place: String
    ) throws(UsageError) -> ParsedOptions {
        var values: [String: [String]] = [:]
        for (name, text) in pairs {
            guard let kind = table.first(where: { $0.name == name })?.kind else {
                throw UsageError("\(place): there is no setting \(name.quoted); offstage.h lists them")
            }
            if values[name] != nil, !kind.isList {
                throw UsageError("\(place): \(name.quoted) is given twice; leave one out")
            }
            do {
                guard let texts = try kind.texts(of: kind.value(ofText: text), pathsFrom: nil) else { continue }
                values[name, default: []] += texts
            } catch {
                throw UsageError("\(place): \(name.quoted) takes \(kind.description), not \(error.value.shown)")
            }
        }
        return ParsedOptions(values: values)
    }
}
