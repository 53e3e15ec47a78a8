// libjpeg's header uses these two headers without including them.
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
