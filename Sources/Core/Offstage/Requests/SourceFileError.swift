import Foundation

/// A file or other input that cannot be turned into a request.
public struct SourceFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// The file cannot be read. The value is the system's `errno`; EINVAL for a pipe or a device.
        case unreadable(Int32)
        /// The file is larger than the limit.
        case overLimit(LimitExcess)
        /// The file is empty or contains only white space.
        case empty
        /// The file is not an annotation file, or was written by a later version.
        case notAnnotations
        /// A value in an annotation file is missing or invalid. The text names the value and its location.
        case annotationsMalformed(String)
    }

    public var path: String
    public var problem: Problem

    public init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    public var description: String {
        switch problem {
        case .unreadable(let code): FileError("read", path: path, code: code).description
        case .overLimit(let excess): "\(path): \(excess)"
        case .empty: "\(path): the document is empty; there is nothing to draw"
        case .notAnnotations:
            "\(path) contains no annotations that this version can read; move it away, or give another file"
        case .annotationsMalformed(let fault): "\(path): \(fault)"
        }
    }

    /// Reads a source's file.
    ///
    /// - Parameter limit: bytes. A larger file is an error and is not read.
    /// - Throws: `SourceFileError`.
    package static func read(_ path: String, limit: Int) throws(SourceFileError) -> Data {
        let outcome: (data: Data?, size: Int)
        do throws(FileError) { outcome = try PlainFile.read(path, limit: limit) } catch {
            throw SourceFileError(path: path, problem: .unreadable(error.code))
        }
        if let data = outcome.data { return data }
        let excess = LimitExcess(.inputBytes, allowed: limit, measured: outcome.size)
        throw SourceFileError(path: path, problem: .overLimit(excess))
    }
}
