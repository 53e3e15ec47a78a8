import Foundation
import OffstageWebKit

/// Resources in memory: some with bytes, some that never answer, the others missing.
struct MemoryFolder: ResourceProvider {
    var files: [String: Data] = [:]
    var hanging: Set<String> = []
    /// Called with the path before the answer.
    var asked: (@Sendable (String) async -> Void)?

    init(_ files: [String: Data] = [:], hanging: Set<String> = []) {
        self.files = files
        self.hanging = hanging
    }

    init(text files: [String: String], hanging: Set<String> = []) {
        self.init(files.mapValues { Data($0.utf8) }, hanging: hanging)
    }

    func resource(at path: String) async throws(ResourceError) -> Data {
        await asked?(path)
        if hanging.contains(path) { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        guard let file = files[path] else { throw .missing }
        return file
    }
}
