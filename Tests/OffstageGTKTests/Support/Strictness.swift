import CGTK
import Foundation

/// Detects uses of freed memory in this process.
enum Strictness {
    /// Overwrites freed memory, so that it contains no old pointers, and makes GLib's criticals end the tests.
    static func apply() {
        // Equivalent to MALLOC_PERTURB_; Swift does not import the header.
        let set = unsafeBitCast(dlsym(nil, "mallopt"), to: (@convention(c) (Int32, Int32) -> Int32).self)
        precondition(set(-6, 0xA5) == 1, "no M_PERTURB")
        let levels = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
        g_log_set_always_fatal(GLogLevelFlags(rawValue: levels))
    }
}
