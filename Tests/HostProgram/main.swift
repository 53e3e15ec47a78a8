import CGTK
import Foundation
import Offstage
import OffstageWebKit

// A GTK host program with its own window and settings, which renders files. Tests compare its pictures with those of
// the command line, and check that rendering does not change its settings.
//
//   HostProgram OUT FILE…         renders each file at scales 1 and 2, light and dark, into OUT
//   HostProgram OUT FILE… --lose  loses the private display between two drawings of the first file

let arguments = CommandLine.arguments.dropFirst()
let losesDisplay = arguments.contains("--lose")
let paths = arguments.filter { $0 != "--lose" }
guard let out = paths.first, paths.count > 1, gtk_init_check(nil, nil) != 0 else { exit(2) }

let host = Host()
let before = host.state
MainLoop.attach()
let ticks = Ticks()
Task {
    do {
        if losesDisplay {
            try await drawWithoutDisplay(paths[1])
        } else {
            for path in paths.dropFirst() { try await draw(path) }
        }
    } catch {
        print("error: \(error)")
    }
    // The longest time for which the loop was blocked, in milliseconds: during the start, and afterwards.
    print("blocked: \(ticks.longest)")
    let after = host.state
    for (name, value) in before where after[name] != value {
        print("changed: \(name) from \(value) to \(after[name] ?? "nothing")")
    }
    print("end")
    exit(0)
}
gtk_main()

@MainActor
func snippet(_ path: String, scale: Double, _ scheme: Emulation.ColorScheme = .light) throws -> Snippet {
    let html = try Data(contentsOf: URL(fileURLWithPath: path))
    var snippet = Snippet(identifier: path, html: html, geometry: Geometry(scale: scale))
    snippet.base = BaseFolder((path as NSString).deletingLastPathComponent)
    snippet.emulation.colorScheme = scheme
    return snippet
}

@MainActor
func draw(_ path: String) async throws {
    let renderer = Host.renderer
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    for scale in [1.0, 2] {
        for scheme in Emulation.ColorScheme.allCases {
            let image = try await renderer.picture(for: snippet(path, scale: scale, scheme))
            try image.write(to: "\(out)/\(name)-\(scheme.rawValue)-\(Int(scale)).png")
            for warning in image.warnings { print("warning: \(warning)") }
            ticks.isStarting = false
        }
    }
}

/// After the loss, every picture is either right, or missing with a reason, and the program continues.
@MainActor
func drawWithoutDisplay(_ path: String) async throws {
    let first = try await Host.renderer.picture(for: snippet(path, scale: 1))
    let servers = host.displayServers
    for child in servers { kill(child, SIGKILL) }
    try first.write(to: "\(out)/first.png")
    let request = try snippet(path, scale: 1)
    while host.displayServers.isSubset(of: servers) {
        var again: RenderedPicture?
        do throws(RenderError) {
            again = try await Host.renderer.picture(for: request)
        } catch {
            guard case .unavailable = error.reason else { throw error }
        }
        if let again, try again.encoded() != first.encoded() { print("another picture") }
    }
    try await Host.renderer.picture(for: request).write(to: "\(out)/again.png")
}
