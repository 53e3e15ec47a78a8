import Foundation
import Offstage
import Synchronization
import Testing

@testable import OffstageInk

/// Files that are changed, saved and interrupted by kills.
struct SavingTests {
    /// The folder is removed with the test.
    private final class Place: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ink-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private let place: Place
    private var folder: URL { place.folder }

    init() throws { place = try Place() }

    private static let writer = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
        "InkWriter")

    @Test("After kill -9, all strokes except the unfinished one are there; KILLS sets how often")
    func killed() async throws {
        let path = folder.appendingPathComponent("notes.xopp").path
        let engine = InkEngine(workers: 1, jail: .never)
        let count = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 12
        var random = SystemRandomNumberGenerator()
        var last = -1
        for round in 0..<count {
            let process = Process()
            process.executableURL = Self.writer
            process.arguments = [path]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            // Waits for some lines, and then kills the writer at any moment.
            var text = Data()
            let wanted = Int.random(in: 1...12, using: &random)
            while text.count(where: { $0 == 10 }) < wanted {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                text += more
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            text += output.fileHandleForReading.readDataToEndOfFile()
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
            last = try #require(lines.last, "round \(round) wrote nothing")
            let opened = try await InkFile.open(path, engine: engine) { _ in }
            #expect(!opened.file.isReadOnly)
            #expect(opened.warnings.isEmpty)
            let strokes = opened.editor.ink.pages[0].strokes
            // The last stroke may have been written but not reported.
            #expect(strokes.count == last + 1 || strokes.count == last + 2, "round \(round)")
            for (number, stroke) in strokes.enumerated() {
                #expect(stroke.points.count == 60)
                #expect(stroke.points[0].x == Float(number % 500))
            }
            #expect(opened.editor.canUndo)
            await opened.file.close()
        }
        await engine.shutDown()
        #expect(last > count)
    }

    @Test("Undo and redo still work after a restart, with or without a save")
    func history() async throws {
        let path = folder.appendingPathComponent("notes.xopp").path
        let engine = InkEngine(workers: 1, jail: .never)
        for saves in [false, true] {
            var expected: [Ink] = []
            do {
                var opened = try await InkFile.open(path, engine: engine) { _ in }
                for number in 0..<6 {
                    opened.editor.add(straightStroke(number), page: 0)
                    opened.file.append(from: &opened.editor)
                    if number == 3, saves { opened.file.save(&opened.editor) }
                }
                opened.editor.undo()
                opened.editor.undo()
                opened.file.append(from: &opened.editor)
                expected.append(opened.editor.ink)
                await opened.file.close()
            }
            var again = try await InkFile.open(path, engine: engine) { _ in }
            #expect(again.editor.ink == expected[0])
            #expect(again.editor.canUndo && again.editor.canRedo)
            again.editor.redo()
            again.editor.redo()
            #expect(again.editor.ink.strokeCount == expected[0].strokeCount + 2)
            #expect(!again.editor.canRedo)
            while again.editor.canUndo { again.editor.undo() }
            #expect(again.editor.ink.strokeCount == 0)
            again.file.save(&again.editor)
            await again.file.close()
        }
        await engine.shutDown()
    }

    @Test("Each opener of a file learns of the other; the second one cannot save")
    func sharing() async throws {
        let path = folder.appendingPathComponent("notes.xopp").path
        let engine = InkEngine(workers: 1, jail: .never)
        let (events, sender) = AsyncStream.makeStream(of: Void.self)
        let first = try await InkFile.open(path, engine: engine) { event in
            if case .openedElsewhere = event { sender.yield() }
        }
        let second = try await InkFile.open(path, engine: engine) { _ in }
        #expect(!first.file.isReadOnly && second.file.isReadOnly)
        for await _ in events { break }
        await engine.shutDown()
    }

    @Test("A file that was only opened keeps its bytes; a changed one keeps content that our format cannot store")
    func originals() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        let inkML = Data(
            "<ink xmlns=\"http://www.w3.org/2003/InkML\"><trace>10 0, 9 14, 8 28, 7 42, 6 56</trace></ink>".utf8)
        let whole = XournalWriter.file(Ink(pages: [InkPage(layers: [InkLayer(strokes: [straightStroke(1)])])])).data
        let cases: [(name: String, bytes: Data, keepsOriginal: Bool)] = [
            ("a.inkml", inkML, true), ("whole.xopp", whole, false), ("cut.xopp", whole.prefix(whole.count - 60), true),
            ("recorded.xopp", journal("<stroke fn=\"a.mp3\" ts=\"9\" width=\"1\">1 1 9 9</stroke>"), true),
            ("new.xopp", journal("<stroke width=\"1\">1 1 9 9</stroke><shape/>"), true),
        ]
        for (name, bytes, keepsOriginal) in cases {
            let path = folder.appendingPathComponent(name)
            try bytes.write(to: path)
            var opened = try await InkFile.open(path.path, engine: engine) { _ in }
            opened.file.save(&opened.editor)
            await opened.file.close()
            #expect(try Data(contentsOf: path) == bytes, "\(name)")

            let kept = Mutex<[String]>([])
            var changed = try await InkFile.open(path.path, engine: engine) { event in
                if case .keptOriginal(let name) = event { kept.withLock { $0.append(name) } }
            }
            for number in 0..<2 {
                changed.editor.add(straightStroke(number), page: 0)
                changed.file.save(&changed.editor)
                await changed.file.synchronize()
            }
            await changed.file.close()
            #expect(try Data(contentsOf: path) != bytes, "\(name)")
            #expect(kept.withLock { $0 } == (keepsOriginal ? [path.path + ".original"] : []), "\(name)")
            if keepsOriginal { #expect(try Data(contentsOf: path.appendingPathExtension("original")) == bytes) }
            let again = try await InkFile.open(path.path, engine: engine) { _ in }
            #expect(again.editor.ink.strokeCount >= 2)
            await again.file.close()
        }
        await engine.shutDown()
    }

    @Test("Reading a file warns about recordings; drawing it does not")
    func sources() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        let stroke = "<stroke width=\"1\">1 1 9 9</stroke>"
        for (item, codes) in [
            (stroke, []), ("<text x=\"1\" y=\"1\" size=\"9\" fn=\"a.mp3\" ts=\"0\">a</text>", ["ink-sources-ignored"]),
            ("<shape/>", ["ink-elements-ignored"]),
        ] {
            let document = InkDocument(journal(stroke + item))
            #expect(try await engine.load(document).warnings.map(\.code.name) == codes)
            let drawn = try await engine.draw(InkDrawing(document)).warnings.map(\.code.name)
            #expect(drawn == codes.filter { $0 != "ink-sources-ignored" })
        }
        await engine.shutDown()
    }

    private func journal(_ items: String) -> Data {
        Data("<xournal><page width=\"99\" height=\"99\"><background/><layer>\(items)</layer></page></xournal>".utf8)
    }

    @Test("A saved file has the same content, and its losses name anything that is missing")
    func roundTrip() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        var highlighter = straightStroke(3)
        (highlighter.tool, highlighter.color.opacity) = (.highlighter, 120)
        var pressed = straightStroke(4)
        pressed.dynamics = .pressure
        for index in pressed.points.indices { pressed.points[index].pressure = 0.5 + Float(index) / 4 }
        var dashed = straightStroke(5)
        (dashed.dash, dashed.cap, dashed.fill) = ([6, 3], .butt, 128)
        var page = InkPage(
            background: .paper(InkColor(red: 1, green: 2, blue: 3), .graph),
            layers: [InkLayer(name: "a <b> & \"c\"", strokes: [straightStroke(1), highlighter]), InkLayer()])
        (page.rulingMargin, page.rulingSpacing) = (40, 20)
        let ink = Ink(pages: [page, InkPage(width: 300, height: 200, layers: [InkLayer(strokes: [pressed, dashed])])])
        let file = XournalWriter.file(ink)
        #expect(file.losses.isEmpty)
        #expect(XournalWriter.file(ink).data == file.data)
        let (read, warnings) = try await engine.load(InkDocument(file.data))
        #expect(warnings.isEmpty)
        #expect(read.pages.count == 2 && read.pages[1].width == 300)
        #expect(read.pages[0].background == page.background)
        #expect(read.pages[0].rulingMargin == 40 && read.pages[0].rulingSpacing == 20)
        #expect(read.pages[0].layers.map(\.name) == ["a <b> & \"c\"", nil])
        #expect(read.pages[0].strokes == page.strokes)
        let strokes = read.pages[1].strokes
        #expect(strokes[1] == dashed)
        for (old, new) in zip(pressed.points.dropLast(), strokes[0].points) {
            #expect(abs(old.pressure - new.pressure) < 0.001)
        }
        var pencil = straightStroke(1)
        (pencil.tool, pencil.smoothing) = (.pencil, 0.5)
        pencil.points[0].tilt = 1
        let lossy = XournalWriter.file(Ink(pages: [InkPage(layers: [InkLayer(strokes: [pencil])])]))
        #expect(lossy.losses == [.curves, .pencil, .tilt])
        await engine.shutDown()
    }

    @Test("A journal that is cut off anywhere has its complete entries; with a damaged byte, it has all others")
    func cutJournal() throws {
        var editor = InkEditor(Ink())
        _ = editor.takeChanges()
        for number in 0..<5 { editor.add(straightStroke(number), page: 0) }
        editor.undo()
        let changes = editor.takeChanges()
        #expect(changes.count == 6)
        let bodies = [InkJournal.body(of: .base(InkJournal.Base()))] + changes.map { InkJournal.body(of: .change($0)) }
        let data = InkJournal.magic + InkJournal.framed(bodies, from: 0)
        #expect(InkJournalContents(data)?.changes.count == 6)
        #expect(InkJournalContents(data)?.isDamaged == false)
        #expect(InkJournalContents(Data("a file of somebody else".utf8)) == nil)
        for count in 0..<data.count {
            let read = InkJournalContents(data.prefix(count))
            #expect((read?.changes.count ?? 0) < 6 && read?.isDamaged != true)
            var damaged = data
            damaged[count] ^= 0x55
            let rest = try #require(InkJournalContents(damaged))
            #expect(rest.changes.count >= 5)
        }
    }

    @Test(
        "Invalid numbers in a foreign journal cost only their own entry",
        arguments: [Float.nan, .infinity, 1e30])
    func strangeJournal(number: Float) throws {
        let strange = Stroke([InkPoint(x: number, y: 1), InkPoint(x: 2, y: number)])
        let place = InkPlace(page: 0, layer: 0, index: 0)
        let bodies = [straightStroke(1), strange, straightStroke(2)].map { stroke in
            InkJournal.body(
                of: .change(.edit(.insert([(place, PackedItem(.stroke(stroke)))]), joins: false, check: nil)))
        }
        let read = try #require(InkJournalContents(InkJournal.magic + InkJournal.framed(bodies, from: 0)))
        #expect(read.changes.count == 2 && read.isDamaged)
        // The stroke could not be saved, so all indices after it would be wrong.
        var editor = InkEditor(Ink())
        #expect(editor.add(strange, page: 0) == nil && editor.add(Stroke([]), page: 0) == nil)
        #expect(editor.ink.pages[0].layers[0].items.isEmpty)
        let box = InkBox(left: number, top: -number, right: number, bottom: number)
        #expect(box.part(scale: 2).width >= 0)
    }
}

/// Uses only numbers that each format can store.
func straightStroke(_ number: Int) -> Stroke {
    Stroke((0..<5).map { InkPoint(x: Float(number) * 2, y: Float($0) * 8) }, width: 1.5)
}
