import CWebKitGTK
import Foundation

/// Finds what is used after it was freed, in this process.
enum Strictness {
    /// Memory that is freed holds no old pointers, and GLib's criticals end the tests.
    static func apply() {
        setPerturb(0xA5)
        let levels = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
        g_log_set_always_fatal(GLogLevelFlags(rawValue: levels))
    }

    /// As before `apply`, for the tests that follow. Under M_PERTURB, WebKit's print operation reads memory that nobody has set,
    /// and at times does not find its own printer.
    static func end() {
        setPerturb(0)
        g_log_set_always_fatal(GLogLevelFlags(rawValue: G_LOG_LEVEL_ERROR.rawValue))
    }

    /// As MALLOC_PERTURB_ does it; the header is none of Swift's.
    private static func setPerturb(_ value: Int32) {
        let set = unsafeBitCast(dlsym(nil, "mallopt"), to: (@convention(c) (Int32, Int32) -> Int32).self)
        precondition(set(-6, value) == 1, "no M_PERTURB")
    }
}
