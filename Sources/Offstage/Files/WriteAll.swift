import Foundation

/// Writes all bytes to an open file, pipe or terminal; a single `write` may take only some of them.
///
/// - Returns: 0, or what stopped it, an `errno`.
package func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, min(rest.count, 8 << 20))
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                // Who started us may have left a pipe so that it does not wait.
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
