import Foundation
import Offstage
import OffstageRequests

extension LineDesk {
    /// Executes and answers a command. A prefetch or a finish is only started, and answered later.
    func obey(
        _ name: JSONValue, _ object: [String: JSONValue], _ heading: inout ServiceResult.Heading, _ number: Int
    ) async throws(UsageError) {
        guard case .text(let text) = name, let command = LineCommand(rawValue: text) else {
            let known = LineCommand.allCases.map(\.rawValue).formatted("or")
            throw UsageError("\(heading.place): \"command\" takes \(known), not \(name.shown)")
        }
        heading.command = command
        if command == .prefetch {
            heading.identifier = RowIdentifier.valid(of: object)
        }
        guard await isAllowed(command.right, heading, number) else { return }
        if command == .prefetch {
            return try await prefetch(object, heading, number)
        }
        if command == .annotate { return try await annotate(object, heading, number) }
        let place = heading.place
        let known = command.keys.map(\.rawValue)
        if let key = object.keys.filter({ !known.contains($0) }).min() {
            throw UsageError(
                "\(place): \(command.rawValue) has no key \(key.quoted); `offstage --print-schema command` lists all keys"
            )
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
            let target = try LineTarget(object, of: command, at: place)
            details = ["requests": .integer(await ledger.setPriority(priority, of: target))]
        case .cancel:
            let target = try LineTarget(object, of: command, at: place)
            details = ["requests": .integer(await ledger.cancel(target))]
        case .stats: details = await service.statistics(underWay: ledger.requestCount)
        case .finish:
            return await ledger.begin(number) { [ledger, heading] in
                await ledger.settle(before: number)
                let outcome = await ledger.outcome
                return heading.result(.done(["lines": .integer(outcome.lines), "failed": .integer(outcome.failed)]))
            }
        case .prefetch, .annotate: return
        }
        await ledger.answer(number, heading.result(.done(details)))
    }

    // MARK: Suspension

    /// The maximum number of suspensions of a session, including expired ones that it has not resumed.
    private static let mostLeases = 100

    private func suspend(_ object: [String: JSONValue], at place: String) throws(UsageError) -> [String: JSONValue] {
        let name = try leaseName(object, at: place)
        let value = object["seconds"] ?? .number(LineCommand.leaseSeconds)
        guard let seconds = value.seconds else {
            throw UsageError("\(place): \"seconds\" takes a number, more than 0 and up to 86400, not \(value.shown)")
        }
        if leases[name] == nil, leases.count >= Self.mostLeases {
            throw UsageError(
                "\(place): this program has \(Self.mostLeases) suspensions, which is the maximum; resume one first")
        }
        // The new lease begins before the old one ends, so that nothing starts in between.
        let lease = service.renderer.suspend(for: .seconds(seconds))
        guard service.suspensions.add(lease, of: configuration.client?.turns.name ?? "", seconds: seconds) != nil else {
            throw UsageError(
                "\(place): there are \(Suspensions.limit) suspensions, which is the maximum; end one first")
        }
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
        // Others may have suspended the renderer, too.
        return ["suspended": .bool(service.renderer.isSuspended), "expired": .bool(!wasActive)]
    }

    private func leaseName(_ object: [String: JSONValue], at place: String) throws(UsageError) -> String {
        switch object["name"] {
        case nil: return ""
        case .text(let name)? where name.utf8.count > JSONLimits.nameBytes:
            throw UsageError("\(place): \"name\" takes at most \(JSONLimits.nameBytes) bytes; shorten it")
        case .text(let name)?: return name
        case let value?: throw UsageError("\(place): \"name\" takes text, not \(value.shown)")
        }
    }

    // MARK: Prefetch

    private func prefetch(
        _ object: [String: JSONValue], _ heading: ServiceResult.Heading, _ number: Int
    ) async throws(UsageError) {
        let place = heading.place
        if service.renderer.configuration.store == nil {
            throw UsageError("\(place): there is no cache, so prefetch has no effect")
        }
        for key in DeliveryKey.allCases.map(\.rawValue) where object[key] != nil {
            throw UsageError("\(place): prefetch has no key \(key.quoted), because it delivers no picture")
        }
        var object = object
        if object["priority"] == nil { object["priority"] = .text(RenderPriority.low.name) }
        let request = try reader.read(object, of: configuration.client, at: place)
        guard let entry = await room(for: request, heading, number) else { return }
        await ledger.begin(number, entry) { [service, ledger] in
            do throws(ServiceError) {
                let pictures = try await service.files(for: request, entry.control)
                await ledger.note(.success(pictures))
                return heading.result(
                    .done(["kept": .bool(pictures[0].isCached), "pictures": .integer(pictures.count)]))
            } catch {
                await ledger.note(.failure(error))
                return heading.result(ServiceResult.failure(error))
            }
        }
    }
}
