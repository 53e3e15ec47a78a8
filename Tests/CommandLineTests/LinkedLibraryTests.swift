import Foundation
import Testing

/// The libraries that Offstage's programs are linked with.
@Suite struct LinkedLibraryTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Swift's own libraries, and those of libc.
    private static func isSystem(_ library: String) -> Bool {
        [
            "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libc.so", "libm.so",
            "ld-linux", "libstdc++", "libgcc_s",
        ]
        .contains { library.hasPrefix($0) }
    }

    /// The files of libraries as the linker finds them.
    private func files(of program: String) throws -> Set<String> {
        // Scripts/load-late has shortened the release program's list.
        let command = ["/usr/bin/readelf", "--wide", "--dynamic", Offstage.program(program)]
        let outcome = try Child(command, folder: "/").wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        let names = String(decoding: outcome.output, as: UTF8.self).matches(of: #/\(NEEDED\).*\[(.*)\]/#).map {
            String($0.1)
        }
        return Set(names.filter { !Self.isSystem($0) })
    }

    /// Names without version numbers, which differ between releases of Debian.
    private func libraries(of program: String) throws -> Set<String> {
        Set(try files(of: program).map { $0.replacing(#/\.so(\.[0-9]+)*$/#, with: "") })
    }

    /// The package that contains a library's file. On Debian 13, for example, `libgtk-3-0t64`.
    private static func owner(of library: String) throws -> String {
        let outcome = try Child(["/usr/bin/dpkg-query", "--search", "*/" + library], folder: "/").wait()
        return String(
            try #require(String(decoding: outcome.output, as: UTF8.self).split(separator: ":").first, "\(library)"))
    }

    /// Packages by library, as listed in `Packaging/copyright`.
    private func licences() throws -> [String: String] {
        let file = Self.repository.appendingPathComponent("Packaging/copyright")
        let lines = try String(contentsOf: file, encoding: .utf8).matches(of: #/\n  (lib\S+) (.+)/#)
        return Dictionary(uniqueKeysWithValues: lines.map { (String($0.1), String($0.2)) })
    }

    private static let workers = [
        "offstage-html", "offstage-image", "offstage-image-more", "offstage-pdf", "offstage-pdf-edit", "offstage-sound",
        "offstage-sound-more", "offstage-ink",
    ]
    private static let installed = ["offstage", "offstage-browse"] + workers

    @Test(
        arguments: ["hello", "list", "reader", "format", "sparkline", "DocumentProgram", "HostProgram"] + installed)
    func everyLibraryIsListedWithALicenceOtherThanTheGPL(program: String) throws {
        let licences = try licences()
        for library in try libraries(of: program) {
            let licence = try #require(licences[library], "\(library) is not in Packaging/copyright")
            #expect(licence.replacing("LGPL", with: "").firstRange(of: "GPL") == nil, "\(library): \(licence)")
        }
    }

    @Test func theCoreLinksItsSixLibraries() throws {
        let core: Set = [
            "libspng", "libisal", "libjpeg", "libwebp", "libsqlite3", "libb2",
        ]
        #expect(try libraries(of: "format") == core)
    }

    /// A program that only makes and compares documents needs neither the engine nor a main loop.
    @Test func aProgramWithDocumentsLinksNeitherGTKNorWebKitNorGLib() throws {
        let linked = try libraries(of: "DocumentProgram")
        #expect(linked.contains("libfontconfig"))
        for name in ["webkit", "javascriptcore", "gtk", "gdk", "glib", "gio", "gobject", "X11"] {
            #expect(!linked.contains { $0.contains(name) }, "\(linked)")
        }
        try withFolder { folder in
            try folder.write("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
            let outcome = try Child([Offstage.program("DocumentProgram"), "a.svg"], folder: folder.path).wait()
            #expect(String(decoding: outcome.output, as: UTF8.self) == "svg UTF-8 400\n", "\(outcome.error)")
        }
    }

    /// A host that only shows pages has windows but needs no WebKit.
    @Test func aHostForPagesLinksNoWebKit() throws {
        let linked = try libraries(of: "reader")
        #expect(linked.contains("libgtk-3"))
        #expect(try libraries(of: "list").subtracting(linked).isSuperset(of: ["libwebkit2gtk-4.1"]))
        #expect(!linked.contains { $0.contains("webkit") || $0.contains("javascriptcore") })
    }

    /// WebKitGTK is in the worker for HTML, and widgets are in the program of `browse`.
    @Test(arguments: ["offstage", "hello", "rows", "feed", "sparkline"])
    func aProgramThatDrawsHTMLLinksNeitherGTKNorWebKit(program: String) throws {
        let linked = try libraries(of: program)
        for name in ["webkit", "javascriptcore", "gtk", "gdk", "pango", "soup"] {
            #expect(!linked.contains { $0.contains(name) }, "\(linked)")
        }
        #expect(try libraries(of: "offstage-html").contains("libwebkit2gtk-4.1"))
        #expect(try libraries(of: "offstage-browse").contains("libgtk-3"))
    }

    /// A user who installs manually finds the packages in the guide.
    @Test func theGuideNamesThePackagesOfAllLibraries() throws {
        let guide = try #require(Document.named("docs/operations.md")).lines.joined(separator: "\n")
        // Dependencies of WebKitGTK and GTK are installed with them.
        let packages = try ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0"].map(Self.owner(of:))
        var coming = Set(packages)
        for package in packages {
            let outcome = try Child(["/usr/bin/dpkg-query", "--show", "--showformat=${Depends}", package], folder: "/")
                .wait()
            coming.formUnion(
                String(decoding: outcome.output, as: UTF8.self).split(separator: ",").compactMap {
                    $0.split(separator: " ").first.map(String.init)
                })
        }
        let libraries = try Self.installed.map(files).reduce(into: Set()) { $0.formUnion($1) }
        #expect(libraries.count > 20)
        for library in libraries where library != "libpdfium.so" {
            let owner = try Self.owner(of: library)
            // Another Debian release has other version numbers in the names.
            let name = owner.prefix { !$0.isNumber }
            #expect(coming.contains(owner) || guide.contains("`\(name)"), "\(library) is in \(owner)")
        }
    }

    @Test func noLibraryOfTheListIsUnused() throws {
        let used = try Self.installed.map(libraries).reduce(into: Set()) { $0.formUnion($1) }
        #expect(try Set(licences().keys).subtracting(used).isEmpty)
    }
}
