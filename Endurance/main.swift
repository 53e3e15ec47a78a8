import Foundation
import OffstageWebKit

// `endure fuzz SECONDS [SEED] FOLDER…`, `endure memory SECONDS [SEED] FOLDER…`, `endure serve INPUTS SEED PROGRAM`
// and `endure soak ROWS SNIPPETS HOSTILE`: see the Makefile. `endure restarts 500 early` reports what replaced
// processes leave behind.
PinnedEnvironment.apply()
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    let isGood = try MainLoop.run {
        switch arguments.first {
        case "fuzz" where arguments.count >= 4:
            let seed = UInt64(arguments[2]) ?? UInt64.random(in: 0...999_999)
            return try await Fuzz(seconds: Double(arguments[1]) ?? 15, seed: seed, folders: Array(arguments[3...]))
                .run()
        case "memory" where arguments.count >= 4:
            let seed = UInt64(arguments[2]) ?? UInt64.random(in: 0...999_999)
            return await ForeignMemory(
                seconds: Double(arguments[1]) ?? 15, seed: seed, folders: Array(arguments[3...])
            ).run()
        case "soak" where arguments.count == 4:
            let soak = Soak(rows: Int(arguments[1]) ?? 20_000, snippets: arguments[2], hostile: arguments[3])
            return try await soak.run()
        case "serve" where arguments.count >= 4:
            let seed = UInt64(arguments[2]) ?? UInt64.random(in: 0...999_999)
            let chosen = arguments[4...].compactMap { Int($0) }
            return try ServeFuzz(
                count: Int(arguments[1]) ?? 1500, seed: seed, program: arguments[3], chosen: chosen
            ).run()
        case "restarts" where arguments.count >= 3:
            let way = Restarts.Way(rawValue: arguments[2]) ?? .recycle
            return try await Restarts(
                count: Int(arguments[1]) ?? 500, way: way, isSandboxed: arguments.last != "no-sandbox"
            ).run()
        default:
            print(
                """
                endure fuzz SECONDS SEED|- FOLDER…
                endure memory SECONDS SEED|- FOLDER…
                endure soak ROWS SNIPPETS HOSTILE
                endure serve INPUTS SEED|- PROGRAM [INPUT…]
                endure restarts COUNT recycle|kill|early [no-sandbox]
                """)
            return false
        }
    }
    ChildProcesses.endAllWithDisplays()
    let isClean = ChildProcesses.descendants().isEmpty
    if !isClean { print("processes are left over") }
    exit(isGood && isClean ? 0 : 1)
} catch {
    ChildProcesses.endAllWithDisplays()
    print("\(error)")
    exit(3)
}
