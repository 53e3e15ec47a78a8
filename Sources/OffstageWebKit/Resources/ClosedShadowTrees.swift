import Foundation

/// Opens the closed shadow trees that a document declares: `<template shadowrootmode=closed>`. An open tree looks the same, but our
/// scripts can reach its animations and images. Also inside data URIs, where the tag may be written with percent signs.
enum ClosedShadowTrees {
    /// A document whose trees are open. It is the same document if it declares no closed one.
    static func opened(_ html: Data) -> Data {
        html.withUnsafeBytes { bytes in
            var result = Data()
            var copied = 0
            var texts = PlainTexts()
            var index = 0
            while let place = next(in: bytes, from: index) {
                index = place + word.utf8CodeUnitCount
                guard isInTemplate(bytes[max(0, place - longestTag)..<place]),
                    let value = closedValue(bytes[index...].prefix(40))
                else { continue }
                texts.read(bytes[texts.end..<place])
                if texts.areOpen { continue }
                result += bytes[copied..<value.lowerBound]
                result += "open".utf8
                copied = value.upperBound
            }
            return copied == 0 ? html : result + bytes[copied...]
        }
    }

    private static let word: StaticString = "shadowrootmode"
    /// Bytes of a tag before the attribute.
    private static let longestTag = 1000

    private static func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var matched = 0
        for index in start..<max(start, bytes.count) {
            let lower = bytes[index] &- 65 < 26 ? bytes[index] + 32 : bytes[index]
            // The word has no other s, so after a difference it begins here or later.
            matched = lower == word.utf8Start[matched] ? matched + 1 : lower == word.utf8Start[0] ? 1 : 0
            if matched == word.utf8CodeUnitCount { return index + 1 - matched }
        }
        return nil
    }

    private static func isInTemplate(_ before: Slice<UnsafeRawBufferPointer>) -> Bool {
        let tag = String(decoding: before, as: UTF8.self).lowercased()
        guard let start = tag.ranges(of: "template").last,
            !tag[start.upperBound...].contains(where: { "<>".contains($0) })
        else { return false }
        let sign = tag[..<start.lowerBound]
        return sign.hasSuffix("<") || sign.hasSuffix("%3c")
    }

    /// The place of the value `closed` after the attribute's name.
    private static func closedValue(_ after: Slice<UnsafeRawBufferPointer>) -> Range<Int>? {
        let text = String(decoding: after, as: UTF8.self)
        let sign = /(?i)(?:\s|%20)*(?:=|%3D)(?:\s|%20)*(?:"|'|%22|%27|&quot;|&#39;)?(?<value>closed)\b/
        guard let match = text.prefixMatch(of: sign) else { return nil }
        let start = after.startIndex + text.utf8.distance(from: text.startIndex, to: match.value.startIndex)
        return start..<start + match.value.utf8.count
    }

    /// The elements whose content is text, up to a place in a document.
    private struct PlainTexts {
        private(set) var end = 0
        private var open: Set<String> = []
        var areOpen: Bool { !open.isEmpty }

        mutating func read(_ bytes: Slice<UnsafeRawBufferPointer>) {
            end = bytes.endIndex
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            for name in ["textarea", "title", "style", "script", "xmp"] {
                let start = text.ranges(of: "<" + name).last?.lowerBound
                let close = text.ranges(of: "</" + name).last?.lowerBound
                if let start, start > close ?? text.startIndex || close == nil { open.insert(name) }
                if let close, close > start ?? text.startIndex || start == nil { open.remove(name) }
            }
        }
    }
}
