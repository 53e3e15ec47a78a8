import COffstageWire
import Foundation
import Testing

@testable import OffstageWorkers

/// Messages of any size in both directions.
struct ChannelTests {
    private func pair() throws -> (WorkerChannel, WorkerChannel) {
        var (one, other): (Int32, Int32) = (-1, -1)
        try #require(offstage_wire_pair(&one, &other) == 0)
        return (WorkerChannel(OwnedDescriptor(one)), WorkerChannel(OwnedDescriptor(other)))
    }

    @Test(arguments: [0, 1, 16 << 10, (16 << 10) + 1, 3 << 20], [true, false])
    func bytesArriveUnchanged(count: Int, isUp: Bool) throws {
        let (host, worker) = try pair()
        let (sender, receiver) = isUp ? (worker, host) : (host, worker)
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) })
        #expect(sender.send(3, number: 9, values: [1, 2, .max], content, file: STDERR_FILENO))
        guard case .message(let message) = receiver.receive(within: 1_000) else {
            Issue.record("nothing arrived")
            return
        }
        #expect((message.kind, message.number) == (3, 9))
        #expect(message.values == [1, 2, .max])
        #expect(message.content == content)
        #expect(message.file != nil)
        guard case .timeout = receiver.receive(within: 0) else {
            Issue.record("something else arrived")
            return
        }
    }

    /// The other end reads slowly: nothing is lost.
    @Test func aFullQueueIsWaitedFor() async throws {
        let (host, worker) = try pair()
        let content = Data(repeating: 1, count: 16 << 10)
        let sending = Thread { for number in 0..<200 { host.send(1, number: UInt32(number), content) } }
        sending.start()
        for number in 0..<200 {
            guard case .message(let message) = worker.receive(within: 10_000) else {
                Issue.record("message \(number) is missing")
                return
            }
            #expect(message.number == UInt32(number))
        }
    }

    @Test func aClosedEndIsNoticed() throws {
        let (host, worker) = try pair()
        worker.close()
        guard case .end = host.receive(within: -1) else {
            Issue.record("the end was not noticed")
            return
        }
        #expect(!host.send(1))
    }

    /// A size that the file does not have, from a worker that was taken over.
    @Test func memoryOfAnotherSizeIsMalformed() throws {
        let (host, worker) = try pair()
        for (size, count) in [(100, UInt64(101)), (100, 99), (100, .max), (0, 5)] {
            var head = offstage_wire_head()
            head.kind = 1
            head.values.3 = count
            let bytes = [UInt8](repeating: 1, count: max(1, size))
            let file = size == 0 ? dup(STDERR_FILENO) : offstage_wire_sealed(bytes, size)
            #expect(offstage_wire_send(worker.descriptor, &head, nil, [file, -1]) == 0)
            close(file)
            guard case .malformed = host.receive(within: 1_000) else {
                Issue.record("\(count) bytes of \(size) were taken")
                continue
            }
        }
    }
}
