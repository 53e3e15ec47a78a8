// ISA-L for Swift, which cannot import its state with tables of 80 KB.
#ifndef OFFSTAGE_DEFLATE_H
#define OFFSTAGE_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A zlib stream that is being compressed.
struct offstage_deflate;

/// Bytes of memory that a stream needs. The caller owns the memory, aligned to 16 bytes; its address does not influence the output.
size_t offstage_deflate_size(void);
void offstage_deflate_begin(struct offstage_deflate *deflate);

/// Sets the next input, less than 4 GiB. The caller keeps ownership. The bytes must stay in place until all their output has
/// been read.
void offstage_deflate_give(struct offstage_deflate *deflate, const void *bytes, size_t count, bool is_last);
/// Reads compressed bytes and returns their number. Fewer than `capacity` if more input is needed.
size_t offstage_deflate_read(struct offstage_deflate *deflate, void *bytes, size_t capacity);

/// A gzip file that is being unpacked: its first member, and no others.
struct offstage_gunzip;

/// Bytes of memory that it needs. The caller owns the memory, aligned to 16 bytes.
size_t offstage_gunzip_size(void);
/// Begins to unpack a whole file, less than 4 GiB. The caller keeps ownership of the bytes, which must stay in place.
void offstage_gunzip_begin(struct offstage_gunzip *gunzip, const void *bytes, size_t count);
/// Reads unpacked bytes, less than 4 GiB at once. Returns their number, less than `capacity` only at the end; -1 for a damaged file.
ptrdiff_t offstage_gunzip_read(struct offstage_gunzip *gunzip, void *bytes, size_t capacity);

/// The checksum of PNG chunks. Continues from `sum`, the result for the preceding bytes; 0 for none.
uint32_t offstage_crc(uint32_t sum, const void *bytes, size_t count);

#endif
