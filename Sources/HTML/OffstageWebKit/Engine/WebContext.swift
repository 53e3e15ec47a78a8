import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage

/// WebKit's context, with its other processes, caches and schemes. Views of one language and time zone share it.
@MainActor
final class WebContext {
    /// WebKit passes language and time zone to a web process at its start.
    struct Locale: Hashable {
        var language: String?
        var timeZone: String
    }

    let pointer: UnsafeMutablePointer<WebKitWebContext>
    let locale: Locale
    let isSandboxed: Bool

    init(_ locale: Locale, isSandboxed: Bool, hasHosts: Bool) {
        self.locale = locale
        self.isSandboxed = isSandboxed
        pointer = offstage_web_context_new(locale.timeZone)
        webkit_web_context_set_cache_model(pointer, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
        closeNetwork(hasHosts: hasHosts)
        if isSandboxed { enableSandbox() }
        webkit_web_context_set_spell_checking_enabled(pointer, 0)
        (locale.language ?? "en-US").withCString { name in
            var list: [UnsafePointer<gchar>?] = [name, nil]
            webkit_web_context_set_preferred_languages(pointer, &list)
        }
    }

    /// Sends all of WebKit's network requests to a proxy on port 0, which no proxy can have, so that WebKit does not even look up a
    /// name. With allowed hosts, sends them to Offstage's own proxy.
    private func closeNetwork(hasHosts: Bool) {
        let data = webkit_web_context_get_website_data_manager(pointer)
        let proxy = webkit_network_proxy_settings_new(
            "http://127.0.0.1:\(hasHosts ? NetworkNamespace.proxyPort : 0)", nil)
        if Layer.proxy.isOn {
            webkit_website_data_manager_set_network_proxy_settings(data, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, proxy)
        } else {
            webkit_website_data_manager_set_network_proxy_settings(data, WEBKIT_NETWORK_PROXY_MODE_NO_PROXY, nil)
        }
        webkit_network_proxy_settings_free(proxy)
        webkit_cookie_manager_set_accept_policy(
            webkit_web_context_get_cookie_manager(pointer), WEBKIT_COOKIE_POLICY_ACCEPT_NEVER)
    }

    private func enableSandbox() {
        webkit_web_context_set_sandbox_enabled(pointer, 1)
        // The sandbox contains /usr and /etc by default. Fonts may be elsewhere.
        let fonts = FontIdentity.folders().filter { !$0.hasPrefix("/usr/") && access($0, R_OK) == 0 }
        for path in fonts + PrivateFonts.folders + EmptyEGL.files {
            webkit_web_context_add_path_to_sandbox(pointer, path, 1)
        }
    }

    isolated deinit { g_object_unref(pointer) }
}
