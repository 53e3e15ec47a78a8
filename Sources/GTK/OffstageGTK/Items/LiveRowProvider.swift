import Offstage

/// Makes live rows: views that replace the pictures of one type of request, with links and selectable text.
@MainActor
public protocol LiveRowProvider<Request> {
    associatedtype Request: DrawingRequest

    /// A view with the same content as the request's picture. The list closes it.
    func liveRow(for request: Request) async throws -> any LiveRow
}

/// Makes the live row of one request.
typealias LiveRowMaker = @MainActor () async throws -> any LiveRow

extension LiveRowProvider {
    /// Nil for a request of another type.
    func maker(for request: any DrawingRequest) -> LiveRowMaker? {
        guard let request = request as? Request else { return nil }
        return { try await liveRow(for: request) }
    }
}
