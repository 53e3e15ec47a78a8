import Foundation

/// The machine's EGL, which WebKit starts in a host's process together with its first object, but does not draw with.
enum MachineEGL {
    private typealias GetPlatformDisplay =
        @convention(c) (UInt32, UnsafeRawPointer?, UnsafePointer<Int>?) -> UnsafeRawPointer?
    private typealias Initialize =
        @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> UInt32

    /// Loads EGL's driver: with Mesa 35 ms, mostly for libLLVM. Call it off the main thread, so that the host's loop is not blocked
    /// when WebKit does the same. EGL may be used from any thread. Without EGL it has no effect.
    ///
    /// The display stays initialized, because ending it would unload the driver.
    static func load() {
        guard let library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_NODELETE),
            let display = dlsym(library, "eglGetPlatformDisplay"), let initialize = dlsym(library, "eglInitialize"),
            // EGL_PLATFORM_SURFACELESS_MESA: no display server is used.
            let surfaceless = unsafeBitCast(display, to: GetPlatformDisplay.self)(0x31DD, nil, nil)
        else { return }
        _ = unsafeBitCast(initialize, to: Initialize.self)(surfaceless, nil, nil)
    }
}
