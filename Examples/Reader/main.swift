import CGTK
import Foundation
import Offstage
import OffstageGTK
import OffstagePages

/// Shows the pages of a document in a window. Keep the view as long as the window is open.
@MainActor
func read(_ path: String) async throws -> PageView {
    let document = try PageDocument(contentsOf: path)
    let engine = PageEngine(workers: 2)
    let info = try await engine.info(of: document)
    var configuration = RendererConfiguration()
    configuration.memory = CachedPictures.cache()
    let renderer = Renderer(engines: [engine], configuration: configuration)
    let view = PageView(renderer: renderer, books: [PageBook(document, identifier: path, pages: info.pages)])
    let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
    gtk_window_set_default_size(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self), 700, 900)
    gtk_container_add(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkContainer.self), view.widget)
    gtk_widget_show_all(window)
    view.show(page: 1)
    return view
}

gtk_init(nil, nil)
MainLoop.attach()
var view: PageView?
Task {
    do { view = try await read(CommandLine.arguments.dropFirst().first ?? "score.pdf") } catch {
        print("offstage: \(error)")
        exit(1)
    }
}
while view.map({ gtk_widget_get_visible($0.widget) != 0 }) ?? true { gtk_main_iteration() }
