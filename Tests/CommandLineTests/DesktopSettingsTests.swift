import Foundation
import Testing

/// A picture shows the document, not the machine's owner: the same bytes on any desktop, in any language.
@Suite struct DesktopSettingsTests {
    /// Text in several scripts and families, controls, scroll bars, and media queries about the user's preferences.
    private static let document = """
        <!doctype html><meta charset=utf-8>
        <style>body { font: 14px sans-serif } div { width: 90px; height: 40px; overflow: scroll }
        @media (prefers-color-scheme: dark) { body { background: black; color: white } }
        @media (prefers-reduced-motion: no-preference) { p { letter-spacing: 2px } }
        @media (resolution > 1dppx) { p { color: red } }</style>
        <p>Hamburgefonts <b>bold</b> <i>italic</i> <code>code</code> <span style="font-family:serif">Serif</span>
        <span style="font-family:system-ui">System</span> <span style="font:menu">Menu</span>
        <p>日本語の文 漢字直骨 Ελληνικά עברית हिन्दी 🙂
        <p><input type=checkbox checked> <input type=date value=2026-01-31> <input placeholder=Text> <button>OK</button>
        <select><option>One</select> <progress value=.4></progress> <input type=range>
        <div>A box that scrolls because it holds more than it can show</div>
        """

    private static let fontconfig = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
        <match target="pattern"><test name="family"><string>sans-serif</string></test>
        <edit name="family" mode="prepend" binding="strong"><string>DejaVu Serif</string></edit></match>
        <match target="font"><edit name="antialias" mode="assign"><bool>false</bool></edit>
        <edit name="hintstyle" mode="assign"><const>hintfull</const></edit>
        <edit name="rgba" mode="assign"><const>rgb</const></edit></match></fontconfig>
        """

    /// A home folder whose owner has changed every setting.
    private func writeHome(_ folder: Folder) throws -> Folder {
        let home = try folder.make("home")
        try home.write(".config/gtk-3.0/settings.ini", ForeignDesktop.gtkSettings)
        try home.write(".config/gtk-3.0/gtk.css", "* { color: red; font-size: 30px }")
        for name in [".config/fontconfig/fonts.conf", ".fonts.conf", "fontconfig/fonts.conf"] {
            try home.write(name, Self.fontconfig)
        }
        for name in [".Xdefaults", ".Xresources"] {
            try home.write(name, "Xft.dpi: 192\nXft.antialias: 0\nXft.rgba: rgb\nXft.hintstyle: hintfull\n")
        }
        return home
    }

    @Test func hostileSettings() throws {
        try withFolder { folder in
            let plain = try draw(in: folder, [:])
            let home = try writeHome(folder).path
            let desktop = [
                "HOME": home, "LANG": "ja_JP.UTF-8", "LC_ALL": "ja_JP.UTF-8", "LANGUAGE": "ja:de", "TZ": "Asia/Tokyo",
                "GDK_SCALE": "2", "GDK_DPI_SCALE": "1.5", "GTK_THEME": "Adwaita:dark", "GTK_OVERLAY_SCROLLING": "0",
                "DISPLAY": ":77", "WAYLAND_DISPLAY": "wayland-9", "XAUTHORITY": "/nowhere", "GDK_BACKEND": "wayland",
                "FREETYPE_PROPERTIES": "truetype:interpreter-version=35", "XENVIRONMENT": home + "/.Xdefaults",
            ]
            try expectSame(plain, draw(in: folder, desktop), "a whole desktop")
            // One setting may undo the effect of another, so those with an effect are also tested alone.
            for (name, value) in [
                ("HOME", home), ("XDG_CONFIG_HOME", home + "/.config"), ("FONTCONFIG_FILE", home + "/.fonts.conf"),
                ("FONTCONFIG_PATH", home + "/.config/fontconfig"), ("GTK_THEME", "Adwaita:dark"),
                ("PANGO_LANGUAGE", "ja"),
            ] { try expectSame(plain, draw(in: folder, [name: value]), "\(name)") }
        }
    }

    /// Variables that libraries read, and one that no list contains.
    @Test func variablesOfLibraries() throws {
        try withFolder { folder in
            let names = [
                "HB_SHAPER_LIST", "HB_OPTIONS", "FC_LANG", "FC_DEBUG", "FREETYPE_PROPERTIES", "CAIRO_DEBUG",
                "PIXMAN_DISABLE",
                "PANGO_LANGUAGE", "PANGOCAIRO_BACKEND", "GDK_DPI_SCALE", "GDK_RENDERING", "GTK_DEBUG", "GTK_RTL",
                "GTK_DATA_PREFIX",
                "G_ENABLE_DIAGNOSTIC", "G_FILENAME_ENCODING", "G_SLICE", "GSETTINGS_SCHEMA_DIR", "GIO_USE_VFS",
                "GIO_EXTRA_MODULES",
                "GST_PLUGIN_PATH", "LANG", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LANGUAGE", "ICU_DATA", "JSC_useJIT",
                "JSC_forceICFailure",
                "WEBKIT_FORCE_SANDBOX", "WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_SHOW_FPS", "WEBKIT_INSPECTOR_SERVER",
                "LIBGL_ALWAYS_SOFTWARE",
                "MESA_DEBUG", "EGL_PLATFORM", "XLIB_SKIP_ARGB_VISUALS", "XDG_CURRENT_DESKTOP", "XCURSOR_SIZE",
                "QT_SCALE_FACTOR", "SHELL_OF_MINE",
                "http_proxy", "SOURCE_DATE_EPOCH",
            ]
            let values = [
                "HB_SHAPER_LIST": "fallback", "LANG": "de_DE.UTF-8", "ICU_DATA": "/nowhere", "JSC_useJIT": "0",
            ]
            for format in ["png", "pdf"] {
                let plain = try draw(in: folder, [:], as: format)
                let all = Dictionary(uniqueKeysWithValues: names.map { ($0, values[$0] ?? "1") })
                let isSame = try plain == draw(in: folder, all, as: format)
                #expect(isSame, "\(format)")
            }
        }
    }

    @Test func noHomeOrOneThatCannotBeWritten() throws {
        try withFolder { folder in
            let plain = try draw(in: folder, [:])
            try expectSame(plain, draw(in: folder, ["HOME": nil]), "without HOME")
            let locked = try folder.make("locked")
            chmod(locked.path, 0o555)
            try expectSame(plain, draw(in: folder, ["HOME": locked.path]), "read-only HOME")
            #expect(locked.files() == [])
            // Drawing did not create the missing home folder.
            #expect(access("/nonexistent", F_OK) != 0)
        }
    }

    private func draw(in folder: Folder, _ environment: [String: String?], as format: String = "png") throws -> Data {
        try folder.write("page.html", Self.document)
        let outcome = try Offstage.run(
            "render", "page.html", "-o", "-", "--format", format, environment: environment, in: folder,
            prefix: Offstage.asOrdinaryUser)
        #expect(outcome.code == 0)
        let said = outcome.errorLines.filter { !$0.hasPrefix("offstage: FONTCONFIG_") }
        #expect(said.count == 2, "libraries say something: \(outcome.error)")
        // A user who sets this option wants other fonts.
        #expect(outcome.errorLines.count - said.count == environment.keys.count { $0.hasPrefix("FONTCONFIG_") })
        return outcome.output
    }

    private func expectSame(_ plain: Data, _ other: Data, _ what: Comment) throws {
        // Compares the sizes first, because a failure would otherwise print both files.
        #expect(try Picture(plain).size == Picture(other).size, what)
        let isSame = plain == other
        #expect(isSame, what)
    }
}
