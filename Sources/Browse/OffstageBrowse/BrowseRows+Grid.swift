import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageWebKit

/// The inputs as the cells of a grid.
extension BrowseRows: GridSource {
    /// A document is laid out this many times as wide as its cell: at the width of a small cell, a page would have one
    /// word per line.
    private static let reduction = 2

    func request(at cell: Int, width: Int, height: Int, scale: Double) -> (any DrawingRequest)? {
        let options = ["width": ["\(width)"], "height": ["\(height)"], "scale": ["\(scale)"]]
        guard let request = request(at: cell, options) else { return nil }
        guard var snippet = request as? Snippet else { return request }
        snippet.geometry.width = width * Self.reduction
        snippet.geometry.height = .content
        snippet.geometry.maximumHeight = height * Self.reduction
        snippet.geometry.scale = max(0.25, scale / Double(Self.reduction))
        return snippet
    }

    func label(at cell: Int) -> String? {
        guard let file = input(at: cell).sourceFile, round(of: cell) == 1 else { return identifier(at: cell) }
        return (file as NSString).lastPathComponent
    }

    func file(at cell: Int) -> URL? { input(at: cell).sourceFile.map { URL(fileURLWithPath: $0) } }

    /// Unique names of inputs: no two pictures in the cache may have the same name.
    static func names(of jobs: [Job]) -> [String] {
        var counts: [String: Int] = [:]
        for job in jobs { counts[job.input.identifier, default: 0] += 1 }
        var used: Set<String> = []
        return jobs.map { job in
            var name = job.input.identifier
            if counts[name] ?? 0 > 1, let file = job.input.sourceFile {
                name += "." + (file as NSString).pathExtension
            }
            var (number, unique) = (1, name)
            while !used.insert(unique).inserted {
                number += 1
                unique = "\(name) (\(number))"
            }
            return unique
        }
    }

    // MARK: Folders

    /// The folder of an input's picture, relative to the output folder; empty for none.
    private static func folder(of input: Input) -> String { parentFolder(of: input.identifier) }

    /// Puts the inputs of a folder next to each other, in the order of their first inputs.
    static func byFolder(_ jobs: [Job]) -> [Job] {
        var (order, groups) = ([String](), [String: [Job]]())
        for job in jobs {
            let folder = folder(of: job.input)
            if groups[folder] == nil { order.append(folder) }
            groups[folder, default: []].append(job)
        }
        return order.flatMap { groups[$0] ?? [] }
    }

    /// One section per folder, if there are several folders and each input is shown once.
    func folders() -> [GridSection] {
        guard rowCount > 0, round(of: rowCount - 1) == 1 else { return [] }
        var sections: [GridSection] = []
        for cell in 0..<rowCount {
            let folder = Self.folder(of: input(at: cell))
            if sections.last?.title == folder {
                sections[sections.count - 1].cellCount += 1
            } else {
                sections.append(GridSection(title: folder, cellCount: 1))
            }
        }
        if sections.count < 2 { return [] }
        // Inputs outside all folders need no heading if they are first.
        return sections.map { GridSection(title: $0.title == "" ? nil : $0.title, cellCount: $0.cellCount) }
    }
}
