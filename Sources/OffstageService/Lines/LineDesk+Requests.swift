import Foundation
import Offstage
import OffstageRequests

/// Keys of a request that say where its picture goes.
enum DeliveryKey: String, CaseIterable {
    /// A path below the output folder; null for nowhere.
    case output
    /// True: the files' bytes stand in the result.
    case inline
}

extension LineDesk {
    /// Where a picture goes.
    package struct Delivery: Sendable {
        package var place: OutputFiles.Place?
        var isInline = false
        /// True: the files' bytes are in the work's result as they are.
        package var keepsBytes = false

        package init(place: OutputFiles.Place? = nil, keepsBytes: Bool = false) {
            self.place = place
            self.keepsBytes = keepsBytes
        }
    }

    /// Begins a request once there is room.
    func begin(request object: [String: JSONValue], _ heading: Heading, _ number: Int) async throws(UsageError) {
        let (request, delivery) = try read(object, at: heading.place)
        guard await hasRoom(for: request, heading, number) else { return }
        let control = RequestControl()
        let entry = LineLedger.Entry(
            heading: heading, identifier: request.picture.identifier, group: request.treatment.group, control: control)
        if let place = delivery.place { configuration.output?.claim(place) }
        let work = LineWork(
            request: request, control: control, delivery: delivery, output: configuration.output, number: number)
        await ledger.begin(number, entry) { [service, ledger] in
            let outcome = await work.run(with: service)
            if let finding = outcome.finding { await ledger.note(finding.lack) }
            return heading.result(outcome.outcome)
        }
    }

    private func read(
        _ object: [String: JSONValue], at place: String
    ) throws(UsageError) -> (ServiceRequest, Delivery) {
        var object = object
        var delivery = Delivery()
        switch object.removeValue(forKey: DeliveryKey.inline.rawValue) {
        case nil, .null: break
        case .bool(let isInline): delivery.isInline = isInline
        case let value?: throw UsageError("\(place): \"inline\" takes true or false, not \(value.shown)")
        }
        var defaults: [String: String] = [:]
        let named = object.removeValue(forKey: DeliveryKey.output.rawValue)
        if case .text(let path)? = named {
            guard let output = configuration.output else {
                throw UsageError("\(place): \"output\" needs a folder, --out, and there is none; use \"inline\": true")
            }
            delivery.place = try output.place(named: path, at: place)
            defaults = try reader.defaults(ofFile: path, named: "\"output\"", object, at: place)
        } else if let named, named != .null {
            throw UsageError("\(place): \"output\" takes the path of a picture, or null, not \(named.shown)")
        }
        let request = try reader.read(object, defaults: defaults, of: configuration.client, at: place)
        if named == nil, !delivery.isInline, configuration.namesByIdentifier,
            let identifier = request.picture.identifier
        {
            delivery.place = configuration.output?.place(identifier: identifier)
        }
        if let files = delivery.place {
            var source: String?
            if case .file(let path) = request.picture.content { source = path }
            try configuration.output?.check(
                files, request.picture.settings.variants, source: source, at: place)
        }
        return (request, delivery)
    }
}
