import Foundation
import Offstage

/// One drawing of one snippet on a stage: what is known of it from its start to its end.
@MainActor
final class Scene {
    let snippet: Snippet
    /// The document's address. Unlike that of any other drawing, so that nothing that is late, cached or another row's can
    /// be taken for this one's.
    let url: String
    /// The document is written into the page of an older one.
    let isRewriting: Bool
    /// It has asked for a file.
    var hasAsked = false
    /// It has been moved about, to be painted in tiles.
    var isMoved = false
    /// The one navigation of the scene, ours, has been let through.
    var hasNavigated = false
    /// The document's first byte has arrived in the web process.
    var isCommitted = false
    /// The deadline has passed.
    var isOverdue = false
    /// Waits for the end of loading.
    var loading: Reply<Void>?
    /// Files of the base folder that have been asked for and have not come, by URL.
    var awaited: [String] = []
    /// Files of the base folder that have been asked for and have come, or are missing; by path.
    private var used: [String: Digest?] = [:]
    /// Trouble with files of the base folder.
    private(set) var resourceWarnings: [DrawingWarning] = []
    private var warned: Set<DrawingWarning> = []
    private static let mostWarnings = 1_000
    /// What is known of its characters and fonts from the bytes, with those of its style sheets and frames.
    var source: SourceText
    /// What its text lacks.
    var fontWarnings: [DrawingWarning] = []

    /// What it may load from the network.
    var allowedHosts = AllowedHosts()

    /// What the page's scripts say.
    var messages = ScriptMessages()

    private static var count = 0

    /// - Parameters:
    ///   - source: of the snippet.
    ///   - page: that is rewritten; nil for a navigation.
    init(_ snippet: Snippet, _ source: SourceText, on page: Page? = nil) {
        self.snippet = snippet
        isRewriting = page != nil
        isCommitted = isRewriting
        // It has the page's address: a document that would load itself anew is refused.
        hasNavigated = isRewriting
        self.source = source
        if page == nil { Self.count += 1 }
        url = page?.url ?? "\(ContentPolicy.scheme)://\(Self.count)/"
        if snippet.charsetOrigin == .fallback {
            let place = Charset.firstInvalidUTF8(in: snippet.html).map { "byte \($0) is not UTF-8; " } ?? ""
            warn(
                .charsetGuessed, snippet.charset, reason: place + "declare the charset by <meta charset=…>, or name it")
        }
    }

    func warn(_ code: DrawingWarning.Code, _ path: String, reason: String? = nil) {
        let warning = DrawingWarning(code, path, reason: reason)
        // Who asks for a hundred thousand files is not told of each.
        if resourceWarnings.count < Self.mostWarnings, warned.insert(warning).inserted {
            resourceWarnings.append(warning)
        }
    }

    /// - Parameter digest: of the content; nil for a file that is missing or is not to be read.
    func used(_ path: String, _ digest: Digest?) { used[path] = .some(digest) }

    /// How many files were asked for, and how many bytes came.
    private var resources = (count: 0, bytes: 0)

    /// Names the first file that a limit leaves out.
    func warnOfLimit(_ path: String, _ reason: String) {
        let isTold = resourceWarnings.contains { $0.code == .resourceLimit && $0.reason == reason }
        if !isTold { warn(.resourceLimit, path, reason: reason) }
    }

    /// Of the images among the files, by path; known before any is decoded.
    private var filePixels: [String: Int] = [:]

    /// Counts those of a file before it is handed to the document; false where there are too many then.
    func takes(_ path: String, _ pixels: Int?) -> Bool {
        filePixels[path] = pixels
        return pixels == nil || imagePixels() <= snippet.limits.imagePixels
    }

    /// Pixels of all images that the document may show once they are decoded: as the files' own bytes have it, and as the document
    /// says; by whichever there are more. Bytes know nothing of an SVG's size, the document nothing of closed shadow trees.
    func imagePixels(_ said: Readiness.ImagePixels = .init(files: [:], others: 0)) -> Int {
        var files = filePixels
        for (url, pixels) in said.files { files[shown(url), default: 0] = max(files[shown(url)] ?? 0, Int(pixels)) }
        return files.values.reduce(max(Int(said.others), source.imagePixels), +)
    }

