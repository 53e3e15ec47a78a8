// libjpeg's header uses these and includes neither.
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
