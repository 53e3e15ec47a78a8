import Foundation
import Offstage
import OffstageHTML

/// Checks that the engine for HTML exists and draws correctly.
enum DrawingChecks {
    /// - Returns: the checks, and that of the sandbox, which belongs further down.
    static func all() async -> (checks: [Check], sandbox: Check) {
        let engine = HTMLEngine()
        let renderer = Renderer(engine: engine)
        let found: HTMLDiagnosis
        do throws(EngineUnavailable) { found = try await engine.diagnosis() } catch {
            let check = Check.failure("html-worker", error.problem, remedy: error.remedy)
            return ([check], .remark("sandbox", "not tried: it needs the worker for HTML", remedy: error.remedy))
        }
        var checks = [display(found), .ok("webkit", "WebKitGTK \(found.webKit)"), .ok("gtk", "GTK \(found.gtk)")]
        if found.display == nil {
            checks.append(.failure("drawing", "not tried: it needs the display", remedy: nil))
        } else {
            let drawing = await drawing(with: renderer)
            checks.append(drawing)
            // The drawing started WebKit's processes, and revealed whether they can have a sandbox.
            if drawing.state == .ok, let now = try? await engine.diagnosis() {
                await renderer.finish()
                return (checks + [network(now)], sandbox(now))
            }
        }
        await renderer.finish()
        return (checks, sandbox(found))
    }

    private static func display(_ found: HTMLDiagnosis) -> Check {
        if let name = found.display {
            let milliseconds = Int((found.displaySeconds * 1000).rounded())
            return .ok("display", "Xvfb \(name) accepts connections after \(milliseconds) ms")
        }
        return .failure("display", found.problem?.problem ?? "it did not start", remedy: found.problem?.remedy)
    }

    /// Checks bubblewrap, which creates the sandbox of WebKit's web processes from namespaces that some machines do not
    /// allow.
    private static func sandbox(_ found: HTMLDiagnosis) -> Check {
        guard let absence = found.sandboxAbsence else { return .ok("sandbox", "bubblewrap can create one") }
        return .remark("sandbox", absence.problem, remedy: absence.remedy)
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
    private static func network(_ found: HTMLDiagnosis) -> Check {
        let name = "network-namespace"
        if found.hasOwnNetwork == true { return .ok(name, "WebKit's processes have no network") }
        return .remark(
            name,
            "WebKit's processes share this machine's network: "
                + (found.networkProblem ?? "they did not enter their own namespace"),
            remedy:
                "allow user namespaces for this user or container; the content policy and the filter apply regardless")
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
        Int((start.duration(to: .now) / .milliseconds(1)).rounded())
    }
}
