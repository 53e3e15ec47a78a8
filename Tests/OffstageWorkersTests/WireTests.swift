import COffstageWire
import Foundation
import Testing

@testable import OffstageWorkers

/// Messages and shared memory, without a worker.
struct WireTests {
    @Test func sealedMemoryIsMappedOnlyWithItsExactSize() throws {
        let file = OwnedDescriptor(offstage_wire_sealed("12345678", 8))
        let memory = try #require(offstage_wire_map(file.number, 8))
        #expect(memcmp(memory, "12345678", 8) == 0)
        munmap(UnsafeMutableRawPointer(mutating: memory), 8)
        for size in [0, 4, 9, 4096, Int.max] { #expect(offstage_wire_map(file.number, size) == nil) }
    }

    @Test func sealedMemoryCannotBeChanged() {
        let file = OwnedDescriptor(offstage_wire_sealed("12345678", 8))
        #expect(pwrite(file.number, "x", 1, 0) == -1)
        #expect(ftruncate(file.number, 4) == -1)
        #expect(ftruncate(file.number, 16) == -1)
        #expect(mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0) == MAP_FAILED)
    }

    @Test func onlySealedMemoryIsMapped() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/exe"))
        #expect(offstage_wire_map(file.fileDescriptor, Int(try file.seekToEnd())) == nil)
        var ends: (Int32, Int32) = (-1, -1)
        #expect(offstage_wire_pair(&ends.0, &ends.1) == 0)
        let host = OwnedDescriptor(ends.0)
        let worker = OwnedDescriptor(ends.1)
        #expect(offstage_wire_map(host.number, 8) == nil)
        #expect(offstage_wire_map(worker.number, 8) == nil)
    }

    @Test func aMessageArrivesWithItsSender() throws {
        let ends = try WorkerConnection.pair()
        var head = head(length: 5)
        head.values.3 = 42
        #expect(offstage_wire_say(ends.worker.number, &head, "hello") == 0)
        guard case .message(let message) = ends.host.receive(within: -1) else {
            Issue.record("no message")
            return
        }
        #expect(message.payload == Data("hello".utf8))
        #expect(message.head.values.3 == 42)
        #expect(message.sender == getpid())
    }

    /// A message from a worker must not contain a descriptor. The host closes the descriptor.
    @Test func aMessageWithADescriptorIsMalformed() throws {
        let ends = try WorkerConnection.pair()
        var (host, worker): (Int32, Int32) = (-1, -1)
        #expect(offstage_wire_pair(&host, &worker) == 0)
        var head = head(length: 0)
        #expect(offstage_wire_send(ends.worker.number, &head, nil, [host, -1]) == 0)
        close(host)
        guard case .malformed = ends.host.receive(within: -1) else {
            Issue.record("no malformed message")
            return
        }
        var entry = pollfd(fd: worker, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 1 && Int32(entry.revents) & POLLHUP != 0)
        close(worker)
    }

    @Test func aPictureIsSealedOnceNobodyCanWriteToIt() throws {
        let room = OwnedDescriptor(offstage_wire_room(1 << 30))
        let memory = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, room.number, 0)
        #expect(offstage_wire_close(room.number, 8) == -1)
        munmap(memory, 8)
        #expect(offstage_wire_close(room.number, 9) == -1, "it has been cut")
        #expect(offstage_wire_close(room.number, 8) == 0)
        let base = try #require(offstage_wire_map(room.number, 8))
        munmap(UnsafeMutableRawPointer(mutating: base), 8)
        #expect(pwrite(room.number, "x", 1, 0) == -1)
    }

    @Test(arguments: [0, 1, 8, 47, 48, 49, 200])
    func aPacketThatIsNoMessageIsMalformed(size: Int) throws {
        let ends = try WorkerConnection.pair()
        let bytes = [UInt8](repeating: 0xa5, count: size)
        #expect(send(ends.worker.number, bytes, size, 0) == size)
        switch ends.host.receive(within: -1) {
        case .malformed: #expect(size > 0)
        // An empty packet looks like the end of the connection.
        case .end(let isUnread): #expect(size == 0 && !isUnread)
        case .message: Issue.record("a message")
        case .timeout: Issue.record("nothing")
        }
    }

    @Test func aWrongLengthIsMalformed() throws {
        for length in [0, 4, 6, 65_536, UInt32.max] {
            let ends = try WorkerConnection.pair()
            var head = head(length: length)
            var bytes = withUnsafeBytes(of: &head) { Array($0) }
            bytes += Array("hello".utf8)
            #expect(send(ends.worker.number, bytes, bytes.count, 0) == bytes.count)
            guard case .malformed = ends.host.receive(within: -1) else {
                Issue.record("length \(length)")
                continue
            }
        }
    }

    @Test func theEndTellsWhetherTheLastMessageWasRead() throws {
        for isRead in [false, true] {
            let ends = try WorkerConnection.pair()
            let isSent = ends.host.send(WorkerJob(document: Data()), number: 1, document: nil, picture: nil)
            #expect(isSent)
            if isRead {
                var byte: UInt8 = 0
                #expect(recv(ends.worker.number, &byte, 1, 0) == 1)
            }
            let host = ends.takeHost()
            guard case .end(let isUnread) = host.receive(within: -1) else {
                Issue.record("no end")
                continue
            }
            #expect(isUnread == !isRead)
        }
    }

    private func head(length: UInt32) -> offstage_wire_head {
        var head = offstage_wire_head()
        head.magic = OFFSTAGE_WIRE_MAGIC
        head.version = UInt16(OFFSTAGE_WIRE_VERSION)
        head.kind = UInt16(OFFSTAGE_WIRE_READY.rawValue)
        head.length = length
        return head
    }
}
