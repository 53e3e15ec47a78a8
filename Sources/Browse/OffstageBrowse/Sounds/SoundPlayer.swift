import CGTK
import Foundation
import Offstage
import OffstageCommandLine
import OffstageGLib
import OffstageWebKit

/// Plays a sound file with GStreamer. It decodes the file in this process, without a jail.
@MainActor
final class SoundPlayer {
    /// Called at each change with the position in seconds, and with the speed in seconds of sound per second: 0 while
    /// paused.
    var onChange: ((_ position: Double, _ rate: Double) -> Void)?
    /// Called when the sound has been played to its end.
    var onEnd: (() -> Void)?
    /// Called if the sound cannot be played.
    var onFailure: ((String) -> Void)?
    /// True if the sound should play; it may still be loading.
    private(set) var isPlaying = false

    private let gst: GStreamer
    private let pipeline: GStreamer.Element
    private let bus: GStreamer.Bus
    private let handlers = SignalHandlers()
    /// A seek is under way, or the sound is loading: another seek has to wait.
    private var isBusy = true
    /// The position of the pending seek, seconds.
    private var next: Double?
    private var hasEnded = false

    /// - Parameter path: the file's path.
    init(_ gst: GStreamer, path: String) throws(EngineUnavailable) {
        guard let made = gst.make("playbin", nil) else {
            throw EngineUnavailable(
                problem: "sounds cannot be played: GStreamer has no playbin",
                remedy: "install the Debian package gstreamer1.0-plugins-base")
        }
        self.gst = gst
        pipeline = g_object_ref_sink(made).assumingMemoryBound(to: GObject.self)
        bus = gst.getBus(pipeline)!
        setProperty("uri", of: pipeline, to: URL(fileURLWithPath: path).absoluteString)
        // Don't decode the pictures in a file: none are shown.
        gst.setArgument(pipeline, "flags", "audio+soft-volume")
        if let name = ProcessInfo.processInfo.environment[BrowseRun.sinkVariable], let sink = gst.make(name, nil) {
            // Play in real time, as a device would.
            if g_object_class_find_property(sink.pointee.g_type_instance.classOfObject, "sync") != nil {
                setProperty("sync", of: sink, to: true)
            }
            var value = GValue()
            g_value_init(&value, GType(20 << 2))  // G_TYPE_OBJECT, a macro
            g_value_set_object(&value, sink)
            g_object_set_property(pipeline, "audio-sink", &value)
            g_value_unset(&value)
        }
        gst.watchBus(bus)
        connect()
    }

    isolated deinit {
        handlers.disconnect()
        gst.unwatchBus(bus)
        _ = gst.setState(pipeline, GStreamer.null)
        g_object_unref(bus)
        g_object_unref(pipeline)
    }

    /// Resumes, or starts again after the end.
    func play() {
        isPlaying = true
        if hasEnded { seek(to: 0) }
        start(GStreamer.playing)
    }

    func pause() {
        isPlaying = false
        start(GStreamer.paused)
    }

    private func start(_ state: Int32) {
        if gst.setState(pipeline, state) == GStreamer.hasFailed { fail("GStreamer cannot open the file") }
        report()
    }

    /// Seeks. During another seek, waits and then seeks to the last requested position.
    func seek(to seconds: Double) {
        hasEnded = false
        if isBusy {
            next = seconds
            return
        }
        isBusy = gst.seek(pipeline, GStreamer.time, GStreamer.flushAccurate, Int64(max(0, seconds) * 1e9)) != 0
    }

    private func report() {
        // The position of a seek is unknown until the seek is done.
        if isBusy || hasEnded { return }
        var (state, pending, position) = (Int32(0), Int32(0), Int64(0))
        _ = gst.getState(pipeline, &state, &pending, 0)
        guard gst.queryPosition(pipeline, GStreamer.time, &position) != 0 else { return }
        onChange?(Double(position) / 1e9, state == GStreamer.playing && pending == 0 ? 1 : 0)
    }

    /// Reports the position again, because the host's clock may have drifted.
    func refresh() { if isPlaying { report() } }

    private func fail(_ reason: String) {
        isPlaying = false
        onFailure?(reason)
    }

    // MARK: Messages

    private func connect() {
        typealias Callback = @convention(c) (UnsafeMutableRawPointer, OpaquePointer, gpointer) -> Void
        let changed: Callback = { _, _, data in
            onMainActor(data) { receiver($0, as: SoundPlayer.self)?.report() }
        }
        handlers.connect("message::state-changed", of: bus, unsafeBitCast(changed, to: GCallback.self), to: self)
        let done: Callback = { _, _, data in
            onMainActor(data) { receiver($0, as: SoundPlayer.self)?.seekIsDone() }
        }
        handlers.connect("message::async-done", of: bus, unsafeBitCast(done, to: GCallback.self), to: self)
        let ended: Callback = { _, _, data in onMainActor(data) { receiver($0, as: SoundPlayer.self)?.end() } }
        handlers.connect("message::eos", of: bus, unsafeBitCast(ended, to: GCallback.self), to: self)
        let failed: Callback = { _, message, data in
            onMainActor((message, data)) { message, data in
                guard let player = receiver(data, as: SoundPlayer.self) else { return }
                var error: UnsafeMutablePointer<GError>?
                player.gst.parseError(message, &error, nil)
                player.fail(takeMessage(error))
            }
        }
        handlers.connect("message::error", of: bus, unsafeBitCast(failed, to: GCallback.self), to: self)
    }

    private func seekIsDone() {
        isBusy = false
        if let seconds = next {
            next = nil
            seek(to: seconds)
        }
        report()
    }

    private func end() {
        if isBusy { return }
        (isPlaying, hasEnded) = (false, true)
        _ = gst.setState(pipeline, GStreamer.paused)
        onEnd?()
    }
}

extension GTypeInstance {
    /// The class of an object, like `G_OBJECT_GET_CLASS()` in C.
    fileprivate var classOfObject: UnsafeMutablePointer<GObjectClass>? {
        UnsafeMutableRawPointer(g_class)?.assumingMemoryBound(to: GObjectClass.self)
    }
}
