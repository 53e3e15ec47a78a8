import CExpat
import Foundation

/// Finds the annotations in an XFDF file. The file is untrusted: a document type is an error, so it has no custom
/// entities, and nothing outside it is read.
final class XFDFParser {
    /// In bytes. Also the limit of an annotation file.
    static let mostBytes = 32 << 20
    private static let mostDepth = 64
    private static let mostAnnotations = 100_000
    /// The elements whose text belongs to an annotation.
    private static let textElements: Set<String> = [
        "contents", "contents-richtext", "defaultappearance", "defaultstyle", "gesture", "vertices",
    ]

    private let parser: XML_Parser
    private var path: [String] = []
    private var current: XFDFElement?
    private var text = ""
    private var found: [XFDFElement] = []
    private var problem: XFDFProblem?

    /// - Returns: the annotations, in the order of the file.
    static func elements(of data: Data) throws(XFDFProblem) -> [XFDFElement] {
        if data.count > mostBytes { throw .tooLarge(bytes: data.count, limit: mostBytes) }
        guard let parser = XML_ParserCreate(nil) else { throw .malformed(line: 1) }
        defer { XML_ParserFree(parser) }
        return try XFDFParser(parser).parse(data)
    }

    private init(_ parser: XML_Parser) { self.parser = parser }

    private var line: Int { max(1, Int(expat_line(parser))) }

    private func parse(_ data: Data) throws(XFDFProblem) -> [XFDFElement] {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in XFDFParser.of(context)?.start(name, attributes) },
            { context, _ in XFDFParser.of(context)?.end() })
        XML_SetCharacterDataHandler(parser) { context, bytes, count in XFDFParser.of(context)?.add(bytes, count) }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            guard let own = XFDFParser.of(context) else { return }
            own.stop(.hasDocumentType(line: own.line))
        }
        let status = data.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
        }
        if let problem { throw problem }
        guard status == XML_STATUS_OK else { throw .malformed(line: line) }
        return found
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XFDFParser? {
        context.map { Unmanaged<XFDFParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ problem: XFDFProblem) {
        if self.problem == nil { self.problem = problem }
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        if problem != nil { return }
        let name = Self.local(name)
        if path.isEmpty, name != "xfdf" { return stop(.notXFDF) }
        if path.count == Self.mostDepth { return stop(.tooDeep(line: line, limit: Self.mostDepth)) }
        if path.count == 2, path[1] == "annots" {
            if found.count == Self.mostAnnotations { return stop(.tooManyAnnotations(limit: Self.mostAnnotations)) }
            current = XFDFElement(name: name, attributes: Self.dictionary(attributes), line: line)
        } else if Self.textElements.contains(name), path.last != "popup" {
            text = ""
        } else if isRich, ["p", "br"].contains(name), !text.isEmpty {
            text += "\n"
        }
        path.append(name)
    }

    /// True within text that has its own markup. Only its words are read.
    private var isRich: Bool { path.count > 3 && path[3] == "contents-richtext" }

    private func end() {
        guard problem == nil, let name = path.popLast() else { return }
        if path.count == 2, path[1] == "annots" {
            if let current { found.append(current) }
            current = nil
        } else if Self.textElements.contains(name), !path.contains("popup") {
            if name == "gesture" { current?.gestures.append(text) } else { current?.texts[name] = text }
            text = ""
        }
    }

    private func add(_ bytes: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard problem == nil, current != nil, let bytes, let last = path.last else { return }
        guard isRich || Self.textElements.contains(last) else { return }
        // Bounded by the file's size, because the file has no custom entities.
        text += String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(count)).lazy.map(UInt8.init(bitPattern:)),
            as: UTF8.self)
    }

    /// A name without its prefix.
    private static func local(_ name: UnsafePointer<XML_Char>?) -> String {
        guard let name else { return "" }
        let text = String(cString: name)
        return (text.split(separator: ":").last.map(String.init) ?? text).lowercased()
    }

    private static func dictionary(
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) -> [String: String] {
        var (values, index) = ([String: String](), 0)
        while let attributes, let name = attributes[index], let value = attributes[index + 1] {
            values[local(name)] = String(cString: value)
            index += 2
        }
        return values
    }
}
