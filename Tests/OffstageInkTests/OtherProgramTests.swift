import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Another program, which does not know about journals, writes the same file.
struct OtherProgramTests {
    private static let added = InkItem.stroke(straightStroke(100))

    @Test("Another program's additions are merged when the file is saved")
    func merge() async throws {
        let folder = try InkFolder()
        var opened = try await folder.open()
        opened.draw(0..<3)
        await opened.save()
        try await folder.rewrite { $0.pages[0].layers[0].items.insert(Self.added, at: 1) }
        let theirs = folder.contents["notes.xopp"]
        opened.draw(3..<5)
        await opened.save()
        #expect(folder.events.last == "changedElsewhere true")
        #expect(opened.file.isChangedElsewhere)
        #expect(folder.contents["notes.xopp"] == theirs, "nothing was written over it")
        #expect(opened.file.merge(into: &opened.editor) == 1)
        await opened.file.finishSaves()
        #expect(folder.events.last == "saved")
        #expect(try await folder.strokes().map(\.number) == [0, 1, 2, 3, 4, 100])
        // Undo removes our own strokes.
        opened.editor.undo()
        #expect(opened.numbers == [0, 1, 2, 3, 100])
        await opened.file.close()
        let again = try await folder.open()
        #expect(again.numbers == [0, 1, 2, 3, 4, 100])
        await again.file.close()
        await folder.engine.shutDown()
    }

    @Test("A host that only saves loses nothing either", arguments: [true, false])
    func saveAgain(grows: Bool) async throws {
        let folder = try InkFolder()
        var opened = try await folder.open()
        opened.draw(0..<3)
        await opened.save()
        try await folder.rewrite { ink in
            if !grows { ink.pages[0].layers[0].items.removeFirst() }
            ink.pages[0].layers[0].items.append(Self.added)
        }
        opened.draw(3..<5)
        await opened.save()
        opened.draw(5..<6)
        await opened.save()
        if grows {
            #expect(try await folder.strokes().map(\.number) == [0, 1, 2, 3, 4, 5, 100].sortedAsMerged)
        } else {
            #expect(folder.events.contains("moved"))
            #expect(try await folder.strokes().map(\.number) == [1, 2, 100])
            let name = (opened.file.path as NSString).lastPathComponent
            #expect(name.hasPrefix("notes (conflict 20") && name.hasSuffix(").xopp"))
            #expect(try await folder.strokes(name).map(\.number) == Array(0..<6))
            // The file with the conflicting changes is the one that is open now.
            opened.draw(6..<7)
            await opened.save()
            #expect(try await folder.strokes(name).map(\.number) == Array(0..<7))
            let other = try await folder.open()
            #expect(!other.file.isReadOnly)
        }
        await opened.file.close()
        await folder.engine.shutDown()
    }

    @Test("Changes that are only in the journal are merged if the file has since grown")
    func grownSince() async throws {
        let folder = try InkFolder()
        do {
            var opened = try await folder.open()
            opened.draw(0..<3)
            await opened.save()
            opened.draw(3..<6)
            opened.editor.remove([InkPlace(page: 0, layer: 0, index: 0)])
            opened.file.append(from: &opened.editor)
            #expect(await opened.file.synchronize())
        }
        for round in 0..<2 {
            let number = 100 + round
            try await folder.rewrite { ink in
                ink.pages[0].layers[0].items.append(.stroke(straightStroke(number)))
                ink.pages.append(InkPage(layers: [InkLayer(strokes: [straightStroke(200 + round)])]))
            }
            var again = try await folder.open()
            #expect(again.isRecovered && again.mergedItems == 2 && again.secondFile == nil)
            let expected: Set<Int> = round == 0 ? [1, 2, 3, 4, 5, 100, 200] : [1, 2, 3, 4, 5, 100, 101, 200, 201]
            #expect(Set(again.numbers) == expected)
            #expect(await again.file.synchronize())
            if round == 1 {
                await again.save()
                let saved = try await folder.strokes().map(\.number)
                #expect(Set(saved) == expected)
            }
        }
        await folder.engine.shutDown()
    }

    @Test("Changes that are only in the journal go to a second file if the file was rewritten")
    func rewrittenSince() async throws {
        let folder = try InkFolder()
        do {
            var opened = try await folder.open()
            opened.draw(0..<3)
            await opened.save()
            opened.draw(3..<6)
            #expect(await opened.file.synchronize())
        }
        try await folder.rewrite { $0.pages[0].layers[0].items = [Self.added] }
        let again = try await folder.open()
        #expect(again.numbers == [100])
        let second = try #require(again.secondFile)
        #expect(try await folder.strokes((second as NSString).lastPathComponent).map(\.number) == Array(0..<6))
        await again.file.close()
        await folder.engine.shutDown()
    }

    @Test("A file that another program has truncated or removed is restored from the journal", arguments: [-1, 0, 20])
    func cut(bytes: Int) async throws {
        let folder = try InkFolder()
        do {
            var opened = try await folder.open()
            opened.draw(0..<3)
            await opened.save()
            opened.draw(3..<6)
            #expect(await opened.file.synchronize())
        }
        if bytes < 0 { unlink(folder.path()) } else { truncate(folder.path(), off_t(bytes)) }
        var again = try await folder.open()
        #expect(again.numbers == Array(0..<6) && again.isRecovered)
        await again.save()
        await again.file.close()
        #expect(try await folder.strokes().map(\.number) == Array(0..<6))
        await folder.engine.shutDown()
    }

    @Test("A removed folder causes one event, and the strokes are stored when the folder exists again")
    func removedFolder() async throws {
        let folder = try InkFolder()
        let inner = folder.path("inner")
        let manager = FileManager.default
        try manager.createDirectory(atPath: inner, withIntermediateDirectories: true)
        var opened = try await folder.open("inner/notes.xopp")
        opened.draw(0..<3)
        #expect(await opened.file.synchronize())
        try manager.removeItem(atPath: inner)
        opened.draw(3..<4)
        #expect(await !opened.file.synchronize())
        await opened.save()
        #expect(folder.events == ["failed \(ENOENT)"])
        try manager.createDirectory(atPath: inner, withIntermediateDirectories: true)
        opened.draw(4..<5)
        #expect(await opened.file.synchronize())
        await opened.save()
        #expect(folder.events == ["failed \(ENOENT)", "stored", "saved"])
        await opened.file.close()
        #expect(try await folder.strokes("inner/notes.xopp").map(\.number) == Array(0..<5))
        await folder.engine.shutDown()
    }

    @Test("A folder that is not writable causes one event, which says what to do")
    func readOnlyFolder() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        let (events, sender) = AsyncStream.makeStream(of: InkFile.Event.self)
        // No user can create a file there, not even root.
        var opened = try await InkFile.open("/proc/notes.xopp", engine: engine) { sender.yield($0) }
        #expect(!opened.file.isReadOnly, "nobody else has it")
        opened.draw(0..<3)
        opened.file.save(&opened.editor)
        await opened.file.finishSaves()
        #expect(opened.numbers == [0, 1, 2])
        sender.finish()
        var texts: [String] = []
        for await event in events { if case .failed(let error) = event { texts.append("\(error)") } }
        #expect(texts.count == 1 && texts[0].contains("; ") && texts[0].contains("stored"), "\(texts)")
        await engine.shutDown()
    }
}

extension [Int] {
    /// The order after a merge: strokes drawn in the editor come before the merged stroke.
    fileprivate var sortedAsMerged: [Int] { [0, 1, 2, 3, 4, 5, 100] }
}
