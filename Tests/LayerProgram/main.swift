import Foundation
import Offstage
import OffstageWebKit

// Draws documents without some of the layers that keep them from the network: for tests that each layer holds alone.
//
//   LayerProgram LAYER…   reads the paths of documents from standard input, one a line; the layers named are in force, and no
//                         others: contentPolicy, contentFilter, navigationPolicy, proxy, features, namespace
//
// Each document has a line: its name, and "drawn" or an error. Page scripts run in a folder `script`.

let layers = Set(CommandLine.arguments.dropFirst())
Layer.off = Set(Layer.allCases.filter { !layers.contains($0.rawValue) })
NetworkNamespace.isWanted = layers.contains("namespace")
PinnedEnvironment.apply()

let lanes = 4
let paths = Array(AnyIterator { readLine() })
try MainLoop.run {
    // Several at once: where scripts may do more, their pages take longer to leave.
    let engine = WebEngine(views: lanes)
    await withTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
            group.addTask {
                for index in stride(from: lane, to: paths.count, by: lanes) { await draw(paths[index], with: engine) }
            }
        }
    }
    // Whether WebKit's processes are in another namespace, of which a test could otherwise only see that nobody came.
    print("namespace\t\(NetworkNamespace.holdsAll.map { "\($0)" } ?? "unknown")")
    await engine.shutDown()
}

@MainActor
func draw(_ path: String, with engine: WebEngine) async {
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    do {
        var snippet = try Snippet(contentsOf: path)
        snippet.runsScripts = path.contains("/script/")
        snippet.timeout = 3
        _ = try await engine.draw(snippet)
        print("\(name)\tdrawn")
    } catch {
        print("\(name)\t\(error)")
    }
}
