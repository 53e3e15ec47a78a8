import Foundation

/// A connection to PostgreSQL. It owns libpq's pointer, and its `deinit` closes it. Use it from one thread at a time.
///
/// A call waits for PostgreSQL at most `patience` seconds. Otherwise a server that was stopped or cut off would block
/// the thread forever.
final class PQSession {
    private let library: LibPQ
    private let connection: LibPQ.Connection
    private var prepared: [String: String] = [:]
    /// The longest wait for an answer, in seconds.
    static let patience = 15.0

    /// - Parameter address: a validated address.
    init(_ address: SharedAddress) throws(SharedError) {
        let library = try LibPQ.load()
        self.library = library
        let names = address.parameters.map { strdup($0.name) }
        let values = address.parameters.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        let connection = (names.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { names in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                library.connect(names.baseAddress!, values.baseAddress!, 1)
            }
        }
        guard let connection else { throw .cannotConnect("out of memory") }
        self.connection = connection
        guard library.status(connection) == LibPQ.connectionIsGood else {
            let text = Self.line(library.errorMessage(connection))
            // The `deinit` of `self` closes the connection.
            throw Self.isTLS(text) ? .tls(text) : .cannotConnect(text)
        }
        _ = library.setNonblocking(connection, 1)
        // By default, libpq prints PostgreSQL's notices to standard error. Failures are reported as errors anyway.
        _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit { library.finish(connection) }

    /// True if a connection failed because of certificates, or because the server has no TLS. False for messages that
    /// the server sent over TLS, and for the end of a TLS connection, which have other causes.
    static func isTLS(_ text: String) -> Bool {
        if text.contains("FATAL:") || text.contains("SSL SYSCALL") || text.contains("closed unexpectedly") {
            return false
        }
        return text.contains("SSL") || text.contains("certificate")
    }

    /// The value of a connection parameter, from the address, the service file, the environment, or the default.
    func parameter(_ name: String) -> String? {
        guard let options = library.options(connection) else { return nil }
        defer { library.freeOptions(options) }
        return SharedAddress.values(options)[name]
    }

    /// The socket's descriptor.
    var descriptor: Int32 { library.socket(connection) }

    /// Runs statements without parameters, such as those of a schema.
    func execute(_ script: String) throws(SharedError) {
        guard library.sendQuery(connection, script) == 1 else { throw lost() }
        _ = try results { _ in }
    }

    /// Prepares a statement on its first use, and runs it.
    ///
    /// - Parameter each: called with each row.
    /// - Returns: the number of affected rows.
    @discardableResult
    func run(
        _ statement: String, _ values: [SQLValue] = [], _ each: (SQLRow) -> Void = { _ in }
    ) throws(SharedError) -> Int {
        let name = try prepare(statement)
        let encoded = values.map(\.encoded)
        // Use one buffer for all values, so that their addresses are valid at the same time.
        var all = Data()
        for one in encoded { if let one { all.append(one.bytes) } }
        if all.isEmpty { all.append(0) }
        let sent = all.withUnsafeBytes { bytes in
            var place = 0
            var texts: [UnsafePointer<CChar>?] = []
            for one in encoded {
                texts.append(one.map { _ in bytes.baseAddress!.assumingMemoryBound(to: CChar.self) + place })
                place += one?.bytes.count ?? 0
            }
            return library.sendPrepared(
                connection, name, Int32(values.count), texts, encoded.map { Int32($0?.bytes.count ?? 0) },
                encoded.map { $0?.isBinary == true ? 1 : 0 }, 1)
        }
        guard sent == 1 else { throw lost() }
        return try results(each)
    }

    /// Runs `body` in a transaction.
    func transaction<R>(_ body: () throws(SharedError) -> R) throws(SharedError) -> R {
        var value: R?
        _ = try attempt { () throws(SharedError) in
            value = try body()
            return true
        }
        return value!
    }

    /// Runs `body` in a transaction. Rolls back if it returns false.
    func attempt(_ body: () throws(SharedError) -> Bool) throws(SharedError) -> Bool {
        try execute("BEGIN")
        do throws(SharedError) {
            let isWanted = try body()
            try execute(isWanted ? "COMMIT" : "ROLLBACK")
            return isWanted
        } catch {
            // This also fails if the connection is lost, which itself ends the transaction.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The notifications that have arrived.
    func notifications() throws(SharedError) -> [(channel: String, text: String)] {
        guard library.consumeInput(connection) == 1 else { throw lost() }
        var all: [(String, String)] = []
        while let one = library.nextNotification(connection) {
            defer { library.freeMemory(one) }
            let note = one.load(as: LibPQ.Notification.self)
            all.append((Self.line(note.channel), Self.line(note.text)))
        }
        return all
    }

    private func prepare(_ statement: String) throws(SharedError) -> String {
        if let name = prepared[statement] { return name }
        let name = "s\(prepared.count)"
        guard library.sendPrepare(connection, name, statement, 0, nil) == 1 else { throw lost() }
        _ = try results { _ in }
        prepared[statement] = name
        return name
    }

    /// Reads all results of the sent statement.
    private func results(_ each: (SQLRow) -> Void) throws(SharedError) -> Int {
        let end = ContinuousClock.now + .seconds(Self.patience)
        var failure: SharedError?
        var affected = 0
        while true {
            try wait(until: end)
            guard let result = library.nextResult(connection) else { break }
            defer { library.clear(result) }
            switch library.resultStatus(result) {
            case LibPQ.hasRows:
                for row in 0..<library.rowCount(result) { each(SQLRow(library: library, result: result, row: row)) }
                affected += Int(String(cString: library.affected(result))) ?? 0
            case LibPQ.commandIsDone: affected += Int(String(cString: library.affected(result))) ?? 0
            default: failure = failure ?? error(of: result)
            }
        }
        if let failure { throw failure }
        return affected
    }

    /// Sends pending data and waits until a result can be read without blocking.
    private func wait(until end: ContinuousClock.Instant) throws(SharedError) {
        while true {
            let unsent = library.flush(connection)
            if unsent < 0 { throw lost() }
            if unsent == 0, library.isBusy(connection) == 0 { return }
            let rest = max(0, (end - .now) / .milliseconds(1))
            var wait = pollfd(
                fd: library.socket(connection), events: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0), revents: 0)
            let ready = poll(&wait, 1, Int32(rest.rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw .lost("PostgreSQL did not answer for \(Int(Self.patience)) s") }
            if wait.revents & ~Int16(POLLOUT) != 0, library.consumeInput(connection) != 1 { throw lost() }
        }
    }

    private func error(of result: LibPQ.Result) -> SharedError {
        let message = Self.line(library.errorField(result, LibPQ.messageField) ?? library.errorMessage(connection))
        return SharedError(code: Self.line(library.errorField(result, LibPQ.stateField)), message: message)
    }

    private func lost() -> SharedError { .lost(Self.line(library.errorMessage(connection))) }

    /// A text in one line; empty for NULL.
    private static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }
}
