import Foundation

/// SVG images in the data URIs of a document or a style sheet. Only the bytes that have to change do: all others mean the same as
/// before, in an attribute as in a style sheet, whatever escapes they are written with.
extension AnimatedSVG {
    /// A snippet's document, without motion in its images, and with open shadow trees.
    static func prepared(_ snippet: Snippet, _ source: SourceText) async -> Data {
        let html = source.namesShadowRoots ? await opened(snippet.html) : snippet.html
        return await stopped(inText: AnimatedImage.stopped(inText: html))
    }

    @concurrent
    private static func opened(_ html: Data) async -> Data { ClosedShadowTrees.opened(html) }

    /// A document or a style sheet without motion in the SVG images of its data URIs.
    static func stopped(inText text: Data) async -> Data {
        text.withUnsafeBytes { $0.firstIndex(of: mark, from: 0) } == nil ? text : await changed(text)
    }

    private static let mark: StaticString = "data:image/svg+xml"

    /// Off the main thread: a document may be one large image.
    @concurrent
    private static func changed(_ text: Data) async -> Data {
        let text = Array(text)
        var result = Data()
        // Up to here the bytes are in `result`.
        var copied = 0
        var index = 0
        while let start = text.withUnsafeBytes({ $0.firstIndex(of: mark, from: index) }) {
            index = start + mark.utf8CodeUnitCount
            guard let uri = DataURI(in: text, at: start) else { continue }
            let content = uri.content
            index = content.endIndex
            for edit in uri.isBase64 ? uri.edits({ stopped($0) }) : edits(of: content, in: uri.place) {
                result += text[copied..<edit.range.lowerBound]
                result += edit.bytes
                copied = edit.range.upperBound
            }
        }
        return copied == 0 ? Data(text) : result + text[copied...]
    }

    private static func edits(of content: ArraySlice<UInt8>, in place: DataURI.Place) -> [DataURI.Edit] {
        var characters = DataURICharacters(content, in: place)
        characters.decode()
        // In a style sheet that is a data URI itself, it is encoded twice.
        if characters.bytes.first == UInt8(ascii: "%") { characters.decode() }
        let file = characters.bytes
        // Where a quote is missing, this is the rest of the document.
        guard mayMove(file), file.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"),
            file.withUnsafeBytes({ $0.firstIndex(of: "<svg", from: 0) }) != nil
        else { return [] }
        return edits(of: file).map { edit in
            let start = characters.starts[edit.range.lowerBound]
            let bytes = edit.bytes.flatMap {
                DataURI.isLetterOrDigit($0) ? [$0] : Array(String(format: "%%%02X", Int($0)).utf8)
            }
            return DataURI.Edit(range: start..<characters.starts[edit.range.upperBound], bytes: bytes)
        }
    }
}
