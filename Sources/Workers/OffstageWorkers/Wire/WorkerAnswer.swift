import COffstageWire
import Foundation
import Offstage

/// A worker's answer to a job, after the host has checked that the picture's size and memory are valid. The pixels and
/// the report can be anything.
public struct WorkerAnswer: Sendable {
    /// The picture, in memory that can no longer be changed. Nil if the worker made no picture, for a source whose
    /// answer is a report.
    public var pixmap: Pixmap?
    /// The worker's report to its source, such as warnings. Untrusted.
    public var report: Data
    /// The trust in the worker, which may turn out to have been taken over. For `Drawing.trust`, and for caches that
    /// keep parts of the answer.
    package var trust: DrawingTrust
    /// The time that the worker took, seconds, without any wait for a worker.
    public var seconds = 0.0
}

/// A worker's refusal to draw a document, in a source's own terms. Untrusted.
public struct WorkerFailure: Error, Sendable, Hashable {
    /// The source's own code, from 100.
    public var code: UInt32
    /// Two numbers, whose meaning depends on the code.
    public var numbers: [UInt64]
}

/// The outcome of a job in a worker that still works.
enum WorkerReply: Sendable {
    case drawn(WorkerAnswer)
    case failed(WorkerFailure)
    /// An allocation failed.
    case noMemory
    /// Device px. The picture was not painted.
    case tooManyPixels(PixelSize)
}

extension WorkerReply {
    /// Checks a message, which may come from code that took over the worker.
    ///
    /// - Parameters:
    ///   - message: the answer to the last job.
    ///   - trust: the trust in the worker.
    ///   - room: the memory that the job gave the worker for its picture.
    ///   - number: the number of this job.
    ///   - limit: the maximum number of pixels for the job.
    init(
        _ message: consuming WorkerConnection.Message, from trust: DrawingTrust, room: borrowing OwnedDescriptor?,
        number: UInt32, limit: Int
    ) throws(WorkerLie) {
        let head = message.head
        guard head.number == number else { throw .answer }
        switch UInt32(head.kind) {
        case OFFSTAGE_WIRE_DRAWN.rawValue:
            let pixmap = try Self.pixmap(head.values, room, limit: limit)
            self = .drawn(WorkerAnswer(pixmap: pixmap, report: message.payload, trust: trust))
        case OFFSTAGE_WIRE_FAILED.rawValue:
            switch head.values.0 {
            case UInt64(OFFSTAGE_WIRE_NO_MEMORY.rawValue): self = .noMemory
            case UInt64(OFFSTAGE_WIRE_TOO_MANY_PIXELS.rawValue):
                self = .tooManyPixels(
                    PixelSize(width: Self.side(head.values.1), height: Self.side(head.values.2)))
            case UInt64(OFFSTAGE_WIRE_FIRST_CODE.rawValue)...UInt64(UInt32.max):
                self = .failed(
                    WorkerFailure(code: UInt32(head.values.0), numbers: [head.values.1, head.values.2]))
            default: throw .answer
            }
        default: throw .answer
        }
    }

    /// The length of a side for a message to the user, however large the worker claims it to be.
    private static func side(_ number: UInt64) -> Int { Int(min(number, UInt64(Int32.max))) }

    private static func pixmap(
        _ values: (UInt64, UInt64, UInt64, UInt64), _ room: borrowing OwnedDescriptor?, limit: Int
    ) throws(WorkerLie) -> Pixmap? {
        guard values.3 == 1 else { return nil }
        let limit = UInt64(max(0, limit))
        // Use division, which cannot overflow.
        guard values.0 > 0, values.1 > 0, values.0 <= limit, values.1 <= limit / values.0 else { throw .size }
        let size = PixelSize(width: Int(values.0), height: Int(values.1))
        switch room {
        case .some(let room):
            guard let pixmap = Pixmap(sealing: room, size: size, isOpaque: values.2 == 1) else { throw .memory }
            return pixmap
        case .none: throw .memory
        }
    }
}

extension Pixmap {
    /// Wraps the memory that a worker has painted, without a copy, and seals it.
    ///
    /// - Returns: nil if another process can still change it.
    fileprivate convenience init?(sealing file: borrowing OwnedDescriptor, size: PixelSize, isOpaque: Bool) {
        let count = 4 * size.width * size.height
        guard offstage_wire_close(file.number, count) == 0, let base = offstage_wire_map(file.number, count) else {
            return nil
        }
        // Pass the address, because a raw pointer is not Sendable. The pixmap is the only owner of the mapping.
        let address = UInt(bitPattern: base)
        self.init(base: base, size: size, bytesPerRow: 4 * size.width, isOpaque: isOpaque) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), count)
        }
    }
}
