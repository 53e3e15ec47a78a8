import Foundation
import Offstage
import OffstageInk
import OffstageRequests
import OffstageService

/// Keeps an output from replacing one of its inputs.
enum KeptInputs {
    /// Rejects an output that is one of the inputs, even under another name. With `--force`, the old file gets a second
    /// name.
    ///
    /// - Parameter inputs: the paths, each with its description for the message.
    static func check(_ output: String, _ inputs: [(path: String, what: String)], _ isForced: Bool) throws {
        // A link to a device or a pipe would become a file.
        if let kind = OutputFolder.kind(of: output), kind != S_IFREG {
            throw UsageError("\(output) is not a regular file; choose another output")
        }
        guard let target = FileNumber(output) else { return }
        guard let source = inputs.first(where: { FileNumber($0.path) == target }) else { return }
        if isForced {
            let kept = try InkOriginal.keep(output)
            return Console.error("\(output): the previous version of the file is now \(kept)")
        }
        throw UsageError(
            "\(output) is \(source.what), and was not changed; choose another output, or give --force, which keeps it as "
                + "\(output).original")
    }
}
