import CWebKitGTK
import Foundation

/// Finds what is used after it was freed, in this process.
enum Strictness {
    /// Memory that is freed holds no old pointers, and GLib's criticals end the tests.
    static func apply() {
        // As MALLOC_PERTURB_ does it; the header is none of Swift's.
        let set = unsafeBitCast(dlsym(nil, "mallopt"), to: (@convention(c) (Int32, Int32) -> Int32).self)
        precondition(set(-6, 0xA5) == 1, "no M_PERTURB")
        let levels = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
        g_log_set_always_fatal(GLogLevelFlags(rawValue: levels))
    }
}