    /// Of what is known before it is painted.
    func checkLimits(_ readiness: Readiness) throws(DrawingError) {
        let limits = snippet.limits
        try limits.check(.elements, readiness.elements, of: limits.elements)
        try limits.check(.imagePixels, imagePixels(readiness.imagePixels), of: limits.imagePixels)
    }

    /// Counts a file that is asked for.
    ///
    /// - Returns: why it is left out; nil where it is within the limits.
    func excessOfResources() -> String? {
        resources.count += 1
        let limit = snippet.limits.resources
        return resources.count > limit ? "the limit max-resources is \(limit)" : nil
    }

    /// Bytes that the files to come may have.
    var roomForResources: Int { snippet.limits.resourceBytes - resources.bytes }

    /// Counts the bytes of a file; false where they are too many.
    func takeResource(of bytes: Int) -> Bool {
        guard bytes <= roomForResources else { return false }
        resources.bytes += bytes
        return true
    }

    func warnOfResourceBytes(_ path: String) {
        warnOfLimit(path, "the limit max-resource-bytes is \(snippet.limits.resourceBytes)")
    }

    /// The files that the picture is made of, in the order of their paths.
    var dependencies: [Dependency] {
        used.map { Dependency(path: $0.key, digest: $0.value) }.sorted { $0.path < $1.path }
    }

    /// The deadline has passed: what has not come by now is left out.
    func noteLate() {
        for url in awaited { warn(.deadline, shown(url)) }
    }

    /// What the caller is told, from what the base folder, the policy and the document say.
    func warnings(_ readiness: Readiness) -> [DrawingWarning] {
        var all = resourceWarnings
        let told = Set(all.map(\.subject))
        func add(_ code: DrawingWarning.Code, _ names: [String], reason: String? = nil) {
            for name in names.prefix(Self.mostWarnings).map(shown) where !told.contains(name) {
                all.append(DrawingWarning(code, name, reason: reason))
            }
        }
        add(.deadline, readiness.late)
        // Where nothing has a better word for what it waits for.
        if readiness.isLoading, all.isEmpty { add(.deadline, ["the document"]) }
        if readiness.lacksReadySignal { add(.deadline, ["the ready signal"]) }
        add(.resourceBlocked, readiness.blocked.filter { !allowedHosts.allow($0) })
        add(.resourceRefused, readiness.blocked.filter(allowedHosts.allow), reason: Self.hostFailure)
        add(.imageBroken, readiness.broken)
        add(.mediaNotPlayed, readiness.unplayed)
        // Of a font of which nothing came, that is told.
        let absent = Set(all.map(\.subject))
        let broken = readiness.brokenFonts.filter { font in
            font.sources.isEmpty || !font.sources.allSatisfy { absent.contains(shown($0)) }
        }
        var families: Set<String> = []
        add(.fontBroken, broken.map(\.family).filter { families.insert($0).inserted })
        return all + fontWarnings + messages.warnings
    }

    /// WebKit does not tell which.
    private static let hostFailure =
        "its host is allowed: no connection, a certificate that is not trusted, an error, or a redirect to another host"

    /// A URL as the snippet's author knows it: relative to the base, and no content in it.
    func shown(_ url: String) -> String {
        if url.hasPrefix(self.url) { return path(url.dropFirst(self.url.count)) }
        if url.lowercased().hasPrefix("data:") { return String(url.prefix { $0 != "," && $0 != ";" }) + "…" }
        // "//host/a.png" takes the document's scheme, which is ours and which nobody knows.
        let known =
            url.hasPrefix("\(ContentPolicy.scheme)://") ? url.dropFirst(ContentPolicy.scheme.count + 1) : url[...]
        return known.count > 200 ? known.prefix(200) + "…" : String(known)
    }

    /// Decoded and without query and fragment, as resource providers get it.
    private func path(_ relative: Substring) -> String {
        let path = String(relative.prefix { $0 != "?" && $0 != "#" })
        return path.removingPercentEncoding ?? path
    }

    func error(for error: any Error) -> DrawingError {
        switch error {
        case let error as DrawingError: error
        case Interruption.crashed: .engineCrashed
        case Interruption.displayLost(let reason): .unavailable(reason)
        case Interruption.hung, Interruption.deadline: .engineHung(seconds: snippet.limits.grace)
        case Interruption.overMemory(let excess): .overLimit(excess)
        case Interruption.failed(let text): .engineFailed(text)
        default: .engineFailed("\(error)")
        }
    }
}
