import Foundation
import Offstage
import SeededRandom

@testable import OffstageInk

/// A random sequence of all possible events for an ink file, and the content that is expected afterwards.
struct LossModel {
    private let folder: InkFolder
    private var random: SeededGenerator
    /// The name of the file being changed.
    private var name = "notes.xopp"
    private var opened: InkFile.Opened
    /// The strokes after each change since everything was last known to be on the disk.
    private var states: [Set<Int>] = [[]]
    /// Strokes of the other program that nobody has removed.
    private var others: Set<Int> = []
    /// Strokes that the other program removed or lost by truncating the file.
    private var removed: Set<Int> = []
    private var isCut = false
    /// The number of flipped bits so far. The journal keeps a damaged entry, and another flipped bit can make its
    /// repair impossible.
    private var flips = 0
    /// A change by undo or redo that no step of the history contains.
    private var strange: String?
    private var next = 0
    private(set) var steps: [String] = []

    init(seed: UInt64) async throws {
        folder = try InkFolder()
        random = SeededGenerator(seed: seed)
        opened = try await folder.open()
    }

    /// - Returns: the problem; nil if there is none.
    mutating func run(steps count: Int) async throws -> String? {
        for _ in 0..<count {
            if let problem = try await step() { return problem }
        }
        folder.setFree(nil)
        let problem = try await reopen(flips: 0, isKilled: random.oneIn(2))
        await opened.file.close()
        await folder.engine.shutDown()
        return problem
    }

