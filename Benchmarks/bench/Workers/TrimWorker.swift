import Foundation
import Offstage

/// Makes a store smaller by a tenth, and then continues storing at the limit.
struct TrimWorker {
    let folder: String

    /// - Returns: `seconds`, the time of the trimming; `wait`, the longest wait of a writer meanwhile, in
    ///   milliseconds; and the disk space as a percentage of the limit: `after` the trimming, and the `most` while
    ///   storing continues.
    func run() async -> [String: Double] {
        let full = await PictureStore(folder: folder, limits: StoreLimits(bytes: 1 << 40, freeBytes: 0)).statistics()
        let limit = full.diskBytes / 10 * 9
        let store = PictureStore(folder: folder, limits: StoreLimits(bytes: limit, freeBytes: 0))
        func percent() async -> Double { Double(await store.statistics().diskBytes) / Double(limit) * 100 }

        async let trimming = timed { await store.trim() }
        var longest = Duration.zero
        for number in 0..<100 {
            longest = max(longest, await timed { await store.store(Self.picture(number), for: Self.key(number)) }.time)
        }
        let seconds = await trimming.time / .seconds(1)
        let after = await percent()

        // As many pictures as it evicted, so that it has to continue trimming in the background.
        var most = after
        let size = Self.picture(0).data.count
        for number in 0..<limit / 10 / size {
            await store.store(Self.picture(number), for: Self.key(number))
            if number % 500 == 0 { most = max(most, await percent()) }
        }
        most = max(most, await percent())
        await store.finish()
        return ["seconds": seconds, "wait": longest / .milliseconds(1), "after": after, "most": most]
    }

    private static func key(_ number: Int) -> PictureKey {
        PictureKey("new/row-\(getpid())-\(number)", variant: "png")
    }

    /// 12 KiB of unique data.
    private static func picture(_ number: Int) -> StoredPicture {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<1536).map { _ in generator.next() }
        var builder = Fingerprint.Builder()
        builder.add("html", "\(getpid()) \(number)")
        return StoredPicture(
            data: words.withUnsafeBytes { Data($0) },
            info: PictureInfo(
                fingerprint: builder.build(), format: "png", size: PixelSize(width: 400, height: 106), scale: 1,
                isOpaque: true))
    }
}
