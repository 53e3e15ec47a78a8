import CFontconfig

/// A way of writing that needs a font which has it, and the Debian package that brings one.
public struct FontScript: Sendable, Hashable {
    public let name: String
    /// The Debian package that is sure to have a font for it.
    public let package: String
    /// What a font must have, in fontconfig's notation: characters, and the language where characters are shared.
    private let pattern: String

    private init(_ name: String, _ characters: String, _ properties: String = "", package: String) {
        self.name = name
        self.package = package
        let codes = characters.unicodeScalars.map { String($0.value, radix: 16) }
        pattern = ":charset=" + codes.joined(separator: " ") + properties
    }

    /// Those that snippets are most often written in.
    public static let all = [
        FontScript("latin", "Aéőß", package: "fonts-dejavu-core"),
        FontScript("cyrillic", "Жяї", package: "fonts-dejavu-core"),
        FontScript("greek", "Ωλώ", package: "fonts-dejavu-core"),
        FontScript("arabic", "عبپ", package: "fonts-noto-core"),
        FontScript("hebrew", "אשם", package: "fonts-noto-core"),
        FontScript("devanagari", "कखि", package: "fonts-noto-core"),
        // One set of characters, drawn differently: a font says which language it is for.
        FontScript("han-simplified", "汉语", ":lang=zh-cn", package: "fonts-noto-cjk"),
        FontScript("han-traditional", "漢語", ":lang=zh-tw", package: "fonts-noto-cjk"),
        FontScript("japanese", "かカ語", ":lang=ja", package: "fonts-noto-cjk"),
        FontScript("korean", "한글", ":lang=ko", package: "fonts-noto-cjk"),
        // Text fonts have some of them, in black.
        FontScript("emoji", "😀😂", ":color=True", package: "fonts-noto-color-emoji"),
        FontScript("math", "∑∫√𝑥", package: "fonts-noto-core"),
    ]

    /// The families that have it, in alphabetical order; empty where pictures would show boxes in its place.
    ///
    /// - Parameter configuration: an `FcConfig`; nil for the machine's.
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
