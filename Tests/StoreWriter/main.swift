import Foundation
import Offstage
import Samples

// A separate process for the store's tests. It can be killed and can be given a small or read-only disk.
//
//   StoreWriter write FOLDER SEED    stores pictures for ever; writes a byte to standard output for each 48
//   StoreWriter redraw FOLDER SEED   draws rows for ever, as a renderer does; writes a byte for each 16
//   StoreWriter fill FOLDER COUNT [MIB]  stores COUNT pictures, leaving MIB of the disk free; prints what happened
//   StoreWriter check FOLDER         checks every picture and prints their number; exit code 1 if one is wrong
//   StoreWriter draw FOLDER COUNT    draws COUNT rows as a renderer does; prints how many it drew itself
//   StoreWriter stall FOLDER COUNT   starts to draw a row, writes a byte to standard output, and never ends
//   StoreWriter starve FOLDER        reads a large picture with no descriptor left, and again; prints the results
//   StoreWriter measure FOLDER COUNT measures a store with COUNT pictures
//   StoreWriter trim FOLDER MIB      measures how quickly the store becomes smaller

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
let warnings = Warnings()
let free = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
let store = PictureStore(folder: arguments[2], limits: StoreLimits(freeBytes: free << 20)) { warnings.note($0) }

switch arguments[1] {
case "write": await write(seed: number)
case "fill": await fill(number)
case "check": await check()
case "redraw": await redraw(seed: number)
case "draw": await draw(number)
case "stall": await stall(number)
case "starve": await starve()
case "measure":
    await measureMemory(number)
    await measure(number)
case "trim": await measureTrim(arguments[2], mebibytes: number)
default: exit(2)
}

func write(seed: Int) async {
    var version = seed * 1_000_003
    while true {
        // Many pictures in one transaction, so that a kill is more likely to interrupt it.
        let pictures = (version..<version + 48).map { version in
            let key = Sample.key(version * 7 % 64)
            return (key, Sample.picture(key, version: version))
        }
        guard await store.store(pictures), warnings.all.isEmpty else { exit(1) }
        version += 48
        FileHandle.standardOutput.write(Data(".".utf8))
    }
}

func redraw(seed: Int) async {
    var configuration = RendererConfiguration()
    configuration.store = store
    let renderer = Renderer(engine: SampleEngine(), configuration: configuration)
    var content = seed * 1009
    while true {
        let rows = (content..<content + 16).map { SampleRow($0 * 7 % 64, content: $0 % SampleRow.contents) }
        await withTaskGroup(of: Void.self) { group in
            for row in rows { group.addTask { if (try? await renderer.picture(for: row)) == nil { exit(1) } } }
        }
        guard warnings.all.isEmpty else { exit(1) }
        content += 16
        FileHandle.standardOutput.write(Data(".".utf8))
    }
}

func fill(_ count: Int) async {
    var (kept, found) = (0, 0)
    for number in 0..<count {
        let key = Sample.key(number)
        if await store.store(Sample.picture(key, version: number), for: key) { kept += 1 }
    }
    if free > 0 { await store.trim() }
    for number in 0..<count {
        let key = Sample.key(number)
        guard let picture = await store.picture(for: key) else { continue }
        guard Sample.isRight(picture, for: key) else { exit(1) }
        found += 1
    }
    print("kept \(kept), found \(found)")
    for warning in warnings.all { print(warning) }
}

func draw(_ count: Int) async {
    let engine = SampleEngine()
    var configuration = RendererConfiguration()
    configuration.store = store
    let renderer = Renderer(engine: engine, configuration: configuration)
    await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask { if (try? await renderer.picture(for: SampleRow(number))) == nil { exit(1) } }
        }
    }
    await renderer.finish()
    print("drawn \(engine.count)")
    for warning in warnings.all { print(warning) }
}

func stall(_ number: Int) async {
    var configuration = RendererConfiguration()
    configuration.store = store
    let engine = SampleEngine {
        FileHandle.standardOutput.write(Data(".".utf8))
        while true { pause() }
    }
    _ = try? await Renderer(engine: engine, configuration: configuration).picture(for: SampleRow(number))
}

func starve() async {
    let key = Sample.key(0)
    var picture = Sample.picture(key, version: 0)
    picture.data = Data(count: 1 << 20)
    await store.store(picture, for: key)
    // Opens the database.
    _ = await store.picture(for: key)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let before = limit.rlim_cur
    limit.rlim_cur = 3
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let starved = await store.picture(for: key) != nil
    limit.rlim_cur = before
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    print("starved \(starved), later \(await store.picture(for: key) != nil)")
}

func check() async {
    let report = await store.verify()
    for error in report.databaseErrors { print(error) }
    let keys = await store.entries().map(\.key)
    let pictures = await store.pictures(for: keys)
    let wrong = keys.filter { key in pictures[key].map { !Sample.isRight($0, for: key) } ?? true }
    print("\(keys.count) pictures, \(report.damaged.count) damaged, \(wrong.count) wrong")
    exit(report.isWhole && wrong.isEmpty ? 0 : 1)
}
