// swift-tools-version: 6.2
import PackageDescription

/// A worker program, in C. The package manager links every program with Swift's runtime. With an archive, none of it is
/// used.
func worker(
    _ name: String, dependencies: [Target.Dependency] = [], libraries: [String] = [], path: String? = nil
) -> Target {
    .executableTarget(
        name: name, dependencies: ["COffstageWorker"] + dependencies, path: path,
        // Also applies to tests, which decode a lot.
        cSettings: [.unsafeFlags(["-O2"])], cxxSettings: [.unsafeFlags(["-O2"])],
        linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xlinker", "--as-needed"])]
            + libraries.map { .linkedLibrary($0) })
}

/// A library of the system, whose module map and header are in `Sources/Libraries`.
func library(_ name: String, pkgConfig: String? = nil, packages: [String]) -> Target {
    .systemLibrary(name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig, providers: [.apt(packages)])
}

let package = Package(
    name: "offstage",
    products: [
        .library(name: "Offstage", targets: ["Offstage"]),
        .library(name: "OffstageHTML", targets: ["OffstageHTML"]),
        .library(name: "OffstageWebKit", targets: ["OffstageWebKit"]),
        .library(name: "OffstageLists", targets: ["OffstageLists"]),
        .library(name: "OffstageGTK", targets: ["OffstageGTK"]),
        .library(name: "OffstageGTKLive", targets: ["OffstageGTKLive"]),
        .library(name: "OffstageWorkers", targets: ["OffstageWorkers"]),
        .library(name: "OffstageImages", targets: ["OffstageImages"]),
        .library(name: "OffstagePages", targets: ["OffstagePages"]),
        .library(name: "OffstageSound", targets: ["OffstageSound"]),
        .library(name: "OffstageInk", targets: ["OffstageInk"]),
        // Static, because `make lib` links the shared library from it, with Swift's runtime inside.
        .library(name: "OffstageC", type: .static, targets: ["OffstageC"]),
        .executable(name: "offstage", targets: ["offstage"]),
    ],
    targets: [
        // System libraries
        library("CSpng", pkgConfig: "spng", packages: ["libspng-dev"]),
        library("CISAL", pkgConfig: "libisal", packages: ["libisal-dev"]),
        library("CJPEG", pkgConfig: "libjpeg", packages: ["libjpeg62-turbo-dev"]),
        library("CWebP", pkgConfig: "libwebp", packages: ["libwebp-dev"]),
        library("CSQLite", pkgConfig: "sqlite3", packages: ["libsqlite3-dev"]),
        library("CBlake2", pkgConfig: "libb2", packages: ["libb2-dev"]),
        library("CFontconfig", pkgConfig: "fontconfig", packages: ["libfontconfig-dev"]),
        library("CGTK", pkgConfig: "gtk+-3.0", packages: ["libgtk-3-dev", "libcairo2-dev"]),
        library("CWebKitGTK", pkgConfig: "webkit2gtk-4.1", packages: ["libwebkit2gtk-4.1-dev"]),
        library("CQPDF", pkgConfig: "libqpdf", packages: ["libqpdf-dev"]),
        library("CHarfBuzz", pkgConfig: "harfbuzz-subset", packages: ["libharfbuzz-dev"]),
        library("CGLib", pkgConfig: "gio-2.0", packages: ["libglib2.0-dev"]),
        library("CEvent", packages: ["libevent-dev", "libssl-dev"]),
        library("CSeccomp", pkgConfig: "libseccomp", packages: ["libseccomp-dev"]),

        // Those of the worker programs
        library("CLittleCMS", pkgConfig: "lcms2", packages: ["liblcms2-dev"]),
        library("CWebPDemux", pkgConfig: "libwebpdemux", packages: ["libwebp-dev"]),
        library("CGIF", packages: ["libgif-dev"]),
        library("CTIFF", pkgConfig: "libtiff-4", packages: ["libtiff-dev"]),
        library("CHEIF", pkgConfig: "libheif", packages: ["libheif-dev"]),
        library("COpenJPEG", pkgConfig: "libopenjp2", packages: ["libopenjp2-7-dev"]),
        library("CJXL", pkgConfig: "libjxl", packages: ["libjxl-dev"]),
        library("CGStreamer", pkgConfig: "gstreamer-1.0", packages: ["libgstreamer1.0-dev"]),
        library("CSndfile", pkgConfig: "sndfile", packages: ["libsndfile1-dev"]),
        library("CMPG123", pkgConfig: "libmpg123", packages: ["libmpg123-dev"]),
        library("CEBUR128", pkgConfig: "libebur128", packages: ["libebur128-dev"]),
        library("CFriBidi", pkgConfig: "fribidi", packages: ["libfribidi-dev"]),
        library("CNettle", pkgConfig: "nettle", packages: ["nettle-dev"]),
        library("CExpat", pkgConfig: "expat", packages: ["libexpat1-dev"]),
        library("CJansson", pkgConfig: "jansson", packages: ["libjansson-dev"]),
        library("CZlib", pkgConfig: "zlib", packages: ["zlib1g-dev"]),
        library("CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", packages: ["libgdk-pixbuf-2.0-dev"]),

        // Code that Swift cannot express: variadic functions, fork and exec, raw system calls, longjmp
        .target(name: "COffstageSystem"),
        .target(name: "COffstageJPEG", dependencies: ["CJPEG"]),
        .target(name: "COffstageDeflate", dependencies: ["CISAL"]),
        .target(name: "COffstageDigest", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "COffstageVector", dependencies: ["CHarfBuzz"]),
        .target(name: "COffstageWebKit", dependencies: ["CGTK", "CWebKitGTK", "COffstageSystem"]),

        // A widget class and its accessible objects
        .target(name: "COffstageGTK", dependencies: ["CGTK"]),

        // GLib's main loop, and wrappers that own what they connect
        .target(name: "OffstageGLib", dependencies: ["CGLib", "COffstageSystem"]),
        .target(
            name: "Offstage",
            dependencies: [
                "CSpng", "CISAL", "COffstageDeflate", "COffstageDigest", "COffstageJPEG", "CWebP", "CSQLite", "CBlake2",
            ]),
        // The messages between a host and its workers
        .target(name: "COffstageWire"),
        // For worker programs, which are in C: the jail, and the loop that draws
        .target(name: "COffstageWorker", dependencies: ["COffstageWire", "CSeccomp"]),
        // The host's side of workers: starts them, limits them, and checks what they answer
        .target(name: "OffstageWorkers", dependencies: ["Offstage", "COffstageWire", "COffstageSystem"]),
        // Image files: code that all decoders share, the common formats, and those whose libraries are large
        .target(
            name: "COffstageImage", dependencies: ["COffstageWorker", "CLittleCMS"],
            cSettings: [.unsafeFlags(["-O2"])]),
        worker(
            "offstage-image",
            dependencies: ["COffstageImage", "CJPEG", "CSpng", "CISAL", "CWebP", "CWebPDemux", "CGIF", "CTIFF"],
            // It has no pkg-config file.
            libraries: ["gif"]),
        worker(
            "offstage-image-more", dependencies: ["COffstageImage", "CHEIF", "COpenJPEG", "CJXL", "CGdkPixbuf"]),
        .target(name: "OffstageImages", dependencies: ["Offstage", "OffstageWorkers", "COffstageWire"]),
        // The options and reports of the worker for PDF pages
        .target(name: "COffstagePages", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "OffstagePages", dependencies: ["Offstage", "OffstageWorkers", "COffstagePages", "CExpat"]),
        // Annotations as objects of a PDF document, for both of the following programs
        .target(
            name: "COffstageAnnotations", dependencies: ["COffstagePages", "CFriBidi", "CHarfBuzz", "CSpng", "CZlib"],
            cSettings: [.unsafeFlags(["-O2"])]),
        worker(
            "offstage-pdf", dependencies: ["COffstagePages", "COffstageAnnotations", "CQPDF", "CZlib"],
            libraries: ["harfbuzz", "m"]),
        // A separate program: it is in C++, and loading qpdf takes longer than drawing a page
        worker(
            "offstage-pdf-edit", dependencies: ["COffstagePages", "COffstageAnnotations", "CNettle", "CQPDF"],
            libraries: ["harfbuzz", "m"]),
        // Sounds: peaks, their files, and waveforms
        .target(
            name: "COffstageSound", dependencies: ["COffstageWorker", "CEBUR128"],
            cSettings: [.unsafeFlags(["-O2", "-ffp-contract=off"])]),
        worker(
            "offstage-sound", dependencies: ["COffstageSound", "CSndfile", "CMPG123"], libraries: ["m"]),
        worker(
            "offstage-sound-more", dependencies: ["COffstageSound", "CGStreamer"], libraries: ["m"]),
        library("CCairo", pkgConfig: "cairo", packages: ["libcairo2-dev"]),
        .target(
            name: "OffstageSound",
            dependencies: ["Offstage", "OffstageVector", "OffstageWorkers", "COffstageWire", "CCairo"]),
        // Strokes as pixels, for the worker, which reads ink, and for the canvas, on which the user draws
        .target(
            name: "COffstageInk",
            // The same bytes on every machine: no fused operations, which some processors lack.
            cSettings: [.unsafeFlags(["-O2", "-ffp-contract=off", "-fno-math-errno"])]),
        .target(
            name: "OffstageInk",
            dependencies: [
                "Offstage", "OffstageWorkers", "OffstageImages", "OffstagePages", "COffstageInk", "COffstageSystem",
                "COffstageDeflate",
            ]),
        worker(
            "offstage-ink", dependencies: ["COffstageInk", "CExpat", "CHarfBuzz", "CJansson", "CSpng", "CZlib"],
            libraries: ["harfbuzz"]),
        // Pictures that keep their lines and letters: PDF and SVG
        .target(name: "OffstageVector", dependencies: ["Offstage", "CQPDF", "COffstageVector", "COffstageSystem"]),
        // HTML documents as values: their options, files, fonts and fingerprints. No GTK, no WebKit, no GLib.
        .target(
            name: "OffstageHTML",
            dependencies: [
                "Offstage", "OffstageVector", "OffstageWorkers", "COffstageDeflate", "COffstageSystem", "COffstageWire",
                "CFontconfig",
            ],
            resources: [.embedInCode("Templates/presentation.html")]
                + [
                    "animations", "appearance", "clock", "content", "dom", "doubt", "emulation", "filters", "height",
                    "images", "media", "page", "pixels", "print", "readiness", "refused", "smil", "still", "text",
                    "tiles", "traces", "viewport", "visible",
                ].map { .embedInCode("Scripts/\($0).js") }),
        // The engine that draws them: hidden views of WebKitGTK
        .target(
            name: "OffstageWebKit",
            dependencies: [
                "Offstage", "OffstageGLib", "OffstageHTML", "OffstageLists", "OffstageVector", "CGTK", "CWebKitGTK",
                "CFontconfig",
                "COffstageWebKit", "COffstageSystem",
            ],
            exclude: ["Display/Theme/theme.gresource.xml"],
            resources: [.embedInCode("Display/Theme/theme.gresource"), .embedInCode("Display/Theme/colors.css")],
            linkerSettings: [.linkedLibrary("X11")]),
        // The worker for HTML, which is in Swift like the engine
        .executableTarget(
            name: "offstage-html",
            dependencies: [
                "Offstage", "OffstageGLib", "OffstageHTML", "OffstageWebKit", "OffstageWorkers", "COffstageSystem",
                "CGLib",
                "CWebKitGTK",
            ]),
        // The content of a request: options, rows of JSON
        .target(
            name: "OffstageRequests",
            dependencies: [
                "Offstage", "OffstageVector", "OffstageHTML", "OffstageWorkers", "OffstageImages", "OffstagePages",
                "OffstageSound", "OffstageInk",
            ]),
        // OpenSSL's functions, which libevent loads
        .target(name: "COffstageTLS"),
        // JSON Lines and HTTP
        .target(
            name: "OffstageService",
            dependencies: [
                "Offstage", "OffstageGLib", "OffstageHTML", "OffstageRequests", "OffstageShared", "OffstagePages",
                "OffstageSound", "CEvent",
                "COffstageTLS",
                "CGLib",
                "COffstageSystem",
            ]),
        // A queue and a store for several machines, on PostgreSQL. It loads libpq on first use
        .target(name: "OffstageShared", dependencies: ["Offstage"]),
        // Layouts, selection, look-ahead and the frame governor, for lists in any toolkit
        .target(name: "OffstageLists", dependencies: ["Offstage"]),
        .target(
            name: "OffstageGTK",
            dependencies: [
                "Offstage", "OffstageGLib", "OffstageLists", "OffstageInk", "OffstagePages", "OffstageSound", "CGTK",
                "COffstageGTK",
            ]),
        // Live rows of HTML: the only widgets that need WebKit
        .target(name: "OffstageGTKLive", dependencies: ["Offstage", "OffstageGTK", "OffstageHTML", "OffstageWebKit"]),
        // For programs in other languages: the header, and the functions that it declares
        .target(name: "COffstage", dependencies: ["CGLib"]),
        .target(
            name: "OffstageC",
            dependencies: [
                "COffstage", "Offstage", "OffstageGLib", "OffstageHTML", "OffstageRequests", "OffstageService", "CGLib",
            ]),
        // The commands, for the program and for one with more sources
        .target(
            name: "OffstageCommandLine",
            dependencies: [
                "Offstage", "OffstageGLib", "OffstageHTML", "OffstageInk", "OffstagePages", "OffstageRequests",
                "OffstageService", "OffstageShared", "OffstageSound", "OffstageWorkers", "CGLib", "COffstageSystem",
            ],
            resources: [.embedInCode("Output/results.css")]),

        .executableTarget(name: "offstage", dependencies: ["OffstageCommandLine"]),

        // The windows of `offstage browse`, and the program that shows them
        .target(
            name: "OffstageBrowse",
            dependencies: [
                "Offstage", "OffstageCommandLine", "OffstageGTK", "OffstageGTKLive", "OffstageInk", "OffstagePages",
                "OffstageRequests", "OffstageSound", "OffstageWebKit", "CGTK",
            ]),
        .executableTarget(name: "offstage-browse", dependencies: ["OffstageBrowse", "OffstageCommandLine"]),

        // The Swift code of the README and the guides, verbatim
        .executableTarget(name: "hello", dependencies: ["Offstage", "OffstageHTML"], path: "Examples/Hello"),
        .executableTarget(name: "rows", dependencies: ["Offstage", "OffstageHTML"], path: "Examples/Rows"),
        .executableTarget(name: "feed", dependencies: ["Offstage", "OffstageHTML"], path: "Examples/Feed"),
        .executableTarget(
            name: "list",
            dependencies: ["Offstage", "OffstageHTML", "OffstageWebKit", "OffstageGTK", "OffstageGTKLive", "CGTK"],
            path: "Examples/List"),
        // A GTK program without WebKit
        .executableTarget(
            name: "reader", dependencies: ["Offstage", "OffstageGTK", "OffstagePages", "CGTK"], path: "Examples/Reader"),
        // A host's own format, using only the core
        .executableTarget(name: "format", dependencies: ["Offstage"], path: "Examples/Format"),
        // Offstage with one more source
        .executableTarget(
            name: "sparkline", dependencies: ["Offstage", "OffstageRequests", "OffstageCommandLine"],
            path: "Examples/Sparkline"),

        // Benchmarks: comparing and printing, work that never changes, and the program that measures
        .target(name: "Benchmarking", dependencies: ["SeededRandom"], path: "Benchmarks/Benchmarking"),
        .target(name: "CBenchmark", path: "Benchmarks/CBenchmark"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Benchmarking", "CBenchmark", "SeededRandom", "Offstage", "OffstageImages", "OffstageWebKit",
                "CGTK",
                "COffstageSystem",
            ],
            path: "Benchmarks/bench"),
        // Machines that share a database and draw nothing
        .executableTarget(
            name: "bench-shared", dependencies: ["Offstage", "OffstageShared"], path: "Benchmarks/SharedBench"),
        // Draws generated documents, and rows while processes are killed
        .executableTarget(
            name: "endure",
            dependencies: [
                "Offstage", "OffstageWebKit", "OffstageImages", "OffstagePages", "OffstageSound", "OffstageInk",
                "SeededRandom",
            ],
            path: "Endurance"),
        .testTarget(name: "OffstageBenchmarkTests", dependencies: ["Benchmarking", "SeededRandom"]),

        // Reproducible random numbers
        .target(name: "SeededRandom", path: "Tests/SeededRandom"),
        // Recorded pictures, for each release of Debian
        .target(name: "References", path: "Tests/References"),
        .testTarget(
            name: "OffstageTests",
            dependencies: [
                "Offstage", "CBlake2", "CSpng", "COffstageDeflate", "CSQLite", "StoreWriter", "Samples", "SeededRandom",
            ]),
        .testTarget(name: "OffstageListsTests", dependencies: ["Offstage", "OffstageLists", "SeededRandom"]),
        .testTarget(name: "OffstageVectorTests", dependencies: ["Offstage", "OffstageVector", "SeededRandom"]),
        // A worker that misbehaves in every way that the tests cover
        worker("offstage-test-worker", path: "Tests/TestWorker"),
        .testTarget(
            name: "OffstageWorkersTests",
            dependencies: [
                "Offstage", "OffstageWorkers", "COffstageWire", "COffstageSystem", "offstage-test-worker",
                "SeededRandom",
            ]),
        // A worker whose answers are well-formed and untrue
        worker(
            "offstage-hostile-worker", dependencies: ["COffstagePages", "COffstageInk"], path: "Tests/HostileWorker"),
        // PDF documents for tests
        .target(name: "PageSamples", path: "Tests/PageSamples"),
        .testTarget(
            name: "OffstageImagesTests",
            dependencies: [
                "Offstage", "OffstageImages", "OffstageWorkers", "offstage-image", "offstage-image-more",
                "SeededRandom",
            ]),
        .testTarget(
            name: "OffstagePagesTests",
            dependencies: [
                "Offstage", "OffstagePages", "OffstageWorkers", "COffstagePages", "PageSamples", "offstage-pdf",
                "offstage-pdf-edit", "offstage-hostile-worker",
            ]),
        .testTarget(
            name: "OffstageSoundTests",
            dependencies: [
                "Offstage", "OffstageSound", "OffstageWorkers", "SeededRandom", "offstage-sound", "offstage-sound-more",
                "offstage-hostile-worker",
            ]),
        .executableTarget(name: "InkWriter", dependencies: ["OffstageInk"], path: "Tests/InkWriter"),
        .testTarget(
            name: "OffstageInkTests",
            dependencies: [
                "Offstage", "OffstageInk", "OffstageWorkers", "COffstageInk", "SeededRandom", "PageSamples",
                "offstage-ink", "offstage-pdf", "offstage-pdf-edit", "offstage-image", "InkWriter",
                "offstage-hostile-worker",
            ]),
        // Pictures whose correctness can be checked, for tests and for the program that writes into a store until it is killed
        .target(name: "Samples", dependencies: ["Offstage"], path: "Tests/Samples"),
        .executableTarget(name: "StoreWriter", dependencies: ["Offstage", "Samples"], path: "Tests/StoreWriter"),
        // Documents that workers draw, for a program without a main loop
        .testTarget(
            name: "OffstageHTMLTests", dependencies: ["Offstage", "OffstageHTML", "OffstageWorkers", "offstage-html"]),
        .testTarget(
            name: "OffstageWebKitTests",
            dependencies: [
                "Offstage", "OffstageHTML", "OffstageWebKit", "OffstageRequests", "CGTK", "CFontconfig", "References",
            ],
            exclude: ["References"]),
        .target(
            name: "CTestEvents", dependencies: ["CGTK"], path: "Tests/CTestEvents",
            linkerSettings: [.linkedLibrary("Xtst")]),
        .testTarget(
            name: "OffstageGTKTests",
            dependencies: [
                "Offstage", "OffstageWebKit", "OffstagePages", "OffstageGTK", "OffstageGTKLive", "OffstageGLib",
                "OffstageLists", "OffstageInk", "OffstageSound",
                "CGTK", "CWebKitGTK", "COffstageGTK", "CTestEvents", "PageSamples", "References", "SeededRandom",
                "offstage-pdf", "offstage-sound",
            ],
            exclude: ["References"]),
        // The services without an engine that draws
        .testTarget(
            name: "OffstageServiceTests",
            dependencies: [
                "Offstage", "OffstageWebKit", "OffstageImages", "OffstagePages", "OffstageSound", "OffstageInk",
                "OffstageWorkers", "OffstageRequests", "OffstageService",
            ]),
        // PostgreSQL in a temporary folder
        .target(name: "PostgresCluster", path: "Tests/PostgresCluster"),
        .testTarget(name: "OffstageSharedTests", dependencies: ["Offstage", "OffstageShared", "PostgresCluster"]),
        // A GTK program with its own windows and settings that draws pictures
        .executableTarget(
            name: "HostProgram", dependencies: ["Offstage", "OffstageWebKit", "CGTK"],
            path: "Tests/HostProgram"),
        // Handles documents and draws none
        .executableTarget(name: "DocumentProgram", dependencies: ["OffstageHTML"], path: "Tests/DocumentProgram"),
        // Draws documents without some of the layers that keep them from the network
        .executableTarget(
            name: "LayerProgram", dependencies: ["Offstage", "OffstageWebKit"], path: "Tests/LayerProgram"),
        .target(name: "CTestSpawn", path: "Tests/CTestSpawn"),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "offstage", "offstage-browse", "offstage-html", "offstage-image", "offstage-image-more", "offstage-pdf",
                "offstage-pdf-edit",
                "offstage-sound",
                "offstage-sound-more", "offstage-ink", "hello", "rows", "feed", "list", "reader",
                "format", "sparkline", "bench", "endure", "DocumentProgram", "HostProgram", "LayerProgram", "CSpng",
                "CTestSpawn",
                "PageSamples", "PostgresCluster", "References",
            ],
            resources: [.copy("Fixtures")]),
    ],
    swiftLanguageModes: [.v6]
)

