#include <nettle/aes.h>
