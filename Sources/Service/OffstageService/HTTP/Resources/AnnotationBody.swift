import Foundation
import Offstage
import OffstagePages
import OffstageRequests

/// The body of `POST /v1/annotations`. It may have more values than other requests, because of the points of ink.
struct AnnotationBody {
    /// The keys, without large values.
    private(set) var object: [String: JSONValue] = [:]
    /// The bytes of the document; nil if the request names a file.
    private(set) var document: Data?
    /// Nil if the request names a file, or has XFDF.
    private(set) var annotations: AnnotationFile?

    /// Some 300,000 points of ink.
    private static let mostValues = 1_000_000

    /// - Throws: `Problem`.
    init(_ body: Data) throws(Problem) {
        if let problem = body.withUnsafeBytes({ JSONLimits.problem(in: $0, values: Self.mostValues) }) {
            throw Problem(422, "invalid-request", "the body: the object \(problem)")
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: body)
        } catch let error as UsageError {
            throw Problem(error)
        } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty {
                throw Problem(400, "invalid-body", "the body: it is not valid JSON; send one JSON object")
            }
            throw Problem(422, "invalid-request", "the body: \(error.fault)")
        } catch { throw Problem(400, "invalid-body", "the body: it is not valid JSON; send one JSON object") }
    }
}

extension AnnotationBody: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        for key in values.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            switch key.stringValue {
            case "document":
                guard let data = Data(base64Encoded: try values.decode(String.self, forKey: key)) else {
                    throw UsageError("the body: \"document\" is not base64")
                }
                document = data
            case "annotations":
                if let path = try? values.decode(String.self, forKey: key) {
                    object[key.stringValue] = .text(path)
                } else if try !values.decodeNil(forKey: key) {
                    annotations = try values.decode(AnnotationFile.self, forKey: key)
                }
            case _ where AnnotationRequest.Key(rawValue: key.stringValue) != nil:
                object[key.stringValue] = try values.decode(JSONValue.self, forKey: key)
            default:
                throw UsageError("the body: there is no key \(key.stringValue.quoted); /v1/openapi.json lists them")
            }
        }
    }
}
