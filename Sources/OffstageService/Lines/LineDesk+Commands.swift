import Foundation
import Offstage
import OffstageRequests

extension LineDesk {
    /// Does what a command says, and answers it; a prefetch and a finish are begun.
    func obey(
        _ name: JSONValue, _ object: [String: JSONValue], _ heading: inout Heading, _ number: Int
    ) async throws(UsageError) {
        let place = heading.place
        guard case .text(let text) = name, let command = LineCommand(rawValue: text) else {
            let known = LineCommand.allCases.map(\.rawValue).formatted("or")
            throw UsageError("\(place): \"command\" takes \(known), not \(name.shown)")
        }
        heading.command = command
        if command == .prefetch { heading.identifier = RowIdentifier.valid(of: object) }
        if command == .prefetch { return try await prefetch(object, heading, number) }
        let known = command.keys.map(\.rawValue)
        if let key = object.keys.sorted().first(where: { !known.contains($0) }) {
            throw UsageError(
                "\(place): \(command.rawValue) has no key \(key.quoted); "
                    + "`offstage --print-schema command` tells what there is")
        }
        let details: [String: JSONValue]
        switch command {
        case .suspend: details = try suspend(object, at: place)
        case .resume: details = try resume(object, at: place)
        case .reprioritise:
            guard let value = object["priority"] else {
                throw UsageError("\(place): reprioritise needs a \"priority\"")
            }
            let asked = try ServiceRequestReader.priority(value, at: place)
            let priority = min(asked, configuration.client?.highestPriority ?? asked)
            let meant = try await entries(object, command, at: place)
            for (entry, _) in meant { entry.control.setPriority(priority) }
            details = ["requests": .integer(meant.count)]
        case .cancel:
            let meant = try await entries(object, command, at: place)
            for (entry, task) in meant {
                entry.control.cancel()
                task.cancel()
            }
            details = ["requests": .integer(meant.count)]
        case .stats: details = await service.statistics(underWay: ledger.underWay)
        case .finish:
            return await ledger.begin(number) { [ledger, heading] in
                await ledger.settle(before: number)
                let outcome = await ledger.outcome
                return heading.result(.done(["lines": .integer(outcome.lines), "failed": .integer(outcome.failed)]))
            }
        case .prefetch: return
        }
        await ledger.answer(number, heading.result(.done(details)))
    }

    private func entries(
        _ object: [String: JSONValue], _ command: LineCommand, at place: String
    ) async throws(UsageError) -> [(entry: LineLedger.Entry, task: Task<Void, Never>)] {
        let target = try LineTarget(object, of: command, at: place)
        return await ledger.entries { target.isMeant($0) }
    }

    // MARK: Suspension

    private func suspend(_ object: [String: JSONValue], at place: String) throws(UsageError) -> [String: JSONValue] {
        let name = try leaseName(object, at: place)
        let seconds: Double
        switch object["seconds"] {
        case nil: seconds = LineCommand.leaseSeconds
        case .integer(let number)? where (1...86_400).contains(number): seconds = Double(number)
        case .number(let number)? where number > 0 && number <= 86_400: seconds = number
        case let value?:
            throw UsageError("\(place): \"seconds\" takes a number, more than 0 and up to 86400, not \(value.shown)")
        }
        // Before the old one ends, so that nothing is begun in between.
        let lease = service.renderer.suspend(for: .seconds(seconds))
        leases.updateValue(lease, forKey: name)?.end()
        return ["suspended": .bool(true), "seconds": .number(seconds)]
    }

    private func resume(_ object: [String: JSONValue], at place: String) throws(UsageError) -> [String: JSONValue] {
        let name = try leaseName(object, at: place)
        guard let lease = leases.removeValue(forKey: name) else {
            throw UsageError("\(place): there is no suspension \(name.quoted) to end")
        }
        let wasActive = lease.isActive
        lease.end()
        // Others may hold it.
        return ["suspended": .bool(service.renderer.isSuspended), "expired": .bool(!wasActive)]
    }

    private func leaseName(_ object: [String: JSONValue], at place: String) throws(UsageError) -> String {
        switch object["name"] {
        case nil: return ""
        case .text(let name)?: return name
        case let value?: throw UsageError("\(place): \"name\" takes text, not \(value.shown)")
        }
    }

    // MARK: Prefetch

    private func prefetch(
        _ object: [String: JSONValue], _ heading: Heading, _ number: Int
    ) async throws(UsageError) {
        let place = heading.place
        if service.renderer.configuration.store == nil {
            throw UsageError("\(place): nothing is kept here, so that there is nothing to prefetch")
        }
        for key in DeliveryKey.allCases.map(\.rawValue) where object[key] != nil {
            throw UsageError("\(place): prefetch has no key \(key.quoted): its picture goes nowhere")
        }
        var object = object
        if object["priority"] == nil { object["priority"] = .text(RenderPriority.low.name) }
        let request = try reader.read(object, of: configuration.client, at: place)
        guard await hasRoom(for: request, heading, number) else { return }
        let control = RequestControl()
        let entry = LineLedger.Entry(
            heading: heading, identifier: request.picture.identifier, group: request.treatment.group, control: control)
        await ledger.begin(number, entry) { [service, ledger] in
            do throws(ServiceError) {
                let pictures = try await service.files(for: request, control)
                if let finding = EngineFinding(pictures) { await ledger.note(finding.lack) }
                return heading.result(
                    .done(["kept": .bool(pictures[0].isKept), "pictures": .integer(pictures.count)]))
            } catch {
                if let finding = EngineFinding(error) { await ledger.note(finding.lack) }
                return heading.result(ServiceResult.failure(error))
            }
        }
    }
}
