import Offstage
import Synchronization

final class Warnings: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }

    func note(_ event: StoreEvent) {
        if case .warning(let warning) = event { texts.withLock { $0.append("\(warning.kind): \(warning)") } }
    }
}
