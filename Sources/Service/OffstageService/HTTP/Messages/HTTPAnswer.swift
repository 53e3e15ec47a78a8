import Foundation
import Synchronization

/// An answer to a client.
struct HTTPAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Data()
    /// A large body, instead of `body`: see `BodiesUnderWay`.
    var held: HeldBytes?
    /// Reserves a slot until the large body is registered.
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
        let data = try? JSONSerialization.data(withJSONObject: object, options: options)
        return (data ?? Data("{}".utf8)).withoutControls
    }

    func with(_ name: String, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

/// The time in the format of the `Date` header (RFC 9110, 6.6.1).
enum HTTPDate {
    private static let last = Mutex((second: 0, text: ""))

    /// Formatted once a second.
    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second != second { last = (second, text(second)) }
            return last.text
        }
    }

    /// In English, whatever the locale.
    private static func text(_ second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = String(format: "%02d \(months[Int(parts.tm_mon)]) %04d", parts.tm_mday, parts.tm_year + 1900)
        let time = String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
        return "\(days[Int(parts.tm_wday)]), \(date) \(time) GMT"
    }
}
