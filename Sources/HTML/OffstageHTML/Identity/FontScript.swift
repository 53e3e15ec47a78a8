import CFontconfig

/// A writing system that needs a suitable font, and the Debian package that provides one.
public struct FontScript: Sendable, Hashable {
    public let name: String
    /// A Debian package that reliably provides a font for this script.
    public let package: String
    /// The properties that a font needs, in fontconfig's notation: characters, and the language if scripts share characters.
    private let pattern: String

    private init(_ name: String, _ characters: String, _ properties: String = "", package: String) {
        self.name = name
        self.package = package
        let codes = characters.unicodeScalars.map { String($0.value, radix: 16) }
        pattern = ":charset=" + codes.joined(separator: " ") + properties
    }

    /// The scripts that snippets use most.
    public static let all = [
        FontScript("latin", "Aéőß", package: "fonts-dejavu-core"),
        FontScript("cyrillic", "Жяї", package: "fonts-dejavu-core"),
        FontScript("greek", "Ωλώ", package: "fonts-dejavu-core"),
        FontScript("arabic", "عبپ", package: "fonts-noto-core"),
        FontScript("hebrew", "אשם", package: "fonts-noto-core"),
        FontScript("devanagari", "कखि", package: "fonts-noto-core"),
        // These scripts share characters but draw them differently. A font declares the languages that it is for.
        FontScript("han-simplified", "汉语", ":lang=zh-cn", package: "fonts-noto-cjk"),
        FontScript("han-traditional", "漢語", ":lang=zh-tw", package: "fonts-noto-cjk"),
        FontScript("japanese", "かカ語", ":lang=ja", package: "fonts-noto-cjk"),
        FontScript("korean", "한글", ":lang=ko", package: "fonts-noto-cjk"),
        // Text fonts contain some of these, in black.
        FontScript("emoji", "😀😂", ":color=True", package: "fonts-noto-color-emoji"),
        FontScript("math", "∑∫√𝑥", package: "fonts-noto-core"),
    ]

    /// The installed families that support the script, in alphabetical order. If empty, pictures show boxes for its characters.
    ///
    /// - Parameter configuration: An `FcConfig`. Nil for that of the machine.
    public func families(in configuration: OpaquePointer? = nil) -> [String] {
        let wanted = FcNameParse(pattern)
        let properties = FcObjectSetCreate()
        FcObjectSetAdd(properties, FC_FAMILY)
        defer {
            FcPatternDestroy(wanted)
            FcObjectSetDestroy(properties)
        }
        guard let fonts = FcFontList(configuration, wanted, properties) else { return [] }
        defer { FcFontSetDestroy(fonts) }
        var families: Set<String> = []
        for index in 0..<Int(fonts.pointee.nfont) {
            var family: UnsafeMutablePointer<FcChar8>?
            guard FcPatternGetString(fonts.pointee.fonts[index], FC_FAMILY, 0, &family) == FcResultMatch else {
                continue
            }
            families.insert(String(cString: family!))
        }
        return families.sorted()
    }
}
