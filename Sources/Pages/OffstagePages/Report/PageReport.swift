import COffstagePages
import Foundation
import Offstage

/// The report of the worker program about a document or a page. It may come from code that took over the worker, so every number is
/// checked, and a text can be anything.
struct PageReport {
    let head: offstage_pages_report
    private(set) var records: [Record] = []

    struct Record {
        let kind: UInt32
        let numbers: (Int32, Int32, Int32, Int32)
        let text: Data

        /// Nil for invalid Unicode.
        var string: String? { String(validating: text, as: UTF8.self) }

        /// The two parts around the first NUL.
        var pair: (String, String)? {
            guard let end = text.firstIndex(of: 0), let first = String(validating: text[..<end], as: UTF8.self),
                let second = String(validating: text[(end + 1)...], as: UTF8.self)
            else { return nil }
            return (first, second)
        }
    }

    /// - Returns: nil if the bytes are not a report.
    init?(_ bytes: Data) {
        let bytes = Data(bytes)
        let size = MemoryLayout<offstage_pages_report>.size
        guard bytes.count >= size else { return nil }
        head = bytes.withUnsafeBytes { $0.loadUnaligned(as: offstage_pages_report.self) }
        guard head.version == UInt32(OFFSTAGE_PAGES_VERSION) else { return nil }
        var position = size
        let step = MemoryLayout<offstage_pages_record>.size
        while position < bytes.count {
            guard bytes.count - position >= step else { return nil }
            let record = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: position, as: offstage_pages_record.self)
            }
            position += step
            guard record.size <= bytes.count - position else { return nil }
            let end = position + Int(record.size)
            records.append(Record(kind: record.kind, numbers: record.numbers, text: bytes[position..<end]))
            position = end
        }
    }

    func has(_ fact: offstage_pages_fact) -> Bool { head.facts & fact.rawValue != 0 }

    func records(_ kind: offstage_pages_record_kind) -> some Sequence<Record> {
        records.lazy.filter { $0.kind == kind.rawValue }
    }
}
