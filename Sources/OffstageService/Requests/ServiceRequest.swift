import Foundation
import Offstage
import OffstageRequests

/// What a program asks a running Offstage for: a picture, and how its request is treated.
package struct ServiceRequest: Sendable {
    package let picture: PictureRequest
    package var treatment: Treatment

    /// How a request is treated, beside what is drawn.
    package struct Treatment: Sendable {
        package var priority = RenderPriority.normal
        /// It may start while the service is suspended.
        package var isImmediate = false
        /// A name that the program gives to requests which it may want to cancel together.
        package var group: String?
        /// Whose it is; nil for a program that has the service to itself.
        package var client: RenderClient?
        /// Seconds from when it was asked; nil for as long as it takes. What has no picture by then fails.
        package var deadline: Double?
        /// True: drawn even if it is kept from before.
        package var refreshes = false
        /// False: not kept for later.
        package var stores = true

        package init() {}
    }
}

/// The keys of a request's treatment.
package enum TreatmentKey: String, CaseIterable { case priority, immediate, group, deadline, refresh, store }

/// Reads service requests: a manifest's keys, and those of the treatment.
package struct ServiceRequestReader: Sendable {
    package static let treatmentKeys = Set(TreatmentKey.allCases.map(\.rawValue))

    private var reader: RequestReader
    private let refreshes: Bool
    private let check: Check?

    /// What a service allows: called with a request's keys before anything is done with them.
    package typealias Check =
        @Sendable (_ object: [String: JSONValue], _ place: String) throws(UsageError) -> Void

    /// - Parameter refreshes: every request is drawn, whatever is kept from before.
    package init(_ reader: RequestReader, refreshes: Bool = false, check: Check? = nil) {
        self.reader = reader
        self.refreshes = refreshes
        self.check = check
    }

    /// The options that a file's name gives a request.
    package func defaults(
        ofFile path: String, named name: String, _ object: [String: JSONValue], at place: String
    ) throws(UsageError) -> [String: String] {
        try reader.defaults(ofFile: path, named: name, object, at: place)
    }

    /// - Parameters:
    ///   - object: the request's keys, without those of the transport, such as `id`.
    ///   - bytes: the document, where it came beside the object.
    ///   - defaults: options that hold where neither it nor the command line has them.
    ///   - client: whose it is; nil for a program that has the service to itself.
    ///   - place: where it is, for messages: `line 3`.
    package mutating func read(
        _ object: [String: JSONValue], bytes: Data? = nil, defaults: [String: String] = [:],
        of client: ServiceClient? = nil, at place: String
    ) throws(UsageError) -> ServiceRequest {
        try check?(object, place)
        var treatment = try Self.treatment(object, at: place)
        if let client { treatment.belong(to: client) }
        if refreshes { treatment.refreshes = true }
        let picture = try reader.read(
            object.filter { !Self.treatmentKeys.contains($0.key) }, bytes: bytes, defaults: defaults, at: place)
        return ServiceRequest(picture: picture, treatment: treatment)
    }

    package static func treatment(
        _ object: [String: JSONValue], at place: String
    ) throws(UsageError) -> ServiceRequest.Treatment {
        var treatment = ServiceRequest.Treatment()
        func bool(_ key: String) throws(UsageError) -> Bool? {
            switch object[key] {
            case nil: return nil
            case .bool(let value)?: return value
            case let value?: throw UsageError("\(place): \(key.quoted) takes true or false, not \(value.shown)")
            }
        }
        if let value = object["priority"] { treatment.priority = try priority(value, at: place) }
        treatment.isImmediate = try bool("immediate") ?? false
        treatment.refreshes = try bool("refresh") ?? false
        treatment.stores = try bool("store") ?? true
        switch object["group"] {
        case nil: break
        case .text(let group)?: treatment.group = group
        case let value?: throw UsageError("\(place): \"group\" takes text, not \(value.kindName)")
        }
        switch object["deadline"] {
        case nil: break
        case .integer(let seconds)? where (1...86_400).contains(seconds): treatment.deadline = Double(seconds)
        case .number(let seconds)? where seconds > 0 && seconds <= 86_400: treatment.deadline = seconds
        case let value?:
            throw UsageError("\(place): \"deadline\" takes seconds, more than 0 and up to 86400, not \(value.shown)")
        }
        return treatment
    }

    package static func priority(_ value: JSONValue, at place: String) throws(UsageError) -> RenderPriority {
        if case .text(let name) = value, let priority = RenderPriority.named[name] { return priority }
        let names = RenderPriority.allCases.map(\.name).formatted("or")
        throw UsageError("\(place): \"priority\" takes \(names), not \(value.shown)")
    }
}

extension RenderPriority {
    /// As requests have it.
    package var name: String {
        switch self {
        case .veryLow: "very-low"
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        case .veryHigh: "very-high"
        }
    }

    package static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
