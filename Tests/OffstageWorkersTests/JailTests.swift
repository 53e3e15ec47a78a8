import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

struct JailTests {
    @Test func bubblewrapAddsToTheOtherProtections() async throws {
        try await withEngine(jail: .always) { engine async throws in
            let protections = try await engine.protections()
            #expect(protections.isSuperset(of: [.required, .namespaces]))
        }
        try await withEngine(jail: .never) { engine async throws in
            let protections = try await engine.protections()
            #expect(protections.isSuperset(of: .required) && !protections.contains(.namespaces))
        }
    }

    @Test func theSameBytesInEveryJail() async throws {
        for jail in [WorkerJail.always, .never, .wherePossible] {
            #expect(try await withEngine(jail: jail) { try await $0.pixels() } == echo())
        }
    }

    /// No kernel that the tests run on lacks it.
    @Test func landlockIsInForce() async throws {
        try await withEngine { engine async throws in #expect(try await engine.protections().contains(.landlock)) }
    }

    @Test func aWorkerHasNothingButItsConnection() async throws {
        try await withEngine(jail: .never) { engine async throws in
            #expect(try await engine.pixels() == echo())
            let worker = try #require(await engine.pool.everyWorker().first)
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker.number)/fd").sorted()
            #expect(files == ["0", "1", "2", "3"])
            let environment = try String(contentsOfFile: "/proc/\(worker.number)/environ", encoding: .utf8)
            #expect(environment.isEmpty)
        }
    }

    @Test func namesForDoctor() {
        #expect(WorkerProtections([.namespaces, .landlock]).names == ["bubblewrap", "Landlock"])
    }
}
