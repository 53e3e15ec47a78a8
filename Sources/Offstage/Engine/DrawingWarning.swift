/// Something that a picture lacks although its author put it there.
public struct DrawingWarning: Sendable, Hashable, Codable {
    /// Stable names, for programs; they stand in the JSON output as they are here.
    public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        /// The deadline passed while this was still loading.
        case deadline
        /// A file that the source names does not exist in its base folder.
        case resourceMissing = "resource-missing"
        /// A file that the source names cannot be read: a permission, not a plain file, outside the base folder; or that an
        /// allowed host did not give.
        case resourceRefused = "resource-refused"
        /// A file that would have been over the limit of files, or of their bytes.
        case resourceLimit = "resource-limit"
        /// Something outside the source and its base folder, which is not loaded.
        case resourceBlocked = "resource-blocked"
        /// A picture that was loaded and is none, or is damaged.
        case imageBroken = "image-broken"
        /// A font that was loaded and is none, or is damaged.
        case fontBroken = "font-broken"
        /// Audio or video, which Offstage does not open: a video without a poster, or an audio box, which then shows no length.
        case mediaNotPlayed = "media-not-played"
        /// An error that no script of the source caught.
        case scriptError = "script-error"
        /// The source names no charset and is not UTF-8: it was read in another one, which may be wrong.
        case charsetGuessed = "charset-guessed"
        /// What a script of the source wrote to its console: no defect of the picture.
        case consoleMessage = "console-message"
        /// A picture too large for one snapshot was painted in tiles, and something does not stand where it stood before.
        case tilesMisplaced = "tiles-misplaced"
        /// Columns became one: a vector picture cannot have them (WebKit prints none).
        case columnsMerged = "columns-merged"
        /// Characters that no font has: boxes stand in their place.
        case glyphMissing = "glyph-missing"
        /// None of the font families that a text names is there, and its author named no generic one to stand in.
        case fontReplaced = "font-replaced"
        /// The picture is of one colour though the source shows something, twice.
        case pictureBlank = "picture-blank"

        /// The picture lacks something.
        public var isDefect: Bool { self != .consoleMessage }
    }

    public var code: Code
    /// The resource, font or element it is about, as the source names it; a data URI is cut to its media type. Of missing
    /// glyphs, the characters and their script; of replaced fonts, all that the text names; of a blank picture, `the picture`;
    /// of a guessed charset its name; of a script's error its place, of a console message its kind.
    public var subject: String
    /// Why, where the code does not say it all: a sentence's end, without its full stop.
    public var reason: String?

    public init(_ code: Code, _ subject: String, reason: String? = nil) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }
}

extension DrawingWarning: CustomStringConvertible {
    public var description: String {
        let text =
            switch code {
            case .deadline: "not loaded before the deadline: \(subject)"
            case .resourceMissing: "not found in the base folder: \(subject)"
            case .resourceRefused: "not read: \(subject)"
            case .resourceLimit: "left out, over a limit: \(subject)"
            case .resourceBlocked: "blocked, the network and other folders are closed: \(subject)"
            case .imageBroken: "not a picture that can be decoded: \(subject)"
            case .fontBroken: "not a font that can be used: \(subject)"
            case .mediaNotPlayed: "not opened, Offstage plays no media: \(subject)"
            case .scriptError: "script error in \(subject)"
            case .consoleMessage: "console, \(subject)"
            case .tilesMisplaced: "moved by painting in tiles: \(subject)"
            case .charsetGuessed: "names no charset and is not UTF-8; read as \(subject)"
            case .columnsMerged: "columns printed as one: \(subject)"
            case .pictureBlank: "of one colour though the document shows something, twice: \(subject)"
            case .glyphMissing: "no font has \(subject)"
            case .fontReplaced:
                "replaced by another font, for none of these is there and no generic family is named: \(subject)"
            }
        guard let reason else { return text }
        return code == .glyphMissing ? "\(text); \(reason)" : "\(text) (\(reason))"
    }
}
