import Foundation
import Offstage
import OffstageRequests

/// Reads a session's lines one at a time, and answers or starts each.
package actor LineDesk {
    let service: PictureService
    var reader: ServiceRequestReader
    let configuration: LineSession.Configuration
    let ledger: LineLedger
    /// The program's suspensions, by their names. They end with the session; `PictureService.suspensions` knows them, too.
    var leases: [String: SuspensionLease] = [:]

    init(
        _ service: PictureService, _ reader: ServiceRequestReader, _ configuration: LineSession.Configuration,
        _ ledger: LineLedger
    ) {
        (self.service, self.reader, self.configuration, self.ledger) = (service, reader, configuration, ledger)
    }

    /// Executes a line. Returns when the line is answered or its work has started. May wait for a free slot.
    func take(_ line: LineSplitter.Line) async {
        let isSuspended = leases.values.contains(where: \.isActive)
        guard let number = await ledger.open(isSuspended: isSuspended, with: line.memory) else { return }
        var heading = ServiceResult.Heading(line: line.number)
        do throws(UsageError) {
            let content: Data
            switch line.content {
            case .bytes(let bytes): content = bytes
            case .tooLong:
                throw UsageError(
                    "\(heading.place): the line has more than \(configuration.lineLimit) bytes; "
                        + "pass the document as a file, or raise --max-input-bytes")
            case .noMemory:
                let text =
                    "\(heading.place): no memory is left for the line: this client's lines in progress and unread "
                    + "results use up its share; read the results, then send the line again, or send smaller lines"
                return await ledger.answer(number, heading.result(ServiceResult.failure(.memoryFull, text)))
            }
            var object = try JSONValue.object(
                ofLine: content, at: heading.place, ifNotText: "write it in UTF-8",
                ifNotJSON: "a request is a JSON object on one line")
            heading.id = try Self.id(object.removeValue(forKey: "id"), at: heading.place)
            guard let command = object.removeValue(forKey: "command") else {
                heading.identifier = RowIdentifier.valid(of: object)
                guard await isAllowed(.draw, heading, number) else { return }
                return try await begin(request: object, heading, number)
            }
            try await obey(command, object, &heading, number)
        } catch {
            await ledger.answer(number, heading.result(ServiceResult.failure(.invalid, "\(error)")))
        }
    }

    /// - Parameter right: nil for an action that any client may perform.
    /// - Returns: false if the client lacks the right; the line is then answered.
    func isAllowed(_ right: ClientRights.Right?, _ heading: ServiceResult.Heading, _ number: Int) async -> Bool {
        guard let rights = configuration.client?.rights, let right else { return true }
        do throws(NotAllowed) {
            try rights.check(right, at: heading.place)
            try rights.check(identifier: heading.identifier, at: "line \(heading.line ?? 0)")
            return true
        } catch {
            await ledger.answer(number, heading.result(ServiceResult.failure(.notAllowed, error.description)))
            return false
        }
    }

    private static func id(_ value: JSONValue?, at place: String) throws(UsageError) -> JSONValue? {
        switch value {
        case nil, .null: return nil
        case .text(let text) where text.utf8.count > JSONLimits.nameBytes:
            throw UsageError("\(place): \"id\" takes at most \(JSONLimits.nameBytes) bytes; shorten it")
        case .text, .integer: return value
        case let value?: throw UsageError("\(place): \"id\" takes text or a whole number, not \(value.shown)")
        }
    }

    /// Waits until a request may begin.
    ///
    /// - Returns: nil if the request must not begin, because the client has left, or because the request would wait for
    ///   a later line. In the second case, it is answered.
    func room(for request: ServiceRequest, _ heading: ServiceResult.Heading, _ number: Int) async -> LineLedger.Entry? {
        await room(
            heading, number, identifier: request.picture.identifier, group: request.options.group,
            isImmediate: request.options.isImmediate)
    }

    /// Like the function above, for a request whose result is not a picture.
    func room(
        _ heading: ServiceResult.Heading, _ number: Int, identifier: String? = nil, group: String? = nil,
        isImmediate: Bool = false
    ) async -> LineLedger.Entry? {
        let room = await ledger.room(isImmediate: isImmediate, isStuck: isStuck)
        switch room {
        case .free:
            return LineLedger.Entry(
                heading: heading, identifier: identifier, group: group, control: RequestControl())
        case .left: return nil
        case .suspended:
            let text =
                "\(heading.place): the maximum of \(configuration.limit) requests in progress wait because this program "
                + "suspended the queue; resume it, then send this request again"
            await ledger.answer(number, heading.result(ServiceResult.failure(.queueFull, text)))
            return nil
        }
    }

    /// Returns true if these requests wait for the end of the program's own suspension, which means for a later line.
    private var isStuck: @Sendable ([RequestControl]) -> Bool {
        let leases = Array(leases.values)
        return { controls in leases.contains(where: \.isActive) && controls.allSatisfy(\.isSuspended) }
    }

    /// Waits for memory from earlier lines.
    ///
    /// - Returns: false if none will become free before the next line.
    func mayFreeMemory() async -> Bool { await ledger.mayFreeMemory(isStuck: isStuck) }

    func endLeases() {
        for lease in leases.values { lease.end() }
        leases = [:]
    }
}
