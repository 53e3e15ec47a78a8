// Work that is the same on every machine and in every version of Offstage. Benchmarks are compared with it.
#ifndef OFFSTAGE_CALIBRATION_H
#define OFFSTAGE_CALIBRATION_H

#include <stdint.h>

/// Does a fixed amount of arithmetic, of look-ups in a table that fits into the cache, and of copying in memory that
/// does not. Returns a number that depends on all of it, so that a compiler cannot remove anything.
uint64_t offstage_calibrate_compute(void);

/// Sends a byte to another process and back, `round_trips` times. Returns 0, or -1 with `errno` set.
int offstage_calibrate_switch(int round_trips);

#endif
