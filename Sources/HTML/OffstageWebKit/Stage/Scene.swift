import Foundation
import Offstage

/// One drawing of one snippet in a view: its state from start to end.
@MainActor
final class Scene {
    private(set) var snippet: Snippet
    /// The requested geometry.
    let geometry: Geometry
    /// The document's address. No other drawing of the same process has the same address, so that an answer that is
    /// late, cached or for another row cannot be mistaken for one to this drawing. See `SceneAddress`.
    let url: String
    /// True if the document is written into the page of an older one.
    let isRewriting: Bool
    /// True while its scripts see an ordinary window, instead of the viewport in which the document is first measured.
    var hasWindow = false
    /// True once the document has requested a file.
    var hasAsked = false
    /// True once the document has been moved, to paint it in tiles.
    var isMoved = false
    /// True once the scene's only navigation, Offstage's own, has been allowed.
    var hasNavigated = false
    /// True once the document's first byte has arrived in the web process.
    var isCommitted = false
    /// True if a script has left the document for another address, which no policy could prevent.
    var hasLeft = false
    /// True if no document in an attribute `srcdoc` is loaded; see `WebStage`.
    var refusesFrameDocuments = false
    /// True once the deadline has passed.
    var isOverdue = false
    /// The reply that `load` waits for: the end of loading.
    var loading: Reply<Void>?
    /// URLs of the files in the base folder that the document waits for.
    var awaited: [String] = []
    /// Truncated images in the base folder.
    var cutImages: [String] = []
    /// URLs of the SVG images that WebKit would print incompletely.
    var doubtful: [String] = []
    /// Digests of the files in the base folder that the document received, by path; nil for missing ones.
    private var used: [String: Digest?] = [:]
    /// Warnings about files in the base folder.
    private var resourceWarnings = ResourceWarnings()
    /// The characters and fonts found in the bytes of the document, its style sheets and its frames.
    var source: SourceText
    /// Warnings about missing characters and fonts.
    var fontWarnings: [DrawingWarning] = []

    /// The hosts from which it may load.
    var allowedHosts = AllowedHosts()

    /// The messages of the page's scripts.
    var messages = ScriptMessages()

    /// Called before the document gets a file, if a style may hyphenate its text. Returns true to end the drawing.
    var endsForDictionaries: () -> Bool = { false }

    /// - Parameters:
    ///   - source: the scanned text of the snippet.
    ///   - page: the page into which the document is written; nil for a navigation.
    ///   - address: the address of a document whose scripts can see it; nil for an address that only this drawing has.
    init(_ snippet: Snippet, _ source: SourceText, on page: Page? = nil, at address: String? = nil) {
        self.snippet = snippet
        geometry = snippet.geometry
        isRewriting = page != nil
        isCommitted = isRewriting
        // The document has the page's address and may not load itself again.
        hasNavigated = isRewriting
        self.source = source
        url = page?.url ?? address ?? SceneAddress.next()
        if snippet.charsetOrigin == .fallback {
            let place = Charset.firstInvalidUTF8(in: snippet.html).map { "byte \($0) is not UTF-8; " } ?? ""
            warn(
                .charsetGuessed, snippet.charset, reason: place + "declare the charset in <meta charset=…>, or name it")
        }
    }

    /// Sets the viewport's height, CSS px.
    func lay(inViewportOf height: Int) { snippet.geometry.viewportHeight = height }

    /// - Parameter request: the number of the request that the warning is about; nil for the latest one.
    func warn(_ code: DrawingWarning.Code, _ path: String, reason: String? = nil, request: Int? = nil) {
        resourceWarnings.add(DrawingWarning(code, path, reason: reason), request: request ?? resources.count)
    }

    /// - Parameter digest: the digest of the content; nil for a file that is missing or must not be read.
    func used(_ path: String, _ digest: Digest?) { used[path] = .some(digest) }

    /// The number of files that the document requested, and the bytes that it received.
    private(set) var resources = (count: 0, bytes: 0)

