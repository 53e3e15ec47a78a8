import Foundation
import OffstageRequests
import Testing

@testable import OffstageService

struct TokenFileTests {
    private func isPrivate(_ mode: mode_t, owner: uid_t, for user: uid_t) -> Bool {
        var info = stat()
        (info.st_mode, info.st_uid) = (S_IFREG | mode, owner)
        return ClientTokens.isPrivate(info, user: user)
    }

    @Test("only its owner, or a group that root has given it to, may read a token file")
    func modes() {
        #expect(isPrivate(0o600, owner: 1000, for: 1000) && isPrivate(0o400, owner: 0, for: 0))
        for mode: mode_t in [0o640, 0o604, 0o620, 0o660, 0o601] { #expect(!isPrivate(mode, owner: 1000, for: 1000)) }
        // Kubernetes secrets and systemd credentials.
        #expect(isPrivate(0o440, owner: 0, for: 10000) && isPrivate(0o640, owner: 0, for: 10000))
        for mode: mode_t in [0o444, 0o660, 0o644, 0o450] { #expect(!isPrivate(mode, owner: 0, for: 10000)) }
        #expect(!isPrivate(0o440, owner: 0, for: 0) && !isPrivate(0o440, owner: 999, for: 10000))
    }

    private static let token = "0123456789abcdef"

    /// The client that the rest of a line, after its token, describes.
    private func client(_ words: String) throws -> ServiceClient? {
        let path = NSTemporaryDirectory() + "/offstage-tokens-\(UUID().uuidString)"
        try Data("\(Self.token) \(words)\n".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        chmod(path, 0o600)
        return try ClientTokens(file: path).client(in: "Bearer \(Self.token)")
    }

    private func rights(of words: String) throws -> ClientRights {
        let found = try client(words)
        return try #require(found).rights
    }

    @Test func rights() throws {
        typealias Right = ClientRights.Right
        func rights(_ words: String) throws -> Set<Right> {
            let found = try self.rights(of: words)
            return Set(Right.allCases.filter(found.allows))
        }
        #expect(try rights("") == [.draw, .put])
        #expect(try rights("name share=3") == [.draw, .put])
        #expect(try rights("rights=draw") == [.draw])
        #expect(try rights("name rights=events,suspend share=2") == [.events, .suspend])
        #expect(try rights("rights=all") == Set(Right.allCases))
        for right in Right.allCases { #expect(try rights("rights=\(right.rawValue)") == [right]) }
    }

    @Test func prefixes() throws {
        let rights = try self.rights(of: "rights=all prefix=team/")
        #expect(rights.allows(identifier: "team/a") && rights.allows(.suspend))
        for other in ["team", "Team/a", "a/team/b", "tea", "te\u{E4}m/a", ""] {
            #expect(!rights.allows(identifier: other))
            #expect(throws: NotAllowed.self) { try rights.check(identifier: other, at: "the path") }
        }
        try rights.check(identifier: nil, at: "the request")
        #expect(try self.rights(of: "a").allows(identifier: "anything"))
        // A character of the identifier that starts inside the prefix and ends after it.
        #expect(try self.rights(of: "prefix=e").allows(identifier: "e\u{301}"))
    }

    @Test(arguments: [
        ("rights=", "rights takes draw, put, delete, events and suspend, with commas between them, or all, not ''"),
        ("rights=draw,", "or all, not 'draw,'"), ("rights=draw,draw", "not 'draw,draw'"),
        ("rights=all,draw", "not 'all,draw'"), ("rights=Draw", "not 'Draw'"),
        ("rights=draw rights=all", "rights is given twice; leave one out"),
        ("share=1 share=2", "share is given twice; leave one out"),
        ("prefix=", "prefix takes the start of an identifier, such as team/, not ''"), ("prefix=/a", "not '/a'"),
        ("prefix=../", "not '../'"), ("prefix=a prefix=b", "prefix is given twice; leave one out"),
        (
            "color=red",
            "after a token, only a name, priority=…, share=…, rights=… and prefix=… are allowed"
        ),
    ])
    func wrongLines(words: String, message: String) throws {
        let error = #expect(throws: UsageError.self) { try client(words) }
        #expect(error?.description.hasPrefix("--token-file: line 1 of ") == true)
        #expect(error?.description.hasSuffix(message) == true, "\(error?.description ?? "")")
    }
}
