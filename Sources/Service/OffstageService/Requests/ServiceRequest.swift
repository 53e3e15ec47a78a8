import Foundation
import Offstage
import OffstagePages
import OffstageRequests

/// A program's request to a running Offstage.
package struct ServiceRequest: Sendable {
    package var picture: PictureRequest
    package var options: RenderOptions
    /// The time after which the request fails if it has no picture, in seconds; nil for no limit.
    var deadline: Double?

    /// The request's files with the warnings about its options.
    func withWarnings(_ files: [RenderedFiles]) -> [RenderedFiles] {
        let warnings = picture.settings.withoutEffect
        return warnings.isEmpty ? files : files.map { $0.adding(warnings) }
    }
}

/// A client of a service, and its rights.
package struct ServiceClient: Sendable, Hashable {
    /// The client as the queue knows it, for fair shares.
    var turns: RenderClient
    /// Requests with a higher priority get this one.
    var highestPriority = RenderPriority.veryHigh
    package var rights = ClientRights.all
}

/// The keys of a request that do not change the picture.
package enum TreatmentKey: String, CaseIterable { case priority, immediate, group, deadline, refresh, store }

/// Reads service requests: the keys of a manifest, and `TreatmentKey`.
package struct ServiceRequestReader: Sendable {
    /// Reads the keys of a manifest.
    package private(set) var rows: RequestReader
    private let refreshes: Bool
    private let check: Check?

    /// Checks that a service allows the keys of a request, before anything else reads them.
    package typealias Check =
        @Sendable (_ object: [String: JSONValue], _ place: String) throws(UsageError) -> Void

    /// - Parameter refreshes: draws every request, even if its picture is cached.
    package init(_ rows: RequestReader, refreshes: Bool = false, check: Check? = nil) {
        (self.rows, self.refreshes, self.check) = (rows, refreshes, check)
    }

    /// - Parameters:
    ///   - object: the request's keys, without those of the transport, such as `id`.
    ///   - bytes: the document, if it is not in the object, and its source.
    ///   - defaults: apply to options that neither the request nor the command line sets.
    ///   - client: nil for a program that is the only client.
    ///   - place: the request's location for messages, such as `line 3`.
    package mutating func read(
        _ object: [String: JSONValue], bytes: (Data, of: RegisteredSource)? = nil, defaults: [String: String] = [:],
        of client: ServiceClient? = nil, at place: String
    ) throws(UsageError) -> ServiceRequest {
        try check?(object, place)
        var options = try Self.options(object, at: place)
        if let client {
            options.client = client.turns
            options.priority = min(options.priority, client.highestPriority)
        }
        if refreshes { options.usesCache = false }
        let deadline = object["deadline"]
        if let deadline, deadline.seconds == nil {
            throw UsageError("\(place): \"deadline\" takes seconds, more than 0 and up to 86400, not \(deadline.shown)")
        }
        let picture = try rows.read(
            object.filter { TreatmentKey(rawValue: $0.key) == nil }, bytes: bytes, defaults: defaults, at: place)
        return ServiceRequest(picture: picture, options: options, deadline: deadline?.seconds)
    }

    /// Reads a request to save annotations.
    ///
    /// - Parameters:
    ///   - document: the bytes of the document, if the object names no file.
    ///   - value: the annotations, if they have already been read.
    package func annotations(
        _ object: [String: JSONValue], document: Data? = nil, value: AnnotationFile? = nil, at place: String
    ) throws(UsageError) -> AnnotationRequest {
        try check?(object, place)
        return try rows.annotationRequest(object, document: document, annotations: value, at: place)
    }

    private static func options(_ object: [String: JSONValue], at place: String) throws(UsageError) -> RenderOptions {
        var options = RenderOptions()
        func bool(_ key: String, _ standard: Bool) throws(UsageError) -> Bool {
            switch object[key] {
            case nil: return standard
            case .bool(let value)?: return value
            case let value?: throw UsageError("\(place): \(key.quoted) takes true or false, not \(value.shown)")
            }
        }
        if let value = object["priority"] { options.priority = try priority(value, at: place) }
        options.isImmediate = try bool("immediate", false)
        options.usesCache = try !bool("refresh", false)
        options.storesResult = try bool("store", true)
        switch object["group"] {
        case nil: break
        case .text(let group)? where group.utf8.count > JSONLimits.nameBytes:
            throw UsageError("\(place): \"group\" takes at most \(JSONLimits.nameBytes) bytes; shorten it")
        case .text(let group)?: options.group = group
        case let value?: throw UsageError("\(place): \"group\" takes text, not \(value.kindName)")
        }
        return options
    }

    static func priority(_ value: JSONValue, at place: String) throws(UsageError) -> RenderPriority {
        if case .text(let name) = value, let priority = RenderPriority.named[name] { return priority }
        let names = RenderPriority.allCases.map(\.name).formatted("or")
        throw UsageError("\(place): \"priority\" takes \(names), not \(value.shown)")
    }
}

extension JSONValue {
    /// A number of seconds, more than 0 and up to a day.
    var seconds: Double? {
        switch self {
        case .integer(let number) where (1...86_400).contains(number): Double(number)
        case .number(let number) where number > 0 && number <= 86_400: number
        default: nil
        }
    }
}

extension RenderPriority {
    /// The name in requests.
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
