import Foundation
import Offstage
import OffstageRequests

/// The pattern of a file's name: `{id}@{scale}x.{ext}`. It uses only values that are known before the drawing.
struct NamePattern: Sendable {
    private enum Piece: Sendable, Equatable {
        case text(String)
        case place(Placeholder)
    }

    enum Placeholder: String, Sendable, CaseIterable {
        /// The input's identifier; its slashes make folders.
        case id
        /// `-1`, `-2` … for an input's parts, else empty.
        case part
        /// Device px per CSS px: `2`, `1.5`.
        case scale
        /// `.thumb-120x120` for a thumbnail; `@2x` for a further scale, unless the pattern has `{scale}`; else empty.
        case variant
        /// The format's extension without its dot.
        case ext
    }

    /// The default of `--name`.
    static let standard = NamePattern(pieces: [.place(.id), .place(.part), .place(.variant), .text("."), .place(.ext)])

    private let pieces: [Piece]

    private init(pieces: [Piece]) { self.pieces = pieces }

    init(_ text: String) throws(UsageError) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw UsageError("--name \(text): a brace is unmatched; \(Self.known)")
            }
            pieces.append(.text(String(rest[..<open])))
            let name = rest[rest.index(after: open)..<close]
            guard let placeholder = Placeholder(rawValue: String(name)) else {
                throw UsageError("--name has no {\(name)}; \(Self.known)")
            }
            if placeholder == .part, pieces.contains(.place(.part)) {
                throw UsageError("--name \(text): {part} can be used only once")
            }
            pieces.append(.place(placeholder))
            rest = rest[rest.index(after: close)...]
        }
        pieces.append(.text(String(rest)))
        let folders = text.split(separator: "/", omittingEmptySubsequences: false)
        if text.isEmpty || folders.contains("") || folders.contains(".") || folders.contains("..") {
            throw UsageError("--name takes a relative path below --out, without . and .., not '\(text)'")
        }
        self.pieces = pieces
    }

    private static let known =
        "the placeholders are " + Placeholder.allCases.map { "{\($0.rawValue)}" }.formatted("and")

    var isStandard: Bool { pieces == Self.standard.pieces }
    var tellsPartsApart: Bool { pieces.contains(.place(.part)) }

    /// A path below the output folder.
    ///
    /// - Parameters:
    ///   - identifier: the input's identifier.
    ///   - part: the value of `{part}`.
    ///   - scale: the picture's scale.
    func path(identifier: String, part: String, scale: Double, variant: FileVariant) -> String {
        path(
            identifier: identifier, part: part, scale: variant.scale ?? scale,
            mark: pieces.contains(.place(.scale)) ? variant.thumbnailMark : variant.mark,
            fileExtension: variant.format.fileExtension)
    }

    /// - Parameter mark: the value of `{variant}`.
    func path(identifier: String, part: String, scale: Double, mark: String, fileExtension: String) -> String {
        var path = ""
        for piece in pieces {
            switch piece {
            case .text(let text): path += text
            case .place(.id): path += identifier
            case .place(.part): path += part
            case .place(.scale): path += String(format: "%g", scale)
            case .place(.variant): path += mark
            case .place(.ext): path += fileExtension
            }
        }
        return path
    }
}
