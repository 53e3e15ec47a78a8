import Foundation

/// The files of an XML document's XInclude elements, of its style sheets that transform it (XSLT), and of its own document
/// type. WebKit does not load them. Found in the document's bytes, because an image's document is not accessible.
struct XMLIncludes {
    private var reader: XMLReader

    /// - Parameter text: A document in any charset that contains ASCII.
    /// - Returns: The files as the document names them, at most 100.
    static func files(in text: Data) -> [String] {
        let (hasIncludes, hasSheets, hasType) = text.withUnsafeBytes {
            (
                $0.firstIndex(of: "XInclude", from: 0) != nil, $0.firstIndex(of: "?xml-stylesheet", from: 0) != nil,
                $0.firstIndex(of: "SYSTEM", from: 0) != nil
            )
        }
        guard hasIncludes || hasSheets || hasType else { return [] }
        var includes = XMLIncludes(reader: XMLReader(Array(text)))
        let files = includes.filesOfProlog() + (hasIncludes ? includes.filesOfElements() : [])
        return files.prefix(100).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads up to the root element.
    private mutating func filesOfProlog() -> [ArraySlice<UInt8>] {
        var files: [ArraySlice<UInt8>] = []
        _ = reader.skip("\u{FEFF}")
        while true {
            reader.skipSpaces()
            if reader.skip("<?xml-stylesheet") {
                let attributes = reader.attributes()
                if Self.transforms(Self.value("type", attributes)) {
                    files.append(Self.value("href", attributes) ?? Array("xml-stylesheet".utf8)[...])
                }
            } else if reader.skip("<?") {
                reader.skip(past: "?>")
            } else if reader.skip("<!--") {
                reader.skip(past: "-->")
            } else if reader.skip("<!DOCTYPE") {
                if let file = fileOfType() { files.append(file) }
                reader.skipDocumentType()
            } else {
                return files
            }
        }
    }

    /// The same rule as in `refused.js`: `text/xsl`, `application/xslt+xml`, `text/xml`.
    private static func transforms(_ type: ArraySlice<UInt8>?) -> Bool {
        let type = String(decoding: type ?? [], as: UTF8.self).lowercased()
        return type.contains("xsl") || type.contains("xml")
    }

    /// The file of a document type that belongs to the document. Public types, such as those of XHTML and SVG, are
    /// never reported, wherever the document's copy of them is: WebKit already knows everything that they define.
    private mutating func fileOfType() -> ArraySlice<UInt8>? {
        _ = reader.name()
        reader.skipSpaces()
        guard reader.skip("SYSTEM") else { return nil }
        reader.skipSpaces()
        guard let file = reader.quoted(), !file.contains(UInt8(ascii: ":")), file.suffix(4).elementsEqual(".dtd".utf8)
        else { return nil }
        let name = file.split(separator: UInt8(ascii: "/")).last ?? file
        return name.starts(with: "svg".utf8) || name.starts(with: "xhtml".utf8) ? nil : file
    }

    /// Both namespaces count: files with the older one still exist.
    private static let namespaces = ["http://www.w3.org/2001/XInclude", "http://www.w3.org/2003/XInclude"]

    /// A prefix counts from its declaration on, in other elements too: no document uses one for two namespaces.
    private mutating func filesOfElements() -> [ArraySlice<UInt8>] {
        var names: Set<ArraySlice<UInt8>> = []
        var files: [ArraySlice<UInt8>] = []
        while let use = reader.nextUse(), !Task.isCancelled {
            guard use.isElement else { continue }
            let attributes = reader.attributes()
            for (name, value) in attributes
            where name.starts(with: "xmlns".utf8) && Self.namespaces.contains(where: { value.elementsEqual($0.utf8) }) {
                let prefix = name.dropFirst("xmlns:".utf8.count)
                names.insert(prefix + Array((prefix.isEmpty ? "include" : ":include").utf8))
            }
            if names.contains(reader.name(at: use.place)) {
                files.append(Self.value("href", attributes) ?? Array("include".utf8)[...])
            }
        }
        return files
    }

    private static func value(_ name: String, _ attributes: [XMLReader.Attribute]) -> ArraySlice<UInt8>? {
        attributes.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}
