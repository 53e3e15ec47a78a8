import Foundation
import Offstage
import OffstageWorkers

/// The library that draws pages, and the fonts for text whose font is not in the document.
struct PDFium: Sendable {
    /// The library's path; nil if it is not installed.
    let library: String?
    /// In the worker programs' order: sans, bold sans, serif, fixed, the collection for Chinese, Japanese and Korean,
    /// emoji. More fonts follow, for characters that these lack.
    let fonts: [String]
    /// The worker program's name.
    var worker = "offstage-pdf"
    /// The name of the program that lists and changes annotations.
    var editor = "offstage-pdf-edit"

    /// The files installed on this machine.
    static let installed = PDFium(
        library: WorkerProgram.path(ofFile: "libpdfium.so", buildFolder: "pdfium"), fonts: debianFonts)

    private static let debianFonts =
        ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSansMono"].map {
            "/usr/share/fonts/truetype/dejavu/\($0).ttf"
        } + ["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", noto("ColorEmoji")]
        + [
            "Music", "SansSymbols", "SansSymbols2", "SansMath", "SansDevanagari", "SansBengali", "SansTamil",
            "SansTelugu", "SansGujarati", "SansGurmukhi", "SansKannada", "SansMalayalam", "SansSinhala", "SansThai",
            "SansKhmer", "SansMyanmar", "SansEthiopic", "SerifTibetan",
        ].map { noto($0 + "-Regular") }

    private static func noto(_ name: String) -> String { "/usr/share/fonts/truetype/noto/Noto\(name).ttf" }

    static let missing = EngineUnavailable(
        problem: "PDFium, the library that draws PDF pages, is not installed",
        remedy: "install it with: make setup, then make install")

    /// The worker program. It also starts without the library, but then rejects every document.
    var program: WorkerProgram { WorkerProgram(worker, files: [library ?? "/libpdfium.so"] + fonts) }

    /// Identifies the library and the fonts, computed once.
    static let identity: Digest = installed.identity

    var identity: Digest {
        var builder = Fingerprint.Builder()
        builder.add("library", library.flatMap(FileIdentity.digest(ofProgram:)) ?? Digest(of: ""))
        for font in fonts { builder.add("font", FileIdentity.digest(ofFont: font) ?? Digest(of: "")) }
        return builder.build().digest
    }
}
