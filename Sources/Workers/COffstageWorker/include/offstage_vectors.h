// Loops that the compiler turns into vector instructions.
#ifndef OFFSTAGE_VECTORS_H
#define OFFSTAGE_VECTORS_H

/// A function in two versions. The program selects one at its start, depending on the processor: with registers of 256 bits, or with
/// those that every processor has. Compile it with `-ffp-contract=off`: without fused products, both return the same numbers.
#if defined(__x86_64__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/// A function that is compiled into each version of a `WIDE` one.
#define INLINE __attribute__((always_inline)) static inline

#endif
