import Foundation
import Testing

/// By default, each client of a service has its own worker.
@Suite struct ServeFreshWorkerTests {
    private static let picture = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

    /// Each expected number of workers includes one spare worker.
    @Test(
        arguments: zip(
            [[], ["--fresh-workers", "client"], ["--fresh-workers", "never"], ["--fresh-workers", "document"]],
            [3, 3, 2, 1]))
    func twoClientsHave(options: [String], workers: Int) throws {
        try withFolder { folder in
            try Self.picture.write(to: URL(fileURLWithPath: folder.path("a.png")))
            try Tokens.write(["one", "two"], in: folder)
            let service = try Service(
                ["--token-file", "tokens", "--files", "."] + options, in: folder)
            // Two sizes, because a cached picture needs no worker.
            for (client, width) in [("one", 10), ("two", 20)] {
                let answer = try service.ask(
                    "POST", "/v1/images",
                    Tokens.header(client).merging(["Content-Type": "application/json"]) { $1 },
                    #"{"file": "a.png", "width": \#(width)}"#)
                #expect(answer.status == 200)
            }
            // Bubblewrap gives all programs this name.
            #expect(
                eventually {
                    ProcessTable.descendants(of: service.child.id).count { $0.name == "worker" } == workers
                }, "\(ProcessTable.descendants(of: service.child.id))")
        }
    }
}
