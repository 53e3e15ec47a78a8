import Offstage
import OffstagePages

extension Stroke {
    /// The stroke as an Ink annotation of a PDF page. Its appearance shows the same line, with the widths from the
    /// pen's pressure, but without a pencil's grain or a pen's varying opacity.
    ///
    /// - Parameters:
    ///   - width: the page's width in points.
    ///   - height: the page's height in points.
    /// - Returns: nil for a stroke without points.
    public func annotation(width: Double, height: Double) -> PageAnnotation? {
        guard width > 0, height > 0 else { return nil }
        let nodes = InkRaster().nodes(of: self, scale: 2)
        // More digits would only make files longer.
        func part(_ value: Float, _ side: Double) -> Double { (Double(value) / side * 1e6).rounded() / 1e6 }
        let points = nodes.map { PageAnnotation.Point(x: part($0.x, width), y: part($0.y, height)) }
        let widths = nodes.map { (Double($0.radius) * 2000).rounded() / 1000 }
        let most = widths.max() ?? 0
        let isEven = widths.allSatisfy { $0 == most }
        let isHighlighter = tool == .highlighter
        let isPlain = isEven && !isHighlighter && color.opacity == 255
        return .ink(
            [points], color: PageAnnotation.Color(red: color.red, green: color.green, blue: color.blue), width: most,
            pen: isPlain
                ? nil
                : PageAnnotation.Pen(
                    widths: isEven ? [] : [widths], opacity: color.opacity, isHighlighter: isHighlighter))
    }
}
