import Foundation
import Offstage

/// A large body, kept while a client reads it. Use it from any thread.
final class HeldBytes: Sendable {
    enum Place: Sendable {
        case memory(Data)
        /// The charge belongs to the first reader.
        case file(SpoolFile, MemoryBudget.Charge)
    }

    /// The bytes of a piece. Each reader has a copy of one piece, and must read it within the idle timeout.
    static let piece = 32_768

    let count: Int
    private let place: Place
    private let onEnd: @Sendable () -> Void

    init(_ place: Place, count: Int, onEnd: @escaping @Sendable () -> Void) {
        (self.place, self.count, self.onEnd) = (place, count, onEnd)
    }

    deinit { onEnd() }

    /// Nil if the file cannot be read.
    func piece(at offset: Int) -> Data? {
        let length = min(Self.piece, count - offset)
        switch place {
        case .memory(let data): return data.dropFirst(offset).prefix(length)
        case .file(let file, _):
            var piece = Data(count: length)
            do { try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) } } catch { return nil }
            return piece
        }
    }
}
