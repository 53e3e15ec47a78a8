import Foundation

/// The functions of libpq that Offstage calls. The program is not linked with the library, which is loaded on first use
/// and stays loaded.
struct LibPQ: Sendable {
    /// The library's file name.
    static let file = "libpq.so.5"

    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer
    typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
    typealias Lengths = UnsafePointer<Int32>

    // C function types cannot contain Swift structures, so these are pointers to `ConnectionOption` and `Notification`.
    let parse:
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) ->
            UnsafeMutableRawPointer?
    let freeOptions: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let connect: @convention(c) (Texts, Texts, Int32) -> Connection?
    let options: @convention(c) (Connection) -> UnsafeMutableRawPointer?
    let finish: @convention(c) (Connection) -> Void
    let status: @convention(c) (Connection) -> Int32
    let errorMessage: @convention(c) (Connection) -> UnsafePointer<CChar>
    let socket: @convention(c) (Connection) -> Int32
    let setNonblocking: @convention(c) (Connection, Int32) -> Int32
    let flush: @convention(c) (Connection) -> Int32
    let sendPrepare:
        @convention(c) (
            Connection, UnsafePointer<CChar>, UnsafePointer<CChar>, Int32, UnsafePointer<UInt32>?
        ) -> Int32
    let sendPrepared:
        @convention(c) (
            Connection, UnsafePointer<CChar>, Int32, Texts?, Lengths?, Lengths?, Int32
        ) -> Int32
    let sendQuery: @convention(c) (Connection, UnsafePointer<CChar>) -> Int32
    let consumeInput: @convention(c) (Connection) -> Int32
    let isBusy: @convention(c) (Connection) -> Int32
    let nextResult: @convention(c) (Connection) -> Result?
    let resultStatus: @convention(c) (Result) -> Int32
    let errorField: @convention(c) (Result, Int32) -> UnsafePointer<CChar>?
    let clear: @convention(c) (Result) -> Void
    let rowCount: @convention(c) (Result) -> Int32
    let value: @convention(c) (Result, Int32, Int32) -> UnsafePointer<CChar>?
    let length: @convention(c) (Result, Int32, Int32) -> Int32
    let isNull: @convention(c) (Result, Int32, Int32) -> Int32
    let affected: @convention(c) (Result) -> UnsafePointer<CChar>
    let nextNotification: @convention(c) (Connection) -> UnsafeMutableRawPointer?
    let setNoticeProcessor:
        @convention(c) (
            Connection, @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void,
            UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer?
    let freeMemory: @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// `PQconninfoOption` of libpq-fe.h.
    struct ConnectionOption {
        var keyword: UnsafePointer<CChar>?
        var environment: UnsafePointer<CChar>?
        var compiled: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        var label: UnsafePointer<CChar>?
        var display: UnsafePointer<CChar>?
        var size: Int32
    }

    /// `PGnotify` of libpq-fe.h.
    struct Notification {
        var channel: UnsafePointer<CChar>?
        var process: Int32
        var text: UnsafePointer<CChar>?
        var next: UnsafeMutableRawPointer?
    }

    /// `ExecStatusType` and `ConnStatusType` of libpq-fe.h, which never change.
    static let connectionIsGood: Int32 = 0
    static let commandIsDone: Int32 = 1
    static let hasRows: Int32 = 2
    static let isCopying: ClosedRange<Int32> = 3...4
    /// `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY` of postgres_ext.h.
    static let stateField = Int32(UInt8(ascii: "C"))
    static let messageField = Int32(UInt8(ascii: "M"))

    private static let loaded = Swift.Result { () throws(SharedError) in try LibPQ(file: file) }

    /// Loads the library on the first call.
    static func load() throws(SharedError) -> LibPQ { try loaded.get() }

    init(file: String) throws(SharedError) {
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw .notInstalled(dlerror().map { String(cString: $0) } ?? "no reason given")
        }
        func function<F>(_ name: String, _: F.Type = F.self) throws(SharedError) -> F {
            guard let address = dlsym(library, name) else { throw .notInstalled("it has no function \(name)") }
            return unsafeBitCast(address, to: F.self)
        }
        parse = try function("PQconninfoParse")
        freeOptions = try function("PQconninfoFree")
        connect = try function("PQconnectdbParams")
        options = try function("PQconninfo")
        finish = try function("PQfinish")
        status = try function("PQstatus")
        errorMessage = try function("PQerrorMessage")
        socket = try function("PQsocket")
        setNonblocking = try function("PQsetnonblocking")
        flush = try function("PQflush")
        sendPrepare = try function("PQsendPrepare")
        sendPrepared = try function("PQsendQueryPrepared")
        sendQuery = try function("PQsendQuery")
        consumeInput = try function("PQconsumeInput")
        isBusy = try function("PQisBusy")
        nextResult = try function("PQgetResult")
        resultStatus = try function("PQresultStatus")
        errorField = try function("PQresultErrorField")
        clear = try function("PQclear")
        rowCount = try function("PQntuples")
        value = try function("PQgetvalue")
        length = try function("PQgetlength")
        isNull = try function("PQgetisnull")
        affected = try function("PQcmdTuples")
        nextNotification = try function("PQnotifies")
        setNoticeProcessor = try function("PQsetNoticeProcessor")
        freeMemory = try function("PQfreemem")
    }
}
