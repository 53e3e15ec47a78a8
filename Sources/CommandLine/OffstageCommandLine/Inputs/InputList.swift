import Foundation
import OffstageRequests
import OffstageService

/// Turns the operands of a command line into inputs: files in their order, and the files in folders.
enum InputList {
    /// - Parameter leavingOut: a file to skip when it is found in a folder.
    static func expand(_ operands: [String], leavingOut: String? = nil) throws(UsageError) -> [Input] {
        if operands.filter({ $0 == "-" }).count > 1 { throw UsageError("standard input (-) can be rendered only once") }
        if operands.contains(where: isURL) { throw urlError }
        let kinds = operands.map { operand in (operand, kind: Kind(of: operand)) }
        let files = kinds.filter { $0.kind == .file }.map { ($0.0 as NSString).lastPathComponent }
        var identifiers = identifiers(of: files).makeIterator()
        return kinds.flatMap { operand, kind -> [Input] in
            switch kind {
            case .standardInput: [.standardInput]
            case .file: [.file(path: operand, identifier: identifiers.next()!)]
            case .folder: search(operand, leavingOut: leavingOut.map(absolutePath))
            case .unusable(let code): [.unusable(operand, .unreadable(path: operand, code: code))]
            }
        }
    }

    private enum Kind: Equatable {
        case standardInput, file, folder
        /// The value is the system's `errno`.
        case unusable(Int32)

        init(of operand: String) {
            if operand == "-" {
                self = .standardInput
                return
            }
            var info = stat()
            if stat(operand, &info) != 0 {
                self = .unusable(errno)
            } else {
                self = info.st_mode & S_IFMT == S_IFDIR ? .folder : .file
            }
        }
    }

    /// The files of registered sources below a folder, in the order of their paths. Skips hidden files and folders, and
    /// links to folders, which could form cycles.
    private static func search(_ folder: String, leavingOut: String?) -> [Input] {
        guard access(folder, R_OK | X_OK) == 0 else {
            return [.unusable(folder, .unreadable(path: folder, code: errno))]
        }
        var (found, unreadable) = files(below: folder)
        removeParts(from: &found, below: folder)
        if let leavingOut { found.removeAll { absolutePath(folder + "/" + $0) == leavingOut } }
        if found.isEmpty, unreadable.isEmpty { return [.unusable(folder, .folderWithoutSource(path: folder))] }
        found.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        let identifiers = identifiers(of: found)
        return zip(found, identifiers).map { .file(path: prefix + $0, identifier: $1) }
            + unreadable.map {
                .unusable(path: prefix + $0, identifier: $0, .unreadable(path: prefix + $0, code: $1))
            }
    }

    /// Removes the images that belong to documents.
    private static func removeParts(from found: inout [String], below folder: String) {
        let parts = found.filter(SourceRegistry.mayBePart)
        // Documents that can name their images.
        let documents = found.filter {
            !SourceRegistry.mayBePart($0) && SourceRegistry.source(ofFile: $0)?.textKey != nil
        }
        if parts.isEmpty || documents.isEmpty { return }
        var mentioned = MentionedFiles(of: parts, below: folder)
        let files = mentioned.files(of: documents)
        found.removeAll(where: files.contains)
    }

    /// The files' paths without extensions. If an image has the name of another file, as with `IMG_1.HEIC` and
    /// `IMG_1.JPG`, it keeps its extension; so does ink, as with `notes.xopp` beside its `notes.pdf`.
    private static func identifiers(of files: [String]) -> [String] {
        let names = files.map(withoutExtension)
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        return zip(files, names).map { file, name in
            let keepsExtension = SourceRegistry.mayBePart(file) || SourceRegistry.source(ofFile: file)?.name == "ink"
            return counts[name, default: 0] > 1 && keepsExtension ? file : name
        }
    }

    /// The paths of the sources' files, relative to `folder`, and the folders that cannot be read, with the reason
    /// (errno). Foundation would look up the kind of each file separately.
    private static func files(below folder: String) -> (found: [String], unreadable: [(String, Int32)]) {
        var (found, unreadable): ([String], [(String, Int32)]) = ([], [])
        var subfolders = [""]
        while let subfolder = subfolders.popLast() {
            guard let entries = opendir(folder + "/" + subfolder) else {
                unreadable.append((String(subfolder.dropLast()), errno))
                continue
            }
            defer { closedir(entries) }
            while let entry = readdir(entries) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name.hasPrefix(".") { continue }
                let path = subfolder + name
                // A link, or an entry whose kind the file system does not report, needs a closer look.
                let kind = Int(entry.pointee.d_type)
                if kind == DT_DIR || kind == DT_UNKNOWN && isFolder(folder + "/" + path, followsLinks: false) {
                    subfolders.append(path + "/")
                } else if SourceRegistry.takesFromFolder(name),
                    kind == DT_REG || !isFolder(folder + "/" + path)
                {
                    found.append(path)
                }
            }
        }
        return (found, unreadable.sorted { $0.0 < $1.0 })
    }

    /// Recognizes `https://example.org`, unless a file of that name exists.
    static func isURL(_ operand: String) -> Bool {
        operand.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil && access(operand, F_OK) != 0
    }

    static let urlError = UsageError(
        "Offstage does not open URLs; download the page first: curl -sL URL | offstage render - -o page.png")

    /// A file's name without its folder and extension.
    static func identifier(ofFile path: String) -> String {
        withoutExtension((path as NSString).lastPathComponent)
    }

    private static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool {
        var info = stat()
        let code = fstatat(AT_FDCWD, path, &info, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
        return code == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private static func withoutExtension(_ path: String) -> String { (path as NSString).deletingPathExtension }
}

extension Input {
    /// An operand, with the identifier that its picture would have.
    fileprivate static func unusable(_ operand: String, _ error: InputError) -> Input {
        .unusable(path: operand, identifier: InputList.identifier(ofFile: operand), error)
    }
}
