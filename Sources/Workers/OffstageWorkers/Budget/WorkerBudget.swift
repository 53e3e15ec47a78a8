import Foundation
import Offstage

/// The limits of one drawing in a worker.
public struct WorkerBudget: Sendable, Hashable {
    /// Seconds of processor time, at least 1. The kernel kills a worker that uses more. Default 30.
    public var processorSeconds: Int
    /// Seconds until an answer. The host kills a worker that takes longer. Default 60.
    public var seconds: Double
    /// Bytes of the worker's address space: its libraries, the document, the picture, and everything that it allocates.
    /// Default 1 GiB.
    public var memory: Int
    /// Pixels of the picture, device px. Default 100 million.
    public var pixels: Int
    /// Bytes of the document. Default 64 MiB.
    public var documentBytes: Int
    /// Bytes of all parts that the worker sends before its answer. Default 0.
    public var partBytes: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - processorSeconds: seconds of processor time, at least 1. Default 30.
    ///   - seconds: seconds until an answer. Default 60.
    ///   - memory: bytes of the worker's address space. Default 1 GiB.
    ///   - pixels: device px of the picture. Default 100 million.
    ///   - documentBytes: bytes of the document. Default 64 MiB.
    ///   - partBytes: bytes of all parts. Default 0.
    public init(
        processorSeconds: Int = 30, seconds: Double = 60, memory: Int = 1 << 30, pixels: Int = 100_000_000,
        documentBytes: Int = 64 << 20, partBytes: Int = 0
    ) {
        (self.processorSeconds, self.seconds, self.memory) = (processorSeconds, seconds, memory)
        (self.pixels, self.documentBytes, self.partBytes) = (pixels, documentBytes, partBytes)
    }
}

extension WorkerBudget {
    /// Checks a document before a worker gets it.
    package func check(_ bytes: Int) throws(DrawingError) {
        if bytes > documentBytes {
            throw .overLimit(LimitExcess(.inputBytes, allowed: documentBytes, measured: bytes))
        }
    }

    /// These limits, as far as the system can express them: whatever the caller sets, the conversions below cannot
    /// fail.
    var feasible: WorkerBudget {
        var budget = self
        budget.processorSeconds = min(max(1, processorSeconds), 1_000_000)
        // Also catches NaN.
        budget.seconds = seconds > 0 ? min(seconds, 1_000_000) : 0
        budget.memory = min(max(0, memory), 1 << 46)
        budget.pixels = min(max(0, pixels), 1 << 40)
        return budget
    }

    /// The maximum number of parts. Limits an endless stream of small or empty parts.
    var mostParts: Int { 10_000 + partBytes / 64 }

    /// The longest wait for an answer, milliseconds. Use it on a feasible budget.
    var milliseconds: Int32 { Int32((seconds * 1000).rounded(.up)) }

    /// The maximum number of bytes of a picture, a whole number of pages. Use it on a feasible budget.
    var pictureBytes: Int { (4 * pixels + 4095) & ~4095 }
}
