import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// Answers requests for the base folder's URL scheme with the snippet's resource provider.
@MainActor
final class ResourceScheme {
    private typealias Request = UnsafeMutablePointer<WebKitURISchemeRequest>

    /// Finds the scene that a view is drawing.
    private let scene: (UnsafeMutablePointer<WebKitWebView>?) -> Scene?

    init(scene: @escaping (UnsafeMutablePointer<WebKitWebView>?) -> Scene?) {
        self.scene = scene
    }

    /// Registers the scheme. The context retains this object and calls it back as long as it lives.
    func register(with context: UnsafeMutablePointer<WebKitWebContext>) {
        webkit_web_context_register_uri_scheme(
            context, ContentPolicy.scheme,
            { request, data in
                onMainActor((request!, data!)) { request, data in
                    Unmanaged<ResourceScheme>.fromOpaque(data).takeUnretainedValue().answer(request)
                }
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in Unmanaged<ResourceScheme>.fromOpaque(data!).release() })
    }

    private func answer(_ request: Request) {
        let url = String(cString: webkit_uri_scheme_request_get_uri(request))
        guard let scene = scene(webkit_uri_scheme_request_get_web_view(request)), let parts = URLComponents(string: url)
        else { return fail(request) }
        scene.hasAsked = true
        // The document will request the file again, after it has been loaded into its own page.
        if scene.isRewriting { return fail(request) }
        guard url.hasPrefix(scene.url) else {
            // The host of another drawing means a late or a forged request. Any other host comes from a URL such as
            // "//host/…".
            if !SceneAddress.isHost(parts.host ?? "") { scene.warn(.resourceBlocked, scene.shown(url)) }
            return fail(request)
        }
        // Don't use `parts.path`: it is still encoded if the URL has a character that Foundation does not allow, such
        // as a bracket.
        let name = String(scene.shown(url).drop { $0 == "/" })
        guard let base = scene.snippet.base else {
            // The file is a dependency: with a base folder, the same document may find it.
            scene.used(name, nil)
            scene.warn(.resourceMissing, scene.shown(url))
            return fail(request)
        }
        if let reason = scene.excessOfResources() {
            scene.warnOfLimit(name, reason)
            return fail(request)
        }
        let (number, room) = (scene.resources.count, scene.roomForResources)
        let isPrinted = scene.snippet.medium != .pixels
        g_object_ref(request)
        scene.awaited.append(url)
        Task {
            defer {
                if let index = scene.awaited.firstIndex(of: url) { scene.awaited.remove(at: index) }
                g_object_unref(request)
            }
            do throws(ResourceError) {
                let file = try await Self.read(name, upTo: room, from: base, isPrinted: isPrinted)
                // Several resources are read concurrently, so the limit is checked again.
                guard scene.takeResource(of: file.byteCount) else { throw .tooLarge }
                scene.used(name, file.digest)
                // An image beyond the pixel limit is not passed on. The drawing then fails.
                guard scene.takes(name, file.pixels) else { return fail(request) }
                if let source = file.source {
                    scene.source.add(source)
                    if scene.source.hyphenates, scene.endsForDictionaries() { return fail(request) }
                }
                if file.isCut { scene.cutImages.append(name) }
                for one in file.unsupported {
                    scene.warn(.resourceUnsupported, scene.shown(one.name), reason: one.reason, request: number)
                }
                if file.isDoubtful { scene.doubtful.append(url) }
                if let excess = file.excess {
                    scene.warn(.resourceRefused, name, reason: "\(excess)", request: number)
                    return fail(request)
                }
                finish(request, file.data, file.type)
            } catch {
                switch error {
                case .missing: scene.warn(.resourceMissing, name, request: number)
                case .refused(let reason): scene.warn(.resourceRefused, name, reason: reason, request: number)
                case .tooLarge: scene.warnOfResourceBytes(name, request: number)
                }
                if error != .tooLarge { scene.used(name, nil) }
                fail(request)
            }
        }
    }

    /// A file in the form that WebKit gets.
    private struct File: Sendable {
        let type: String
        /// The number of bytes before the motion is removed.
        let byteCount: Int
        let digest: Digest
        let pixels: Int?
        /// The scanned text of a document or a style sheet.
        var source: SourceText?
        /// The bytes without motion.
        var data: Data
        /// True for a truncated image.
        var isCut = false
        /// True for an SVG image that WebKit would print incompletely.
        var isDoubtful = false
        /// The files that its XML uses and that WebKit leaves out.
        var unsupported: [UnsupportedFile] = []
        /// The reason why WebKit must not get the file.
        var excess: XMLExcess?
    }

    /// Runs off the main thread, because each step takes a millisecond or more per megabyte.
    @concurrent
    private nonisolated static func read(
        _ name: String, upTo count: Int, from base: any ResourceProvider, isPrinted: Bool
    ) async throws(ResourceError) -> File {
        var data = try await base.resource(at: name, upTo: count)
        let type = MediaType.of(path: name)
        if type == "image/svg+xml", Gzip.isPacked(data), let unpacked = Gzip.unpacked(data, limit: count) {
            if unpacked.count > count { throw .tooLarge }
            data = unpacked
        }
        let isText = MediaType.isText(type)
        var file = File(
            type: type, byteCount: data.count, digest: Digest(of: data),
            pixels: data.withUnsafeBytes { ImageHeader.pixels(of: $0) },
            data: isText ? data : AnimatedImage.stopped(data))
        guard isText else {
            file.isCut = CutImage.isCut(data)
            return file
        }
        file.source = SourceText(data, charset: "UTF-8")
        do throws(XMLExcess) {
            // WebKit may recognize that a file of an unknown type is XML.
            if type == "text/html" {
                try SVGUses.check(data)
            } else if type != "text/css" {
                let unsupported = try XMLExcess.check(data)
                // A file of another type is text, whatever it contains.
                if MediaType.mayBeXML(type) {
                    file.unsupported = unsupported.map { UnsupportedFile(name: $0, user: name) }
                }
            }
            let kind = MarkupKind(mediaType: type)
            let (text, unsupported) = try AnimatedSVG.stopped(
                inText: AnimatedImage.stopped(inText: data, of: kind), of: kind)
            file.unsupported += unsupported.map { UnsupportedFile(name: $0, user: "a data URI in \(name)") }
            switch type {
            case "image/svg+xml":
                file.data = AnimatedSVG.stopped(text)
                file.isDoubtful = isPrinted && DoubtfulSVG.isDoubtful(text)
            case "text/html": file.data = FontDisplay.patient(inDocument: ClosedShadowTrees.opened(text))
            case "text/css": file.data = FontDisplay.patient(inStyleSheet: text)
            default: file.data = text
            }
        } catch { file.excess = error }
        return file
    }

    private func finish(_ request: Request, _ data: Data, _ type: String) {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        let stream = g_memory_input_stream_new_from_bytes(bytes)
        webkit_uri_scheme_request_finish(request, stream, gint64(data.count), type)
        g_object_unref(stream)
        g_bytes_unref(bytes)
    }

    private func fail(_ request: Request) {
        let error = g_error_new_literal(
            g_quark_from_static_string("offstage"), 0, "not in the base folder")
        webkit_uri_scheme_request_finish_error(request, error)
        g_error_free(error)
    }
}