// Each folder of `Sources` has targets in folders of their names.
let folders = [
    "Core": ["Offstage", "COffstageDeflate", "COffstageDigest", "COffstageJPEG"],
    "System": ["COffstageSystem", "OffstageGLib"],
    "Vector": ["OffstageVector", "COffstageVector"],
    "Workers": ["OffstageWorkers", "COffstageWire", "COffstageWorker"],
    // The sources
    "HTML": ["OffstageHTML", "OffstageWebKit", "COffstageWebKit", "offstage-html"],
    "Images": ["OffstageImages", "COffstageImage", "offstage-image", "offstage-image-more"],
    "Pages": ["OffstagePages", "COffstagePages", "COffstageAnnotations", "offstage-pdf", "offstage-pdf-edit"],
    "Sound": ["OffstageSound", "COffstageSound", "offstage-sound", "offstage-sound-more"],
    "Ink": ["OffstageInk", "COffstageInk", "offstage-ink"],
    // The front doors
    "Requests": ["OffstageRequests"],
    "Service": ["OffstageService", "COffstageTLS", "OffstageShared"],
    "GTK": ["OffstageGTK", "COffstageGTK", "OffstageGTKLive", "OffstageLists"],
    "C": ["OffstageC", "COffstage"],
    "CommandLine": ["OffstageCommandLine", "offstage"],
    "Browse": ["OffstageBrowse", "offstage-browse"],
]
for (folder, names) in folders {
    for target in package.targets where names.contains(target.name) { target.path = "Sources/\(folder)/\(target.name)" }
}
