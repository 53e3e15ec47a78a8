import Foundation

/// A line a request on standard error, without contents: no path, no identifier, no query, no header.
struct AccessLog: Sendable {
    /// Gets a line without its end; nil for none.
    let write: (@Sendable (String) -> Void)?

    /// - Parameter how: `kept`, `drawn`, or a dash.
    func note(
        _ method: String, _ route: String, status: String, bytes: Int, _ time: Duration, how: String
    ) {
        guard let write else { return }
        let milliseconds = Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) / 1e15
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].contains(method)
        write(
            "\(known ? method : "-") \(route) \(status) \(bytes) \(String(format: "%.1f", milliseconds)) ms \(how)")
    }
}
