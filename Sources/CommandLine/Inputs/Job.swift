import OffstageRequests

/// One input and its settings.
struct Job: Sendable {
    let input: Input
    let settings: Settings

    init(_ input: Input, _ settings: Settings) {
        self.input = input
        self.settings = settings
    }
}