    private mutating func step() async throws -> String? {
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<7: draw()
        case 7..<9: erase()
        case 9: turn("undo") { $0.undo() }
        case 10: turn("redo") { $0.redo() }
        case 11..<14: await save()
        case 14: await synchronize()
        case 15: return try await reopen(flips: 0, isKilled: false)
        case 16, 17: return try await reopen(flips: 0, isKilled: true)
        // If the file was truncated, the journal may be the only copy.
        case 18: return try await reopen(flips: isCut ? 0 : 1, isKilled: true)
        case 19: try await writeElsewhere()
        case 20:
            let free = Int.random(in: 0..<6000, using: &random)
            steps.append("full but for \(free)")
            folder.setFree(free)
        default:
            steps.append("free")
            folder.setFree(nil)
        }
        return strange
    }

    private mutating func draw() {
        let count = Int.random(in: 1...3, using: &random)
        steps.append("draw \(next)..<\(next + count)")
        opened.draw(next..<(next + count))
        next += count
        states.append(Set(opened.numbers))
    }

    private mutating func erase() {
        if opened.editor.ink.pages[0].layers.isEmpty { return }
        let count = opened.editor.ink.pages[0].layers[0].items.count
        if count == 0 { return }
        let index = Int.random(in: 0..<count, using: &random)
        let number = opened.editor.ink.pages[0].layers[0].items[index].stroke?.number ?? -1
        others.remove(number)
        change("erase \(number)") { $0.remove([InkPlace(page: 0, layer: 0, index: index)]) }
    }

    private mutating func change(_ text: String, _ body: (inout InkEditor) -> Void) {
        steps.append(text)
        body(&opened.editor)
        opened.file.append(from: &opened.editor)
        states.append(Set(opened.numbers))
    }

    /// Undo and redo keep the other program's additions and change only strokes in the history, even after a bit has
    /// flipped.
    private mutating func turn(_ text: String, _ body: (inout InkEditor) -> Void) {
        let before = Set(opened.numbers)
        change(text, body)
        let taken = before.subtracting(opened.numbers)
        if !taken.isDisjoint(with: others) { strange = "\(text) takes out \(taken), which another program has added" }
    }

    private mutating func save() async {
        let waits = !random.oneIn(3)
        steps.append(waits ? "save and wait" : "save")
        opened.file.save(&opened.editor)
        if waits { await opened.file.finishSaves() }
        states.append(Set(opened.numbers))
        noteName()
    }

    private mutating func noteName() { name = (opened.file.path as NSString).lastPathComponent }

    private mutating func synchronize() async {
        let isStored = await opened.file.synchronize()
        steps.append("synchronize \(isStored)")
        if isStored { states = [Set(opened.numbers)] }
    }

    /// The other program adds a stroke, replaces one, or is killed while it writes.
    private mutating func writeElsewhere() async throws {
        await opened.file.finishSaves()
        noteName()
        let number = 1000 + next
        next += 1
        let there = (try? await folder.strokes(name).map(\.number)) ?? []
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            steps.append("another program cuts the file")
            isCut = true
            guard let size = folder.contents[name]?.count else { return }
            truncate(folder.path(name), off_t(Int.random(in: 0...size, using: &random)))
            removed.formUnion(there)
            others.subtract(there)
        case 1 where !there.isEmpty:
            steps.append("another program writes \(number) instead of \(there[0])")
            try await folder.rewrite(name) { ink in
                ink = ink.asSaved
                ink.pages[0].layers[0].items.removeAll { $0.stroke?.number == there[0] }
                ink.pages[0].layers[0].items.append(.stroke(straightStroke(number)))
            }
            removed.insert(there[0])
            others.remove(there[0])
            others.insert(number)
        default:
            steps.append("another program adds \(number)")
            // The other program cannot read a truncated file and starts a new one.
            if there.isEmpty { unlink(folder.path(name)) }
            try await folder.rewrite(name) { ink in
                ink = ink.asSaved
                let place = Int.random(in: 0...ink.pages[0].layers[0].items.count, using: &random)
                ink.pages[0].layers[0].items.insert(.stroke(straightStroke(number)), at: place)
            }
            others.insert(number)
        }
    }

    /// Ends or kills the program and opens the file again.
    private mutating func reopen(flips: Int, isKilled: Bool) async throws -> String? {
        await opened.file.finishSaves()
        noteName()
        if isKilled {
            steps.append(flips > 0 ? "kill, and a bit flips" : "kill")
            try folder.kill()
        } else {
            await synchronize()
            steps.append("close")
            await opened.file.close()
        }
        if flips > 0 { flip() }
        self.flips += flips
        do { opened = try await folder.open(name) } catch {
            // Either there was no space for a second file and nothing was changed, or the other program truncated the
            // file and nothing else exists. If Offstage had truncated it, the check below would find lost strokes.
            folder.setFree(nil)
            steps.append("open again after \(error)")
            try? await folder.engine.removeUnreadable(folder.contents[name], folder.path(name))
            opened = try await folder.open(name)
        }
        if opened.file.isReadOnly { return "it is open in another program" }
        let problem = await check(self.flips)
        states = [Set(opened.numbers)]
        removed = []
        return problem
    }

    private mutating func flip() {
        let own = folder.contents.filter { $0.key.contains(".offstage-journal") && !$0.value.isEmpty }
        guard let (name, data) = own.sorted(by: { $0.key < $1.key }).first else { return }
        var flipped = data
        flipped[Int.random(in: 0..<data.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try? flipped.write(to: folder.folder.appendingPathComponent(name))
    }

    private func check(_ flips: Int) async -> String? {
        var found = Set(opened.numbers)
        for name in folder.contents.keys where !name.hasPrefix(".") {
            found.formUnion((try? await folder.strokes(name).map(\.number)) ?? [])
        }
        let lost = states.map { $0.subtracting(removed).subtracting(found) }.min { $0.count < $1.count } ?? []
        if lost.count > flips {
            return "lost \(lost.sorted()) of \(states.first?.sorted() ?? []); opened \(opened.numbers), second file "
                + "\(opened.secondFile ?? "none"), recovered \(opened.isRecovered), warnings \(opened.warnings), files "
                + "\(folder.contents.map { "\($0.key) \($0.value.count)" })"
        }
        let lostOthers = others.subtracting(found)
        if lostOthers.count > flips { return "lost \(lostOthers.sorted()) of the other program" }
        return nil
    }
}

extension InkEngine {
    /// Removes the file if it cannot be read.
    fileprivate func removeUnreadable(_ data: Data?, _ path: String) async throws {
        do { _ = try await load(InkDocument(data ?? Data())) } catch { unlink(path) }
    }
}
