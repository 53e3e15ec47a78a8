import Foundation

/// Distinguishes JSON with the points of strokes, as used by perfect-freehand, from other JSON. It is stricter than the
/// program `offstage-ink`, because it also examines files that were not declared as ink. So everything at the beginning
/// of the text must match.
enum FreehandShape {
    private static let pointKeys: Set<String> = ["x", "y", "pressure", "p", "z", "t", "time"]

    /// - Parameter data: a file's first bytes, or all of them.
    static func matches(_ data: Data) -> Bool {
        guard let root = JSONHead.value(of: data) else { return false }
        return isDrawing(root) || (points(inRoot: root) ?? 0) > 0
    }

    /// True for a file of Excalidraw or tldraw, which identifies itself.
    private static func isDrawing(_ root: JSONHead.Value) -> Bool {
        guard case .object(let entries, _) = root else { return false }
        return entries.contains { key, value in
            if key == "tldrawFileFormatVersion" { return value.isNumber }
            guard key == "type", case .text(let type) = value else { return false }
            return type.hasPrefix("excalidraw")
        }
    }

    /// The number of complete points in the text, which may be truncated; nil for a value without strokes. A value that
    /// is cut off at the end counts as valid.
    private static func points(inRoot root: JSONHead.Value) -> Int? {
        switch root {
        case .number, .text, .null, .other: return nil
        case .array(let values, _): return points(inStroke: root) ?? sum(values.map(points(inElement:)))
        case .object(let entries, _):
            if let strokes = entries.first(where: { $0.key == "strokes" })?.value {
                guard case .array(let values, _) = strokes else { return nil }
                return points(inStroke: strokes) ?? sum(values.map(points(inElement:)))
            }
            if entries.contains(where: { $0.key == "points" }) { return points(inElement: root) }
            // Strokes by their names.
            return sum(entries.map { points(inStroke: $0.value) })
        }
    }

    private static func sum(_ counts: [Int?]) -> Int? {
        var sum = 0
        for count in counts {
            guard let count else { return nil }
            sum += count
        }
        return sum
    }

    /// A stroke in a list: its points, or an object with them and the options of perfect-freehand.
    private static func points(inElement value: JSONHead.Value) -> Int? {
        guard case .object(let entries, let isWhole) = value else { return points(inStroke: value) }
        guard let stroke = entries.first(where: { $0.key == "points" })?.value else { return isWhole ? nil : 0 }
        return points(inStroke: stroke)
    }

    private static func points(inStroke value: JSONHead.Value) -> Int? {
        guard case .array(let values, _) = value else { return nil }
        var count = 0
        for value in values {
            switch value {
            case .array(let numbers, let isWhole):
                guard numbers.count <= 4, numbers.allSatisfy(\.isCoordinate), !isWhole || numbers.count >= 2 else {
                    return nil
                }
                if isWhole { count += 1 }
            case .object(let entries, let isWhole):
                guard entries.allSatisfy({ pointKeys.contains($0.key) && $0.value.isCoordinate }) else { return nil }
                let hasPlace = ["x", "y"].allSatisfy { key in entries.contains { $0.key == key } }
                guard hasPlace || !isWhole else { return nil }
                if isWhole { count += 1 }
            case .number, .text, .null, .other: return nil
            }
        }
        return count
    }
}
