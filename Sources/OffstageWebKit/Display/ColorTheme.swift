import CWebKitGTK
import Foundation

/// The colours that WebKit reads of GTK's theme, as a theme of their own for the screens of the private display (`host.c` names it
/// to GTK): parsing the whole of Adwaita takes 20 to 60 ms a screen, for widgets that nobody sees, and a program with windows may
/// have another one.
@MainActor
enum ColorTheme {
    /// From `Theme/theme.gresource.xml`; `make theme` makes it.
    private static let bundle = PackageResources.theme_gresource
    private static let css = PackageResources.colors_css
    private static var isRegistered = false

    /// Before a private display is opened. Nobody else's theme has the name.
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

    /// Whatever the style sheet of the program's user says, a screen has these colours.
    static func pin(_ screen: OpaquePointer?) {
        // GTK_STYLE_PROVIDER_PRIORITY_USER is 800.
        gtk_style_context_add_provider_for_screen(screen, OpaquePointer(provider), 10_000)
    }
}
