import COffstageSystem
import Foundation
import Offstage
import Synchronization

/// Replaces the machine's EGL with that of `Sources/HTML/OffstageEGL`, for this process and its children.
///
/// WebKit opens an EGL display in each process but never draws with it. Mesa's EGL takes 40 MB per process, and 50 ms
/// at the start. If Offstage's EGL is missing, or WebKit does not work with it, the machine's is used; the pictures are
/// the same.
package enum EmptyEGL {
    /// libglvnd reads this file for the path of a vendor's library.
    package static let file = "offstage-egl.json"
    private static let library = "libOffstageEGL.so"
    private static let variable = "__EGL_VENDOR_LIBRARY_FILENAMES"

    /// Like `PinnedEnvironment`, call this before any thread starts. It overrides EGL settings in the user's
    /// environment.
    static func apply() {
        unsetenv(variable)
        if let folder = places.first(where: isWhole) { setenv(variable, folder + "/" + file, 1) }
    }

    /// The setting for processes that draw.
    ///
    /// - Returns: The variable and its value. Empty if they use the machine's EGL.
    package static func forHelpers() -> [String: String] {
        if isWithdrawn.withLock({ $0 }) { return [:] }
        return places.first(where: isWhole).map { [variable: $0 + "/" + file] } ?? [:]
    }

    /// The files that a process needs for this EGL. Empty if it is not in use.
    package static var files: [String] {
        let file = PinnedEnvironment.isApplied ? getenv(variable).map { String(cString: $0) } : forHelpers()[variable]
        guard let file, !file.isEmpty else { return [] }
        return [file, parentFolder(of: file) + "/" + library]
    }

    /// Makes all processes that start from now on use the machine's EGL.
    package static func withdraw() {
        isWithdrawn.withLock { $0 = true }
        if PinnedEnvironment.isApplied { unsetenv(variable) }
    }

    private static let isWithdrawn = Mutex(false)

    /// The folders to search: next to the program or library that contains this code, where `make build` and `make lib` put the
    /// files, and where they are installed.
    private static var places: [String] {
        // The file of the shared library that contains this code, or else of the program.
        guard let name = offstage_path_of_this(), let path = realpath(name, nil) else { return programPlaces }
        defer { free(path) }
        let folder = parentFolder(of: String(cString: path))
        return [folder, folder + "/offstage"] + programPlaces
    }

    private static var programPlaces: [String] {
        var program = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &program, program.count)
        guard count > 0, count < program.count else { return [] }
        let folder = parentFolder(of: String(decoding: program[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self))
        return [folder, parentFolder(of: folder) + "/lib/offstage"]
    }

    /// The file names the library by its absolute path, which is wrong if the folder was moved.
    private static func isWhole(_ folder: String) -> Bool {
        guard let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8) else { return false }
        return text.contains("\"\(folder)/\(library)\"") && access(folder + "/" + library, R_OK) == 0
    }
}
