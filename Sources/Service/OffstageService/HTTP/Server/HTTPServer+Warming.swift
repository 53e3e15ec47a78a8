import Offstage
import OffstageRequests

extension HTTPServer {
    /// Lets each view draw something, so that no client waits for its start. The service is ready after the first drawing.
    ///
    /// - Parameter report: receives a line, without its end, each time no view could draw. Warming repeats until one
    ///   can.
    package func warm(_ report: @escaping @MainActor (String) -> Void) async {
        while !Task.isCancelled, !isStopping {
            let drawings = (0..<configuration.warmViews).map { number in Task { await warmOne(number) } }
            var problems: [Problem] = []
            for drawing in drawings { if let problem = await drawing.value { problems.append(problem) } }
            guard let problem = problems.first, problems.count == drawings.count else { return }
            report("no view is warm: \(problem.detail)")
            try? await Task.sleep(for: .seconds(5))
        }
    }

    /// Draws with the service's own options, because a view belongs to a language and a time zone.
    private func warmOne(_ number: Int) async -> Problem? {
        // Equal documents would share one drawing.
        let object: [String: JSONValue] = [
            "html": .text("<p>\(number)"), "refresh": .bool(true), "store": .bool(false),
        ]
        let request: ServiceRequest
        do throws(UsageError) {
            request = try context.reader.withLock { (reader) throws(UsageError) in
                try reader.read(object, at: "the first drawing")
            }
        } catch {
            return Problem(error)
        }
        do throws(Problem) { _ = try await context.draw(request) } catch { return error }
        if context.readiness == .cold { context.readiness = .ready }
        return nil
    }
}
