import Foundation
import Offstage

/// A file format with its options, as in `--format` and `--also`: `jpeg:quality=80,subsampling=4:2:0`.
package enum FormatSpec {
    /// - Parameters:
    ///   - option: the option with its dashes, for messages.
    ///   - others: the option's values other than formats, for messages.
    package static func format(
        _ text: Substring, of option: String, orElse others: [String] = []
    ) throws(UsageError) -> FileFormat {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let registered = RegisteredFormat.all.first(where: { $0.format.name == parts[0] }) else {
            let known = FileFormat.all.map(\.name) + others
            throw UsageError("\(option) takes \(known.formatted("or")), not '\(parts[0].excerpt)'")
        }
        let title = "\(option) \(parts[0])"
        return try registered.make(FormatOptions(parts.dropFirst().first, title: title, keys: registered.keys))
    }

    /// The format for a file's name; PNG if it has no extension.
    package static func format(ofFile path: String) throws(UsageError) -> FileFormat {
        let fileExtension = (path as NSString).pathExtension
        if fileExtension.isEmpty { return .png() }
        if let format = FileFormat(fileExtension: fileExtension) { return format }
        throw unknownExtension("-o \(path)")
    }

    /// - Parameter name: the file's name in the message.
    package static func unknownExtension(_ name: String) -> UsageError {
        let known = FileFormat.all.flatMap(\.kind.fileExtensions).map { ".\($0)" }
        return UsageError("\(name) has an unknown extension; use \(known.formatted("or"))")
    }
}
