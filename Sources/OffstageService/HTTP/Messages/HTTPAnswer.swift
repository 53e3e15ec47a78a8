import Foundation

/// What a client gets.
struct HTTPAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Data()
    /// A large body instead: `BodiesUnderWay`.
    var held: HeldBytes?
    /// Until its large body is held.
    var turn: BodiesUnderWay.Turn?
    /// For the access log: what was asked for was kept.
    var isKept: Bool?

    init(_ status: Int, _ contentType: String? = nil, _ body: Data = Data()) {
        self.status = status
        self.body = body
        if let contentType { headers.append(("Content-Type", contentType)) }
    }

    /// An object, with a line feed behind it.
    static func json(_ object: [String: Any], status: Int = 200, type: String = "application/json") -> HTTPAnswer {
        var data =
            (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
            ?? Data("{}".utf8)
        data.append(UInt8(ascii: "\n"))
        return HTTPAnswer(status, type, data)
    }

    func with(_ name: String, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}
