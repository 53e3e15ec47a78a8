import CWebKitGTK
import Foundation

/// GTK's themes, cut down to the colours that WebKit reads of them: parsing the whole of Adwaita takes 60 ms at the start, and
/// again with each change of the colour scheme, for widgets that nobody sees.
@MainActor
enum ColorTheme {
    /// From `Theme/theme.gresource.xml`; `make theme` makes it.
    private static let bundle = PackageResources.theme_gresource
    private static var isRegistered = false

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
