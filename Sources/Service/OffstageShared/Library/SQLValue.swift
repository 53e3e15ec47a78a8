import Foundation
import Offstage

/// A parameter of a statement.
enum SQLValue: Sendable {
    case null
    case text(String)
    case integer(Int)
    case real(Double)
    case bytes(Data)
    case texts([String])
    case integers([Int])
    case bytesList([Data])
    case digest(Digest)

    static func digests(_ digests: [Digest]) -> SQLValue { .bytesList(digests.map(\.data)) }
    static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func bytes(_ bytes: Data?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }

    /// The parameter in libpq's format; nil for NULL.
    var encoded: (bytes: Data, isBinary: Bool)? {
        switch self {
        case .null: nil
        case .text(let text): (Self.terminated(text), false)
        case .integer(let number): (Self.terminated(String(number)), false)
        case .real(let number): (Self.terminated(String(number)), false)
        case .bytes(let data): (data, true)
        case .digest(let digest): (digest.data, true)
        case .texts(let texts): (Self.list(texts.map(Self.quoted)), false)
        case .integers(let numbers): (Self.list(numbers.map(String.init)), false)
        case .bytesList(let all): (Self.binary(all), true)
        }
    }

    private static func terminated(_ text: String) -> Data { Data(text.utf8) + [0] }

    private static func list(_ items: [String]) -> Data { terminated("{" + items.joined(separator: ",") + "}") }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }

    /// PostgreSQL's binary format of `bytea[]`, half the size of the text format.
    private static func binary(_ all: [Data]) -> Data {
        let byteaType: Int32 = 17
        var data = Data()
        data.reserveCapacity(all.reduce(20) { $0 + 4 + $1.count })
        func add(_ number: Int32) { withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) } }
        add(all.isEmpty ? 0 : 1)
        add(0)
        add(byteaType)
        if all.isEmpty { return data }
        add(Int32(all.count))
        add(1)
        for one in all {
            add(Int32(one.count))
            data.append(one)
        }
        return data
    }
}

extension Digest {
    /// The digest's 32 bytes.
    var data: Data { withBytes { Data($0) } }
}

/// A row of a result, in PostgreSQL's binary format. Valid only until the call that runs the statement returns.
struct SQLRow {
    let library: LibPQ
    let result: OpaquePointer
    let row: Int32

    func isNull(_ column: Int32) -> Bool { library.isNull(result, row, column) != 0 }

    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: library.value(result, row, column), count: Int(library.length(result, row, column)))
    }

    /// Reads a smallint, integer or bigint; 0 for NULL.
    func integer(_ column: Int32) -> Int {
        let bytes = bytes(column)
        return switch bytes.count {
        case 1: Int(bytes[0])
        case 2: Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        default: 0
        }
    }

    func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    /// Reads a double precision; 0 for NULL.
    func real(_ column: Int32) -> Double {
        let bytes = bytes(column)
        return bytes.count == 8 ? Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))) : 0
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func data(_ column: Int32) -> Data { Data(bytes(column)) }
    func digest(_ column: Int32) -> Digest? { Digest(bytes(column)) }
}
