import OffstageVector

/// The libraries that draw. The program loads them when it needs them.
package typealias SharedLibrary = OffstageVector.SharedLibrary
