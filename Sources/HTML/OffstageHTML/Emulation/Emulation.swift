/// The reader that a document is drawn for: the values of media features, the language, the time zone and the default fonts.
public struct Emulation: Sendable, Hashable, Codable {
    /// The value of `prefers-color-scheme`.
    public enum ColorScheme: String, Sendable, Hashable, CaseIterable, Codable {
        case light, dark
    }

    /// The media type that applies: `@media screen` or `@media print`.
    public enum MediaType: String, Sendable, Hashable, CaseIterable, Codable {
        case screen, print
    }

    /// The value of `prefers-reduced-motion`. Animations and transitions are drawn in their final state, whatever the value.
    public enum Motion: String, Sendable, Hashable, CaseIterable, Codable {
        case reduce
        case noPreference = "no-preference"
    }

    /// The value of `prefers-contrast`. WebKitGTK does not support `less`.
    public enum Contrast: String, Sendable, Hashable, CaseIterable, Codable {
        case noPreference = "no-preference"
        case more
    }

    /// The colour scheme. Default light.
    public var colorScheme = ColorScheme.light
    /// The media type of style sheets. Default screen. `matchMedia` in page scripts always reports a screen.
    public var mediaType = MediaType.screen
    /// The motion preference. Default reduce, because a picture does not move.
    public var motion = Motion.reduce
    /// The contrast preference. Default no preference.
    public var contrast = Contrast.noPreference
    /// A language tag (BCP 47), such as `de` or `zh-TW`. It applies to documents whose root element names no language: to
    /// `:lang`, quotation marks, hyphenation and the choice between Chinese and Japanese fonts. Scripts read it too. Default
    /// nil: the document has no language, and scripts read `en-US`.
    public var language: String?
    /// The time zone of scripts, an identifier such as `Europe/Vienna`. Default `UTC`.
    public var timeZone = "UTC"
    public var fonts = DefaultFonts()

    public init() {}

    /// The fonts for text without a declared font.
    public struct DefaultFonts: Sendable, Hashable, Codable {
        /// The name of a font family. Nil, the default, for the machine's sans-serif.
        public var family: String?
        /// Font size in CSS px. Monospaced text is 13/16 of this size. Default 16.
        public var size = 16
        /// Minimum font size in CSS px. Smaller text is drawn at this size. Default 0, for no minimum.
        public var minimumSize = 0

        public init() {}
    }
}
