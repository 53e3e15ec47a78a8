import COffstageSystem
import Foundation
import Offstage

/// A worker program, by name.
public struct WorkerProgram: Sendable, Hashable {
    /// The file's name, such as `offstage-image`.
    public var name: String
    /// The command that installs it, for the error of a missing one.
    public var installCommand: String
    /// The absolute paths of files that the program reads before its jail closes, such as fonts. They are its arguments, in this
    /// order. A missing one is still an argument.
    public var files: [String]

    /// Names a program.
    ///
    /// - Parameters:
    ///   - name: the file's name, such as `offstage-image`.
    ///   - installCommand: the command that installs it. Default `make install`.
    ///   - files: the absolute paths of files that the program reads before its jail closes; they become its arguments. Default
    ///     none.
    public init(_ name: String, installCommand: String = "make install", files: [String] = []) {
        self.name = name
        self.installCommand = installCommand
        self.files = files
    }

    /// Finds the program: in `PREFIX/lib/offstage` for a program in `PREFIX/bin` and a library in `PREFIX/lib`, in
    /// `lib/offstage` beside this program, or, in a build folder, beside it.
    ///
    /// - Returns: its path.
    /// - Throws: an error that names the program and the command that installs it.
    public func find() throws(EngineUnavailable) -> String { try find(in: Self.folders) }

    /// - Parameter folders: to search, in this order.
    func find(in folders: [String]) throws(EngineUnavailable) -> String {
        for folder in folders {
            let path = folder + "/" + name
            var info = stat()
            if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return path }
        }
        throw EngineUnavailable(
            problem: "the program \(name), which draws this kind of source, is not installed",
            remedy: "install it with: \(installCommand)")
    }

    /// Finds a file that is installed beside the worker programs.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - buildFolder: its folder below `.build`, for a program in a build folder.
    /// - Returns: its path; nil if it is not installed.
    package static func path(ofFile name: String, buildFolder: String) -> String? {
        let builds = folders.compactMap { folder in
            folder.range(of: "/.build").map { folder[..<$0.lowerBound] + "/.build/" + buildFolder }
        }
        return (folders + builds).lazy.map { $0 + "/" + name }.first { access($0, R_OK) == 0 }
    }

    private static var folders: [String] {
        // In a shared library, the library's file.
        let library = offstage_path_of_this().map { String(cString: $0) }
        return [try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), library].compactMap { $0 }
            .flatMap { folders(around: URL(fileURLWithPath: $0).resolvingSymlinksInPath().path) }
    }

    /// - Parameter file: the path of a program or a library.
    static func folders(around file: String) -> [String] {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        return [
            folder.deletingLastPathComponent().path + "/lib/offstage", folder.path + "/lib/offstage",
            folder.path + "/offstage", folder.path,
        ]
    }
}
