import COffstageWebKit
import CWebKitGTK
import Offstage

/// What all views share: the context (network process, caches, schemes), the settings, the content filter and our script.
@MainActor
final class WebSettings {
    let context: UnsafeMutablePointer<WebKitWebContext>
    let settings: UnsafeMutablePointer<WebKitSettings>
    let content: UnsafeMutablePointer<WebKitUserContentManager>

    /// - Parameter filter: taken over.
    init(filter: OpaquePointer) {
        context = offstage_web_context_new("UTC")
        webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
        webkit_web_context_set_spell_checking_enabled(context, 0)
        content = webkit_user_content_manager_new()
        webkit_user_content_manager_add_filter(content, filter)
        webkit_user_content_filter_unref(filter)
        let script = webkit_user_script_new_for_world(
            Readiness.script, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START,
            Readiness.world, nil, nil)
        webkit_user_content_manager_add_script(content, script)
        webkit_user_script_unref(script)
        settings = webkit_settings_new()
        setLanguage("en-US")
        pin()
    }

    private func pin() {
        webkit_settings_set_default_charset(settings, "UTF-8")
        // The page's scripts are stripped as it is parsed; ours still run.
        webkit_settings_set_enable_javascript_markup(settings, 0)
        // The same pictures, sooner, in less memory.
        webkit_settings_set_hardware_acceleration_policy(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
        for off in [
            webkit_settings_set_enable_page_cache, webkit_settings_set_enable_html5_database,
            webkit_settings_set_enable_html5_local_storage, webkit_settings_set_enable_media,
            webkit_settings_set_enable_mediasource, webkit_settings_set_enable_webaudio,
            webkit_settings_set_enable_webgl, webkit_settings_set_enable_smooth_scrolling,
            webkit_settings_set_enable_back_forward_navigation_gestures,
            webkit_settings_set_javascript_can_open_windows_automatically,
        ] { off(settings, 0) }
        // Images that would wait for a scroll, or decode after the painting, are there when the load event comes.
        for name in ["LazyImageLoading", "LazyIframeLoading", "LargeImageAsyncDecoding", "AnimatedImageAsyncDecoding"] {
            disableFeature(name)
        }
    }

    /// The language of documents that name none: quotes, hyphenation, the choice among Chinese and Japanese fonts.
    private func setLanguage(_ language: String) {
        language.withCString { name in
            var list: [UnsafePointer<gchar>?] = [name, nil]
            webkit_web_context_set_preferred_languages(context, &list)
        }
    }

    private func disableFeature(_ identifier: String) {
        let features = webkit_settings_get_all_features()
        defer { webkit_feature_list_unref(features) }
        for index in 0..<webkit_feature_list_get_length(features) {
            let feature = webkit_feature_list_get(features, index)
            if String(cString: webkit_feature_get_identifier(feature)) == identifier {
                webkit_settings_set_feature_enabled(settings, feature, 0)
            }
        }
    }

    func close() {
        g_object_unref(settings)
        g_object_unref(content)
        g_object_unref(context)
    }
}
