import CWebKitGTK
import Foundation

/// The colours that WebKit reads from GTK's theme, as a separate theme for the screens of the private display (`host.c`
/// passes its name to GTK). Parsing all of Adwaita takes 20 to 60 ms per screen, for invisible widgets, and a program
/// with windows may use another theme.
@MainActor
enum ColorTheme {
    /// Built by `make theme` from `Theme/theme.gresource.xml`.
    private static let bundle = PackageResources.theme_gresource
    private static let css = PackageResources.colors_css
    private static var isRegistered = false

    /// Registers the theme. Call it before a private display is opened. No other theme has its name.
    static func register() {
        if isRegistered { return }
        isRegistered = true
        let bytes = g_bytes_new(bundle, gsize(bundle.count))
        defer { g_bytes_unref(bytes) }
        guard let resource = g_resource_new_from_data(bytes, nil) else { return }
        g_resources_register(resource)
        g_resource_unref(resource)
    }

    private static let provider: UnsafeMutablePointer<GtkCssProvider> = {
        let provider = gtk_css_provider_new()!
        gtk_css_provider_load_from_data(provider, String(decoding: css, as: UTF8.self), -1, nil)
        return provider
    }()

    /// Makes a screen use these colours, whatever the user's own style sheet declares.
    static func pin(_ screen: OpaquePointer?) {
        // Higher than GTK_STYLE_PROVIDER_PRIORITY_USER, which is 800.
        gtk_style_context_add_provider_for_screen(screen, OpaquePointer(provider), 10_000)
    }
}
