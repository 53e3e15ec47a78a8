import Foundation

/// The reason for a missing result: the file or program, the problem and the remedy.
public struct BenchmarkError: Error, Sendable, Hashable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// Reads a JSON file into a value.
func decode<Value: Decodable>(_ type: Value.Type, from path: String) throws(BenchmarkError) -> Value {
    let data: Data
    do {
        data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
        throw BenchmarkError("cannot read \(path); name an existing file")
    }
    do {
        return try JSONDecoder().decode(type, from: data)
    } catch {
        throw BenchmarkError("\(path) cannot be read: \(error)")
    }
}
