import Foundation
import Offstage

/// Fills a store unless it is already full, and prints the times. Run it twice: the second run measures a store that
/// only has to be opened. Rows have 16 KiB, like most rows of lists.
func measure(_ count: Int) async {
    let clock = ContinuousClock()
    func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
    }
    let first = await clock.measure { _ = await store.record(for: rowKey(0)) }
    print("opened, first answer: \(milliseconds(first)) ms")
    if await store.record(for: rowKey(count - 1)) == nil {
        let time = await clock.measure {
            for start in stride(from: 0, to: count, by: 100) {
                let numbers = start..<min(start + 100, count)
                await store.store(numbers.map { (rowKey($0), rowPicture($0)) })
            }
        }
        print("stored: \(milliseconds(time) * 1000 / Double(count)) us each")
    }
    var generator = SystemRandomNumberGenerator()
    var times: [Double] = []
    for _ in 0..<20_000 {
        let key = rowKey(Int.random(in: 0..<count, using: &generator))
        var isHit = false
        let time = await clock.measure { isHit = await store.picture(for: key) != nil }
        guard isHit else { exit(1) }
        times.append(milliseconds(time))
    }
    times.sort()
    print(
        "one hit after the other: \(20_000_000 / times.reduce(0, +)) a second, p50 \(times[10_000]), p99 \(times[19_800]) ms"
    )
    let keys = (0..<min(count, 10_000)).map { rowKey(Int($0) * count / min(count, 10_000)) }
    let together = await clock.measure { guard await store.pictures(for: keys).count == keys.count else { exit(1) } }
    print("\(keys.count) hits together: \(milliseconds(together)) ms")
    let records = await clock.measure { guard await store.records(for: keys).count == keys.count else { exit(1) } }
    print("\(keys.count) records together: \(milliseconds(records)) ms")
    let single = await clock.measure {
        for number in 0..<1000 {
            await store.store(rowPicture(count + number), for: rowKey(number))
        }
    }
    print("one picture stored after the other: \(milliseconds(single)) us each")
    print(await store.statistics())
    let finish = await clock.measure { await store.finish() }
    print("finished in \(milliseconds(finish)) ms")
}

/// Makes a store smaller, and prints the time and the final size. Concurrent writes must wait for one slice at most.
func measureTrim(_ folder: String, mebibytes: Int) async {
    let store = PictureStore(folder: folder, limits: StoreLimits(bytes: mebibytes << 20, freeBytes: 0))
    let clock = ContinuousClock()
    async let trim = clock.measure { await store.trim() }
    var longest = Duration.zero
    for number in 0..<200 {
        let time = await clock.measure { await store.store(rowPicture(-number), for: rowKey(-1)) }
        longest = max(longest, time)
    }
    print("trimmed in \(await trim), the longest wait of a writer was \(longest)")
    print(await store.statistics())
}

/// Pictures of a row's size, as many as in a list.
func measureMemory(_ count: Int) async {
    let cache = MemoryCache<Pixmap>(limits: MemoryCacheLimits(bytes: 1 << 40), cost: \.byteCount)
    let keys = (0..<count).map(rowKey)
    for key in keys {
        let size = PixelSize(width: 4, height: 4)
        cache.insert(Pixmap.filled(size: size, isOpaque: true) { _ in }, for: key)
    }
    let order = (0..<1_000_000).map { _ in keys[Int.random(in: 0..<count)] }
    let time = ContinuousClock().measure { for key in order where cache.value(for: key) == nil { exit(1) } }
    print("1,000,000 hits in memory: \(time)")
}

private func rowKey(_ number: Int) -> PictureKey { PictureKey("list/row-\(number)", variant: "full.png") }

private func rowPicture(_ number: Int) -> StoredPicture {
    var state = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15 | 1
    let words = (0..<2048).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
    var builder = Fingerprint.Builder()
    for name in ["html", "css", "geometry", "emulation", "engine", "fonts", "variant"] {
        builder.add(name, "\(number)")
    }
    return StoredPicture(
        data: words.withUnsafeBytes { Data($0) },
        info: PictureInfo(
            fingerprint: builder.build(), dependencies: [Dependency(path: "rows.css", digest: Digest(of: "css"))],
            format: "png", size: PixelSize(width: 400, height: 106), scale: 1, isOpaque: true))
}
