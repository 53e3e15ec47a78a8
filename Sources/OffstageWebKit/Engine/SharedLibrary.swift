import COffstageSystem
import Foundation
import Offstage

/// The libraries that draw, which need not be there from the start.
///
/// Loading WebKitGTK takes 50 ms of a processor, five times what an answer from the cache does. So `Scripts/load-late` takes
/// them off the list of what the finished program loads at its start; the linker then finds each function when it is first
/// called. Call `load` before that. In a program that has loaded them it costs nothing.
package enum SharedLibrary: String, Sendable {
    case gdk = "libgdk-3.so.0"
    /// With GTK, GDK, cairo, Pango and X11.
    case webKit = "libwebkit2gtk-4.1.so.0"
    /// What makes files of printed pages.
    case harfBuzzSubset = "libharfbuzz-subset.so.0"
    /// The HTTP service's.
    case soup = "libsoup-3.0.so.0"

    /// Loads it, unless it is loaded, and leaves it loaded. From any thread.
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
        case .webKit: "libwebkit2gtk-4.1-0"
        case .harfBuzzSubset: "libharfbuzz-subset0"
        case .soup: "libsoup-3.0-0"
        }
    }

    package var isLoaded: Bool { dlopen(rawValue, RTLD_LAZY | RTLD_NOLOAD) != nil }

    /// The file of any of the machine's libraries, the same whether it is loaded or not. For most machines nothing is loaded
    /// to find out.
    static func path(of name: String) -> String {
        if let folder = folders.first(where: { access($0 + "/" + name, F_OK) == 0 }) { return folder + "/" + name }
        // Only the linker knows.
        try? webKit.load()
        return offstage_path_of_library(name).map { String(cString: $0) } ?? name
    }

    /// Where the linker looks first: for what a user builds, and beside GLib. Empty where the environment names other places.
    private static let folders: [String] = {
        let environment = ProcessInfo.processInfo.environment
        if environment["LD_LIBRARY_PATH"] != nil || environment["LD_PRELOAD"] != nil { return [] }
        guard let glib = offstage_path_of_library("libglib-2.0.so.0") else { return [] }
        return ["/usr/local/lib", parentFolder(of: String(cString: glib))]
    }()
}
