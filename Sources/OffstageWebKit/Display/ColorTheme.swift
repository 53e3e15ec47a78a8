import CWebKitGTK
import Foundation

/// GTK's themes, cut down to the colours that WebKit reads of them: parsing the whole of Adwaita takes 60 ms at the start, and
/// again with each change of the colour scheme, for widgets that nobody sees.
@MainActor
enum ColorTheme {
    /// From `Theme/theme.gresource.xml`; `make theme` makes it.
    private static let bundle = PackageResources.theme_gresource
    private static var isRegistered = false

    /// What WebKit looks for in a theme, in the order in which it does, and takes for the accent of form controls.
    private static let accents = ["accent_bg_color", "accent_color", "accentColor", "theme_selected_bg_color"]

    private static let provider: UnsafeMutablePointer<GtkCssProvider> = {
        let provider = gtk_css_provider_new()!
        let css = accents.map { "@define-color \($0) #3584e4;\n" }.joined() + "@define-color theme_base_color #ffffff;\n"
        gtk_css_provider_load_from_data(provider, css, -1, nil)
        return provider
    }()

    /// Whatever the program's theme and its user's style sheet say, a screen has these colours.
    static func pin(_ screen: OpaquePointer?) {
        // GTK_STYLE_PROVIDER_PRIORITY_USER is 800.
        gtk_style_context_add_provider_for_screen(screen, OpaquePointer(provider), 10_000)
    }

    /// After GTK has come with its own, for what is registered last is found first, and before it opens a display. Only in a
    /// program without windows of its own, which would look poor.
    static func register() {
        if isRegistered || !PinnedEnvironment.isApplied { return }
        isRegistered = true
        let bytes = g_bytes_new(bundle, gsize(bundle.count))
        defer { g_bytes_unref(bytes) }
        guard let resource = g_resource_new_from_data(bytes, nil) else { return }
        // GTK's own are only noted by now; the next look for any registers them.
        g_resources_get_info("/org/gtk", G_RESOURCE_LOOKUP_FLAGS_NONE, nil, nil, nil)
        g_resources_register(resource)
        g_resource_unref(resource)
    }
}
