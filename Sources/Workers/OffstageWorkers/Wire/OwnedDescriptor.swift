import Glibc

/// Owns a descriptor and closes it.
struct OwnedDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over a descriptor.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
