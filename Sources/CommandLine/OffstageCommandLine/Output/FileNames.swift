import Foundation
import OffstageRequests

/// The names of a run's files. Each name belongs to one input.
struct FileNames {
    private let plan: OutputPlan
    private let folder: String
    private var inputs: [Input] = []
    /// The owner's index, by the bytes of the name. File systems compare bytes; Swift would treat two encodings of an é
    /// as equal.
    private var owners: [[UInt8]: Int] = [:]
    /// Names that contain the number of a part: the text after the number, by the text before it.
    private var numbered: [[UInt8]: [(rest: [UInt8], owner: Int)]] = [:]

    /// Inputs that have several parts, by identifier.
    private var wholes: [[UInt8]: Int] = [:]

    private static let dash = UInt8(ascii: "-")

    init(_ plan: OutputPlan, below folder: String) {
        self.plan = plan
        self.folder = folder
    }

    mutating func add(_ job: Job) throws(UsageError) {
        if case .unusable = job.input { return }
        let input = job.input
        inputs.append(input)
        if job.settings.isEach { wholes[Array(input.identifier.utf8)] = inputs.count - 1 }
        if job.settings.isEach, !plan.pattern.tellsPartsApart {
            throw UsageError("--each may give several pictures; put {part} into --name")
        }
        var own: Set<[UInt8]> = []
        // No name contains a NUL, so it can mark the position of the number.
        for path in plan.paths(input.identifier, part: job.settings.isEach ? "\0" : "", job.settings) {
            let name = Array(path.utf8)
            try checkLength(path.utf8, input)
            if !own.insert(name).inserted {
                throw UsageError("two files of \(input.name) would both be \(shown(path)); \(remedy)")
            }
            try claim(name, path, input)
            if let mark = name.firstIndex(of: 0) {
                numbered[Array(name[..<mark]), default: []].append((Array(name[(mark + 1)...]), inputs.count - 1))
            }
        }
        // A conflict with its own picture is checked elsewhere, with a better message.
        if let path = plan.htmlPath(of: job), !own.contains(Array(path.utf8)) {
            try claim(Array(path.utf8), path, input)
        }
    }

    /// Claims a name for the last input.
    private mutating func claim(_ name: [UInt8], _ path: String, _ input: Input) throws(UsageError) {
        guard let other = owners.updateValue(inputs.count - 1, forKey: name) else { return }
        throw UsageError(
            "\(inputs[other].name) and \(input.name) would both become \(shown(path)); "
                + "rename one or render them into two folders")
    }

    private var remedy: String {
        plan.pattern.isStandard ? "leave one --also out" : "put {variant} or {ext} into --name, or leave one --also out"
    }

    private func shown(_ path: String) -> String { path.replacing("\0", with: "-1") }

    private func checkLength(_ path: String.UTF8View, _ input: Input) throws(UsageError) {
        // The number of a part counts as one byte, because its length is not known yet.
        for part in path.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/")) where part.count > 255 {
            throw UsageError("the name of \(input.name)'s file would have more than 255 bytes; shorten it")
        }
    }

    /// `a-1.html` could overwrite the first part of `a.html`, or have the same name among the results.
    func checkParts() throws(UsageError) {
        if numbered.isEmpty { return }
        for input in inputs {
            guard let (_, whole, _) = input.identifier.wholeMatch(of: #/(.+)-([0-9]+)/#)?.output,
                let owner = wholes[Array(whole.utf8)]
            else { continue }
            throw UsageError("\(input.name) has the name of a part of \(inputs[owner].name); rename one")
        }
        for (name, owner) in owners.sorted(by: { $0.value < $1.value }) {
            let mark = name.firstIndex(of: 0)
            for dash in name[..<(mark ?? name.count)].indices where name[dash] == Self.dash {
                guard let others = numbered[Array(name[..<dash])] else { continue }
                for other in others where other.owner != owner && Self.canBe(name[(dash + 1)...], other.rest) {
                    throw UsageError(
                        "\(inputs[owner].name) has the name of a part of \(inputs[other.owner].name); rename one")
                }
            }
        }
    }

    /// True if a name, from a dash on, can be a number followed by `rest`. A NUL in the name represents a number of its
    /// own.
    private static func canBe(_ name: ArraySlice<UInt8>, _ rest: [UInt8]) -> Bool {
        var position = name.startIndex
        while position < name.endIndex, isDigit(name[position]) {
            position += 1
            let left = name[position...]
            guard let mark = left.firstIndex(of: 0) else {
                if left.elementsEqual(rest) { return true }
                continue
            }
            let (before, after) = (left[..<mark], left[(mark + 1)...])
            if rest.starts(with: before), rest.reversed().starts(with: after.reversed()) {
                let number = rest.dropFirst(before.count).dropLast(after.count)
                if number.first == dash, number.count > 1, number.dropFirst().allSatisfy(isDigit) {
                    return true
                }
            }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
