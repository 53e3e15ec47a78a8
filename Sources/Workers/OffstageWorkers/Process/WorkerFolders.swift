import COffstageSystem
import Foundation
import Synchronization

/// The folders that are searched for worker programs and for the files beside them, such as PDFium.
public enum WorkerFolders {
    /// The host's own folder, which is searched before all others; default none. Set it before the first engine is
    /// made, because engines compute the identity of their programs only once. Safe on any thread.
    public static var own: String? {
        get { named.withLock { $0 } }
        set { named.withLock { $0 = newValue } }
    }

    private static let named = Mutex<String?>(nil)

    /// The environment variable for a folder that is searched after the host's own. A program with the rights of
    /// another user ignores it.
    public static let variable = "OFFSTAGE_WORKERS"

    /// All folders, in search order: the host's own, the variable's, those around this program (or, for a shared
    /// library, around the library's file), the default prefix, and the checkout that this package was built from.
    static var all: [String] {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let library = offstage_path_of_this().map { String(cString: $0) }
        let around = [program, library].compactMap { $0 }.flatMap {
            folders(around: URL(fileURLWithPath: $0).resolvingSymlinksInPath().path)
        }
        let named = [own, offstage_trusted_variable(variable).map { String(cString: $0) }].compactMap(Self.folder)
        let all = named + around + elsewhere
        return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// - Parameter file: the path of a program or a library.
    static func folders(around file: String) -> [String] {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        return [
            folder.deletingLastPathComponent().path + "/lib/offstage", folder.path + "/lib/offstage",
            folder.path + "/offstage", folder.path,
        ]
    }

    /// An absolute path; nil for no path and for an empty one.
    private static func folder(_ name: String?) -> String? {
        name.flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0).path }
    }

    /// For a host in a separate package, whose build folder has no worker programs. An installed program never uses
    /// these folders, because the workers there would be of another version.
    private static let elsewhere: [String] = {
        #if OFFSTAGE_INSTALLED
            []
        #else
            let file = URL(fileURLWithPath: #filePath)
            let checkout = (0..<5).reduce(file) { url, _ in url.deletingLastPathComponent() }.path
            let builds = ["release", "debug"].map { "\(checkout)/.build/\($0)" }
            return ["/usr/local/lib/offstage", "/usr/lib/offstage"] + builds
        #endif
    }()
}
