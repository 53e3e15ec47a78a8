import Foundation

extension Shelf {
    /// A request for files of one drawing.
    typealias Wanted = (keyed: KeyedRequest, variants: [FileVariant])
    /// Lends a file's bytes; false if they are damaged. The callee must not keep the data.
    typealias Lend = (RenderedFiles.File, (Data) -> Void) -> Bool

    /// Lends the stored files of many requests, in one read transaction on one of the store's threads. Requests whose
    /// drawings used files need a second transaction, after these files have been compared.
    ///
    /// - Parameters:
    ///   - slice: for each request, the drawings that it needs; empty to skip a request.
    ///   - use: called in the order of the slice for each request whose drawings are all stored. It returns nil if it
    ///     has no use for the files.
    /// - Returns: what `use` returned; nil for a request whose files are not stored, not current, or rejected by the
    ///   request.
    func lend<Answer: Sendable>(
        _ slice: [[Wanted]],
        _ use: @escaping @Sendable (_ index: Int, _ drawings: [[RenderedFiles]], _ lend: Lend) -> Answer?
    ) async -> [Answer?] {
        var answers = [Answer?](repeating: nil, count: slice.count)
        guard let store else { return answers }
        var rest = slice.indices.filter { !slice[$0].isEmpty }
        var compared: [Int: [[[Dependency]]]] = [:]
        while !rest.isEmpty {
            let pass = await store.look(without: Pass<Answer>()) { [rest, compared] (look) throws(SQLiteError) in
                var pass = Pass<Answer>()
                for index in rest {
                    guard let stored = try stored(slice[index], &look, in: store) else { continue }
                    let dependencies = stored.map(\.dependencies)
                    guard compared[index] == dependencies || dependencies.joined().allSatisfy(\.isEmpty) else {
                        // A picture that changes between the transactions is left to the queue.
                        if compared[index] == nil { pass.uncompared[index] = dependencies }
                        continue
                    }
                    var failure: SQLiteError?
                    pass.answers[index] = use(index, stored.map(\.files)) { file, body in
                        do throws(SQLiteError) { return try look.lend(file, body) } catch { failure = error }
                        return false
                    }
                    if let failure { throw failure }
                }
                return pass
            }
            for index in rest where pass.answers[index] != nil {
                answers[index] = pass.answers[index]
                for one in slice[index] { events.emit(.hitOnDisk, one.keyed.identifier, request: nil) }
            }
            var next: [Int] = []
            for index in rest {
                guard let dependencies = pass.uncompared[index], await areCurrent(dependencies, slice[index]) else {
                    continue
                }
                next.append(index)
                compared[index] = dependencies
            }
            rest = next
        }
        return answers
    }

    private struct Pass<Answer: Sendable>: Sendable {
        var answers: [Int: Answer] = [:]
        /// Files that the stored drawings of a request used.
        var uncompared: [Int: [[[Dependency]]]] = [:]
    }

    /// Nil unless all drawings are stored and the request accepts them.
    private func stored(
        _ drawings: [Wanted], _ look: inout StoreLook, in store: PictureStore
    ) throws(SQLiteError) -> [StoredFiles]? {
        var all: [StoredFiles] = []
        for one in drawings {
            guard let files = try stored(one.variants, one.keyed, &look, in: store),
                one.keyed.request.refusal(of: files.files[0].warnings) == nil
            else { return nil }
            all.append(files)
        }
        return all
    }

    private func areCurrent(_ dependencies: [[[Dependency]]], _ drawings: [Wanted]) async -> Bool {
        for (variants, one) in zip(dependencies, drawings) {
            for files in variants { guard await one.keyed.isCurrent(files) else { return false } }
        }
        return true
    }
}
