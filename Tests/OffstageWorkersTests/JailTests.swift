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

    /// Every kernel that the tests run on supports it.
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

    @Test(arguments: [WorkerJail.always, .never]) func aWorkerHasNoPrivileges(jail: WorkerJail) async throws {
        try await withEngine(jail: jail) { engine async throws in
            #expect(try await engine.pixels() == echo())
            let worker = try #require(await engine.pool.everyWorker().first).number
            let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8).split(separator: "\n")
            for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
                #expect(status.contains("\(set):\t0000000000000000"), "\(set)")
            }
            // As root, the worker has another account and none of root's groups, if the host can limit processes of
            // other accounts.
            let own = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                .first { $0.hasPrefix("CapEff:\t") }.flatMap { UInt64($0.dropFirst(8), radix: 16) }
            let isMighty = try #require(own) >> 24 & 1 == 1
            if getuid() == 0, jail == .never, isMighty {
                #expect(status.contains { $0.hasPrefix("Uid:\t65534\t65534\t65534") })
                #expect(status.contains { $0 == "Groups:\t" || $0 == "Groups:\t " })
            }
        }
    }

    /// A worker cannot create a file, not even one in memory, and can open no more descriptors than those for a
    /// document and a picture.
    @Test(arguments: [WorkerJail.always, .never]) func limits(jail: WorkerJail) async throws {
        try await withEngine(jail: jail) { engine async throws in
            #expect(try await engine.pixels() == echo())
            let worker = try #require(await engine.pool.everyWorker().first).number
            let limits = try String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8)
            let rows = Dictionary(
                limits.split(separator: "\n").map { row in
                    (row.prefix(26).trimmingCharacters(in: .whitespaces), row.dropFirst(26).split(separator: " "))
                }, uniquingKeysWith: { $1 })
            #expect(rows["Max open files"]?.prefix(2) == ["6", "6"])
            #expect(rows["Max file size"]?.prefix(2) == ["0", "0"])
            #expect(rows["Max core file size"]?.prefix(2) == ["0", "0"])
            #expect(rows["Max locked memory"]?.prefix(2) == ["0", "0"])
        }
    }

    @Test func namesForDoctor() {
        #expect(WorkerProtections([.namespaces, .landlock]).names == ["bubblewrap", "Landlock"])
    }
}
