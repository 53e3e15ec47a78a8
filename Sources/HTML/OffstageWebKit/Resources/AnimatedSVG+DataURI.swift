import Foundation

/// Stops SVG images in the data URIs of a document or a style sheet. Changes only the bytes that have to change: all
/// others keep their meaning, in attributes and in style sheets, whatever escapes they are written with.
extension AnimatedSVG {
    /// A document or a style sheet without motion in the SVG images of its data URIs.
    ///
    /// - Returns: The document, and the files that XML in its data URIs uses and that WebKit leaves out.
    /// - Throws: If XML in a data URI would take too long.
    static func stopped(
        inText text: Data, of kind: MarkupKind = .html
    ) throws(XMLExcess) -> (text: Data, unsupported: [String]) {
        guard text.withUnsafeBytes({ nextURI(in: $0, from: 0) }) != nil else { return (text, []) }
        let bytes = Array(text)
        var edits: [DataURI.Edit] = []
        var unsupported: [String] = []
        var places = MarkupPlaces(kind)
        var index = 0
        // The URI of an image is not searched for other URIs, and the URI of other XML is not searched for XML. So each
        // byte is read at most twice.
        var endOfOthers = 0
        while let start = bytes.withUnsafeBytes({ nextURI(in: $0, from: index) }), !Task.isCancelled {
            index = start + mark.utf8CodeUnitCount
            guard let uri = DataURI(in: bytes, at: start, &places), uri.isXML, uri.isSVG || start >= endOfOthers
            else { continue }
            let end = uri.content.endIndex
            if uri.isSVG { index = end } else { endOfOthers = end }
            if uri.isBase64 {
                guard let file = uri.file else { continue }
                unsupported += try XMLExcess.check(file)
                if uri.isSVG { unsupported += try checkNesting(Array(file), level: 1) }
                if uri.isSVG { edits += uri.edits { stopped($0) } }
            } else {
                let (changes, files) = try self.edits(of: uri)
                edits += changes
                unsupported += files
            }
        }
        return (edits.applied(to: text), unsupported)
    }

    /// The maximum depth: images in an image in an image are still drawn. WebKit takes a multiple of the time for each
    /// further level.
    private static let levels = 3

    /// - Parameters:
    ///   - image: An SVG image of a data URI.
    ///   - level: 1 in a document.
    /// - Returns: The files that the images in it use and that WebKit leaves out.
    private static func checkNesting(_ image: [UInt8], level: Int) throws(XMLExcess) -> [String] {
        var unsupported: [String] = []
        var places = MarkupPlaces(.xml)
        var index = 0
        while let start = image.withUnsafeBytes({ nextURI(in: $0, from: index) }), !Task.isCancelled {
            index = start + mark.utf8CodeUnitCount
            guard let uri = DataURI(in: image, at: start, &places), uri.isSVG else { continue }
            if level == levels { throw .nesting(limit: levels) }
            index = uri.content.endIndex
            let file = file(of: uri)
            unsupported += try XMLExcess.check(Data(file))
            unsupported += try checkNesting(file, level: level + 1)
        }
        return unsupported
    }

    /// The bytes of an image, whether in base64 or not.
    private static func file(of uri: DataURI) -> [UInt8] {
        if uri.isBase64 { return uri.file.map(Array.init) ?? [] }
        var characters = DataURICharacters(uri.content, in: uri.place)
        characters.decode()
        // In a style sheet that is itself a data URI, the image is encoded twice.
        if characters.bytes.first == UInt8(ascii: "%") { characters.decode() }
        return characters.bytes
    }

    private static let mark: StaticString = "data:"

    /// The index of the next data URI. Searches for the colon, which does not occur in base64.
    private static func nextURI(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let length = mark.utf8CodeUnitCount
        var index = start
        while let colon = bytes.firstIndex(of: ":", from: index) {
            index = colon + 1
            if index - length >= start, bytes.has(mark, at: index - length) { return index - length }
        }
        return nil
    }

    /// - Returns: Also the files that its XML uses and that WebKit leaves out.
    private static func edits(of uri: DataURI) throws(XMLExcess) -> ([DataURI.Edit], unsupported: [String]) {
        var characters = DataURICharacters(uri.content, in: uri.place)
        characters.decode()
        // In a style sheet that is itself a data URI, the image is encoded twice.
        if characters.bytes.first == UInt8(ascii: "%") { characters.decode() }
        let file = characters.bytes
        var unsupported = try XMLExcess.check(Data(file))
        if uri.isSVG { unsupported += try checkNesting(file, level: 1) }
        // If a quote is missing, this is the rest of the document.
        guard uri.isSVG, mayMove(file), file.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"),
            file.withUnsafeBytes({ $0.firstIndex(of: "<svg", from: 0) }) != nil
        else { return ([], unsupported) }
        let changes = edits(of: file).map { edit in
            DataURI.Edit(
                range: characters.start(of: edit.range.lowerBound)..<characters.start(of: edit.range.upperBound),
                bytes: percentEncoded(edit.bytes))
        }
        return (changes, unsupported)
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap {
            DataURI.isLetterOrDigit($0) ? [$0] : [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
    }
}
