import Foundation
import Testing

/// A GTK program with its own windows, on its own display, that draws: its pictures equal the command line's,
/// whatever settings its user has, and the settings do not change.
@Suite(.serialized) struct GTKHostTests {
    private static let document = """
        <!doctype html><meta charset=utf-8>
        <style>body { font: 14px sans-serif } div { width: 90px; height: 40px; overflow: scroll }
        input { accent-color: auto }
        @media (prefers-color-scheme: dark) { body { background: black; color: white } }
        @media (prefers-reduced-motion: no-preference) { p { letter-spacing: 2px } }
        @media (resolution > 1dppx) { p { color: red } }
        @media (device-width: 1280px) and (device-height: 800px) { b { color: blue } }
        @media (hover) and (pointer: fine) { i { color: green } }</style>
        <p>Hamburgefonts <b>bold</b> <i>italic</i> <code>code</code> <span style="font-family:serif">Serif</span>
        <span style="font-family:system-ui">System</span> <span style="font:menu">Menu</span>
        <p>日本語の文 漢字直骨 Ελληνικά עברית हिन्दी 🙂
        <p><input type=checkbox checked> <input type=radio checked> <input type=date value=2026-01-31> <button>OK</button>
        <select><option>One</select> <progress value=.4></progress> <input type=range>
        <div>A box that scrolls because it holds more than it can show</div>
        """

    private func run(_ arguments: [String], _ environment: [String: String?], in folder: Folder) throws -> [Substring] {
        // The user's display has another size and resolution.
        let script = """
            mkfifo number
            Xvfb -displayfd 3 -screen 0 2000x1500x24 -dpi 144 -nolisten tcp -noreset 3>number 2>/dev/null & server=$!
            read number <number
            DISPLAY=:$number "$@"; code=$?
            kill $server; rm -f number; exit $code
            """
        let program = Offstage.program("HostProgram")
        let outcome = try Child(
            ["sh", "-c", script, "sh", program] + arguments, environment: environment, folder: folder.path
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        // GTK and GDK warn about invalid calls.
        #expect(!outcome.error.contains("CRITICAL"), "\(outcome.error)")
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.last == "end")
        return lines.dropLast().filter { !$0.hasPrefix("blocked: ") }
    }

    @Test func theSameBytesAsTheCommandLine() throws {
        try withFolder { folder in
            try folder.write("page.html", Self.document)
            let home = try folder.make("home")
            try home.write(".config/gtk-3.0/settings.ini", ForeignDesktop.gtkSettings)
            try home.write(".config/gtk-3.0/gtk.css", "* { color: red } @define-color accent_color #00ff00;")
            for (scale, scheme) in [(1, "light"), (1, "dark"), (2, "light"), (2, "dark")] {
                let outcome = try Offstage.run(
                    "render", "page.html", "-o", "cli/page-\(scheme)-\(scale).png", "--scale", "\(scale)",
                    "--color-scheme", scheme, in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
            }
            let user: [String: String?] = [
                "HOME": home.path, "LANG": "ja_JP.UTF-8", "LC_ALL": nil, "LANGUAGE": "ja:de", "TZ": "Asia/Tokyo",
                "GDK_SCALE": "2", "GDK_DPI_SCALE": "1.5", "GTK_OVERLAY_SCROLLING": "0", "PANGO_LANGUAGE": "ja",
            ]
            for theme in [nil, "Adwaita:dark", "HighContrast"] {
                let out = try folder.make("out").path
                let told = try run([out, "page.html"], user.merging(["GTK_THEME": theme]) { $1 }, in: folder)
                #expect(told == [], "\(theme ?? "settings.ini")")
                for file in folder.files("cli") {
                    let isSame = try folder.data("cli/\(file)") == folder.data("out/\(file)")
                    #expect(isSame, "\(file) with \(theme ?? "settings.ini")")
                }
                try FileManager.default.removeItem(atPath: out)
            }
        }
    }

    /// The program continues, and drawings continue on another display.
    @Test func thePrivateDisplayIsLost() throws {
        try withFolder { folder in
            try folder.write("page.html", Self.document)
            try folder.make("out")
            #expect(try run(["out", "page.html", "--lose"], [:], in: folder) == [])
            let isSame = try folder.data("out/first.png") == folder.data("out/again.png")
            #expect(isSame)
        }
    }
}
