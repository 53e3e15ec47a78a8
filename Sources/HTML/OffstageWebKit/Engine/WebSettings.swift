import CWebKitGTK
import Offstage

/// The settings of a view. Between two drawings, only the default fonts change.
@MainActor
final class WebSettings {
    let pointer: UnsafeMutablePointer<WebKitSettings> = webkit_settings_new()
    private var fonts = Emulation.DefaultFonts()
    private let machineFamily: String

    init(runsScripts: Bool) {
        machineFamily = String(cString: webkit_settings_get_default_font_family(pointer))
        webkit_settings_set_default_charset(pointer, "UTF-8")
        // If this is off, the parser removes the page's scripts. Offstage's own still run.
        webkit_settings_set_enable_javascript_markup(pointer, runsScripts ? 1 : 0)
        // Without hardware acceleration, pictures have the same bytes but take less time and memory.
        webkit_settings_set_hardware_acceleration_policy(pointer, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
        for off in [
            webkit_settings_set_enable_page_cache, webkit_settings_set_enable_html5_database,
            webkit_settings_set_enable_html5_local_storage,
            webkit_settings_set_enable_mediasource, webkit_settings_set_enable_webaudio,
            webkit_settings_set_enable_webgl, webkit_settings_set_enable_smooth_scrolling,
            webkit_settings_set_enable_back_forward_navigation_gestures,
            webkit_settings_set_javascript_can_open_windows_automatically,
        ] { off(pointer, 0) }
        // With these features, some images would load after a scroll or be decoded after the painting, and timers would
        // be slow, because a view that is never shown counts as hidden.
        disable([
            "LazyImageLoading", "LazyIframeLoading", "LargeImageAsyncDecoding", "AnimatedImageAsyncDecoding",
            "HiddenPageDOMTimerThrottling", "PageVisibilityBasedProcessSuppression",
        ])
        disable(Self.decodes)
        if Layer.features.isOn { disable(Self.reachesOut) }
    }

    /// The features that open decoders for audio and video. The elements remain: a video shows its poster.
    private static let decodes: Set = [
        "GStreamer", "MediaPlayback", "MediaCapabilities", "ManagedMediaSource", "WebCodecsVideo", "WebCodecsAudio",
        "WebCodecsAV1", "WebCodecsHEVC",
    ]

    /// Features that access something outside a document, or leave data behind. The policy and the filter forbid them,
    /// too, and the ephemeral session discards their data. But WebKit consults neither before it opens a connection
    /// ahead of a load.
    private static let reachesOut: Set = [
        "LinkPreconnect", "LinkPreconnectEarlyHints", "LinkDNSPrefetch", "LinkPrefetch", "SpeculationRulesPrefetch",
        "BeaconAPI", "WebSocket", "WebTransport",
        "PrivateClickMeasurement", "DownloadAttribute", "XSLT", "PeerConnection", "MediaDevices", "MediaRecorder",
        "ScreenCapture", "GeolocationAPI", "Gamepads", "Notifications", "NotificationEvent", "PushAPI",
        "SpeechSynthesisAPI",
        "MediaSession", "AsyncClipboardAPI", "FullScreen", "ServiceWorkers", "SharedWorker", "BroadcastChannel",
        "WebLocksAPI",
        "CacheAPI", "CookieStoreAPI", "Databases", "IndexedDBAPI", "FileSystem", "FileSystemAccess", "StorageAPI",
        "WebAuthentication", "DigitalCredentials", "WebShare",
    ]

    isolated deinit { g_object_unref(pointer) }

    func set(_ fonts: Emulation.DefaultFonts) {
        if self.fonts == fonts { return }
        self.fonts = fonts
        webkit_settings_set_default_font_family(pointer, fonts.family ?? machineFamily)
        webkit_settings_set_default_font_size(pointer, guint32(fonts.size))
        // The same ratio as WebKit's own defaults, 16 and 13.
        webkit_settings_set_default_monospace_font_size(pointer, guint32(max(1, (fonts.size * 13 + 8) / 16)))
        webkit_settings_set_minimum_font_size(pointer, guint32(fonts.minimumSize))
    }

    private func disable(_ identifiers: Set<String>) {
        let features = webkit_settings_get_all_features()
        defer { webkit_feature_list_unref(features) }
        for index in 0..<webkit_feature_list_get_length(features) {
            let feature = webkit_feature_list_get(features, index)
            if identifiers.contains(String(cString: webkit_feature_get_identifier(feature))) {
                webkit_settings_set_feature_enabled(pointer, feature, 0)
            }
        }
    }
}
