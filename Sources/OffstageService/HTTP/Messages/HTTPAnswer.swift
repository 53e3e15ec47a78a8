import CSoup
import Foundation

/// An answer to a client.
struct HTTPAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Data()
    /// A large body, instead of `body`: see `BodiesUnderWay`.
    var held: HeldBytes?
    /// Reserves a place until the large body is held.
    var turn: BodiesUnderWay.Turn?
    /// True if the picture was cached, for the access log; nil for an answer without a picture.
    var isCached: Bool?

    init(_ status: Int, _ contentType: String? = nil, _ body: Data = Data()) {
        (self.status, self.body) = (status, body)
        if let contentType { headers.append(("Content-Type", contentType)) }
    }

    /// A JSON object with a line feed after it.
    static func json(_ object: [String: Any], status: Int = 200, type: String = "application/json") -> HTTPAnswer {
        HTTPAnswer(status, type, jsonData(object) + Data("\n".utf8))
    }

    static func jsonData(_ object: [String: Any]) -> Data {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data("{}".utf8)
    }

    func with(_ name: String, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

/// The time in the form of the `Date` header (RFC 9110, 6.6.1). libsoup sets the header only for requests that it can parse.
enum HTTPDate {
    static var now: String {
        let time = g_date_time_new_now_utc()
        defer { g_date_time_unref(time) }
        guard let text = soup_date_time_to_string(time, SOUP_DATE_HTTP) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
