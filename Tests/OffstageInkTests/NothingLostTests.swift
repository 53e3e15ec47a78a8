import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Situations in which work was once lost.
struct NothingLostTests {
    @Test(
        "Opening, changing, saving and closing a file leaves 200 neighbours with all sorts of names unchanged"
    )
    func neighbours() async throws {
        let folder = try InkFolder()
        for name in ["Song", "Song.xopp", "Song (new).xopp"] {
            var neighbours: [String] = []
            for suffix in [
                ".new-verse.xopp", ".journal-2024.xopp", ".lock", ".journal", ".new", ".original", ".tmp", "~", ".bak",
                ".journal-0123456789ab", ".new-1234", ".offstage-journal", ".offstage-new", ".offstage-lock", " 2",
            ] {
                neighbours += [name + suffix, "." + name + suffix + ".mine", name + suffix + ".xopp"]
            }
            // Names that Offstage also uses, for files of other programs.
            for purpose in ["journal", "new", "new-2"] { neighbours.append(".\(name).offstage-\(purpose)") }
            for index in 0..<21 { neighbours.append("\(name)\(index)") }
            for (index, neighbour) in neighbours.enumerated() {
                try Data("\(index) of somebody else".utf8).write(to: folder.folder.appendingPathComponent(neighbour))
            }
        }
        let before = folder.contents
        #expect(before.count > 200)
        for name in ["Song.xopp", "Song (new).xopp"] {
            var opened = try await folder.open(name + "z")
            opened.draw(0..<3)
            await opened.save()
            opened.draw(3..<5)
            await opened.file.close()
            var again = try await folder.open(name + "z")
            #expect(again.numbers == Array(0..<5))
            await again.save()
            await again.file.close()
        }
        for name in ["Song.xopp", "Song (new).xopp", "Song"] {
            try FileManager.default.removeItem(atPath: folder.path(name) + "0")
            var opened = try await folder.open(name + "0")
            opened.draw(0..<3)
            await opened.save()
            await opened.file.close()
        }
        var after = folder.contents
        for (name, data) in before where !name.hasSuffix("0") || name.hasPrefix(".") {
            #expect(after[name] == data, "\(name)")
        }
        for name in before.keys { after[name] = nil }
        let ours = after.keys.filter { !$0.contains(".offstage-journal") }
        #expect(ours.sorted() == ["Song (new).xoppz", "Song.xoppz"])
        await folder.engine.shutDown()
    }

