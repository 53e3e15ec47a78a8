import Foundation
import Offstage
import OffstageRequests

/// Reads a session's lines one after the other, and answers or begins each.
package actor LineDesk {
    let service: PictureService
    var reader: ServiceRequestReader
    let configuration: LineSession.Configuration
    let ledger: LineLedger
    /// The program's suspensions, by their names.
    var leases: [String: SuspensionLease] = [:]

    init(
        _ service: PictureService, _ reader: ServiceRequestReader, _ configuration: LineSession.Configuration,
        _ ledger: LineLedger
    ) {
        (self.service, self.reader, self.configuration, self.ledger) = (service, reader, configuration, ledger)
    }

    /// Executes a line. Returns when the line is answered or begun, which may have to wait for room.
    func take(_ line: LineSplitter.Line) async {
        guard let number = await ledger.open(isSuspended: leases.values.contains(where: \.isActive)) else { return }
        var heading = ServiceResult.Heading(line: line.number)
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
        case .text(let text) where text.utf8.count > JSONLimits.nameBytes:
            throw UsageError("\(place): \"id\" takes at most \(JSONLimits.nameBytes) bytes; shorten it")
        case .text, .integer: return value
        case let value?: throw UsageError("\(place): \"id\" takes text or a whole number, not \(value.shown)")
        }
    }

    /// Waits until a request may begin.
    ///
    /// - Returns: nil if it must not begin: nobody is left, or it would wait for a later line. In the second case, it is answered.
    func room(for request: ServiceRequest, _ heading: ServiceResult.Heading, _ number: Int) async -> LineLedger.Entry? {
        let leases = Array(leases.values)
        let room = await ledger.room(isImmediate: request.options.isImmediate) { controls in
            leases.contains(where: \.isActive) && controls.allSatisfy(\.isSuspended)
        }
        switch room {
        case .free:
            return LineLedger.Entry(
                heading: heading, identifier: request.picture.identifier, group: request.options.group,
                control: RequestControl())
        case .left: return nil
        case .suspended:
            let text =
                "\(heading.place): the maximum of \(configuration.limit) requests in progress wait for the end of this "
                + "program's own suspension; resume first, then send it again"
            await ledger.answer(number, heading.result(ServiceResult.failure(.queueFull, text)))
            return nil
        }
    }

    func endLeases() {
        for lease in leases.values { lease.end() }
        leases = [:]
    }
}
