import Foundation

/// Corrects the fill rule of clip paths. Cairo writes it beside the reference to the clip, where it has no effect, so a
/// ring would become a disc.
enum SVGClips {
    /// - Parameter file: the file that cairo wrote. Texts are paths in it, so these words cannot be part of a text.
    /// - Returns: the file with the rule `evenodd` in the clips that need it.
    static func ruled(_ file: Data) -> Data {
        let text = String(decoding: file, as: UTF8.self)
        let names = Set(
            text.components(separatedBy: #")" clip-rule="evenodd">"#).dropLast().compactMap {
                $0.components(separatedBy: #"<g clip-path="url(#"#).last
            })
        if names.isEmpty { return file }
        let start = #"<clipPath id=""#
        var parts = text.components(separatedBy: start)
        for index in parts.indices.dropFirst() where names.contains(String(parts[index].prefix { $0 != "\"" })) {
            guard let path = parts[index].range(of: "<path ") else { continue }
            parts[index].replaceSubrange(path, with: #"<path clip-rule="evenodd" "#)
        }
        return Data(parts.joined(separator: start).utf8)
    }
}
