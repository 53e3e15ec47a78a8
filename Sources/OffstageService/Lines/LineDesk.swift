import Foundation
import Offstage
import OffstageRequests

/// Reads a session's lines one after the other, and sees to each.
package actor LineDesk {
    let service: PictureService
    var reader: ServiceRequestReader
    let configuration: LineSession.Configuration
    let ledger: LineLedger
    /// By the names that the program gave them.
    var leases: [String: SuspensionLease] = [:]

    init(
        _ service: PictureService, _ reader: ServiceRequestReader, _ configuration: LineSession.Configuration,
        _ ledger: LineLedger
    ) {
        self.service = service
        self.reader = reader
        self.configuration = configuration
        self.ledger = ledger
    }

    /// What stands before a request's own keys.
    struct Heading: Sendable {
        let line: Int
        var id: JSONValue?
        var command: LineCommand?
        /// Of a request's picture, where it has a right one.
        var identifier: String?
        /// For messages.
        var place: String { identifier.map { RowIdentifier.name(of: $0, at: "line \(line)") } ?? "line \(line)" }

        func result(_ outcome: ServiceResult.Outcome) -> ServiceResult {
            ServiceResult(id: id, line: line, identifier: identifier, command: command?.rawValue, outcome)
        }
    }

    /// Sees to a line: returns when it is done or begun. It waits for room.
    func take(_ line: LineSplitter.Line) async {
        guard let number = await ledger.open(isSuspended: leases.values.contains(where: \.isActive)) else { return }
        var heading = Heading(line: line.number)
        do throws(UsageError) {
            guard let content = line.content else {
                throw UsageError(
                    "\(heading.place): the line has more than \(configuration.lineLimit) bytes; "
                        + "name a file, or raise --max-input-bytes")
            }
            var object = try JSONValue.object(
                ofLine: content, at: heading.place, ifNotText: "write it in UTF-8",
                ifNotJSON: "a request is a JSON object on one line")
            heading.id = try Self.id(object.removeValue(forKey: "id"), at: heading.place)
            guard let command = object.removeValue(forKey: "command") else {
                heading.identifier = RowIdentifier.valid(of: object)
                return try await begin(request: object, heading, number)
            }
            try await obey(command, object, &heading, number)
        } catch {
            await ledger.answer(number, heading.result(ServiceResult.failure(.invalid, "\(error)")))
        }
    }

    private static func id(_ value: JSONValue?, at place: String) throws(UsageError) -> JSONValue? {
        switch value {
        case nil, .null: return nil
        case .text, .integer: return value
        case let value?: throw UsageError("\(place): \"id\" takes text or a whole number, not \(value.shown)")
        }
    }

    /// Waits until a request may be under way.
    ///
    /// - Returns: false where it is not to be, because nobody is left, or because it would wait for a line that comes after it:
    ///   then it has its answer.
    func hasRoom(for request: ServiceRequest, _ heading: Heading, _ number: Int) async -> Bool {
        let leases = Array(leases.values)
        let room = await ledger.room(isImmediate: request.treatment.isImmediate) { controls in
            leases.contains(where: \.isActive) && controls.allSatisfy(\.isSuspended)
        }
        switch room {
        case .free: return true
        case .left: return false
        case .suspended:
            let text =
                "\(heading.place): \(configuration.limit) requests, as many as may be under way, wait for the end of this "
                + "program's own suspension; resume first, then send it again"
            await ledger.answer(number, heading.result(ServiceResult.failure(.queueFull, text)))
            return false
        }
    }

    func endLeases() {
        for lease in leases.values { lease.end() }
        leases = [:]
    }
}