    @Test("A file has one writer under all its names, and a save leaves the names unchanged")
    func links() async throws {
        let folder = try InkFolder()
        try await folder.rewrite("real.xopp") { $0.pages[0].layers[0].items = [.stroke(straightStroke(0))] }
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: folder.path("sub/middle.xopp"), withDestinationPath: "../real.xopp")
        try manager.createSymbolicLink(atPath: folder.path("link.xopp"), withDestinationPath: "sub/middle.xopp")
        #expect(link(folder.path("real.xopp"), folder.path("hard.xopp")) == 0)
        for (name, number) in [("link.xopp", 1), ("hard.xopp", 2), ("real.xopp", 3)] {
            var first = try await folder.open(name)
            #expect(!first.file.isReadOnly, "\(name)")
            for other in ["real.xopp", "link.xopp", "hard.xopp", "sub/middle.xopp"] {
                let second = try await folder.open(other)
                #expect(second.file.isReadOnly, "\(name), \(other)")
            }
            first.draw(number..<(number + 1))
            await first.save()
            await first.file.close()
            for name in ["real.xopp", "link.xopp", "hard.xopp", "sub/middle.xopp"] {
                #expect(try await folder.strokes(name).map(\.number) == Array(0...number), "\(name)")
            }
        }
        #expect(folder.info("link.xopp").st_mode & S_IFMT == S_IFLNK)
        #expect(folder.info("sub/middle.xopp").st_mode & S_IFMT == S_IFLNK)
        #expect(folder.info("real.xopp").st_ino == folder.info("hard.xopp").st_ino)
        await folder.engine.shutDown()
    }

    @Test(
        "Changes that were journaled under one name are restored under another", arguments: ["link.xopp", "hard.xopp"])
    func journalOfAFile(other: String) async throws {
        let folder = try InkFolder()
        try await folder.rewrite("real.xopp") { $0.pages[0].layers[0].items = [.stroke(straightStroke(0))] }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.xopp"), withDestinationPath: "real.xopp")
        #expect(link(folder.path("real.xopp"), folder.path("hard.xopp")) == 0)
        do {
            var opened = try await folder.open("real.xopp")
            opened.draw(1..<4)
            #expect(await opened.file.synchronize())
        }
        let again = try await folder.open(other)
        #expect(again.numbers == [0, 1, 2, 3] && again.isRecovered)
        await again.file.close()
        await folder.engine.shutDown()
    }

    @Test("An interrupted write in place is completed from the journal", arguments: [0, 1, 40, 300])
    func cutOff(bytes: Int) async throws {
        let folder = try InkFolder()
        try await folder.rewrite("real.xopp") { $0.pages[0].layers[0].items = [.stroke(straightStroke(0))] }
        #expect(link(folder.path("real.xopp"), folder.path("hard.xopp")) == 0)
        let old = try Data(contentsOf: folder.folder.appendingPathComponent("real.xopp"))
        var opened = try await folder.open("real.xopp")
        opened.draw(1..<4)
        #expect(await opened.file.synchronize())
        let journal = try #require(folder.contents[".real.xopp.offstage-journal"])
        await opened.save()
        await opened.file.close()
        let new = try Data(contentsOf: folder.folder.appendingPathComponent("real.xopp"))
        // Write a part of the file, as if the program had been killed halfway.
        try journal.write(to: folder.folder.appendingPathComponent(".real.xopp.offstage-journal"))
        let handle = try FileHandle(forWritingTo: folder.folder.appendingPathComponent("real.xopp"))
        try handle.write(contentsOf: new.prefix(bytes) + old.dropFirst(bytes))
        try handle.close()
        var again = try await folder.open("hard.xopp")
        #expect(again.numbers == [0, 1, 2, 3])
        await again.save()
        await again.file.close()
        #expect(try await folder.strokes("real.xopp").map(\.number) == [0, 1, 2, 3])
        await folder.engine.shutDown()
    }

    @Test("Strokes after one without points keep their positions", arguments: ["", "1e9 1e9 2e9 2e9"])
    func emptyStrokes(points: String) async throws {
        let folder = try InkFolder()
        let items = "<stroke width=\"1\">\(points)</stroke><stroke width=\"1\">0 0 0 8</stroke>"
        let file = "<xournal><page width=\"99\" height=\"99\"><background/><layer>\(items)</layer></page></xournal>"
        try Data(file.utf8).write(to: folder.folder.appendingPathComponent("notes.xopp"))
        do {
            var opened = try await folder.open()
            opened.draw(1..<3)
            await opened.save()
            opened.draw(3..<13)
            #expect(await opened.file.synchronize())
        }
        var again = try await folder.open()
        #expect(again.numbers == Array(0..<13))
        let isUndone = again.editor.undo()
        #expect(isUndone)
        #expect(again.numbers == Array(0..<12))
        await again.file.close()
        await folder.engine.shutDown()
    }

    @Test("Strokes on a page without a layer are restored")
    func noLayer() async throws {
        let folder = try InkFolder()
        let file = "<xournal><page width=\"99\" height=\"99\"><background/></page></xournal>"
        try Data(file.utf8).write(to: folder.folder.appendingPathComponent("notes.xopp"))
        do {
            var opened = try await folder.open()
            opened.draw(0..<3)
            #expect(await opened.file.synchronize())
        }
        let again = try await folder.open()
        #expect(again.numbers == [0, 1, 2])
        await again.file.close()
        await folder.engine.shutDown()
    }

    @Test("A second save while the file is being written is carried out afterwards")
    func twoSaves() async throws {
        let folder = try InkFolder()
        var opened = try await folder.open()
        opened.draw(0..<400)
        opened.file.save(&opened.editor)
        opened.draw(400..<402)
        opened.file.save(&opened.editor)
        opened.draw(402..<405)
        opened.file.save(&opened.editor)
        await opened.file.close()
        #expect(try await folder.strokes().map(\.number) == Array(0..<405))
        await folder.engine.shutDown()
    }

    @Test("After a full disk, unwritten changes are written in order", arguments: [0, 7, 300, 4000])
    func fullDisk(free: Int) async throws {
        let folder = try InkFolder()
        do {
            var opened = try await folder.open()
            opened.draw(0..<3)
            #expect(await opened.file.synchronize())
            folder.setFree(free)
            opened.draw(3..<43)
            await opened.file.synchronize()
            await opened.save()
            opened.draw(43..<44)
            #expect(await !opened.file.synchronize())
            #expect(folder.events == ["failed \(ENOSPC)"])
            folder.setFree(nil)
            opened.draw(44..<60)
            #expect(await opened.file.synchronize())
            #expect(folder.events == ["failed \(ENOSPC)", "stored"])
        }
        let again = try await folder.open()
        #expect(again.numbers == Array(0..<60))
        #expect(again.warnings.isEmpty)
        await again.file.close()
        await folder.engine.shutDown()
    }

    @Test("A flipped bit in a journal costs at most its own entry")
    func flippedBit() async throws {
        let folder = try InkFolder()
        do {
            var opened = try await folder.open()
            opened.draw(0..<50)
            opened.editor.undo()
            opened.editor.remove([InkPlace(page: 0, layer: 0, index: 40)])
            opened.file.append(from: &opened.editor)
            #expect(await opened.file.synchronize())
        }
        let file = folder.folder.appendingPathComponent(".notes.xopp.offstage-journal")
        let journal = try Data(contentsOf: file)
        for place in stride(from: 0, to: journal.count, by: 211) {
            var damaged = journal
            damaged[place] ^= 4
            try damaged.write(to: file)
            let opened = try await folder.open()
            // At most one stroke, one removal or one undo is missing.
            let expected: Set<Int> = Set(0..<49).subtracting([40])
            let missing = expected.subtracting(opened.numbers)
            #expect(missing.count <= 1, "byte \(place): \(missing)")
            #expect(try Data(contentsOf: file) == damaged, "opening changes nothing")
        }
        await folder.engine.shutDown()
    }
}
