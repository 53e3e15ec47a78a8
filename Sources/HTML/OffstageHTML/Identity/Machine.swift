import Foundation
import Offstage
import OffstageVector

/// The properties of this machine that affect the pixels of every picture: the engine and the fonts. They are computed once per
/// process, in about fifteen milliseconds, without a display. A long-running program does not notice a font that is installed
/// later, and does not draw with it either.
package enum Machine {
    package static func fingerprint(of snippet: Snippet) -> Fingerprint {
        var builder = Fingerprint.Builder()
        snippet.add(to: &builder)
        add(to: &builder, for: snippet.medium)
        return builder.build()
    }

    package static func add(to builder: inout Fingerprint.Builder, for medium: Medium) {
        builder.add("engine", engine)
        if medium != .pixels { builder.add("printing", printing) }
        builder.add("fonts", fonts)
    }

    /// A short text that identifies all of these properties, for display.
    package static var identity: String {
        var builder = Fingerprint.Builder()
        add(to: &builder, for: .vector(nil))
        return String(builder.build().description.prefix(16))
    }

    /// The parts of the machine class, to compare machines: names and the beginnings of digests.
    package static var details: [(name: String, digest: String)] {
        let own = scripts.map { Digest(of: Data($0)).description } + ["painting \(painting)"]
        let parts = libraryNames.map { ("library/\($0)", identity(ofProgram: libraries[$0])) }
        return (parts + [("scripts", Digest(of: own.joined()).description), ("fonts", fonts.description)]).map {
            ($0.0, String($0.1.prefix(16)))
        }
    }

    /// True if a picture was drawn by a machine with the same engine and fonts, or if it depends on neither.
    package static func agrees(with fingerprint: Fingerprint) -> Bool {
        // Image files and PDF pages are drawn by other engines.
        guard fingerprint.parts.contains(where: { $0.name == "fonts" }) else { return true }
        var builder = Fingerprint.Builder()
        add(to: &builder, for: .vector(nil))
        let own = Dictionary(uniqueKeysWithValues: builder.build().parts.map { ($0.name, $0.short) })
        return fingerprint.parts.allSatisfy { own[$0.name] == nil || own[$0.name] == $0.short }
    }

    /// Increase this with every change to Offstage that changes pixels or the bytes of files, such as a setting. Changes to
    /// the policy and to the scripts in this list are detected by their contents.
    private static let painting = 9
    static let scripts = [
        PackageResources.readiness_js, PackageResources.images_js, PackageResources.dom_js, PackageResources.still_js,
        PackageResources.media_js, PackageResources.refused_js, PackageResources.traces_js, PackageResources.text_js,
        PackageResources.visible_js, PackageResources.emulation_js, PackageResources.appearance_js,
        PackageResources.page_js, PackageResources.clock_js, PackageResources.tiles_js, PackageResources.height_js,
        PackageResources.smil_js, PackageResources.animations_js, PackageResources.viewport_js,
        PackageResources.filters_js,
    ]

    /// The libraries that lay out, shape, decode and paint, without the numbers in their file names, which differ
    /// between systems. They are identified by the contents of their files: a rebuilt library of the same version
    /// invalidates pictures too, and no library has to be loaded.
    private static let libraryNames = [
        "libwebkit2gtk-4.1", "libjavascriptcoregtk-4.1", "libgtk-3", "libcairo", "libpixman-1", "libfreetype",
        "libfontconfig", "libharfbuzz", "libharfbuzz-icu", "libicuuc", "libicudata", "libpng16", "libjpeg", "libwebp",
        "libavif", "libjxl", "libwoff2dec", "libxml2", "libxslt", "libhyphen",
    ]

    /// The libraries among these that the engine is linked with on this machine, by name.
    private static let libraries: [String: String] = {
        let engine = SharedLibrary.path(of: SharedLibrary.webKit.rawValue)
        var paths = LinkedLibraries.paths(
            of: libraryNames, neededBy: [engine].compactMap(\.self), find: SharedLibrary.path(of:))
        paths["libwebkit2gtk-4.1"] = engine
        return paths
    }()

    private static let engine: Digest = {
        var parts = ["painting \(painting)"] + libraryNames.map { identity(ofProgram: libraries[$0]) }
        parts += scripts.map { Digest(of: Data($0)).description }
        parts += [true, false].map { ContentPolicy.securityPolicy(runsScripts: $0) } + [ContentPolicy.filterRules()]
        return Digest(of: parts.joined(separator: "\n"))
    }()

    /// The scripts and libraries that turn WebKit's printed output into files. Increase the number in the digest like
    /// `painting`.
    private static let printing: Digest = {
        let scripts = [PackageResources.print_js, PackageResources.doubt_js, PackageResources.pixels_js]
            .map { Digest(of: Data($0)).description }
        let files = converters.map { identity(ofProgram: $0.path) }
        return Digest(of: (["printing 6"] + scripts + files).joined(separator: "\n"))
    }()

    /// The files of the libraries and programs among these; nil for a missing one.
    static let converters: [(name: String, path: String?)] = {
        let poppler = PDFToCairo.path
        let libraries = LinkedLibraries.paths(
            of: ["libpoppler"], neededBy: [poppler].compactMap(\.self), find: SharedLibrary.path(of:))
        return [
            ("libqpdf", SharedLibrary.pathOfLoaded("libqpdf")),
            ("libharfbuzz-subset", SharedLibrary.path(of: SharedLibrary.harfBuzzSubset.rawValue)),
            ("pdftocairo", poppler), ("libpoppler", libraries["libpoppler"]),
        ]
    }()

    private static let fonts: Digest = {
        var builder = Fingerprint.Builder()
        builder.add("fonts", FontIdentity.digest)
        // The dictionaries for `hyphens: auto`.
        let folder = "/usr/share/hyphen"
        var digests: [String: Digest] = [:]
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() {
            // Most are links to other files: the German dictionary has a size of one megabyte and seven names.
            let file = (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)) ?? name
            let digest = digests[file] ?? FileIdentity.digest(ofFont: folder + "/" + name) ?? Digest(of: "")
            digests[file] = digest
            builder.add(name, digest)
        }
        return builder.build().digest
    }()

    /// A dash means that the file does not exist.
    private static func identity(ofProgram path: String?) -> String {
        path.flatMap(FileIdentity.digest(ofProgram:))?.description ?? "-"
    }
}
