import CSoup

/// The memory for the bodies of all requests: many clients with large bodies cannot fill it.
@MainActor
final class RequestBodies {
    private let limit: Int
    private var count = 0

    /// - Parameter bodyLimit: the maximum number of bytes of one body.
    init(bodyLimit: Int) { limit = max(256 << 20, 4 * bodyLimit) }

    /// The place of one body. It is free again when this object ends.
    @MainActor
    final class Room {
        private let bodies: RequestBodies
        private var count = 0

        fileprivate init(in bodies: RequestBodies) { self.bodies = bodies }

        isolated deinit { bodies.count -= count }

        func grow(by bytes: Int) throws(Problem) {
            guard bodies.count + bytes <= bodies.limit else { throw RequestBodies.noRoom }
            bodies.count += bytes
            count += bytes
        }
    }

    /// Takes the room that a request's head announces. A body in chunks announces none.
    func room(for message: OpaquePointer) throws(Problem) -> Room {
        let room = Room(in: self)
        let headers = soup_server_message_get_request_headers(message)
        if soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH {
            try room.grow(by: Int(soup_message_headers_get_content_length(headers)))
        }
        return room
    }

    private static let noRoom = Problem(
        503, "too-many-bodies", "too many large requests are being received; try again later",
        headers: ["Retry-After": "1"])
}
