internal import COffstageSystem
import Foundation
import Offstage

/// A library that the program loads only when it needs it.
///
/// Loading WebKitGTK takes 50 ms of processor time, five times as long as an answer from the cache. So
/// `Scripts/load-late` removes these libraries from the list that the linker loads at the program's start. The linker
/// then finds each function at its first call. Call `load` before that. It costs nothing in a program that has loaded
/// the library.
package enum SharedLibrary: String, Sendable {
    case gdk = "libgdk-3.so.0"
    /// Draws waveforms.
    case cairo = "libcairo.so.2"
    /// Together with GTK, GDK, cairo, Pango and X11.
    case webKit = "libwebkit2gtk-4.1.so.0"
    /// Makes subsets of fonts for vector files.
    case harfBuzzSubset = "libharfbuzz-subset.so.0"
    /// For the HTTP service; together with libevent_core, libssl and libcrypto.
    case event = "libevent_openssl-2.1.so.7"

    /// Loads the library unless it is already loaded, and never unloads it. Call it from any thread.
    package func load() throws(EngineUnavailable) {
        guard dlopen(rawValue, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE) != nil else {
            throw EngineUnavailable(
                problem: "\(rawValue) cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "no reason given")",
                remedy: "install the Debian package \(package)")
        }
    }

    private var package: String {
        switch self {
        case .gdk: "libgtk-3-0"
        case .cairo: "libcairo2"
        case .webKit: "libwebkit2gtk-4.1-0"
        case .harfBuzzSubset: "libharfbuzz-subset0"
        case .event: "libevent-openssl-2.1-7"
        }
    }

    package var isLoaded: Bool { dlopen(rawValue, RTLD_LAZY | RTLD_NOLOAD) != nil }

    /// Returns the path of any library on the machine, loaded or not; nil if it is not installed. On most machines this
    /// loads nothing.
    package static func path(of name: String) -> String? {
        func found(_ name: String) -> String? {
            folders.lazy.map { $0 + "/" + name }.first { access($0, F_OK) == 0 }
        }
        if let path = found(name) { return path }
        // The library that marks the folder of WebKit's other libraries is not installed there. If they are elsewhere,
        // only the linker knows where.
        if found(webKit.rawValue) != nil { return nil }
        try? webKit.load()
        return offstage_path_of_library(name).map { String(cString: $0) }
    }

    /// Returns the file of a library that the program has loaded at its start, whatever number is at the end of its
    /// name.
    ///
    /// - Parameter name: such as `libqpdf`.
    package static func pathOfLoaded(_ name: String) -> String? {
        offstage_path_of_loaded_library(name).map { String(cString: $0) }
    }

    /// The folders that the linker searches first: the one for local builds, and GLib's. Empty if the environment names others.
    private static let folders: [String] = {
        let environment = ProcessInfo.processInfo.environment
        if environment["LD_LIBRARY_PATH"] != nil || environment["LD_PRELOAD"] != nil { return [] }
        guard let glib = offstage_path_of_library("libglib-2.0.so.0") else { return [] }
        return ["/usr/local/lib", parentFolder(of: String(cString: glib))]
    }()
}
