import Glibc

/// Owns a descriptor and closes it.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over a descriptor.
    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
