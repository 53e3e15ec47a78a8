import Foundation
import Offstage
import OffstageRequests

/// The clients of a service and their tokens, from a file that only its owner can read.
///
/// Each line describes a client: its token, then optionally a name, `priority=high` (the highest priority of its requests), `share=3` (its
/// share of the drawing), `rights=draw,put` (see `ClientRights`) and `prefix=team/` (the start of its identifiers).
/// Lines with the same name belong to one client, so that it can change its token. `#` begins a comment.
package struct ClientTokens: Sendable {
    private var entries: [(digest: Digest, client: ServiceClient)] = []

    /// - Throws: if the file cannot be read, has no token, or can be read by others. Messages never quote the file.
    package init(file path: String) throws(UsageError) {
        var info = stat()
        guard let file = try? PlainFile.open(path), let data = try? file.readToEnd() ?? Data(),
            fstat(file.fileDescriptor, &info) == 0
        else { throw UsageError("--token-file: cannot read \(path)") }
        guard Self.isPrivate(info) else { throw UsageError("--token-file: others can read \(path); `chmod 600` it") }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw UsageError("--token-file: \(path) is not UTF-8; save it as UTF-8")
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            try add(words, line: index + 1, of: path)
        }
        if entries.isEmpty { throw UsageError("--token-file: \(path) has no token; \(Self.advice)") }
    }

    /// True for a file that only its owner can read. Kubernetes' secrets and systemd's credentials belong to root; a
    /// service that does not run as root reads them through its own group.
    package static func isPrivate(_ info: stat, user: uid_t = geteuid()) -> Bool {
        info.st_mode & 0o077 == 0 || info.st_uid == 0 && user != 0 && info.st_mode & 0o037 == 0
    }

    private static let options = ["share", "priority", "rights", "prefix"]
    private static let advice =
        "a line begins with a token of 16 or more visible ASCII characters, such as `openssl rand -hex 32` prints"

    private mutating func add(_ words: [Substring], line: Int, of path: String) throws(UsageError) {
        let place = "--token-file: line \(line) of \(path)"
        guard words[0].utf8.count >= 16, words[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("\(place) has no token; \(Self.advice)")
        }
        let digest = Digest(of: String(words[0]))
        if entries.contains(where: { $0.digest == digest }) {
            throw UsageError("\(place) has the token of an earlier line; give each client its own")
        }
        // Derived from the token, not from its line number: the client keeps its pictures when lines move.
        var (name, share, priority) = ("token \("\(digest)".prefix(8))", 1, RenderPriority.veryHigh)
        var (rights, prefix): (ClientRights, String?) = (.usual, nil)
        var given: Set<String> = []
        for word in words.dropFirst() {
            let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // With repeated settings, the last one would apply, which may allow more than the operator wants. Other
            // words may be tokens, so they are not quoted.
            let isOption = pair.count == 2 && Self.options.contains(pair[0])
            if isOption, !given.insert(pair[0]).inserted {
                throw UsageError("\(place): \(pair[0]) is given twice; leave one out")
            }
            switch (pair[0], pair.dropFirst().first) {
            case (let own, nil): name = "client \(own)"
            case ("share", let text?):
                guard let number = Int(text), (1...1000).contains(number) else {
                    throw UsageError("\(place): share takes a whole number from 1 to 1000, not '\(text.excerpt)'")
                }
                share = number
            case ("priority", let text?):
                guard let named = RenderPriority.named[text] else {
                    let names = RenderPriority.allCases.map(\.name).formatted("or")
                    throw UsageError("\(place): priority takes \(names), not '\(text.excerpt)'")
                }
                priority = named
            case ("rights", let text?):
                guard let named = ClientRights(text) else {
                    throw UsageError("\(place): rights takes \(ClientRights.kinds), not '\(text.excerpt)'")
                }
                rights = named
            case ("prefix", let text?): prefix = text
            default:
                throw UsageError(
                    "\(place): after a token, only a name, priority=…, share=…, rights=… and prefix=… are allowed")
            }
        }
        if let prefix {
            guard let limited = rights.limited(to: prefix) else {
                throw UsageError(
                    "\(place): prefix takes the start of an identifier, such as team/, not '\(prefix.excerpt)'")
            }
            rights = limited
        }
        let turns = RenderClient(name, share: share)
        entries.append((digest, ServiceClient(turns: turns, highestPriority: priority, rights: rights)))
    }

    /// The client whose token is in an `Authorization` header: `Bearer TOKEN`, or `Basic` with the token as the password, for
    /// browsers.
    ///
    /// Compares all bytes of all digests, so the time does not depend on the position of a difference.
    func client(in header: String?) -> ServiceClient? { Self.token(in: header).flatMap { client(of: $0) } }

    /// The digest of the token in an `Authorization` header, whether or not it belongs to a client.
    static func token(in header: String?) -> Digest? {
        guard let header, let space = header.firstIndex(of: " ") else { return nil }
        var word = header[space...].trimmingCharacters(in: .whitespaces)
        switch header[..<space].lowercased() {
        case "bearer": break
        case "basic":
            guard let data = Data(base64Encoded: word) else { return nil }
            let pair = String(decoding: data, as: UTF8.self)
            word = pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) } ?? ""
        default: return nil
        }
        return Digest(of: word)
    }

    func client(of token: Digest) -> ServiceClient? {
        var found: ServiceClient?
        for entry in entries where Self.isSame(token, entry.digest) { found = entry.client }
        return found
    }

    private static func isSame(_ one: Digest, _ other: Digest) -> Bool {
        one.withBytes { one in
            other.withBytes { other in zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 }
        }
    }
}

extension Problem {
    init(_ refusal: NotAllowed) { self.init(403, "not-allowed", refusal.description) }
}
