/// A fontconfig configuration with exactly one folder of fonts.
struct FontconfigFile {
    /// The folder's absolute path.
    var folder: String
    /// The absolute path of fontconfig's cache, in a folder that only Offstage uses.
    var cache: String
    /// The generic families. Nil if the configuration only serves to list the fonts.
    var generics: GenericFamilies?

    /// The rendering is Debian's default: antialiased, slightly hinted, no subpixels.
    var xml: String {
        """
        <?xml version="1.0"?>
        <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
        <fontconfig>
        <dir>\(escaped(folder))</dir>
        <cachedir>\(escaped(cache))</cachedir>
        <match target="pattern">
        <edit name="antialias" mode="append"><bool>true</bool></edit>
        <edit name="hinting" mode="append"><bool>true</bool></edit>
        <edit name="hintstyle" mode="append"><const>hintslight</const></edit>
        <edit name="rgba" mode="append"><const>none</const></edit>
        <edit name="lcdfilter" mode="append"><const>lcddefault</const></edit>
        </match>
        \(aliases)
        </fontconfig>
        """
    }

    /// Aliases for the generic names of CSS and GTK.
    private var aliases: String {
        guard let generics else { return "" }
        let families =
            ["sans-serif", "sans", "system-ui", "cursive", "fantasy"].map { ($0, generics.sansSerif) }
            + [("serif", generics.serif), ("math", generics.serif)]
            + ["monospace", "mono"].map { ($0, generics.monospace) } + [("emoji", generics.emoji ?? generics.sansSerif)]
        return families.map { name, family in
            """
            <alias binding="same"><family>\(name)</family><prefer><family>\(escaped(family))</family></prefer></alias>
            """
        }.joined(separator: "\n")
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
