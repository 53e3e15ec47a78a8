import Foundation

/// Writes all bytes to an open file, pipe or terminal; a single `write` may accept only some of them.
///
/// - Returns: 0, or the `errno` of the failure.
package func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, min(rest.count, 8 << 20))
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                // The program that started this one may have made the pipe non-blocking.
                var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&place, 1, -1)
                continue
            }
            if count < 0 { return errno }
            SpoolFile.dropPages(of: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }
}
