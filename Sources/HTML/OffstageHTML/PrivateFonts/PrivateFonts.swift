import CFontconfig
import Foundation
import Offstage
import Synchronization

/// Replaces the machine's fonts with those of one folder, so that text looks the same on every machine.
///
/// fontconfig reads its configuration once per process, and WebKit's processes inherit its path. Call `use` after
/// `PinnedEnvironment.apply` and before the first drawing.
public enum PrivateFonts {
    /// The fonts in use.
    package struct Choice: Codable, Sendable {
        /// The folder as the caller gave it.
        var folder: String
        /// The folders that a process must be able to read in order to draw: the fonts and their configuration. Absolute
        /// paths.
        var folders: [String]
        /// The path of the configuration.
        var configuration: String
    }

    /// Nil for the machine's fonts.
    package static var choice: Choice? { chosen.withLock { $0 } }
    private static let chosen = Mutex<Choice?>(nil)

    /// The folder as the caller gave it. Nil for the machine's fonts.
    public static var folder: String? { choice?.folder }

    package static var folders: [String] { choice?.folders ?? [] }

    /// Uses the fonts that a host has chosen, in its worker. Call it before fontconfig reads its configuration.
    package static func use(_ choice: Choice) {
        setenv("FONTCONFIG_FILE", choice.configuration, 1)
        chosen.withLock { $0 = choice }
    }

    /// The temporary folder of the configuration, if the user's cache cannot store it. `use` holds the lock while it
    /// writes there, so that a signal's `discard` removes everything that was written.
    private static let temporary = Mutex<String?>(nil)

    /// Uses only the fonts in a folder and its subfolders. Ignores names that begin with a dot.
    ///
    /// `sans-serif`, `serif` and `monospace` become the first family, in alphabetical order, whose name contains the word Sans,
    /// Serif or Mono. A family whose letters all have the same width counts as monospaced too. If a generic family finds no
    /// match, it becomes the first family that is not monospaced. `emoji` becomes the first family with colours.
    ///
    /// The configuration and fontconfig's cache are stored below `XDG_CACHE_HOME`, under a name that changes with the folder's
    /// files. If that is not writable, they are stored in a temporary folder until `discard`.
    ///
    /// - Throws: `PrivateFontsError`.
    public static func use(folder: String) throws(PrivateFontsError) {
        let files = try FontFiles(folder: folder)
        let place = try temporary.withLock { (temporary) throws(PrivateFontsError) in
            try configure(files, temporary: &temporary)
        }
        let choice = Choice(folder: folder, folders: [files.folder, place], configuration: place + "/fonts.conf")
        chosen.withLock { $0 = choice }
    }

    /// Writes the configuration, and makes fontconfig read it.
    ///
    /// - Returns: the folder of the configuration.
    private static func configure(
        _ files: FontFiles, temporary: inout String?
    ) throws(PrivateFontsError) -> String {
        let place = try place(for: files, temporary: &temporary)
        let fonts = try scan(files, cache: place)
        let configuration = FontconfigFile(folder: files.folder, cache: place, generics: GenericFamilies(fonts))
        let path = place + "/fonts.conf"
        do {
            try AtomicFile.write(Data(configuration.xml.utf8), to: path)
        } catch {
            throw PrivateFontsError(folder: files.name, problem: .unusable("\(error)"))
        }
        setenv("FONTCONFIG_FILE", path, 1)
        // Required if this process has already read another configuration.
        guard FcInitReinitialize() == FcTrue else {
            throw PrivateFontsError(folder: files.name, problem: .unusable("fontconfig cannot read the configuration"))
        }
        return place
    }

    /// Removes the temporary folder. Call this when the process ends: nothing can be drawn afterwards. Safe on any
    /// thread.
    public static func discard() {
        let folder = temporary.withLock { $0.take() }
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// The fonts that fontconfig finds in the files. fontconfig records them in the cache.
    private static func scan(_ files: FontFiles, cache: String) throws(PrivateFontsError) -> [FontFace] {
        guard let configuration = FcConfigCreate() else {
            throw PrivateFontsError(folder: files.name, problem: .unusable("out of memory"))
        }
        defer { FcConfigDestroy(configuration) }
        let text = Array(FontconfigFile(folder: files.folder, cache: cache, generics: nil).xml.utf8) + [0]
        guard FcConfigParseAndLoadFromMemory(configuration, text, FcTrue) == FcTrue,
            FcConfigBuildFonts(configuration) == FcTrue
        else { throw PrivateFontsError(folder: files.name, problem: .unusable("fontconfig does not accept its name")) }
        let fonts = FontFace.all(in: configuration)
        let known = Set(fonts.map(\.file))
        if let broken = files.paths.first(where: { !known.contains($0) }) {
            throw PrivateFontsError(
                folder: files.name, problem: .broken(String(broken.dropFirst(files.folder.count + 1))))
        }
        return fonts
    }

    /// Creates a folder for the configuration and the cache of these fonts. Nothing else uses it.
    private static func place(for files: FontFiles, temporary: inout String?) throws(PrivateFontsError) -> String {
        let caches = getenv("XDG_CACHE_HOME").map { String(cString: $0) } ?? ""
        let place = caches + "/offstage/fonts-" + files.fingerprint
        if caches.hasPrefix("/"),
            (try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)) != nil,
            access(place, W_OK | X_OK) == 0
        {
            return place
        }
        var template = Array((NSTemporaryDirectory() + "offstage-fonts-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw PrivateFontsError(
                folder: files.name, problem: .unusable("cannot write to \(NSTemporaryDirectory()): \(reason)"))
        }
        let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        temporary = folder
        return folder
    }
}

/// A folder that cannot provide fonts.
public struct PrivateFontsError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// The folder cannot be read. The value is the system's `errno`.
        case unreadable(Int32)
        /// The folder contains no file with the extension of a font.
        case empty
        /// A file, given by its path relative to the folder, is damaged or is not a font.
        case broken(String)
        /// The folder cannot be used. The value is the reason, without a full stop.
        case unusable(String)
    }

    public var folder: String
    public var problem: Problem

    public init(folder: String, problem: Problem) {
        self.folder = folder
        self.problem = problem
    }

    public var description: String {
        switch problem {
        case .unreadable(let code):
            "\(folder) cannot be read: \(String(cString: strerror(code))); name a folder of fonts"
        case .empty: "\(folder) contains no font; put .ttf, .otf, .ttc, .woff or .woff2 files into it"
        case .broken(let file): "\(file) in \(folder) is not a readable font; replace or remove it"
        case .unusable(let reason): "\(folder) cannot be used: \(reason)"
        }
    }
}
