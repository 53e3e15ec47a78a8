import Offstage

/// The size at which a view requests its pictures.
struct PictureSizing: Equatable {
    /// The maximum number of device px per CSS px.
    private static let scales = 0.25...3

    /// The width of a picture on the screen, GTK px; 0 before the widget has a size.
    var width = 0
    /// The maximum height of a picture on the screen, GTK px; 0 in a list, where rows are as high as their pictures.
    var height = 0
    /// Device px per GTK px of the monitor.
    var scale = 1.0
    /// GTK px per CSS px.
    var zoom = 1.0

    /// Device px per CSS px of the requests.
    var deviceScale: Double { min(max(scale * zoom, Self.scales.lowerBound), Self.scales.upperBound) }

    @MainActor
    func request(at item: Int, of source: any ListSource) -> (any DrawingRequest)? {
        if height > 0, let source = source as? any GridSource {
            return source.request(
                at: item, width: max(1, Int((Double(width) / zoom).rounded())),
                height: max(1, Int((Double(height) / zoom).rounded())), scale: deviceScale)
        }
        return source.request(at: item, width: max(1, Int(Double(width) / zoom)), scale: deviceScale)
    }

    /// The factor by which to enlarge a picture that was requested at another width.
    @MainActor
    func factor(of picture: RowPicture) -> Double {
        picture.askedWidth == width ? 1 : Double(width) / Double(max(1, picture.askedWidth))
    }

    /// GTK px per CSS px of the picture's content.
    @MainActor
    func contentFactor(of picture: RowPicture) -> Double { factor(of: picture) * picture.zoom }

    /// The height of a picture on the screen, GTK px. Reduced, if necessary, to fit into a box of whole px.
    @MainActor
    func height(of picture: RowPicture) -> Int {
        // A fraction below 0.01 px is a rounding error.
        Int((picture.height * factor(of: picture) - 0.01).rounded(.up))
    }
}
