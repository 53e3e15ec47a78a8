import OffstageVector

/// The drawing libraries, which the program loads when it needs them.
package typealias SharedLibrary = OffstageVector.SharedLibrary
