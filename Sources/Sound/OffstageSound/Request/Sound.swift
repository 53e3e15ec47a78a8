import Foundation
import Offstage
import OffstageWorkers
import Synchronization

/// A sound, which the requests for its waveforms share: a file, which is read piece by piece, or bytes.
///
/// A file is open only while it is read, so there can be any number of sounds.
public final class Sound: Sendable {
    enum Content: Sendable {
        case file(path: String, size: Int)
        case bytes(Data)
    }

    let content: Content
    private let known = Mutex<Known?>(nil)

    private struct Known: Sendable {
        var digest: Digest
        /// The state of the file before its bytes were read.
        var state: FileState?
    }

    /// Wraps the bytes of a sound file.
    ///
    /// - Parameter data: untrusted: a jailed worker decodes them.
    public init(_ data: Data) { content = .bytes(data) }

    /// Refers to a sound file, which is never completely in memory.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - limit: the maximum size in bytes. Default 8 GiB.
    /// - Throws: `SourceFileError` if the file cannot be read, is empty, or is larger than the limit.
    public init(contentsOf path: String, limit: Int = SoundLimits().budget.documentBytes) throws(SourceFileError) {
        let size: Int
        do throws(FileError) { size = try WorkerFile(path).size } catch {
            throw SourceFileError(path: path, problem: .unreadable(error.code))
        }
        if size == 0 { throw SourceFileError(path: path, problem: .empty) }
        if size > limit {
            let excess = LimitExcess(.inputBytes, allowed: limit, measured: size)
            throw SourceFileError(path: path, problem: .overLimit(excess))
        }
        content = .file(path: path, size: size)
    }

    /// The size in bytes.
    public var size: Int {
        switch content {
        case .file(_, let size): size
        case .bytes(let data): data.count
        }
    }

    /// The format by the first bytes after tags; nil if it is unknown, or if the file can no longer be read.
    public var kind: SoundKind? { start.kind }

    /// The offset and the format of the sound in its file. Finding them reads a few bytes, or 64 KiB if the file's
    /// beginning is not recognized.
    var start: SoundStart {
        switch content {
        case .file(let path, let size):
            let file = try? WorkerFile(path)
            return SoundStart(size: size) { file?.bytes(from: $0, count: $1) ?? Data() }
        case .bytes(let data): return SoundStart(size: data.count) { data.dropFirst($0).prefix($1) }
        }
    }

    /// True if its format is recognized but not supported.
    var isUndecoded: Bool {
        switch content {
        case .file(let path, _): (try? WorkerFile(path)).map { SoundKind.isUndecoded($0.head(4096)) } ?? false
        case .bytes(let data): SoundKind.isUndecoded(data)
        }
    }

    /// The digest of the bytes, computed once. The first call takes time in proportion to the bytes. A file that cannot
    /// be read has the digest of no bytes.
    var digest: Digest {
        known.withLock { known in
            if let known { return known.digest }
            var new = Known(digest: Digest(ofTree: Data()), state: nil)
            switch content {
            case .bytes(let data): new.digest = Digest(ofTree: data)
            case .file(let path, _):
                guard let file = try? WorkerFile(path) else { break }
                new.state = file.state
                new.digest = file.digest
            }
            known = new
            return new.digest
        }
    }

    /// The digest of the first bytes, which takes time in proportion to their number; nil if there are fewer.
    func digest(ofFirst count: Int) -> Digest? {
        switch content {
        case .bytes(let data): data.count < count ? nil : Digest(ofTree: data.prefix(count))
        case .file(let path, _): (try? WorkerFile(path))?.digest(ofFirst: count)
        }
    }

    /// True if the file has changed since `digest` was computed, so that the decoded sound may not match the digest.
    var hasChanged: Bool {
        guard case .file(let path, _) = content, let known = known.withLock({ $0 }) else { return false }
        guard let file = try? WorkerFile(path) else { return true }
        return known.state != file.state
    }

    /// The document for a worker.
    func document() throws(DrawingError) -> (data: Data, file: WorkerFile?) {
        switch content {
        case .bytes(let data): return (data, nil)
        case .file(let path, _):
            do throws(FileError) { return (Data(), try WorkerFile(path)) } catch {
                throw .engineFailed("\(error)")
            }
        }
    }
}
