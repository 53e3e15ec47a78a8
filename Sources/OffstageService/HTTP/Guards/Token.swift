import Foundation
import Offstage
import OffstageRequests

/// The word that clients have to know, from a file that only its owner can read.
package struct Token: Sendable {
    private let digest: Digest

    /// - Throws: a file that cannot be read, holds nothing, or that others may read.
    package init(file path: String) throws(UsageError) {
        var info = stat()
        guard let file = try? PlainFile.open(path), let data = try? file.readToEnd() ?? Data(),
            fstat(file.fileDescriptor, &info) == 0
        else { throw UsageError("--token-file: cannot read \(path)") }
        if info.st_mode & 0o077 != 0 {
            throw UsageError("--token-file: others can read \(path); `chmod 600` it")
        }
        guard let text = String(validating: data, as: UTF8.self)?.trimmingCharacters(in: .whitespacesAndNewlines),
            text.utf8.count >= 16, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw UsageError(
                "--token-file: \(path) has to hold one word of 16 or more visible ASCII characters, such as `openssl rand -hex 32` gives"
            )
        }
        digest = Digest(of: text)
    }

    /// Whether an `Authorization` header has it: `Bearer TOKEN`, or `Basic` with it as the password, for browsers.
    ///
    /// The time tells nothing of where two words differ: their digests are compared, all bytes of them.
    func isIn(_ header: String?) -> Bool {
        guard let header, let space = header.firstIndex(of: " ") else { return false }
        var word = header[space...].trimmingCharacters(in: .whitespaces)
        switch header[..<space].lowercased() {
        case "bearer": break
        case "basic":
            guard let data = Data(base64Encoded: word) else { return false }
            let pair = String(decoding: data, as: UTF8.self)
            word = pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) } ?? ""
        default: return false
        }
        return Digest(of: word).withBytes { one in
            digest.withBytes { other in zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 }
        }
    }
}
