import CGLib
import COffstage
import Foundation
import Offstage
import OffstageRequests
import OffstageService

extension RendererHandle {
    /// Begins to save annotations in a document.
    ///
    /// - Returns: the number of the request.
    func annotate(_ list: TextOptions.List?, _ answer: Answer) throws(UsageError) -> UInt64 {
        var (object, output) = ([String: JSONValue](), String?.none)
        let place = "the request"
        for (name, text) in try TextOptions.pairs(list, at: place) {
            let isRepeated = object[name] != nil || name == "output" && output != nil
            switch (name, AnnotationRequest.Key(rawValue: name)) {
            case ("remove", _) where text != "all":
                if case .list(let names)? = object[name] {
                    object[name] = .list(names + [.text(text)])
                } else {
                    object[name] = .list([.text(text)])
                }
            case (_, _) where isRepeated: throw UsageError("\(place): \(name.quoted) is given twice; leave one out")
            case ("output", _): output = text
            case (_, .force?): object[name] = JSONValue(boolText: text) ?? .text(text)
            case (_, .some): object[name] = .text(text)
            default:
                throw Suggestion.error(
                    "\(place): annotations have no option \(name.quoted)", for: name,
                    among: ["output"] + AnnotationRequest.Key.allCases.map(\.rawValue),
                    otherwise: "offstage.h lists them")
            }
        }
        let request = try annotationRequest(object, at: place)
        if let output { try Self.check(output, request) }
        return start { [self, output] in
            do {
                let saved = try await service.annotations.save(request, with: renderer)
                if let output {
                    do { try AtomicFile.write(saved.data, to: output) } catch {
                        return .failure(Failure(.notWritten, "\(place): \(error)"))
                    }
                }
                return .document(saved)
            } catch let error as AnnotationFailure {
                let (code, text) = error.error(of: request)
                return .failure(Failure(code, text))
            } catch let error as ServiceError {
                return .failure(Failure(error))
            } catch let error as UsageError {
                return .failure(Failure(error))
            } catch { return .failure(Failure(.notDrawn, "\(place): \(error)")) }
        } answer: {
            answer.give($0)
        }
    }

    /// The document's file is not changed.
    private static func check(_ output: String, _ request: AnnotationRequest) throws(UsageError) {
        if let source = request.document.file, let old = FileNumber(source), FileNumber(output) == old {
            throw UsageError("the request: \(source) would be replaced; choose another \"output\"")
        }
    }
}
