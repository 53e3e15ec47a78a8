import Foundation
import Offstage
import OffstageWorkers
import Synchronization

/// A sound, which the requests for its waveforms share: a file, which is read piece by piece, or bytes.
public final class Sound: Sendable {
    enum Content: Sendable {
        case file(WorkerFile)
        case bytes(Data)
    }

    let content: Content
    private let known = Mutex<Known?>(nil)

    private struct Known: Sendable {
        var digest: Digest
        /// Of the file, before its bytes were read.
        var state: WorkerFile.State?
    }

    /// Wraps the bytes of a sound file.
    ///
    /// - Parameter data: untrusted: a jailed worker decodes them.
    public init(_ data: Data) { content = .bytes(data) }

    /// Opens a sound file. Its bytes are not in memory at any time.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - limit: the most bytes. Default 8 GiB.
    /// - Throws: `SourceFileError` if the file cannot be read, is empty, or is larger than the limit.
    public init(contentsOf path: String, limit: Int = SoundLimits().inputBytes) throws(SourceFileError) {
        let file: WorkerFile
        do throws(FileError) { file = try WorkerFile(path) } catch {
            throw SourceFileError(path: path, problem: .unreadable(error.code))
        }
        if file.size == 0 { throw SourceFileError(path: path, problem: .empty) }
        if file.size > limit {
            let excess = LimitExcess(.inputBytes, allowed: limit, measured: file.size)
            throw SourceFileError(path: path, problem: .overLimit(excess))
        }
        content = .file(file)
    }

    /// Bytes.
    public var size: Int {
        switch content {
        case .file(let file): file.size
        case .bytes(let data): data.count
        }
    }

    /// The kind by the first bytes; nil for an unknown one.
    public var kind: SoundKind? {
        switch content {
        case .file(let file): SoundKind(of: file.head(64))
        case .bytes(let data): SoundKind(of: data)
        }
    }

    /// The digest of the bytes, computed once. The first call takes time in proportion to the bytes.
    var digest: Digest {
        known.withLock { known in
            if let known { return known.digest }
            let new =
                switch content {
                case .bytes(let data): Known(digest: Digest(of: data), state: nil)
                case .file(let file):
                    {
                        let state = file.state
                        return Known(digest: file.digest, state: state)
                    }()
                }
            known = new
            return new.digest
        }
    }

    /// True if the file has changed since `digest` was computed: what was decoded may not be what the digest names.
    var hasChanged: Bool {
        guard case .file(let file) = content, let state = known.withLock({ $0?.state }) else { return false }
        return state != file.state
    }
}
