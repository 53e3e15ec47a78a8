import CGTK
import Foundation

/// Detects uses of freed memory in this process.
enum Strictness {
    /// Overwrites freed memory, so that it contains no old pointers, and makes GLib's criticals end the tests.
    static func apply() {
        setPerturb(0xA5)
        let levels = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
        g_log_set_always_fatal(GLogLevelFlags(rawValue: levels))
    }

    /// Undoes `apply` for the tests that follow. Under M_PERTURB, WebKit's print operation reads uninitialised memory
    /// and sometimes does not find its own printer.
    static func end() {
        setPerturb(0)
        g_log_set_always_fatal(GLogLevelFlags(rawValue: G_LOG_LEVEL_ERROR.rawValue))
    }

    /// Equivalent to MALLOC_PERTURB_; Swift does not import the header.
    private static func setPerturb(_ value: Int32) {
        let set = unsafeBitCast(dlsym(nil, "mallopt"), to: (@convention(c) (Int32, Int32) -> Int32).self)
        precondition(set(-6, value) == 1, "no M_PERTURB")
    }
}
