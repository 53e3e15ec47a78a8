import Foundation

/// The character set of a document's bytes, found in the order that browsers use: byte order mark, XML declaration, `<meta>`.
package enum Charset {
    /// The charset that the document declares, or nil. In HTML, an unknown name is ignored, as in browsers; in XML,
    /// WebKit then uses UTF-8.
    ///
    /// The HTML standard says to examine the first 1,024 bytes ("prescan a byte stream to determine its encoding").
    /// Like browsers, this examines more (4,096 bytes), because some documents have a long `<head>`.
    static func declared(in html: Data, _ type: Snippet.DocumentType = .html) -> String? {
        if html.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
        if html.starts(with: [0xFE, 0xFF]) { return "UTF-16BE" }
        if html.starts(with: [0xFF, 0xFE]) { return "UTF-16LE" }
        var scanner = MetaScanner(html.prefix(4096))
        guard let name = scanner.encoding() ?? (type == .html ? scanner.charset() : nil) else { return nil }
        if type == .html, !isKnown(name) { return nil }
        // A document in UTF-16 could not have been read up to here, so in HTML the name means UTF-8.
        return name.lowercased().hasPrefix("utf-16") ? "UTF-8" : name
    }

    /// The offset of the first byte that is not valid UTF-8, or nil.
    package static func firstInvalidUTF8(in html: Data) -> Int? {
        html.withUnsafeBytes { bytes -> Int? in
            if String(validating: bytes, as: UTF8.self) != nil { return nil }
            var decoder = Unicode.UTF8.ForwardParser()
            var iterator = bytes.makeIterator()
            var offset = 0
            while true {
                switch decoder.parseScalar(from: &iterator) {
                case .valid(let scalar): offset += scalar.count
                case .error: return offset
                case .emptyInput: return nil
                }
            }
        }
    }

    /// True if the first bytes include a byte that does not occur in text ("binary data bytes" of the MIME Sniffing
    /// standard).
    static func isBinary(_ document: Data) -> Bool {
        document.prefix(1445).contains { byte in
            byte <= 0x08 || byte == 0x0B || (0x0E...0x1A).contains(byte) || (0x1C...0x1F).contains(byte)
        }
    }

    /// True if the name is a name or a label in the WHATWG Encoding standard.
    static func isKnown(_ name: String) -> Bool { names.contains(name.lowercased()) }

    private static let names = Set(
        """
        utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 utf-16 utf-16le utf-16be csunicode ucs-2 unicode \
        iso-10646-ucs-2 unicodefeff unicodefffe ibm866 866 cp866 csibm866 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 \
        iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-8-e iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 \
        iso-8859-15 iso-8859-16 iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 \
        iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso88591 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 \
        iso885910 iso885911 iso885913 iso885914 iso885915 iso_8859-1 iso_8859-2 iso_8859-3 iso_8859-4 iso_8859-5 iso_8859-6 \
        iso_8859-7 iso_8859-8 iso_8859-9 iso_8859-15 latin1 latin2 latin3 latin4 latin5 latin6 l1 l2 l3 l4 l5 l6 l9 ascii us-ascii \
        ansi_x3.4-1968 cp819 ibm819 cyrillic csisolatincyrillic arabic asmo-708 ecma-114 csisolatinarabic greek greek8 ecma-118 \
        elot_928 sun_eu_greek csisolatingreek hebrew csisolatinhebrew visual logical csisolatin1 csisolatin2 csisolatin3 csisolatin4 \
        csisolatin5 csisolatin6 csisolatin9 koi8-r koi8 koi koi8_r cskoi8r koi8-u koi8-ru macintosh mac x-mac-roman csmacintosh \
        windows-874 dos-874 tis-620 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 \
        windows-1257 windows-1258 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 x-cp1250 x-cp1251 x-cp1252 x-cp1253 \
        x-cp1254 x-cp1255 x-cp1256 x-cp1257 x-cp1258 x-mac-cyrillic x-mac-ukrainian gbk gb2312 gb_2312 gb_2312-80 chinese \
        csgb2312 csiso58gb231280 iso-ir-58 x-gbk gb18030 big5 big5-hkscs cn-big5 csbig5 x-x-big5 euc-jp x-euc-jp cseucpkdfmtjapanese \
        iso-2022-jp csiso2022jp shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis euc-kr korean ks_c_5601-1987 \
        ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cseuckr csksc56011987 iso-ir-149
        """.split(separator: " ").map(String.init))

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
