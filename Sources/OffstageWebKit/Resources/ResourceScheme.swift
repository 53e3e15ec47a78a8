import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// Answers the requests of the base folder's URL scheme from the snippet's resource provider.
@MainActor
final class ResourceScheme {
    private typealias Request = UnsafeMutablePointer<WebKitURISchemeRequest>

    /// Who draws what now: finds the scene for a view's request.
    private let scene: (UnsafeMutablePointer<WebKitWebView>?) -> Scene?

    init(scene: @escaping (UnsafeMutablePointer<WebKitWebView>?) -> Scene?) {
        self.scene = scene
    }

    /// The context calls back for as long as it lives, and holds this object.
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
        // It will be asked for again, in a document of its own.
        if scene.isRewriting { return fail(request) }
        guard url.hasPrefix(scene.url) else {
            // A number is another drawing's: a request that was late, or made up. Else it is "//host/…".
            if Int(parts.host ?? "") == nil { scene.warn(.resourceBlocked, scene.shown(url)) }
            return fail(request)
        }
        let path = parts.path
        let name = String(path.drop { $0 == "/" })
        guard let base = scene.snippet.base else {
            // The same document with a folder may have it.
            scene.used(name, nil)
            scene.warn(.resourceMissing, scene.shown(url))
            return fail(request)
        }
        if let reason = scene.excessOfResources() {
            scene.warnOfLimit(name, reason)
            return fail(request)
        }
        let room = scene.roomForResources
        g_object_ref(request)
        scene.awaited.append(url)
        Task {
            defer {
                if let index = scene.awaited.firstIndex(of: url) { scene.awaited.remove(at: index) }
                g_object_unref(request)
            }
            do throws(ResourceError) {
                let (data, digest, pixels) = try await Self.read(name, upTo: room, from: base)
                // Several come at once.
                guard scene.takeResource(of: data.count) else { throw .tooLarge }
                scene.used(name, digest)
                // What is too much is not even handed over; the document then fails.
                guard scene.takes(name, pixels) else { return fail(request) }
                let type = MediaType.of(path: name)
                let isText = MediaType.isText(type)
                if isText { scene.source.add(data) }
                finish(request, isText ? AnimatedImage.slowed(inText: data) : AnimatedImage.slowed(data), type)
            } catch {
                switch error {
                case .missing: scene.warn(.resourceMissing, name)
                case .refused(let reason): scene.warn(.resourceRefused, name, reason: reason)
                case .tooLarge: scene.warnOfResourceBytes(name)
                }
                if error != .tooLarge { scene.used(name, nil) }
                fail(request)
            }
        }
    }

    /// Off the main thread: the digest takes a millisecond a megabyte.
    @concurrent
    private nonisolated static func read(
        _ name: String, upTo count: Int, from base: any ResourceProvider
    ) async throws(ResourceError) -> (Data, Digest, pixels: Int?) {
        let data = try await base.resource(at: name, upTo: count)
        return (data, Digest(of: data), data.withUnsafeBytes { ImageHeader.pixels(of: $0) })
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
