import Offstage

/// The fixed properties of a view, set when it is made. Snippets that differ in one of them need different views.
struct StageKind: Hashable {
    var locale: WebContext.Locale
    var runsScripts: Bool
    var isSandboxed: Bool

    init(_ snippet: Snippet, isSandboxed: Bool) {
        locale = WebContext.Locale(language: snippet.emulation.language, timeZone: snippet.emulation.timeZone)
        runsScripts = snippet.runsScripts
        self.isSandboxed = isSandboxed
    }
}
