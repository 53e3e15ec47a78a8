/// What a document is told of its reader: the answers to media features and the defaults of text.
public struct Emulation: Sendable, Hashable {
    /// `prefers-color-scheme`.
    public enum ColorScheme: String, Sendable, Hashable, CaseIterable {
        case light, dark
    }

    /// Which of `@media screen` and `@media print` holds.
    public enum MediaType: String, Sendable, Hashable, CaseIterable {
        case screen, print
    }

    /// `prefers-reduced-motion`. Whatever it is, animations and transitions stand at their end.
    public enum Motion: String, Sendable, Hashable, CaseIterable {
        case reduce
        case noPreference = "no-preference"
    }

    /// `prefers-contrast`. WebKitGTK knows no `less`.
    public enum Contrast: String, Sendable, Hashable, CaseIterable {
        case noPreference = "no-preference"
        case more
    }

    /// Default light.
    public var colorScheme = ColorScheme.light
    /// Default screen. For a page script, `matchMedia` is on a screen always.
    public var mediaType = MediaType.screen
    /// Default reduce: a picture does not move.
    public var motion = Motion.reduce
    /// Default no preference.
    public var contrast = Contrast.noPreference
    /// A language tag (BCP 47), such as `de` or `zh-TW`: what `:lang`, quotes, hyphenation and the choice among Chinese and
    /// Japanese fonts go by in a document whose root names none, and what scripts read. Nil, the default, leaves the
    /// document without one and tells scripts `en-US`.
    public var language: String?
    /// The time zone of scripts, an identifier such as `Europe/Vienna`. Default `UTC`.
    public var timeZone = "UTC"
    public var fonts = DefaultFonts()

    public init() {}

    /// The text that the document says nothing about.
    public struct DefaultFonts: Sendable, Hashable {
        /// A family's name; nil, the default, for the machine's sans-serif.
        public var family: String?
        /// CSS px; monospaced text is 13/16 of it. Default 16.
        public var size = 16
        /// CSS px; smaller text is drawn so large. Default 0, for no such limit.
        public var minimumSize = 0

        public init() {}
    }
}
