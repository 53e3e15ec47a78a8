import CFontconfig
import Foundation
import Offstage
import Synchronization

/// Only the fonts of one folder, in place of the machine's, so that text looks the same on every machine.
///
/// fontconfig reads its configuration once a process and WebKit's processes inherit where it is: call `use` after
/// `PinnedEnvironment.apply` and before anything draws.
@MainActor
public enum PrivateFonts {
    /// The folder as its caller named it; nil for the machine's fonts.
    public private(set) static var folder: String?

    /// What a process that draws must be able to read: the fonts and their configuration. Absolute.
    private(set) static var folders: [String] = []

    /// Holds the configuration where the user's cache cannot.
    private nonisolated static let temporary = Mutex<String?>(nil)

    /// Uses the fonts of a folder and of those in it (names that begin with a dot stay out), and no others.
    ///
    /// `sans-serif`, `serif` and `monospace` are the first family, in alphabetical order, that says so in its name (Sans,
    /// Serif, Mono); a family whose letters have one width is monospaced too. Where there is none, they are the first one that
    /// is not monospaced. `emoji` is the first one with colours.
    ///
    /// The configuration and fontconfig's cache are kept below `XDG_CACHE_HOME`, under a name that changes with the folder's
    /// files; where that cannot be written, in a temporary folder until `discard`.
    ///
    /// - Throws: `PrivateFontsError`.
    public static func use(folder: String) throws(PrivateFontsError) {
        let files = try FontFiles(folder: folder)
        let place = try place(for: files)
        let fonts = try scan(files, cache: place)
        let configuration = FontconfigFile(folder: files.folder, cache: place, generics: GenericFamilies(fonts))
        let path = place + "/fonts.conf"
        do {
            try AtomicFile.write(Data(configuration.xml.utf8), to: path)
        } catch {
            throw PrivateFontsError(folder: folder, problem: .unusable("\(error)"))
        }
        setenv("FONTCONFIG_FILE", path, 1)
        // In case this process has read another one before.
        guard FcInitReinitialize() == FcTrue else {
            throw PrivateFontsError(folder: folder, problem: .unusable("fontconfig does not read it"))
        }
        self.folder = folder
        folders = [files.folder, place]
    }

    /// Removes what must not outlive the process; for its end, as nothing can be drawn afterwards. From any thread.
    public nonisolated static func discard() {
        let folder = temporary.withLock { $0.take() }
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// What fontconfig finds in the files, which it keeps in the cache.
    private static func scan(_ files: FontFiles, cache: String) throws(PrivateFontsError) -> [FontFace] {
        guard let configuration = FcConfigCreate() else {
            throw PrivateFontsError(folder: files.name, problem: .unusable("there is no memory left"))
        }
        defer { FcConfigDestroy(configuration) }
        let text = Array(FontconfigFile(folder: files.folder, cache: cache, generics: nil).xml.utf8) + [0]
        guard FcConfigParseAndLoadFromMemory(configuration, text, FcTrue) == FcTrue,
            FcConfigBuildFonts(configuration) == FcTrue
        else { throw PrivateFontsError(folder: files.name, problem: .unusable("fontconfig does not take its name")) }
        let fonts = FontFace.all(in: configuration)
        let known = Set(fonts.map(\.file))
        if let broken = files.paths.first(where: { !known.contains($0) }) {
            throw PrivateFontsError(
                folder: files.name, problem: .broken(String(broken.dropFirst(files.folder.count + 1))))
        }
        return fonts
    }

    /// A folder of our own for these files.
    private static func place(for files: FontFiles) throws(PrivateFontsError) -> String {
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
                folder: files.name, problem: .unusable("\(NSTemporaryDirectory()) cannot be written: \(reason)"))
        }
        let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        temporary.withLock { $0 = folder }
        return folder
    }
}

/// A folder that cannot give the fonts.
public struct PrivateFontsError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// With the system's `errno`.
        case unreadable(Int32)
        /// It holds no file whose name ends as a font's does.
        case empty
        /// A file in it, by its path below the folder, that is no font or a damaged one.
        case broken(String)
        /// Why, in a sentence without its full stop.
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
        case .empty: "\(folder) holds no font; put .ttf, .otf, .ttc, .woff or .woff2 files into it"
        case .broken(let file): "\(file) in \(folder) is no font that can be read; replace it or take it out"
        case .unusable(let reason): "\(folder) cannot be used: \(reason)"
        }
    }
}
