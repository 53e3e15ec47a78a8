import Offstage

extension DrawingWarning.Code {
    /// A loaded font file is damaged or is not a font. The subject is the font's family.
    public static let fontBroken = Self("font-broken", "not a usable font: ").with { $0.isAboutFile = true }
    /// An image file that ends too early, so that WebKit shows only a part of it or nothing.
    public static let imageCut = Self(
        "image-damaged", "shown only in part or not at all, because the file ends too early: "
    )
    .with { $0.isAboutFile = true }
    /// The content is wider than the picture. The subject is the missing width.
    public static let contentCut = Self("content-cut", "cut off at the right: ")
    /// The code of `contentCut`, for content hidden by a scrolling area that is as high as the viewport. The subject is
    /// the missing height.
    package static let contentCutBelow = Self("content-cut", "cut off at the bottom: ")
    /// Something that Offstage never loads: an external entity, XInclude, a style sheet that transforms the document, or
    /// the document's own document type. The reason names the file or data URI that uses it, unless the document does.
    public static let resourceUnsupported = Self(
        "resource-unsupported", "not loaded, as Offstage does not support external entities, XInclude, XSLT or DTDs: "
    ).with { $0.isAboutFile = true }
    /// Audio or video, which Offstage does not open: a video without a poster, or an audio player, which is then shown
    /// without its duration.
    public static let mediaNotPlayed = Self("media-not-played", "not opened, because Offstage does not play media: ")
    /// An error that no script of the document caught. The subject is its location.
    public static let scriptError = Self("script-error", "script error in ")
    /// The scripts would still change the document after their time was up, 10 s on their own clock. The picture shows
    /// that moment. The subject is `the document`.
    public static let scriptUnfinished = Self(
        "script-unfinished", "scripts would still change it after 10 s on their own clock: ")
    /// The document names no charset and is not UTF-8. Offstage read it in another charset, the subject, which may be
    /// wrong.
    public static let charsetGuessed = Self("charset-guessed", "declares no charset and is not UTF-8; read as ")
    /// A script's message to its console, which does not make the picture incomplete. The subject is its kind, such as
    /// `log`.
    public static let consoleMessage = Self("console-message", "console, ").with { $0.isDefect = false }
    /// A picture too large for one snapshot was painted in tiles, and an element moved.
    public static let tilesMisplaced = Self("tiles-misplaced", "misplaced, because the picture was painted in tiles: ")
    /// Columns became a single column in a vector picture, because WebKit does not print columns.
    public static let columnsMerged = Self(
        "columns-merged", "columns merged into one, because WebKit does not print columns: ")
    /// No font has these characters, so they appear as boxes. The subject is the characters and their script.
    public static let glyphMissing = Self("glyph-missing", "no font has ").with { $0.continuesWithReason = true }
    /// A text names only font families that are not installed, and no generic one. The subject is all the families it names.
    public static let fontReplaced = Self(
        "font-replaced", "drawn in another font, because none of these is installed and no generic family is named: ")
    /// Twice, the picture had only one colour although the document shows something. The subject is `the picture`.
    public static let pictureBlank = Self(
        "picture-blank", "has only one colour after two attempts, although the document has visible content: "
    ).with { $0.isLasting = false }

    /// All codes that an HTML drawing may have.
    public static let html: [Self] =
        common + [
            .fontBroken, .imageCut, .contentCut, .mediaNotPlayed, .scriptError, .scriptUnfinished, .charsetGuessed,
            .consoleMessage, .tilesMisplaced, .columnsMerged, .resourceUnsupported, .glyphMissing, .fontReplaced,
            .pictureBlank,
        ]
}
