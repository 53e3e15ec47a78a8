import Foundation
import Offstage

/// A worker program, by name.
public struct WorkerProgram: Sendable, Hashable {
    /// The file's name, such as `offstage-image`.
    public var name: String
    /// What it does, for the error if it is missing: `draws this kind of source`.
    public var purpose: String
    /// The command that installs it, for the error if it is missing.
    public var installCommand: String
    /// The absolute paths of files that the program reads before its jail closes, such as fonts. They are its
    /// arguments, in this order. A missing file is still an argument.
    public var files: [String]

    /// Names a program.
    ///
    /// - Parameters:
    ///   - name: the file's name, such as `offstage-image`.
    ///   - purpose: what it does, for the error if it is missing. Default `draws this kind of source`.
    ///   - installCommand: the command that installs it. Default `make install`.
    ///   - files: the absolute paths of files that the program reads before its jail closes; they become its arguments. Default
    ///     none.
    public init(
        _ name: String, purpose: String = "draws this kind of source", installCommand: String = "make install",
        files: [String] = []
    ) {
        self.name = name
        self.purpose = purpose
        self.installCommand = installCommand
        self.files = files
    }

    /// Finds the program in the folders of `WorkerFolders`: the host's own folder, the one that `OFFSTAGE_WORKERS`
    /// names, `PREFIX/lib/offstage` for a program in `PREFIX/bin` and a library in `PREFIX/lib`, `lib/offstage` beside
    /// this program, or, in a build folder, beside it. A host in a separate package also finds programs in
    /// `/usr/local`, in `/usr`, and in the build folder of the checkout that it was built from.
    ///
    /// - Returns: its path.
    /// - Throws: an error that names the program, the folders and the command that installs it.
    public func find() throws(EngineUnavailable) -> String { try find(in: WorkerFolders.all) }

    /// - Parameter folders: the folders to search, in this order.
    func find(in folders: [String]) throws(EngineUnavailable) -> String {
        for folder in folders {
            let path = folder + "/" + name
            var info = stat()
            if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return path }
        }
        throw EngineUnavailable(
            problem: "the program \(name), which \(purpose), is in none of these folders: "
                + folders.joined(separator: ", "),
            remedy: "install it with: \(installCommand); or name its folder in the variable \(WorkerFolders.variable)")
    }

    /// Finds a file that is installed beside the worker programs.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - buildFolder: its folder below `.build`, for a program in a build folder.
    /// - Returns: its path; nil if it is not installed.
    package static func path(ofFile name: String, buildFolder: String) -> String? {
        let folders = WorkerFolders.all
        let builds = folders.compactMap { folder in
            folder.range(of: "/.build").map { folder[..<$0.lowerBound] + "/.build/" + buildFolder }
        }
        return (folders + builds).lazy.map { $0 + "/" + name }.first { access($0, R_OK) == 0 }
    }
}
