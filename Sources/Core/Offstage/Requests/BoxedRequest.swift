/// A request whose picture is fitted into a box after the drawing, so that pictures of all sources can have one size.
///
/// The engine of `whole` draws; a page is drawn in the size that the box needs. Everything but the box, such as the
/// identifier, is taken from `whole`. Its margins apply to the box.
package struct BoxedRequest: DrawingRequest {
    package var whole: any DrawingRequest
    package let box: PictureBox

    package init(_ whole: any DrawingRequest, in box: PictureBox) { (self.whole, self.box) = (whole, box) }

    package var identifier: String {
        get { whole.identifier }
        set { whole.identifier = newValue }
    }

    package var extra: String? {
        get { whole.extra }
        set { whole.extra = newValue }
    }

    package var scale: Double {
        get { whole.scale }
        set { whole.scale = newValue }
    }

    package var medium: Medium { whole.medium }
    package var margins: Margins { whole.margins }
    package var requiresComplete: Bool { whole.requiresComplete }

    package func drawn(into medium: Medium) -> BoxedRequest { BoxedRequest(whole.drawn(into: medium), in: box) }

    /// Equal for equal requests in equal boxes.
    package struct CoalescingKey: Hashable, Sendable {
        let whole: SharedKey
        let box: PictureBox
    }

    package var coalescingKey: CoalescingKey? { whole.sharedKey.map { CoalescingKey(whole: $0, box: box) } }

    /// - Parameter draw: draws a request of the type of `whole`.
    nonisolated(nonsending) func drawing(
        by draw: nonisolated(nonsending) (any DrawingRequest) async throws(DrawingError) -> Drawing
    ) async throws(DrawingError) -> Drawing {
        guard medium == .pixels else {
            throw .invalidRequest(
                "a picture that is fitted into a box consists of pixels; use a format other than PDF and SVG")
        }
        return try await drawingOfWhole(by: draw).fitted(into: box)
    }

    nonisolated(nonsending) private func drawingOfWhole(
        by draw: nonisolated(nonsending) (any DrawingRequest) async throws(DrawingError) -> Drawing
    ) async throws(DrawingError) -> Drawing {
        guard whole.isPage else { return try await draw(whole) }
        switch box.fit {
        case .inside, .contain: return try await draw(whole.page(in: FitBox(width: box.width, height: box.height)))
        case .cover, .fill:
            // The proportions are not known before the drawing.
            let wide = FitBox(width: box.width, height: FitBox.longestSide)
            let drawing = try await draw(whole.page(in: wide))
            let height = box.size(scale: drawing.scale).height
            if drawing.pixmaps.allSatisfy({ $0.size.height >= height }) { return drawing }
            return try await draw(whole.page(in: FitBox(width: FitBox.longestSide, height: box.height)))
        }
    }
}

extension DrawingRequest {
    /// The request that an engine draws, without the box around it and without the ink over it.
    package var innermost: any DrawingRequest {
        switch self {
        case let boxed as BoxedRequest: boxed.whole.innermost
        case let overlaid as OverlaidRequest: overlaid.below.innermost
        default: self
        }
    }

    /// Returns the request with its innermost request replaced.
    package func replacingInnermost(_ change: (any DrawingRequest) -> any DrawingRequest) -> any DrawingRequest {
        if var boxed = self as? BoxedRequest {
            boxed.whole = boxed.whole.replacingInnermost(change)
            return boxed
        }
        if var overlaid = self as? OverlaidRequest {
            overlaid.below = overlaid.below.replacingInnermost(change)
            return overlaid
        }
        return change(self)
    }

    fileprivate var isPage: Bool { innermost is any PageRequest }

    /// The request with its page fitted into another box.
    fileprivate func page(in box: FitBox) -> any DrawingRequest {
        if var overlaid = self as? OverlaidRequest {
            overlaid.below = overlaid.below.page(in: box)
            return overlaid
        }
        guard var page = self as? any PageRequest else { return self }
        page.fit = box
        return page
    }
}

extension Drawing {
    /// The drawing with each picture in a box.
    func fitted(into box: PictureBox) -> Drawing {
        var fitted = self
        for (index, picture) in pictures.enumerated() {
            guard case .pixels(let pixmap) = picture else { continue }
            let boxed = pixmap.fitted(into: box, scale: scale, background: box.background ?? background)
            fitted.pictures[index] = .pixels(boxed.pixmap)
            if index < contents.count { fitted.contents[index] = boxed.content(contents[index], scale: scale) }
        }
        return fitted
    }
}