    /// Warns about the first file that is left out because of a limit.
    func warnOfLimit(_ path: String, _ reason: String, request: Int? = nil) {
        if !resourceWarnings.contains(.resourceLimit, reason: reason) {
            warn(.resourceLimit, path, reason: reason, request: request)
        }
    }

    /// The pixels of each image among the files, by path. Known before WebKit decodes them.
    private var filePixels: [String: Int] = [:]

    /// Counts the pixels of a file before the document gets it. Returns false if the total is then too large.
    func takes(_ path: String, _ pixels: Int?) -> Bool {
        filePixels[path] = pixels
        return pixels == nil || imagePixels() <= snippet.limits.imagePixels
    }

    /// Returns the pixels of all images that the document may show. Uses the larger of two numbers, from the file's
    /// bytes and from the document's report: the bytes of an SVG do not have its size, and the document does not see
    /// closed shadow trees.
    func imagePixels(_ said: Readiness.ImagePixels = .init(files: [:], others: 0)) -> Int {
        var files = filePixels
        for (url, pixels) in said.files { files[shown(url), default: 0] = max(files[shown(url)] ?? 0, Int(pixels)) }
        return files.values.reduce(max(Int(said.others), source.imagePixels), +)
    }

    /// Checks the limits that are known before the painting.
    func checkLimits(_ readiness: Readiness) throws(DrawingError) {
        let limits = snippet.limits
        // For a document with far too many elements, the counting stops at an arbitrary number, which must not be in
        // the error.
        let elements = readiness.elements > limits.elements ? limits.elements + 1 : readiness.elements
        try limits.check(.elements, elements, of: limits.elements)
        try limits.check(.imagePixels, imagePixels(readiness.imagePixels), of: limits.imagePixels)
    }

    /// Counts a file that the document requests.
    ///
    /// - Returns: the reason why it is left out; nil if it is within the limits.
    func excessOfResources() -> String? {
        resources.count += 1
        let limit = snippet.limits.resources
        return resources.count > limit ? "the limit max-resources is \(limit)" : nil
    }

    /// The total number of bytes that further files may have.
    var roomForResources: Int { snippet.limits.resourceBytes - resources.bytes }

    /// Counts the bytes of a file. Returns false if they are too many.
    func takeResource(of bytes: Int) -> Bool {
        guard bytes <= roomForResources else { return false }
        resources.bytes += bytes
        return true
    }

    func warnOfResourceBytes(_ path: String, request: Int) {
        warnOfLimit(path, "the limit max-resource-bytes is \(snippet.limits.resourceBytes)", request: request)
    }

    /// The files that the picture depends on, in the order of their paths.
    var dependencies: [Dependency] {
        used.map { Dependency(path: $0.key, digest: $0.value) }.sorted { $0.path < $1.path }
    }

    /// Warns about the files that have not arrived by the deadline.
    func noteLate() {
        for url in awaited { warn(.deadline, shown(url)) }
    }

