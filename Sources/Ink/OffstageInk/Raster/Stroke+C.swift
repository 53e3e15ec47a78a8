import COffstageInk

extension Stroke {
    /// The style as a C structure.
    var style: offstage_ink_style {
        var style = offstage_ink_style()
        style.tool = tool.number
        style.cap = cap.number
        style.color = (color.red, color.green, color.blue, color.opacity)
        style.width = width
        style.smoothing = smoothing
        style.width_pressure = dynamics.widthByPressure
        style.width_speed = dynamics.widthBySpeed
        style.opacity_pressure = dynamics.opacityByPressure
        style.opacity_speed = dynamics.opacityBySpeed
        style.taper_start = taperStart
        style.taper_end = taperEnd
        style.fill = UInt32(fill)
        style.dash_count = UInt32(min(dash.count, Int(OFFSTAGE_INK_DASHES)))
        withUnsafeMutableBytes(of: &style.dashes) { bytes in
            dash.prefix(Int(OFFSTAGE_INK_DASHES)).withUnsafeBytes { bytes.copyMemory(from: $0) }
        }
        return style
    }

    /// Calls `body` with the texture and its image, or with nil for a solid line.
    func withTexture<R>(_ body: (UnsafePointer<offstage_ink_texture>?, OpaquePointer?) -> R) -> R {
        guard let texture else { return body(nil, nil) }
        return withExtendedLifetime(texture) {
            withUnsafePointer(to: texture.c) { body($0, texture.image?.shape) }
        }
    }

    /// - Returns: a stroke without points. An unknown tool becomes a pen.
    init(_ style: offstage_ink_style) {
        let color = style.color
        self.init(
            [], tool: InkTool(number: style.tool) ?? .pen,
            color: InkColor(red: color.0, green: color.1, blue: color.2, opacity: color.3), width: style.width)
        cap = InkCap(number: style.cap) ?? .round
        smoothing = style.smoothing
        dynamics.widthByPressure = style.width_pressure
        dynamics.widthBySpeed = style.width_speed
        dynamics.opacityByPressure = style.opacity_pressure
        dynamics.opacityBySpeed = style.opacity_speed
        taperStart = style.taper_start
        taperEnd = style.taper_end
        fill = UInt8(clamping: style.fill)
        dash = withUnsafeBytes(of: style.dashes) {
            Array($0.bindMemory(to: Float.self).prefix(Int(min(style.dash_count, UInt32(OFFSTAGE_INK_DASHES)))))
        }
    }
}

extension [InkPoint] {
    /// Calls `body` with the points as C structures, which have the same six floats in the same order.
    func withC<R>(_ body: (UnsafePointer<offstage_ink_point>?, Int) -> R) -> R {
        withUnsafeBytes { bytes in
            body(bytes.baseAddress?.assumingMemoryBound(to: offstage_ink_point.self), count)
        }
    }
}

extension InkTool {
    private static let numbers: [(InkTool, offstage_ink_tool)] = [
        (.pen, OFFSTAGE_INK_PEN), (.marker, OFFSTAGE_INK_MARKER), (.pencil, OFFSTAGE_INK_PENCIL),
        (.highlighter, OFFSTAGE_INK_HIGHLIGHTER), (.whiteout, OFFSTAGE_INK_WHITEOUT),
    ]

    var number: UInt32 {
        switch self {
        case .pen: OFFSTAGE_INK_PEN.rawValue
        case .marker: OFFSTAGE_INK_MARKER.rawValue
        case .pencil: OFFSTAGE_INK_PENCIL.rawValue
        case .highlighter: OFFSTAGE_INK_HIGHLIGHTER.rawValue
        case .whiteout: OFFSTAGE_INK_WHITEOUT.rawValue
        }
    }

    init?(number: UInt32) {
        guard let tool = Self.numbers.first(where: { $0.1.rawValue == number })?.0 else { return nil }
        self = tool
    }
}

extension InkCap {
    var number: UInt32 {
        switch self {
        case .round: OFFSTAGE_INK_ROUND.rawValue
        case .butt: OFFSTAGE_INK_BUTT.rawValue
        case .square: OFFSTAGE_INK_SQUARE.rawValue
        }
    }

    init?(number: UInt32) {
        guard let cap = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = cap
    }
}
