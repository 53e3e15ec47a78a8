import CGTK
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The private display's theme contains only colours, which are GTK's own.
final class ColorThemeTests: XCTestCase {
    @MainActor private static func color(_ name: String) -> String? {
        let widget = gtk_label_new(nil)
        defer { gtk_widget_destroy(widget) }
        var color = GdkRGBA()
        guard gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), name, &color) != 0 else {
            return nil
        }
        let text = gdk_rgba_to_string(&color)!
        defer { g_free(text) }
        return String(cString: text)
    }

    func testTheColoursThatWebKitReadsAreThereAndTheRestOfTheThemeIsNot() throws {
        let expected: [(Emulation.ColorScheme, Emulation.Contrast)] = [
            (.light, .noPreference), (.dark, .noPreference), (.light, .more), (.light, .noPreference),
        ]
        for (scheme, contrast) in expected {
            var snippet = Snippet("<p>x", identifier: "a")
            (snippet.emulation.colorScheme, snippet.emulation.contrast) = (scheme, contrast)
            _ = try draw(snippet)
            MainActor.assumeIsolated {
                XCTAssertEqual(Self.color("theme_selected_bg_color"), "rgb(53,132,228)", "\(scheme), \(contrast)")
                XCTAssertNotNil(Self.color("theme_base_color"))
                XCTAssertNil(Self.color("wm_borders_edge"), "\(scheme), \(contrast)")
            }
        }
    }

    /// Fails if the theme's sources have changed since `make theme` was last run.
    func testTheBundleIsMadeOfItsSources() throws {
        let folder = Repository.root + "/Sources/HTML/OffstageWebKit/Display/Theme"
        let bundle = NSTemporaryDirectory() + "offstage-theme-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: bundle) }
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/glib-compile-resources")
        compiler.arguments = ["--sourcedir", folder, "--target", bundle, folder + "/theme.gresource.xml"]
        try compiler.run()
        compiler.waitUntilExit()
        XCTAssertEqual(
            try Data(contentsOf: URL(fileURLWithPath: bundle)),
            try Data(contentsOf: URL(fileURLWithPath: folder + "/theme.gresource")))
    }
}
