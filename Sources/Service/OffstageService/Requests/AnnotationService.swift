import Foundation
import Offstage
import OffstagePages
import OffstageRequests

/// Saves annotations for programs. It uses the workers for PDF pages, but for at most two documents at a time, so that
/// some workers are left for pictures.
package actor AnnotationService {
    private static let most = 2
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// - Parameter renderer: a renderer with an engine for PDF pages.
    /// - Throws: `ServiceError` and `AnnotationFailure`.
    package func save(_ request: AnnotationRequest, with renderer: Renderer) async throws -> AnnotationRequest.Saved {
        guard let engine = renderer.engine(PageEngine.self) else {
            throw ServiceError.unusable("\(request.place): this service has no engine for PDF pages")
        }
        if running < Self.most { running += 1 } else { await withCheckedContinuation { waiting.append($0) } }
        // Pass the slot directly to the next waiting request.
        defer { if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() } }
        if Task.isCancelled { throw ServiceError.notDrawn(request.place, .cancelled) }
        return try await request.saved(by: engine)
    }
}

extension AnnotationFailure {
    /// The failure of a request.
    package func error(of request: AnnotationRequest) -> (code: ServiceResult.Code, text: String) {
        switch self {
        case .file(let error): (.unreadable, "\(request.place): \(error)")
        case .notPDF: (.unreadable, "\(request.place): \(self)")
        case .invalid(let text): (.invalid, text.hasPrefix(request.place) ? text : "\(request.place): \(text)")
        case .notDone(_, let reason):
            (ServiceError.notDrawn(request.place, reason).code, "\(request.place): \(reason)")
        }
    }
}
