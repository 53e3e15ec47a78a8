import CWebKitGTK
import Foundation
import Offstage
import OffstageWebKit

/// Checks that the engine exists and draws correctly.
@MainActor
enum DrawingChecks {
    static func all() async -> [Check] {
        let display = await display()
        do throws(EngineUnavailable) { try SharedLibrary.webKit.load() } catch {
            return [display, .failure("webkit", error.problem, remedy: error.remedy)]
        }
        let drawing = await drawing(hasDisplay: display.state == .ok)
        return [display] + versions + [drawing.check] + (drawing.network.map { [$0] } ?? [])
    }

    private static func display() async -> Check {
        let start = ContinuousClock.now
        do throws(EngineUnavailable) {
            let name = try await PrivateDisplay.start()
            return .ok("display", "Xvfb \(name) accepts connections after \(milliseconds(since: start)) ms")
        } catch {
            return .failure("display", error.problem, remedy: error.remedy)
        }
    }

    private static var versions: [Check] {
        func version(_ parts: guint...) -> String { parts.map(String.init).joined(separator: ".") }
        let webkit = version(webkit_get_major_version(), webkit_get_minor_version(), webkit_get_micro_version())
        let gtk = version(gtk_get_major_version(), gtk_get_minor_version(), gtk_get_micro_version())
        return [.ok("webkit", "WebKitGTK \(webkit)"), .ok("gtk", "GTK \(gtk)")]
    }

    /// Draws a snippet of one colour, and meanwhile checks the network namespace of WebKit's processes.
    private static func drawing(hasDisplay: Bool) async -> (check: Check, network: Check?) {
        if !hasDisplay { return (.failure("drawing", "not tried: it needs the display", remedy: nil), nil) }
        let renderer = Renderer(engine: WebEngine())
        let check = await drawing(with: renderer)
        let network = check.state == .ok ? network : nil
        await renderer.finish()
        return (check, network)
    }

    private static func drawing(with renderer: Renderer) async -> Check {
        let start = ContinuousClock.now
        let side = 8
        var snippet = Snippet(
            "<!doctype html><body style='margin:0;height:\(side)px;background:#1e90ff'>", identifier: "doctor",
            width: side)
        snippet.requiresComplete = true
        do throws(RenderError) {
            let image = try await renderer.picture(for: snippet)
            let row = Array(repeating: [0xFF, 0x90, 0x1E, 0xFF] as [UInt8], count: side).joined()
            let isRight =
                image.size == PixelSize(width: side, height: side)
                && (0..<side).allSatisfy { y in image.pixmap.withRow(y) { $0.elementsEqual(row) } }
            guard isRight else {
                return .failure(
                    "drawing", "a snippet of one colour was drawn in other colours",
                    remedy: "install Debian's libwebkit2gtk-4.1-0; if it is installed already, report this with "
                        + "the versions above")
            }
            return .ok("drawing", "a test snippet was drawn correctly in \(milliseconds(since: start)) ms")
        } catch {
            if case .unavailable(let reason) = error.reason {
                return .failure("drawing", reason.problem, remedy: reason.remedy)
            }
            return .failure(
                "drawing", "\(error.reason)",
                remedy: "make sure that WebKit's processes can start; they need free memory")
        }
    }

    /// Checks the actual namespaces of the processes, not the ones that were requested.
    private static var network: Check {
        let name = "network-namespace"
        if NetworkNamespace.holdsAll == true { return .ok(name, "WebKit's processes have no network") }
        return .remark(
            name,
            "WebKit's processes share this machine's network: "
                + (NetworkNamespace.problem ?? "they did not enter their own namespace"),
            remedy:
                "allow user namespaces for this user or container; the content policy and the filter apply regardless")
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
        Int((start.duration(to: .now) / .milliseconds(1)).rounded())
    }
}
