import Foundation
import Offstage
import OffstageRequests

/// The document of a contact sheet.
struct ContactSheet {
    struct Tile {
        /// The path below the folder.
        var path: String
        /// Device px.
        var width: Int
        var height: Int
        /// The size of the file.
        var bytes: Int

        var name: String { (path as NSString).deletingPathExtension }
    }

    let pictures: [Tile]
    /// The size of all files.
    var bytes: Int { pictures.reduce(0) { $0 + $1.bytes } }
    /// The number of pixels of all pictures, bounded so that wrong headers cannot overflow it.
    var pixels: Int {
        let most = 1 << 20
        return min(1 << 32, pictures.reduce(0) { $0 + min($1.width, most) * min($1.height, most) })
    }
    /// CSS px.
    let width: Int
    private let columns: Int

    /// CSS px.
    private static let (columnWidth, gap, caption) = (300, 20, 26)

    /// - Parameter leavingOut: a path to skip: the sheet itself, from an earlier run.
    init(folder: String, leavingOut: String, columns: Int?) throws(UsageError) {
        var info = stat()
        guard stat(folder, &info) == 0, let walk = FileManager.default.enumerator(atPath: folder) else {
            throw UsageError(
                "cannot read the folder \(folder): \(String(cString: strerror(errno))); name a folder of pictures")
        }
        if info.st_mode & S_IFMT != S_IFDIR {
            throw UsageError("\(folder) is not a folder; name one with pictures in it")
        }
        let own = URL(fileURLWithPath: leavingOut).standardizedFileURL.path
        let ownFile = FileNumber(leavingOut)
        let paths = walk.compactMap { $0 as? String }.filter { path in
            path.lowercased().hasSuffix(".png") && !(path as NSString).lastPathComponent.hasPrefix(".")
                && URL(fileURLWithPath: folder).appendingPathComponent(path).standardizedFileURL.path != own
        }
        pictures = paths.sorted(by: Self.precedes)
            .compactMap { Self.picture($0, in: folder) }
        if let ownFile, let other = pictures.first(where: { FileNumber("\(folder)/\($0.path)") == ownFile }) {
            throw UsageError(
                "\(leavingOut) is another name of the picture \(other.path), and was not changed; choose another output"
            )
        }
        if pictures.isEmpty {
            throw UsageError(
                "\(folder) contains no PNG picture; render some first: offstage render … --out \(folder)")
        }
        self.columns = columns ?? Self.columns(for: pictures)
        width = self.columns * Self.columnWidth + (self.columns + 1) * Self.gap
    }

    /// In natural order: `page-2` before `page-10`.
    private static func precedes(_ first: String, _ second: String) -> Bool {
        switch first.compare(second, options: .numeric) {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: first.utf8.lexicographicallyPrecedes(second.utf8)
        }
    }

    /// Reads the size from a PNG's header (PNG, 11.2.1); nil if the file is not a PNG.
    private static func picture(_ path: String, in folder: String) -> Tile? {
        guard let file = try? PlainFile.open((folder as NSString).appendingPathComponent(path)),
            let head = try? file.read(upToCount: 24), head.count == 24, let bytes = try? file.seekToEnd(),
            head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        else { return nil }
        func number(at offset: Int) -> Int { head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return Tile(path: path, width: max(1, number(at: 16)), height: number(at: 20), bytes: Int(bytes))
    }

    /// The number of columns that makes the sheet about as high as it is wide.
    private static func columns(for pictures: [Tile]) -> Int {
        let total = pictures.reduce(0) { $0 + height(of: $1) }
        let square = (Double(total) / Double(columnWidth + gap)).squareRoot()
        return min(pictures.count, max(1, Int(square.rounded(.up))))
    }

    var html: String {
        """
        <!doctype html><meta charset="utf-8"><style>
        body { margin: 0; padding: \(Self.gap)px \(Self.gap)px 0; display: flex; gap: \(Self.gap)px; align-items: flex-start; }
        section { width: \(Self.columnWidth)px; }
        figure { margin: 0 0 \(Self.gap)px; }
        img { display: block; max-width: 100%; height: auto; background: #fff;
              box-shadow: 0 0 0 1px #0001, 0 1px 3px #0002; }
        figcaption { font: 12px/\(Self.caption)px sans-serif; height: \(Self.caption)px; color: #555;
                     white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
        </style>\(dealt().map { "<section>\($0.map(Self.figure).joined(separator: "\n"))</section>" }.joined())
        """
    }

    /// The pictures by column. Each picture is added to the column that is the shortest so far.
    private func dealt() -> [[Tile]] {
        var dealt = [[Tile]](repeating: [], count: columns)
        var heights = [Int](repeating: 0, count: columns)
        for picture in pictures {
            let shortest = heights.indices.min { heights[$0] < heights[$1] }!
            dealt[shortest].append(picture)
            heights[shortest] += Self.height(of: picture)
        }
        return dealt
    }

    private static func height(of picture: Tile) -> Int {
        picture.height * min(columnWidth, picture.width) / picture.width + caption + gap
    }

    private static func figure(_ picture: Tile) -> String {
        let url = picture.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? picture.path
        return """
            <figure><img src="./\(escaped(url))" width="\(picture.width)" height="\(picture.height)" alt="">\
            <figcaption>\(escaped(picture.name))</figcaption></figure>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
