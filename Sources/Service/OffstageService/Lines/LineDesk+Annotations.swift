import Foundation
import Offstage
import OffstageRequests

extension LineDesk {
    /// Begins to save annotations in a document.
    func annotate(
        _ object: [String: JSONValue], _ heading: ServiceResult.Heading, _ number: Int
    ) async throws(UsageError) {
        let (place, known) = (heading.place, LineCommand.annotate.keys.map(\.rawValue))
        if let key = object.keys.filter({ !known.contains($0) }).min() {
            throw UsageError(
                "\(place): annotate has no key \(key.quoted); `offstage --print-schema command` lists all keys")
        }
        var isInline = false
        switch object["inline"] {
        case nil, .null: break
        case .bool(let value)?: isInline = value
        case let value?: throw UsageError("\(place): \"inline\" takes true or false, not \(value.shown)")
        }
        let request = try reader.annotations(object, at: place)
        let target = try target(object["output"], source: request.document.file, at: place)
        if target == nil, !isInline {
            throw UsageError(
                "\(place): the output for the document is missing; give an \"output\", or \"inline\": true")
        }
        guard let entry = await room(heading, number) else { return }
        if let target { configuration.output?.claim(target) }
        await ledger.begin(number, entry) { [service, configuration, isInline] in
            defer { if let target { configuration.output?.release(target) } }
            var details: [String: JSONValue] = [:]
            do {
                let saved = try await service.annotations.save(request, with: service.renderer)
                details["bytes"] = .integer(saved.data.count)
                if !saved.leftOut.isEmpty { details["leftOut"] = .list(saved.leftOut.map { .text($0) }) }
                if isInline { details["data"] = .text(saved.data.base64EncodedString()) }
                guard let target, let output = configuration.output else { return heading.result(.done(details)) }
                do {
                    let path = target.path
                    guard try output.write(saved.data, to: path, in: target, for: number) else {
                        let text = "\(place): a later request has written \(path)"
                        return heading.result(ServiceResult.failure(.superseded, text))
                    }
                    details["path"] = .text(path)
                    return heading.result(.done(details))
                } catch { return heading.result(ServiceResult.failure(.notWritten, "\(place): \(error)")) }
            } catch let error as AnnotationFailure {
                let (code, text) = error.error(of: request)
                return heading.result(ServiceResult.failure(code, text))
            } catch let error as ServiceError {
                return heading.result(ServiceResult.failure(error))
            } catch {
                return heading.result(ServiceResult.failure(.invalid, "\(place): \(error)"))
            }
        }
    }

    /// The path of the new document.
    private func target(
        _ value: JSONValue?, source: String?, at place: String
    ) throws(UsageError) -> OutputFiles.Place? {
        switch value {
        case nil, .null: return nil
        case .text(let path)?:
            guard let output = configuration.output else {
                throw UsageError("\(place): \"output\" needs the option --out; without it, use \"inline\": true")
            }
            guard path.lowercased().hasSuffix(".pdf") else {
                throw UsageError("\(place): \"output\" takes the path of a .pdf file, not \(path.quoted)")
            }
            let target = try output.place(named: path, at: place)
            if let source, let old = FileNumber(source), FileNumber(target.path) == old {
                throw UsageError("\(place): \(source) would be replaced; choose another path for the new document")
            }
            return target
        case let value?: throw UsageError("\(place): \"output\" takes a path or null, not \(value.shown)")
        }
    }
}
