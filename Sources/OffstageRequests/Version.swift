/// The version of the program and of the C library. The Makefile reads it here.
package let offstageVersion = "0.1.0"
