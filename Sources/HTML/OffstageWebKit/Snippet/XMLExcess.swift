import Foundation
import Offstage

/// A small document that would take WebKit a long time. It is detected before WebKit gets the document.
enum XMLExcess: Error, Hashable, CustomStringConvertible {
    /// The declarations of a document add too many bytes.
    case entities(limit: Int)
    /// `use` elements repeat too many elements.
    case uses(limit: Int)
    /// SVG images in data URIs are nested too deeply.
    case nesting(limit: Int)

    var code: String {
        switch self {
        case .entities: "entities-multiply"
        case .uses: "uses-multiply"
        case .nesting: "images-nested"
        }
    }

    var description: String {
        switch self {
        case .entities(let limit):
            "XML error: its entities and default attributes expand to more than \(limit) bytes; write their text where it is used"
        case .uses(let limit):
            "its use elements repeat more than \(limit) elements; render the parts separately, or reduce the use elements"
        case .nesting(let limit):
            "its data URIs nest images more than \(limit) deep; put the inner images beside the outer ones"
        }
    }

    /// - Parameters:
    ///   - xml: An XML document.
    ///   - charset: Its charset, if the caller knows it; otherwise nil.
    /// - Returns: The files that it uses and that WebKit leaves out, as the document names them.
    /// - Throws: If WebKit must not get the document.
    @discardableResult
    static func check(_ xml: Data, charset: String? = nil) throws(XMLExcess) -> [String] {
        let isBigEndian = Charset.utf16(xml, charset ?? "") ?? Charset.utf16WithoutMark(xml)
        let text = isBigEndian.map { Charset.utf8(xml, isBigEndian: $0) } ?? xml
        let files = try XMLEntities.check(text) + XMLIncludes.files(in: text)
        try SVGUses.check(text)
        return files
    }
}

extension DrawingError {
    /// The document, or a data URI in it, would take far too much time for its size.
    static func multiplies(_ excess: XMLExcess) -> DrawingError {
        .unusable(SourceProblem(excess.code, excess.description))
    }
}