    /// The warnings for the caller, from the base folder, the policy and the document.
    func warnings(_ readiness: Readiness) -> [DrawingWarning] {
        var all = resourceWarnings.all
        let told = Set(all.map(\.subject))
        func add(_ code: DrawingWarning.Code, _ names: [String], reason: String? = nil) {
            for name in names.prefix(ResourceWarnings.limit).map(shown) where !told.contains(name) {
                all.append(DrawingWarning(code, name, reason: reason))
            }
        }
        add(.deadline, readiness.late)
        // Add this only if no warning names the resource that the document waits for.
        if readiness.isLoading, all.isEmpty { add(.deadline, ["the document"]) }
        if readiness.lacksReadySignal { add(.deadline, ["the ready signal"]) }
        if readiness.hasUnfinishedScripts, !readiness.lacksReadySignal {
            all.append(DrawingWarning(.scriptUnfinished, "the document"))
        }
        // The scripts may not even have begun. Add this only if no other warning explains it.
        if readiness.hasLateScripts, !all.contains(where: { $0.code == .deadline }) {
            all.append(DrawingWarning(.deadline, "the scripts", reason: "they were still running"))
        }
        add(.resourceBlocked, readiness.blocked.filter { !allowedHosts.allow($0) })
        add(.resourceRefused, readiness.blocked.filter(allowedHosts.allow), reason: Self.hostFailure)
        addUnsupported(readiness.unsupported, to: &all)
        add(.imageBroken, readiness.broken)
        // If an image could not be decoded at all, it is already reported as broken.
        let brokenImages = Set(readiness.broken.map(shown))
        add(.imageCut, Set(cutImages).subtracting(brokenImages).sorted() + readiness.cutImages)
        add(.mediaNotPlayed, readiness.unplayed)
        if let cut = readiness.cutWidth, cut > 0, !snippet.medium.isPaper {
            let width = snippet.geometry.width + cut
            all.append(DrawingWarning(.contentCut, "\(cut) CSS px", reason: "the content is \(width) CSS px wide"))
        }
        if let cut = readiness.cutHeight, cut > 0, !snippet.medium.isPaper {
            all.append(DrawingWarning(.contentCutBelow, "\(cut) CSS px", reason: Self.growingArea))
        }
        // If all sources of a font are missing, they have already been reported.
        let absent = Set(all.map(\.subject))
        // A font created by a script does not name a source; the source may be a file that did not arrive.
        let isLate = all.contains { $0.code == .deadline }
        let broken = readiness.brokenFonts.filter { font in
            font.sources.isEmpty ? !isLate : !font.sources.allSatisfy { absent.contains(shown($0)) }
        }
        var families: Set<String> = []
        add(.fontBroken, broken.map(\.family).filter { families.insert($0).inserted })
        return all + fontWarnings + messages.warnings
    }

    /// Warns about each file once, although its name may be both in a document's bytes and in the loaded document.
    private func addUnsupported(_ loaded: [String], to all: inout [DrawingWarning]) {
        var known = Set(all.map(\.subject))
        for one in source.unsupported + loaded.map({ UnsupportedFile(name: $0) }) {
            let name = shown(one.name)
            if all.count < ResourceWarnings.limit, known.insert(name).inserted {
                all.append(DrawingWarning(.resourceUnsupported, name, reason: one.reason))
            }
        }
    }

    private static let growingArea =
        "a scrolling area is as high as the viewport, and its content grows with the area; use --viewport-height"

    /// WebKit does not report which of these it was.
    private static let hostFailure =
        "the allowed host did not answer, has an untrusted certificate, sent an error, or redirected to another host"

    /// Returns a URL as the snippet's author knows it: relative to the base, and without the content of a data URL.
    func shown(_ url: String) -> String {
        if url.hasPrefix(self.url) { return path(RelativePath.slashed(url, below: self.url).dropFirst(self.url.count)) }
        if url.lowercased().hasPrefix("data:") { return String(url.prefix { $0 != "," && $0 != ";" }) + "…" }
        // "//host/a.png" gets the document's scheme, which is Offstage's own and unknown to the author.
        let known =
            url.hasPrefix("\(ContentPolicy.scheme)://") ? url.dropFirst(ContentPolicy.scheme.count + 1) : url[...]
        return known.count > 200 ? known.prefix(200) + "…" : String(known)
    }

    /// Decoded, without query and fragment, as passed to resource providers.
    private func path(_ relative: Substring) -> String {
        let path = String(relative.prefix { $0 != "?" && $0 != "#" })
        return path.removingPercentEncoding ?? path
    }

    func error(for error: any Error) -> DrawingError {
        switch error {
        case let error as DrawingError: error
        case Interruption.lost(let cause): ProcessLoss(cause, blame: .document, isAlone: false).error
        case Interruption.deadline: .engineHung(seconds: snippet.limits.grace)
        case Interruption.failed(let text): .engineFailed(text)
        default: .engineFailed("\(error)")
        }
    }
}
