import Foundation

/// Why there is no figure: which file or program, what was wrong, what to do.
public struct BenchmarkError: Error, Sendable, Hashable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// A JSON file as a value.
func decode<Value: Decodable>(_ type: Value.Type, from path: String) throws(BenchmarkError) -> Value {
    let data: Data
    do {
        data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
        throw BenchmarkError("cannot read \(path); name a file that is there")
    }
    do {
        return try JSONDecoder().decode(type, from: data)
    } catch {
        throw BenchmarkError("\(path) is not what it should be: \(error)")
    }
}
