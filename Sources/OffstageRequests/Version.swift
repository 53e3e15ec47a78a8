/// Of the program and of the library for C. The Makefile reads it here.
package let offstageVersion = "0.1.0"
