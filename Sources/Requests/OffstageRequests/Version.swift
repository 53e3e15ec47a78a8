/// The version of the program and of the C library. The Makefile reads it from this file.
package let offstageVersion = "0.1.0"
/// The date of the version, for the man page: change both at once, and the heading in CHANGELOG.md.
package let offstageDate = "2026-11-28"
