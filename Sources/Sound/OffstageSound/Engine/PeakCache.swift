import Foundation
import Offstage
import Synchronization

/// An engine's decoded sounds, in memory and in the renderer's store beside the pictures. Requests for the same sound
/// share its decoding.
final class PeakCache: Sendable {
    private struct State {
        var store: PictureStore?
        /// Most recently used last.
        var recent: [(fingerprint: Fingerprint, sound: DecodedSound)] = []
        var running: [RunKey: Running] = [:]
        var decodings = 0
        var continuations = 0
        /// The number of the last decoding in `running`.
        var number = 0
    }

    /// Decodings under other limits may end differently.
    private struct RunKey: Hashable {
        var fingerprint: Fingerprint
        var limits: SoundLimits
    }

    private struct Running {
        var number: Int
        var task: Task<Result<DecodedSound, DrawingError>, Never>
        /// The callers whose tasks are not cancelled.
        var callers: Int
    }

    private let state = Mutex(State())
    private let limit: Int
    /// - Parameter limit: the maximum number of bytes in memory. The last sound is kept even if it is larger.
    init(limit: Int) { self.limit = limit }

    var decodings: Int { state.withLock { $0.decodings } }
    var continuations: Int { state.withLock { $0.continuations } }

    func use(_ store: PictureStore) { state.withLock { $0.store = store } }

    /// - Parameters:
    ///   - fingerprint: the fingerprint of the peaks.
    ///   - request: the request. The store uses its identifier.
    ///   - decode: called at most once at a time per fingerprint. Receives a stored sound with which this one begins,
    ///     if any.
    func sound(
        _ fingerprint: Fingerprint, for request: Waveform,
        _ decode: @escaping @Sendable (DecodedSound?) async throws(DrawingError) -> DecodedSound
    ) async throws(DrawingError) -> DecodedSound {
        let key = RunKey(fingerprint: fingerprint, limits: request.limits)
        let task = state.withLock { state -> Task<Result<DecodedSound, DrawingError>, Never> in
            if let place = state.recent.firstIndex(where: { $0.fingerprint == fingerprint }) {
                let found = state.recent.remove(at: place)
                state.recent.append(found)
                return Task { .success(found.sound) }
            }
            if let task = state.running[key]?.task, !task.isCancelled {
                state.running[key]?.callers += 1
                return task
            }
            let store = state.store
            state.number += 1
            let number = state.number
            let task = Task {
                let result = await self.find(fingerprint, request, in: store, decode)
                self.finish(key, number, result)
                return result
            }
            state.running[key] = Running(number: number, task: task, callers: 1)
            return task
        }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            leave(key, task)
        }.get()
    }

    /// The sound, if it is in memory or in the store.
    ///
    /// - Parameter variant: the name of its peaks' file in the store.
    func stored(_ fingerprint: Fingerprint, _ variant: String) async -> DecodedSound? {
        let (known, store) = state.withLock { state in
            (state.recent.first { $0.fingerprint == fingerprint }?.sound, state.store)
        }
        if let known { return known }
        guard let sound = await Self.sound(fingerprint, variant, in: store) else { return nil }
        state.withLock { remember(sound, fingerprint, &$0) }
        return sound
    }

    private static func sound(
        _ fingerprint: Fingerprint, _ variant: String, in store: PictureStore?
    ) async -> DecodedSound? {
        guard let record = await store?.record(fingerprint: fingerprint, variant: variant),
            let stored = await store?.picture(for: record.key), stored.info.fingerprint == fingerprint
        else { return nil }
        return DecodedSound(stored.data)
    }

    /// Removes a caller. The last one to leave cancels the decoding.
    private func leave(_ key: RunKey, _ task: Task<Result<DecodedSound, DrawingError>, Never>) {
        state.withLock { state in
            guard var running = state.running[key], running.task == task else { return }
            running.callers -= 1
            if running.callers == 0 {
                state.running[key] = nil
                task.cancel()
            } else {
                state.running[key] = running
            }
        }
    }

    private func find(
        _ fingerprint: Fingerprint, _ request: Waveform, in store: PictureStore?,
        _ decode: @Sendable (DecodedSound?) async throws(DrawingError) -> DecodedSound
    ) async -> Result<DecodedSound, DrawingError> {
        let variant = request.peaksVariant
        if let sound = await Self.sound(fingerprint, variant, in: store) { return .success(sound) }
        do throws(DrawingError) {
            let known = await beginning(of: request, in: store)
            let sound = try await decode(known)
            state.withLock { state in
                state.decodings += 1
                if known != nil { state.continuations += 1 }
            }
            if let store, !request.sound.hasChanged {
                let info = PictureInfo(
                    fingerprint: fingerprint, format: variant,
                    size: PixelSize(width: max(1, sound.pyramid.peaks.count), height: 1), scale: 1, isOpaque: true,
                    warnings: sound.facts.warnings)
                let key = PictureKey(request.identifier, variant: variant)
                await store.store(StoredPicture(data: sound.file, info: info), for: key)
                sound.trust?.onLoss { Task { await store.remove([key], of: fingerprint) } }
            }
            sound.trust?.onLoss { [weak self] in
                self?.state.withLock { $0.recent.removeAll { $0.fingerprint == fingerprint } }
            }
            return .success(sound)
        } catch { return .failure(error) }
    }

    /// The stored sound under the request's identifier, if the request's sound begins with it: a recording that has
    /// grown.
    private func beginning(of request: Waveform, in store: PictureStore?) async -> DecodedSound? {
        let key = PictureKey(request.identifier, variant: request.peaksVariant)
        guard let stored = await store?.picture(for: key), let sound = DecodedSound(stored.data),
            sound.byteCount < request.sound.size, sound.pyramid.peaks.count > 1,
            sound.pyramid.peaks.framesPerPeak == request.decodedFramesPerPeak
        else { return nil }
        // The stored part must have been decoded with the same libraries.
        let fingerprint = SoundSource.peaksFingerprint(
            of: sound.digest, request.decodedFramesPerPeak, track: request.track
        ).build()
        guard stored.info.fingerprint == fingerprint, request.sound.digest(ofFirst: sound.byteCount) == sound.digest
        else { return nil }
        return sound
    }

    private func finish(_ key: RunKey, _ number: Int, _ result: Result<DecodedSound, DrawingError>) {
        state.withLock { state in
            // Another decoding may have begun after a cancellation.
            if state.running[key]?.number == number { state.running[key] = nil }
            if case .success(let sound) = result { remember(sound, key.fingerprint, &state) }
        }
    }

    private func remember(_ sound: DecodedSound, _ fingerprint: Fingerprint, _ state: inout State) {
        state.recent.removeAll { $0.fingerprint == fingerprint }
        if sound.trust?.isLost == true { return }
        state.recent.append((fingerprint, sound))
        var bytes = state.recent.reduce(0) { $0 + $1.sound.pyramid.byteCount }
        while bytes > limit, state.recent.count > 1 {
            bytes -= state.recent.removeFirst().sound.pyramid.byteCount
        }
    }
}
