import Offstage

/// The addresses of documents.
///
/// A document without page scripts cannot show its address, which is a number that no two drawings share. Page scripts
/// can (`location.href`, an error's `stack`), so the address of their document is derived from the snippet, and the
/// picture has the same bytes in every run and every order. Equal snippets have equal addresses. A process therefore
/// draws only one of several equal snippets: another one could read data that the first has stored, or get a file from
/// WebKit's memory.
enum SceneAddress {
    @MainActor private static var count = 0

    /// Returns an address that no other drawing has.
    @MainActor
    static func next() -> String {
        count += 1
        return "\(ContentPolicy.scheme)://\(count)/"
    }

    /// Returns the address of a snippet whose scripts can see it; nil for one without page scripts.
    static func visible(of snippet: Snippet) -> String? {
        guard snippet.runsScripts else { return nil }
        var builder = Fingerprint.Builder()
        snippet.add(to: &builder)
        return "\(ContentPolicy.scheme)://\(letter)\(builder.build().description.prefix(digits))/"
    }

    /// True for the host of some drawing's address.
    static func isHost(_ host: String) -> Bool {
        if Int(host) != nil { return true }
        return host.count == digits + 1 && host.hasPrefix(letter) && host.dropFirst().allSatisfy(\.isHexDigit)
    }

    /// The prefix of all hosts, so that no host looks like a number.
    private static let letter = "d"
    /// The number of hexadecimal digits of a digest. Two snippets that share them are drawn by different processes,
    /// like equal snippets.
    private static let digits = 16
}
