import CGTK
import Foundation
import Offstage
import OffstageWebKit

/// The functions of GStreamer with which a window plays a sound. The program is not linked with the library; only a
/// window that plays a sound loads it.
struct GStreamer: Sendable {
    typealias Element = UnsafeMutablePointer<GObject>
    typealias Bus = UnsafeMutablePointer<GObject>

    let make: @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Element?
    let setArgument: @convention(c) (Element, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
    let setState: @convention(c) (Element, Int32) -> Int32
    let getState: @convention(c) (Element, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?, UInt64) -> Int32
    let queryPosition: @convention(c) (Element, Int32, UnsafeMutablePointer<Int64>?) -> Int32
    let seek: @convention(c) (Element, Int32, UInt32, Int64) -> Int32
    let getBus: @convention(c) (Element) -> Bus?
    let watchBus: @convention(c) (Bus) -> Void
    let unwatchBus: @convention(c) (Bus) -> Void
    let parseError:
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Void

    /// `GstState`, `GstStateChangeReturn`, `GstFormat` and `GstSeekFlags` of gst.h, which never change.
    static let null: Int32 = 1
    static let paused: Int32 = 3
    static let playing: Int32 = 4
    static let hasFailed: Int32 = 0
    static let time: Int32 = 3
    static let flushAccurate: UInt32 = 1 | 2

    /// The first call loads the library and the names of its plugins. This can take seconds: GStreamer looks for its
    /// plugins once for each user.
    @concurrent
    static func load() async throws(EngineUnavailable) -> GStreamer { try loaded.get() }

    private static let loaded = Result { () throws(EngineUnavailable) in try GStreamer() }

    private init() throws(EngineUnavailable) {
        func unavailable(_ reason: String) -> EngineUnavailable {
            EngineUnavailable(
                problem: "sounds cannot be played: \(reason)",
                remedy: "install the Debian packages libgstreamer1.0-0 and gstreamer1.0-plugins-good")
        }
        guard let library = dlopen("libgstreamer-1.0.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) else {
            throw unavailable(dlerror().map { String(cString: $0) } ?? "GStreamer is not installed")
        }
        func function<F>(_ name: String, _: F.Type = F.self) throws(EngineUnavailable) -> F {
            guard let address = dlsym(library, name) else { throw unavailable("GStreamer has no function \(name)") }
            return unsafeBitCast(address, to: F.self)
        }
        make = try function("gst_element_factory_make")
        setArgument = try function("gst_util_set_object_arg")
        setState = try function("gst_element_set_state")
        getState = try function("gst_element_get_state")
        queryPosition = try function("gst_element_query_position")
        seek = try function("gst_element_seek_simple")
        getBus = try function("gst_element_get_bus")
        watchBus = try function("gst_bus_add_signal_watch")
        unwatchBus = try function("gst_bus_remove_signal_watch")
        parseError = try function("gst_message_parse_error")
        let initialize:
            @convention(c) (
                UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?,
                UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
            ) -> Int32 = try function("gst_init_check")
        var error: UnsafeMutablePointer<GError>?
        if initialize(nil, nil, &error) == 0 { throw unavailable(takeMessage(error)) }
    }
}
