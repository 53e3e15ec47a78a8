import Foundation
import Offstage

extension Snippet {
    /// Writes the document to a folder, in a file named after the identifier. Creates the folder if necessary.
    @concurrent
    package nonisolated func saveDocument(in folder: String) async throws(DrawingError) {
        // If this fails, the write below fails too, and reports the reason.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do throws(FileError) {
            try AtomicFile.write(html, to: folder + "/" + Self.documentName(identifier, type))
        } catch {
            throw .sourceNotSaved(error)
        }
    }

    /// A file name that is readable and unique to the identifier. Bytes with a special meaning are percent-encoded, and a name
    /// that is too long ends with a digest.
    static func documentName(_ identifier: String, _ type: DocumentType = .html) -> String {
        var name = ""
        for byte in identifier.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            // Not allowed as the first byte, because the file would be hidden.
            case UInt8(ascii: ".") where !name.isEmpty: name += "."
            default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        if name.utf8.count > 200 { name = "\(name.prefix(150))-\(Digest(of: identifier).description.prefix(32))" }
        return (name.isEmpty ? "%" : name) + ".\(type.rawValue)"
    }
}
