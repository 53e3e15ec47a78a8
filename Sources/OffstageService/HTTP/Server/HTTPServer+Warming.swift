import Offstage
import OffstageRequests

extension HTTPServer {
    /// Has each view draw something, so that no client waits for its start. Once one has, the service is ready.
    ///
    /// - Parameter report: gets what keeps views from drawing, a line without its end. It is tried again until one draws.
    package func warm(_ report: @escaping @MainActor (String) -> Void) async {
        while !Task.isCancelled, !isStopping {
            let drawings = (0..<configuration.warmViews).map { number in Task { await warmOne(number) } }
            var results: [Result<Void, Problem>] = []
            for drawing in drawings { results.append(await drawing.value) }
            let problems = results.compactMap { result in
                if case .failure(let problem) = result { problem } else { nil }
            }
            if problems.count < results.count { return }
            if let problem = problems.first { report("no view is warm: \(problem.detail)") }
            try? await Task.sleep(for: .seconds(5))
        }
    }

    /// With the service's own options: a view is of the language and the time zone that it draws with.
    private func warmOne(_ number: Int) async -> Result<Void, Problem> {
        // Different ones, or all would wait for one drawing.
        let object: [String: JSONValue] = [
            "html": .text("<p>\(number)"), "refresh": .bool(true), "store": .bool(false),
        ]
        do throws(UsageError) {
            let request = try context.reader.read(object, at: "the first drawing")
            let result = await context.draw(request)
            if case .success = result, context.readiness == .cold { context.readiness = .ready }
            return result.map { _ in }
        } catch { return .failure(Problem(error)) }
    }
}
