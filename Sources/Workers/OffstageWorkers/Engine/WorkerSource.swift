import Foundation
import Offstage

/// A type of source that a worker program draws. Turns a request into a job, and an answer into a drawing.
///
/// The engine calls it on any thread. A worker's answer is untrusted: it may come from code that took over the worker.
public protocol WorkerSource<Request>: Sendable {
    associatedtype Request: DrawingRequest

    /// The program that draws the requests.
    var program: WorkerProgram { get }

    /// Makes the job for a request.
    ///
    /// - Parameter request: the request to draw.
    /// - Returns: the document, the options and the limits.
    /// - Throws: an error for an invalid request.
    func job(for request: Request) throws(DrawingError) -> WorkerJob

    /// Makes the drawing from an answer.
    ///
    /// - Parameters:
    ///   - answer: the worker's answer. Its picture has at most as many pixels as the job allows. Check the report.
    ///   - request: the request that was drawn.
    /// - Returns: the drawing.
    /// - Throws: an error for an answer without a usable picture.
    func drawing(from answer: WorkerAnswer, for request: Request) throws(DrawingError) -> Drawing

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - failure: the worker's code, which may be one that the source does not know, and its numbers.
    ///   - request: the request that failed.
    /// - Returns: the error, with a remedy and without the document's content.
    func error(for failure: WorkerFailure, of request: Request) -> DrawingError

    /// Identifies everything that decides the pixels.
    ///
    /// - Parameter request: the request to identify.
    /// - Returns: the fingerprint; nil for a picture that must not be cached.
    func fingerprint(of request: Request) -> Fingerprint?
}
