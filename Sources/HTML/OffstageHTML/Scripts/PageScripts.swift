/// The scripts that the engine runs in documents, by the names of their files. They are part of a picture's fingerprint.
package enum PageScripts {
    package static let animations = text(PackageResources.animations_js)
    package static let appearance = text(PackageResources.appearance_js)
    package static let clock = text(PackageResources.clock_js)
    /// Defines `offstageContent`. Only for documents whose areas and text are requested.
    package static let content = text(PackageResources.content_js)
    package static let dom = text(PackageResources.dom_js)
    package static let doubt = text(PackageResources.doubt_js)
    package static let emulation = text(PackageResources.emulation_js)
    /// Evaluated before a snapshot of a document with `straysFilters`.
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
    /// Defines `offstageText`. Evaluated only in documents whose source leaves a doubt about characters or fonts.
    package static let text = text(PackageResources.text_js)
    package static let tiles = text(PackageResources.tiles_js)
    package static let traces = text(PackageResources.traces_js)
    package static let viewport = text(PackageResources.viewport_js)
    /// Defines `showsSomething`. Evaluated only when a picture may be blank.
    package static let visible = text(PackageResources.visible_js)

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
