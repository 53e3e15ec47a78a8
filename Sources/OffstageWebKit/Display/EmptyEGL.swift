import COffstageSystem
import Foundation
import Offstage
import Synchronization

/// The EGL of `Sources/OffstageEGL`, in place of the machine's, for this process and those that it starts.
///
/// WebKit opens a display by it in each process and never draws with it; Mesa's takes 40 MB a process, and 50 ms of the start.
/// Where it is missing, or WebKit cannot do with it, the machine's is taken, and the pictures are the same.
enum EmptyEGL {
    /// libglvnd reads files of this name for where a vendor's library is.
    static let file = "offstage-egl.json"
    private static let library = "libOffstageEGL.so"
    private static let variable = "__EGL_VENDOR_LIBRARY_FILENAMES"

    /// Before any thread starts, as `PinnedEnvironment`. What the user's environment says of EGL does not hold.
    static func apply() {
        unsetenv(variable)
        if let folder = places.first(where: isWhole) { setenv(variable, folder + "/" + file, 1) }
    }

    /// For the processes that draw, in a program whose own environment stays as it is: it may have windows with GL in them.
    ///
    /// - Returns: the variable and its value; an empty value for what is removed.
    static func forHelpers() -> [String: String] {
        let folder = isWithdrawn.withLock { $0 } ? nil : places.first(where: isWhole)
        return [variable: folder.map { $0 + "/" + file } ?? ""]
    }

    /// What a process needs of it; none where it is not in use.
    static var files: [String] {
        let file = PinnedEnvironment.isApplied ? getenv(variable).map { String(cString: $0) } : forHelpers()[variable]
        guard let file, !file.isEmpty else { return [] }
        return [file, parentFolder(of: file) + "/" + library]
    }

    /// What starts from now on takes the machine's.
    static func withdraw() {
        isWithdrawn.withLock { $0 = true }
        if PinnedEnvironment.isApplied { unsetenv(variable) }
    }

    private static let isWithdrawn = Mutex(false)

    /// Beside the program or the library that has this, as `make build` and `make lib` leave it, and where they are installed.
    private static var places: [String] {
        // Of a shared library, its file; of a program, the program's.
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

    /// The file names the library by its whole path: in a folder that was moved it leads elsewhere.
    private static func isWhole(_ folder: String) -> Bool {
        guard let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8) else { return false }
        return text.contains("\"\(folder)/\(library)\"") && access(folder + "/" + library, R_OK) == 0
    }
}
