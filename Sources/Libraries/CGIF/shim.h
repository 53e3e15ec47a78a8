// giflib's header uses size_t and does not include it.
#include <stddef.h>
#include <gif_lib.h>
