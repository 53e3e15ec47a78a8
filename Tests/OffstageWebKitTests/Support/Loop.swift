import OffstageWebKit
import XCTest

/// Runs an asynchronous body on the main actor, while the test method, which XCTest calls on the main thread, runs
/// GLib's loop.
func onLoop<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) throws -> Value {
    try MainActor.assumeIsolated { try MainLoop.run(body) }
}
