// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGLib
import COffstage
import Foundation
import Offstage
import OffstageRequests

// The functions of offstage.h for renderers. That header documents them.

public typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?

extension RendererHandle {
    /// - Parameter function: the function that received the argument.
    fileprivate static func of(_ pointer: OpaquePointer?, function: String = #function) -> RendererHandle? {
        guard let pointer else {
            reportNull("renderer", function)
            return nil
        }
        return Unmanaged.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// - Throws: for NULL. For functions that report it through a GError parameter.
    fileprivate static func needed(_ pointer: OpaquePointer?) throws(UsageError) -> RendererHandle {
        guard let pointer else { throw UsageError("the renderer is NULL; make one with offstage_renderer_new()") }
        return Unmanaged.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

private let version = PictureHandle.CText(offstageVersion)

@c @implementation public func offstage_version() -> UnsafePointer<CChar>! { version.pointer }

@c @implementation public func offstage_renderer_new(
    _ settings: UnsafePointer<UnsafePointer<CChar>?>!, _ error: ErrorPlace
) -> OpaquePointer! {
    guard Thread.isMainThread else {
        Failure(.invalid, "make the renderer on the main thread, whose main loop draws").tell(error)
        return nil
    }
    do throws(UsageError) {
        let settings = try RendererSettings(settings)
        // The caller is on the main thread.
        let handle = MainActor.assumeIsolated { RendererHandle(settings) }
        return OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    } catch let problem {
        Failure(problem).tell(error)
        return nil
    }
}

@c @implementation public func offstage_renderer_free(_ renderer: OpaquePointer!) {
    guard let renderer else { return }
    Unmanaged<RendererHandle>.fromOpaque(UnsafeRawPointer(renderer)).takeRetainedValue().end()
}

@c @implementation public func offstage_renderer_finish(
    _ renderer: OpaquePointer!, _ finished: OffstageFinished!, _ data: gpointer!
) {
    guard let handle = RendererHandle.of(renderer) else { return }
    guard let finished else { return reportNull("finished", #function) }
    let answer = Answer(finished, data)
    Task {
        await handle.finish(.drawn)
        answer.give(.finished)
    }
}

// MARK: Requests

private func begin(
    _ renderer: OpaquePointer?, _ options: TextOptions.List?, as kind: RendererHandle.Kind, _ ready: OffstageReady?,
    _ data: gpointer?, _ error: ErrorPlace
) -> guint64 {
    do throws(UsageError) {
        let handle = try RendererHandle.needed(renderer)
        guard let ready else { throw UsageError("the callback for the picture is NULL; pass a function") }
        return guint64(try handle.begin(options, as: kind, Answer(ready, data)))
    } catch let problem {
        Failure(problem).tell(error)
        return 0
    }
}

@c @implementation public func offstage_renderer_draw(
    _ renderer: OpaquePointer!, _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ ready: OffstageReady!,
    _ data: gpointer!, _ error: ErrorPlace
) -> guint64 {
    begin(renderer, options, as: .pixels, ready, data, error)
}

@c @implementation public func offstage_renderer_encode(
    _ renderer: OpaquePointer!, _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ ready: OffstageReady!,
    _ data: gpointer!, _ error: ErrorPlace
) -> guint64 {
    begin(renderer, options, as: .bytes, ready, data, error)
}

@c @implementation public func offstage_renderer_write(
    _ renderer: OpaquePointer!, _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ path: UnsafePointer<CChar>!,
    _ ready: OffstageReady!, _ data: gpointer!, _ error: ErrorPlace
) -> guint64 {
    guard let path = path.flatMap({ String(validatingCString: $0) }), !path.isEmpty else {
        Failure(.invalid, "the picture's path is empty, or not UTF-8").tell(error)
        return 0
    }
    return begin(renderer, options, as: .file(path), ready, data, error)
}

@c @implementation public func offstage_renderer_lookup(
    _ renderer: OpaquePointer!, _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ error: ErrorPlace
) -> OpaquePointer! {
    do throws(UsageError) {
        return try RendererHandle.needed(renderer).lookUp(options)?.retainedPointer()
    } catch let problem {
        Failure(problem).tell(error)
        return nil
    }
}

@c @implementation public func offstage_renderer_annotate(
    _ renderer: OpaquePointer!, _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ saved: OffstageSaved!,
    _ data: gpointer!, _ error: ErrorPlace
) -> guint64 {
    do throws(UsageError) {
        let handle = try RendererHandle.needed(renderer)
        guard let saved else { throw UsageError("the callback for the document is NULL; pass a function") }
        return guint64(try handle.annotate(options, Answer(saved, data)))
    } catch let problem {
        Failure(problem).tell(error)
        return 0
    }
}

// MARK: Control

@c @implementation public func offstage_renderer_cancel(_ renderer: OpaquePointer!, _ request: guint64) {
    RendererHandle.of(renderer)?.cancel(UInt64(request))
}

@c @implementation public func offstage_renderer_cancel_group(
    _ renderer: OpaquePointer!, _ group: UnsafePointer<CChar>!
) {
    guard let group else { return }
    RendererHandle.of(renderer)?.cancel(group: String(cString: group))
}

@c @implementation public func offstage_renderer_cancel_all(_ renderer: OpaquePointer!) {
    RendererHandle.of(renderer)?.cancel(group: nil)
}

extension RenderPriority {
    fileprivate init?(_ priority: OffstagePriority) { self.init(rawValue: Int(priority.rawValue)) }
}

@c @implementation public func offstage_renderer_set_priority(
    _ renderer: OpaquePointer!, _ request: guint64, _ priority: OffstagePriority
) {
    guard let priority = RenderPriority(priority) else { return }
    RendererHandle.of(renderer)?.setPriority(priority, of: UInt64(request))
}

@c @implementation public func offstage_renderer_set_group_priority(
    _ renderer: OpaquePointer!, _ group: UnsafePointer<CChar>!, _ priority: OffstagePriority
) {
    guard let group, let priority = RenderPriority(priority) else { return }
    RendererHandle.of(renderer)?.setPriority(priority, group: String(cString: group))
}

@c @implementation public func offstage_renderer_suspend(_ renderer: OpaquePointer!, _ seconds: Double) -> guint64 {
    guint64(RendererHandle.of(renderer)?.suspend(seconds) ?? 0)
}

@c @implementation public func offstage_renderer_resume(_ renderer: OpaquePointer!, _ lease: guint64) {
    RendererHandle.of(renderer)?.resume(UInt64(lease))
}

@c @implementation public func offstage_renderer_is_suspended(_ renderer: OpaquePointer!) -> gboolean {
    RendererHandle.of(renderer)?.renderer.isSuspended == true ? 1 : 0
}

@c @implementation public func offstage_renderer_get_statistic(
    _ renderer: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> gint64 {
    guard let name else { return -1 }
    return gint64(RendererHandle.of(renderer)?.statistic(String(cString: name)) ?? -1)
}

@c @implementation public func offstage_renderer_trim_memory(_ renderer: OpaquePointer!, _ fraction: Double) {
    RendererHandle.of(renderer)?.renderer.trimMemory(to: fraction)
}
