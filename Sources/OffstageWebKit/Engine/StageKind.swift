import Offstage

/// The properties that a view gets when it is made, and keeps. Snippets that differ in one of them need different views.
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
