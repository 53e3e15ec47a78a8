import CGTK
import Foundation
import Offstage
import OffstageGTK
import OffstageGTKLive
import OffstageHTML
import OffstageWebKit

/// The HTML files of a folder, repeated, as the rows of a list.
@MainActor
final class Folder: ListSource {
    let path: String
    let names: [String]
    let rowCount = 10_000

    init(_ path: String) throws {
        self.path = path
        names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".html") }.sorted()
    }

    func name(at row: Int) -> String { names[row % names.count] }
    func identifier(at row: Int) -> String { "\(name(at: row))/\(row / names.count)" }
    func plainText(at row: Int) -> String? { name(at: row) }

    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? {
        guard let html = FileManager.default.contents(atPath: path + "/" + name(at: row)) else { return nil }
        var snippet = Snippet(
            identifier: identifier(at: row), html: html, base: BaseFolder(path),
            geometry: Geometry(width: width, scale: scale))
        snippet.keepsAreas = true  // for links and screen readers
        return snippet
    }
}

gtk_init(nil, nil)
MainLoop.attach()  // GTK's main loop now also runs the main actor's jobs
var configuration = RendererConfiguration()
configuration.memory = CachedPictures.cache()
let renderer = Renderer(engine: HTMLEngine(views: 2), configuration: configuration)
let folder = try Folder(CommandLine.arguments.dropFirst().first ?? "Snippets")
let list = PictureList(renderer: renderer, source: folder, liveRows: renderer.liveSnippets)
list.onLink = { row, target in print("row \(row): \(target)") }
let grid = CommandLine.arguments.last == "--grid" ? gallery(of: folder, renderer: renderer) : nil
let widget = grid?.widget ?? list.widget

let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
gtk_window_set_default_size(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self), 520, 800)
gtk_container_add(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkContainer.self), widget)
gtk_widget_show_all(window)
g_object_ref(window)  // to notice when it is closed
while gtk_widget_get_visible(window) != 0 { gtk_main_iteration() }
ChildProcesses.endAllWithDisplays()
