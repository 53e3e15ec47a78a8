/// Options of other programs whose functions Offstage offers under another name, or always performs.
package enum OtherTools {
    /// One-letter options of pdftoppm, and the words that they abbreviate.
    package static let letters: [Character: String] = ["r": "resolution", "f": "first-page", "l": "last-page"]

    /// - Parameters:
    ///   - word: the unknown option, with or without dashes.
    ///   - known: the options or keys available here. Advice that names any other option does not apply.
    /// - Returns: the replacement; nil for other words.
    static func advice(for word: String, among known: [String]) -> String? {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }.lowercased()
        guard let advice = advice[name] else { return nil }
        let names = Set(known.map { String($0.drop { $0 == "-" }) })
        guard names.contains(advice.option) else { return nil }
        // Keys of rows and of queries have no dashes.
        return known.contains { $0.hasPrefix("--") } ? advice.text : advice.text.replacing("--", with: "")
    }

    private static let width = ("width", "use --width, and --height if both sides are fixed")
    private static let scale = ("scale", "use --scale: 2 renders two device px for each CSS px")
    private static let waiting = (
        "timeout", "leave it out: Offstage waits for images, fonts and layout, for at most --timeout"
    )
    private static let replacing = (
        "refresh", "leave it out: a picture replaces an older one, and --refresh ignores the cache"
    )
    private static let jobs = ("jobs", "use --jobs")
    private static let folder = ("out", "use --out")
    private static let scripts = ("javascript", "leave it out: page scripts are off without --javascript")
    private static let quality = ("format", "use --format jpeg:quality=80 or webp:quality=80")
    private static let pageList = ("pages", "use --pages, such as --pages 1-3,last")
    private static let crop = ("crop", "use --crop X,Y,W,H for an image, or --clip X,Y,W,H for a page")
    private static let clip = ("clip", "use --clip X,Y,W,H for a page, or --crop X,Y,W,H for an image")
    private static let sandbox = ("no-sandbox", "use --no-sandbox")
    private static let fetching = (
        "allow-host", "leave it out: Offstage renders files; download the page, and name its file"
    )
    private static let paper = ("format", "use --format, such as --format pdf:page=a4,landscape,margin=15")
    private static let upright = ("no-autorotate", "leave it out: images are upright without --no-autorotate")
    private static let bare = ("format", "leave it out: pictures are in sRGB and have none of the file's metadata")
    private static let background = ("background", "use --background, such as --background transparent")

    /// Advice by option name, for options of Playwright, Puppeteer, Chrome, wkhtmltoimage, Satori, ImageMagick,
    /// vipsthumbnail, pdftoppm and FFmpeg.
    private static let advice: [String: (option: String, text: String)] = pictures.merging(pages) { first, _ in first }

    private static let pictures: [String: (option: String, text: String)] = [
        "quality": quality, "jpeg-quality": quality, "jpegopt": quality, "compression": quality,
        "dpi": ("scale", "use --scale: 1 is 96 device px an inch, 2 is 192"),
        "density": ("scale", "use --scale: 1 is 96 device px an inch, 2 is 192"),
        "resolution": ("scale", "use --scale: 1 is 96 device px an inch, 2 is 192"),
        "size": width, "window-size": width, "viewport": width, "viewport-size": width, "viewport-width": width,
        "resize": ("fit", "use --fit, such as --fit 320x320, or --width"),
        "thumbnail": ("fit", "use --fit, such as --fit 320x320, or --also thumb:320x320"),
        "device-scale-factor": scale, "scale-factor": scale, "dpr": scale, "zoom": scale, "zoom-factor": scale,
        "full-page": ("height", "leave it out: a picture shows the whole page, unless you give --height"),
        "fullpage": ("height", "leave it out: a picture shows the whole page, unless you give --height"),
        "screenshot": ("output", "use -o"),
        "transparent": background, "omit-background": background, "default-background-color": background,
        "background-color": background,
        "wait": waiting, "delay": waiting, "wait-for": waiting, "wait-until": waiting, "wait-for-timeout": waiting,
        "javascript-delay": waiting, "virtual-time-budget": waiting,
        "output-dir": folder, "output-directory": folder, "out-dir": folder, "outdir": folder, "output-folder": folder,
        "output-file": ("output", "use -o"), "output-format": ("format", "use --format"),
        "threads": jobs, "workers": jobs, "concurrency": jobs, "parallel": jobs, "processes": jobs,
        "force": replacing, "overwrite": replacing, "clobber": replacing,
        "disable-javascript": scripts, "no-javascript": scripts,
        "enable-javascript": ("javascript", "use --javascript"),
        "enable-local-file-access": (
            "base", "leave it out: a document loads the files of its own folder; --base names another one"
        ),
        "allow": ("base", "leave it out: a document loads the files of its own folder; --base names another one"),
        "user-style-sheet": ("css", "use --css"), "stylesheet": ("css", "use --css"), "style": ("css", "use --css"),
        "dark": ("color-scheme", "use --color-scheme dark"), "dark-mode": ("color-scheme", "use --color-scheme dark"),
        "locale": ("language", "use --language"), "lang": ("language", "use --language"),
        "timezone": ("time-zone", "use --time-zone"), "timezone-id": ("time-zone", "use --time-zone"),
        "crop-w": clip, "crop-h": clip, "crop-x": clip, "crop-y": clip, "clip-rect": clip,
        "cropbox": ("box", "use --box"),
        "extract": crop, "region-of-interest": crop,
        "smartcrop": ("gravity", "use --fit cover and --gravity"),
        "auto-orient": upright, "autorotate": upright, "auto-rotate": upright, "strip": bare, "export-profile": bare,
        "flop": ("flip", "use --flip horizontal"), "png": ("format", "use --format png"),
        "jpeg": ("format", "use --format jpeg"), "jpg": ("format", "use --format jpeg"),
        "webp": ("format", "use --format webp"), "pdf": ("format", "use --format pdf"),
        "svg": ("format", "use --format svg"),
        "path": ("output", "use -o"), "viewport-scale": scale, "scale-to": ("fit", "use --fit, such as --fit 320x320"),
        "min-font": ("min-font-size", "use --min-font-size"),
        "minimum-font-size": ("min-font-size", "use --min-font-size"),
        "encoding": ("charset", "use --charset"), "print-media-type": ("media", "use --media print"),
        "emulate-media": ("media", "use --media"), "reduced-motion": ("motion", "use --motion"),
        "animations": ("motion", "leave it out: animations are in their final state"),
        "forced-colors": ("contrast", "use --contrast"),
        "timeout-ms": ("timeout", "use --timeout, in seconds"),
        "load-timeout": ("timeout", "use --timeout, in seconds"),
        "disable-smart-width": (
            "width", "leave it out: --width sets the width, and --width fit uses the content's width"
        ),
        "proxy": ("allow-host", "leave it out: the network is closed; --allow-host opens it for one host"),
        "cookie": fetching, "custom-header": fetching, "header": fetching, "extra-http-headers": fetching,
        "user-agent": fetching,
        "landscape": paper, "orientation": paper, "page-size": paper, "paper-format": paper, "margin": paper,
        "margin-top": paper, "margin-right": paper, "margin-bottom": paper, "margin-left": paper,
        "ignore-https-errors": (
            "allow-host", "leave it out: the network is closed; --allow-host opens it for one host"
        ),
        "disable-web-security": (
            "allow-host", "leave it out: documents load the files of their folder, and of --allow-host"
        ),
        "headless": ("output", "leave it out: nothing is shown on a screen"),
        "browser": ("output", "leave it out: the engine is WebKitGTK"),
        "disable-setuid-sandbox": sandbox,
        "input": ("output", "give the file's name without an option"),
        "input-file": ("output", "give the file's name without an option"),
        "filename": ("name", "use -o, or --name for the files below --out"),
    ]

    /// Advice for documents with pages, for sounds, and for the run.
    private static let pages: [String: (option: String, text: String)] = [
        "first-page": pageList, "last-page": pageList, "page-range": pageList, "page-ranges": pageList,
        "singlefile": ("page", "leave it out: without --pages, a document is one picture"),
        "user-password": ("password-file", "use --password-file: other users can read the words of a command line"),
        "owner-password": ("password-file", "use --password-file: other users can read the words of a command line"),
        "upw": ("password-file", "use --password-file: other users can read the words of a command line"),
        "hide-annotations": ("variant", "use --variant plain"),
        "show-annotations": ("variant", "use --variant annotated"),
        "element": ("selector", "use --selector"), "element-selector": ("selector", "use --selector"),
        "start": ("from", "use --from"), "end": ("to", "use --to"), "duration": ("to", "use --from and --to"),
        "password": ("password-file", "use --password-file: other users can read the words of a command line"),
        "recursive": ("out", "leave it out: a folder means all files below it"),
        "verbose": (
            "json", "leave it out: warnings and errors are always printed; --json has everything about each picture"
        ),
        "silent": ("quiet", "use --quiet"),
        "config": ("quiet", "set the variable OFFSTAGE_CONFIG to the file's name"),
        "config-file": ("quiet", "set the variable OFFSTAGE_CONFIG to the file's name"),
        "dry-run": (
            "json",
            "leave it out: an unchanged picture is not rendered again; `offstage cache explain` explains why one would be"
        ),
        "url": ("base", "name a file: Offstage renders files, not addresses"),
    ]
}
