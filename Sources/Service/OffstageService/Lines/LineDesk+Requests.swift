import Foundation
import Offstage
import OffstageRequests

/// The keys of a request for the delivery of its picture.
enum DeliveryKey: String, CaseIterable {
    /// A path below the output folder; null for no file.
    case output
    /// True returns the files' bytes in the result.
    case inline
}

extension LineDesk {
    /// Begins a request as soon as there is room.
    func begin(request object: [String: JSONValue], _ heading: ServiceResult.Heading, _ number: Int)
        async throws(UsageError)
    {
        let (request, place, isInline) = try read(object, at: heading.place)
        guard let entry = await room(for: request, heading, number) else { return }
        if let place { configuration.output?.claim(place) }
        let work = LineWork(
            request: request, control: entry.control, output: configuration.output, place: place, isInline: isInline,
            number: number)
        await ledger.begin(number, entry) { [service, ledger] in
            let result = await work.run(with: service)
            await ledger.note(result.drawn)
            return heading.result(result.outcome)
        }
    }

    private func read(
        _ object: [String: JSONValue], at place: String
    ) throws(UsageError) -> (ServiceRequest, OutputFiles.Place?, isInline: Bool) {
        var object = object
        var isInline = false
        var files: OutputFiles.Place?
        switch object.removeValue(forKey: DeliveryKey.inline.rawValue) {
        case nil, .null: break
        case .bool(let value): isInline = value
        case let value?: throw UsageError("\(place): \"inline\" takes true or false, not \(value.shown)")
        }
        var defaults: [String: String] = [:]
        let named = object.removeValue(forKey: DeliveryKey.output.rawValue)
        if case .text(let path)? = named {
            guard let output = configuration.output else {
                throw UsageError("\(place): \"output\" needs the option --out; without it, use \"inline\": true")
            }
            files = try output.place(named: path, at: place)
            defaults = try reader.rows.defaults(ofFile: path, named: "\"output\"", object, at: place)
        } else if let named, named != .null {
            throw UsageError("\(place): \"output\" takes the path of a picture, or null, not \(named.shown)")
        }
        let request = try reader.read(object, defaults: defaults, of: configuration.client, at: place)
        if named == nil, !isInline, configuration.namesByIdentifier, let identifier = request.picture.identifier {
            files = configuration.output?.place(identifier: identifier)
        }
        if let files {
            try configuration.output?.check(
                files, request.picture.settings.variants, sources: request.picture.files, at: place)
        }
        return (request, files, isInline)
    }
}
