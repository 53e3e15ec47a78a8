import Foundation
import Testing

@testable import OffstageService

struct TokenFileTests {
    private func isPrivate(_ mode: mode_t, owner: uid_t, for user: uid_t) -> Bool {
        var info = stat()
        (info.st_mode, info.st_uid) = (S_IFREG | mode, owner)
        return ClientTokens.isPrivate(info, user: user)
    }

    @Test("only its owner may read a token file, or the group that root has given it to")
    func modes() {
        #expect(isPrivate(0o600, owner: 1000, for: 1000) && isPrivate(0o400, owner: 0, for: 0))
        for mode: mode_t in [0o640, 0o604, 0o620, 0o660, 0o601] { #expect(!isPrivate(mode, owner: 1000, for: 1000)) }
        // Kubernetes' secrets and systemd's credentials.
        #expect(isPrivate(0o440, owner: 0, for: 10000) && isPrivate(0o640, owner: 0, for: 10000))
        for mode: mode_t in [0o444, 0o660, 0o644, 0o450] { #expect(!isPrivate(mode, owner: 0, for: 10000)) }
        #expect(!isPrivate(0o440, owner: 0, for: 0) && !isPrivate(0o440, owner: 999, for: 10000))
    }
}
