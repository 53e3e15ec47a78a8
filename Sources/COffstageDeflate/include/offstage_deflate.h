// ISA-L's compression for Swift, into which its state, with tables of 80 KB inside, cannot be imported.
#ifndef OFFSTAGE_DEFLATE_H
#define OFFSTAGE_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes being compressed into zlib's format.
struct offstage_deflate;

/// NULL where there is no memory. Free it with `offstage_deflate_free`.
struct offstage_deflate *offstage_deflate_new(void);
void offstage_deflate_free(struct offstage_deflate *deflate);

/// What comes next, less than 4 GiB. The bytes stay the caller's, and where they are until all that comes of them has been read.
void offstage_deflate_give(struct offstage_deflate *deflate, const void *bytes, size_t count, bool is_last);
/// Compressed bytes: fewer than `capacity` where there are no others until more is given.
size_t offstage_deflate_read(struct offstage_deflate *deflate, void *bytes, size_t capacity);

/// The check sum of PNG's chunks, of `bytes` behind those that gave `sum`; 0 for none.
uint32_t offstage_crc(uint32_t sum, const void *bytes, size_t count);

#endif
