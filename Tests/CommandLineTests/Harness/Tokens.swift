import Foundation

/// The clients of a service with tokens.
enum Tokens {
    /// A token that is long enough, made from a name.
    static func of(_ name: String) -> String { "token-of-\(name)-0123456789" }

    static func header(_ name: String) -> [String: String] { ["Authorization": "Bearer \(of(name))"] }

    /// Replaces the file `tokens` in one step. It has a line for each client, with its name and perhaps options.
    static func write(_ lines: [String], in folder: Folder) throws {
        let text = lines.map { of(String($0.prefix { $0 != " " })) + " " + $0 }.joined(separator: "\n")
        try folder.write("tokens.new", text + "\n")
        chmod(folder.path("tokens.new"), 0o600)
        rename(folder.path("tokens.new"), folder.path("tokens"))
    }
}

extension Service {
    /// The number of bytes that a service with tokens reserves for clients, as a client sees it.
    func heldBytes(_ name: String) throws -> Double? { try metric("http_memory_bytes", Tokens.of(name)) }
}

extension Client {
    /// Sends an HTTP/1.1 header without a body.
    func sendHead(_ method: String, _ path: String, _ headers: [String: String] = [:]) throws {
        try send(method, path, headers, nil)
    }

    /// Sends a chunk of a body.
    func sendChunk(_ text: String) throws { try write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n") }
}
