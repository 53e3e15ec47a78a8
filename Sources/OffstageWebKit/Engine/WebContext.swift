import COffstageWebKit
import CWebKitGTK
import Offstage

/// What views of one language and time zone share: WebKit's context, which has the helper processes, caches and schemes.
@MainActor
final class WebContext {
    /// WebKit takes both when a web process starts.
    struct Locale: Hashable {
        var language: String?
        var timeZone: String
    }

    let pointer: UnsafeMutablePointer<WebKitWebContext>

    init(_ locale: Locale) {
        pointer = offstage_web_context_new(locale.timeZone)
        webkit_web_context_set_cache_model(pointer, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
        webkit_web_context_set_spell_checking_enabled(pointer, 0)
        (locale.language ?? "en-US").withCString { name in
            var list: [UnsafePointer<gchar>?] = [name, nil]
            webkit_web_context_set_preferred_languages(pointer, &list)
        }
    }

    isolated deinit { g_object_unref(pointer) }
}
