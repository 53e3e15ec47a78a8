/// The scripts that the engine runs in documents, by the names of their files. They are part of a picture's fingerprint.
package enum PageScripts {
    package static let animations = text(PackageResources.animations_js)
    package static let appearance = text(PackageResources.appearance_js)
    package static let clock = text(PackageResources.clock_js)
    package static let content = text(PackageResources.content_js)
    package static let dom = text(PackageResources.dom_js)
    package static let doubt = text(PackageResources.doubt_js)
    package static let emulation = text(PackageResources.emulation_js)
    package static let filters = text(PackageResources.filters_js)
    package static let height = text(PackageResources.height_js)
    package static let images = text(PackageResources.images_js)
    package static let media = text(PackageResources.media_js)
    package static let page = text(PackageResources.page_js)
    package static let pixels = text(PackageResources.pixels_js)
    package static let print = text(PackageResources.print_js)
    package static let readiness = text(PackageResources.readiness_js)
    package static let refused = text(PackageResources.refused_js)
    package static let smil = text(PackageResources.smil_js)
    package static let still = text(PackageResources.still_js)
    package static let text = text(PackageResources.text_js)
    package static let tiles = text(PackageResources.tiles_js)
    package static let traces = text(PackageResources.traces_js)
    package static let viewport = text(PackageResources.viewport_js)
    package static let visible = text(PackageResources.visible_js)

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
