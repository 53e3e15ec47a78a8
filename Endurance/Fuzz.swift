import Foundation
import Offstage
import OffstageImages
import OffstageInk
import OffstagePages
import OffstageSound
import OffstageWebKit

/// Draws mutated files from all sources for some time. Each must give a picture or a typed error within its time
/// limit.
@MainActor
struct Fuzz {
    let seconds: Double
    let seed: UInt64
    let folders: [String]

    private nonisolated static let (timeout, grace) = (1.0, 1.0)

    /// Returns true if nothing went wrong.
    func run() async throws -> Bool {
        let documents = folders.flatMap(Files.documents).map { [UInt8]($0.bytes) }
        if documents.isEmpty { throw EngineUnavailable(problem: "there are no documents", remedy: "name a folder") }
        let images = folders.flatMap(Files.images).map { [UInt8]($0.bytes) }
        let sounds = folders.flatMap(Files.sounds).map { [UInt8]($0.bytes) }
        let notes = folders.flatMap(Files.ink).map { [UInt8]($0.bytes) }
        let pages = folders.flatMap(Files.pages).map { [UInt8]($0.bytes) }
        print(
            "seed \(seed), \(documents.count) documents, \(images.count) image files, \(sounds.count) sounds, "
                + "\(notes.count) files with ink, \(pages.count) PDF documents")
        let engine = WebEngine(views: 2)
        let imageEngine = ImageEngine(workers: 2)
        let inkEngine = InkEngine(workers: 1)
        var configuration = RendererConfiguration()
        configuration.store = nil
        let soundEngine = SoundEngine(workers: 2)
        let pageEngine = PageEngine(workers: 1)
        let renderer = Renderer(
            engines: [engine, imageEngine, soundEngine, inkEngine, pageEngine], configuration: configuration)
        var mutator = Mutator(documents: documents, seed: seed)
        var imageMutator = images.isEmpty ? nil : Mutator(documents: images, seed: seed)
        var soundMutator = sounds.isEmpty ? nil : Mutator(documents: sounds, seed: seed)
        var inkMutator = notes.isEmpty ? nil : Mutator(documents: notes, seed: seed)
        var pageMutator = pages.isEmpty ? nil : Mutator(documents: pages, seed: seed)
        var counts: [String: Int] = [:]
        var late: [Int] = []
        var number = 0
        let end = ContinuousClock.now + .seconds(seconds)
        // Starts the engine; not counted as a trial.
        _ = try? await renderer.picture(for: Snippet("<p>first", identifier: "first"))
        let loop = LoopWatch()
        try await withThrowingTaskGroup(of: (Int, String, Duration).self) { group in
            func add() {
                number += 1
                if number % 2 == 0, let file = imageMutator?.next() {
                    var image = ImageFile(identifier: "\(number)", data: file)
                    image.geometry.width = 200
                    // For animations, also draws a frame that needs earlier ones.
                    image.frame = number % 8 == 0 ? 2 : 1
                    image.limits.budget.seconds = Self.timeout
                    return draw(image)
                }
                if number % 4 == 1, let file = soundMutator?.next() {
                    var waveform = Waveform(identifier: "\(number)", sound: Sound(Data(file)))
                    waveform.limits.budget.seconds = 10 * Self.timeout
                    return draw(waveform)
                }
                if number % 3 == 0, let file = inkMutator?.next() {
                    var drawing = InkDrawing(InkDocument(file), identifier: "\(number)")
                    drawing.fit = FitBox(width: 400, height: 400)
                    drawing.limits.unpackedBytes = 64 << 20
                    drawing.limits.budget.processorSeconds = 2
                    return draw(drawing)
                }
                if number % 24 == 7, let file = pageMutator?.next() {
                    var page = DocumentPage(PageDocument(Data(file)), identifier: "\(number)")
                    page.fit = FitBox(width: 400, height: 400)
                    page.budget.seconds = Self.timeout
                    return draw(page)
                }
                var snippet = Snippet(identifier: "\(number)", html: mutator.next(), timeout: Self.timeout)
                snippet.runsScripts = mutator.chance(0.2)
                snippet.limits.grace = Self.grace
                snippet.limits.memory = 1 << 30
                draw(snippet)
            }
            func draw(_ request: some DrawingRequest) {
                let index = number
                group.addTask {
                    let start = ContinuousClock.now
                    do throws(RenderError) {
                        _ = try await renderer.picture(for: request)
                        return (index, "picture", start.duration(to: .now))
                    } catch {
                        return (index, Self.name(error.reason), start.duration(to: .now))
                    }
                }
            }
            for _ in 0..<2 { add() }
            while let (index, outcome, time) = try await group.next() {
                counts[outcome, default: 0] += 1
                // Twice the time limit, plus the start of two processes and the tiles of a tall picture.
                if time > .seconds(2 * (Self.timeout + Self.grace) + 20) { late.append(index) }
                if ContinuousClock.now < end { add() }
            }
        }
        print(loop.end())
        await renderer.finish()
        print(
            "\(number) inputs: \(counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))"
        )
        print("engine restarted \(engine.restarts) times")
        print("image workers restarted \(imageEngine.restarts) times")
        print("sound workers restarted \(soundEngine.restarts) times")
        print("ink workers restarted \(inkEngine.restarts) times")
        print("page workers restarted \(pageEngine.restarts) times")
        if !late.isEmpty { print("too late: inputs \(late)") }
        return late.isEmpty && counts["unavailable"] == nil
    }

    /// The name of the error's case.
    private nonisolated static func name(_ reason: DrawingError) -> String {
        String("\(Mirror(reflecting: reason).children.first?.label ?? "\(reason)")".prefix(40))
    }
}

enum Files {
    /// The HTML files in a folder and its subfolders, in order.
    static func documents(in folder: String) -> [(name: String, bytes: Data)] {
        files(in: folder) { $0.hasSuffix(".html") }
    }

    /// The image files in a folder and its subfolders, recognized by their content, in order.
    static func images(in folder: String) -> [(name: String, bytes: Data)] {
        files(in: folder) { !$0.hasSuffix(".html") }.filter { ImageKind(of: $0.bytes) != nil }
    }

    /// The sound files in a folder and its subfolders, recognized by their content, in order.
    static func sounds(in folder: String) -> [(name: String, bytes: Data)] {
        files(in: folder) { !$0.hasSuffix(".html") }.filter { SoundKind(of: $0.bytes) != nil }
    }

    /// The ink files in a folder and its subfolders, in order.
    static func ink(in folder: String) -> [(name: String, bytes: Data)] {
        files(in: folder) { name in [".xopp", ".xoj", ".inkml", ".rnote"].contains { name.hasSuffix($0) } }
    }

    /// The PDF documents in a folder and its subfolders, in order.
    static func pages(in folder: String) -> [(name: String, bytes: Data)] {
        files(in: folder) { $0.hasSuffix(".pdf") }
    }

    private static func files(in folder: String, _ isWanted: (String) -> Bool) -> [(name: String, bytes: Data)] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter(isWanted).sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name, $0) }
        }
    }
}
