import Foundation
import Offstage

/// Which files each input's picture becomes, and where they go.
struct OutputPlan: Sendable {
    enum Place: Sendable {
        /// Below a folder, under the input's identifier.
        case folder(String)
        /// One picture, to this file.
        case file(String)
        /// One picture, to standard output.
        case standardOutput
    }

    let place: Place
    let format: ImageFormat
    /// Further files from the same drawing, beside the picture.
    let also: [ImageVariant]
    /// Each document is put beside its picture.
    let savesHTML: Bool

    init(_ place: Place, format: ImageFormat, also: [ImageVariant] = [], savesHTML: Bool = false) {
        self.place = place
        self.format = format
        self.also = also
        self.savesHTML = savesHTML
    }

    /// The picture, then the further files.
    var variants: [ImageVariant] { [ImageVariant(format)] + also }

    /// How large a picture all of its files can hold; nil for any that the engine draws.
    var limit: FormatLimit? { variants.compactMap(\.limit).min { $0.side < $1.side } }

    /// Where each of `variants` goes; none for standard output.
    ///
    /// - Parameter identifier: the picture's.
    func paths(named identifier: String) -> [String] {
        switch place {
        case .folder(let folder):
            return variants.map { (folder as NSString).appendingPathComponent(identifier + $0.suffix) }
        case .file(let path):
            let name = withoutExtension(path)
            return [path] + also.map { name + $0.suffix }
        case .standardOutput:
            return []
        }
    }

    func withoutExtension(_ path: String) -> String {
        let fileExtension = (path as NSString).pathExtension
        return fileExtension.isEmpty ? path : String(path.dropLast(fileExtension.count + 1))
    }

    /// Checks before anything is drawn that every file has a name of its own and that its place can be written.
    ///
    /// - Parameter inParts: each input may become several pictures, with numbers behind its name.
    func check(_ inputs: [Input], inParts: Bool = false) throws(UsageError) {
        switch place {
        case .folder(let folder):
            try checkNames(inputs)
            if inParts { try checkNamesOfParts(inputs) }
            try prepare(folder)
        case .file(let path):
            if inputs.count != 1 {
                throw UsageError("-o takes one input, there are \(inputs.count); use --out FOLDER for several")
            }
            try checkNames(inputs)
            try checkPlaces(path, inputs[0])
            try prepare(parentFolder(of: path))
        case .standardOutput:
            if inputs.count != 1 { throw UsageError("-o - takes one input, there are \(inputs.count)") }
            if !also.isEmpty { throw UsageError("--also has no place beside -o -; use -o FILE or --out FOLDER") }
            if savesHTML { throw UsageError("--save-html has no place beside -o -; use -o FILE or --out FOLDER") }
        }
        try checkSources(inputs)
        try checkDocuments(inputs)
    }

    private func checkNames(_ inputs: [Input]) throws(UsageError) {
        // By bytes, as file systems compare names: to Swift, two spellings of an é are equal.
        var owners: [[UInt8]: Input] = [:]
        for input in inputs {
            if case .unusable = input { continue }
            var own: Set<[UInt8]> = []
            for path in paths(named: input.identifier) {
                let name = Array(path.utf8)
                if !own.insert(name).inserted {
                    throw UsageError("two files of \(input.name) would both be \(path); leave one --also out")
                }
                guard let other = owners.updateValue(input, forKey: name) else { continue }
                throw UsageError(
                    "\(other.name) and \(input.name) would both become \(path); "
                        + "rename one or draw them into two folders")
            }
        }
    }

    /// A picture takes the place of what is there: that may be a picture from before, and not a folder or a device.
    private func checkPlaces(_ path: String, _ input: Input) throws(UsageError) {
        switch Self.kind(of: path) {
        case nil, S_IFREG: break
        case S_IFDIR: throw UsageError("-o \(path) is a folder; name a file, or use --out \(path)")
        default: throw UsageError("-o \(path) is not a plain file; name one, or use -o - and redirect it")
        }
        for path in paths(named: input.identifier).dropFirst() {
            if let kind = Self.kind(of: path), kind != S_IFREG {
                throw UsageError("\(path), for --also, is there and no plain file; choose another place with -o")
            }
        }
    }

    /// Nil where there is nothing.
    static func kind(of path: String) -> mode_t? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }

    private func checkSources(_ inputs: [Input]) throws(UsageError) {
        for case .file(let source, let identifier) in inputs {
            for path in paths(named: identifier) {
                var (old, new) = (stat(), stat())
                if stat(source, &old) == 0, stat(path, &new) == 0, old.st_dev == new.st_dev, old.st_ino == new.st_ino {
                    throw UsageError("\(source) would be replaced by its own picture; choose another place for it")
                }
            }
        }
    }

    /// `a-1.html` could take the place of the first part of `a.html`.
    private func checkNamesOfParts(_ inputs: [Input]) throws(UsageError) {
        let owners = Dictionary(inputs.map { (Array($0.identifier.utf8), $0) }) { first, _ in first }
        for input in inputs {
            guard let (_, whole, _) = input.identifier.wholeMatch(of: #/(.+)-([0-9]+)/#)?.output,
                let other = owners[Array(whole.utf8)]
            else { continue }
            throw UsageError("\(input.name) has the name of a part of \(other.name); rename one")
        }
    }

    private func prepare(_ folder: String) throws(UsageError) {
        if folder.isEmpty { return }
        let code = Self.create(folder)
        if code != 0 {
            throw UsageError(
                "cannot create the folder \(folder): \(String(cString: strerror(code))); "
                    + "choose another place for the pictures")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw UsageError(
                "cannot write into \(folder): \(String(cString: strerror(errno))); choose another place for the pictures"
            )
        }
    }

    /// Puts a picture's files, those of `variants`, in their places.
    func write(_ files: [EncodedImage], named identifier: String) throws(FileError) {
        let paths = paths(named: identifier)
        if paths.isEmpty { return try Console.print(files[0].data) }
        // The tree of a folder input is kept. A failure shows in the writing that follows, with its reason.
        if case .folder = place { Self.create(parentFolder(of: paths[0])) }
        for (file, path) in zip(files, paths) { try AtomicFile.write(file.data, to: path) }
    }

    /// Creates a folder and those above it, where they are missing. Foundation does that too, and does not say why it failed.
    ///
    /// - Returns: 0, or why there is no such folder, an `errno`.
    @discardableResult
    static func create(_ folder: String) -> Int32 {
        if mkdir(folder, 0o777) == 0 { return 0 }
        let code = errno
        if code == EEXIST {
            var info = stat()
            return stat(folder, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
        }
        let parent = parentFolder(of: folder)
        if code != ENOENT || parent.isEmpty || parent == folder { return code }
        let codeOfParent = create(parent)
        if codeOfParent != 0 { return codeOfParent }
        return mkdir(folder, 0o777) == 0 || errno == EEXIST ? 0 : errno
    }
}
