import Foundation
import OffstageSound
import Synchronization

/// Prints the decoding progress of long sounds, in tenths.
final class DecodingProgress: Sendable {
    /// The last tenth of each sound that was printed.
    private let printed = Mutex<[String: Int]>([:])
    private let observation = Mutex<SoundObservation?>(nil)

    /// Reports the progress of the engine from now on. The engine retains the object.
    func observe(_ engine: SoundEngine) {
        let new = engine.observeDecoding { self.report($0, $1) }
        observation.withLock { $0 = new }
    }

    /// The path of the picture, relative if it is below the working folder.
    private func name(_ identifier: String) -> Substring {
        let folder = FileManager.default.currentDirectoryPath + "/"
        return identifier.hasPrefix(folder) ? identifier.dropFirst(folder.count) : identifier[...]
    }

    /// Called on workers' threads.
    private func report(_ identifier: String, _ progress: SoundProgress) {
        let tenth = Int(progress.share * 10)
        let isNew = printed.withLock { printed in
            let isNew = tenth > printed[identifier, default: 0]
            if isNew { printed[identifier] = tenth == 10 ? nil : tenth }
            return isNew
        }
        guard isNew else { return }
        if Console.isTerminal { Console.status(Progress.erase) }
        Console.line("\(name(identifier))  \(tenth * 10) %")
    }
}
