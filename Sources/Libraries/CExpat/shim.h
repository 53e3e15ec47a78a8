#include <expat.h>

// Newer versions of the library recommend another function, which older ones do not have.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long expat_line(XML_Parser parser) { return (unsigned long)XML_GetCurrentLineNumber(parser); }
#pragma clang diagnostic pop
