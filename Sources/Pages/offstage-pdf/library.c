#include <dlfcn.h>

#include "pdfium.h"

struct pdfium pdfium;

/// If one function is missing, the whole library is unusable.
static bool find(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    // C has no conversion from an object pointer to a function pointer; POSIX guarantees the same representation.
    *(void **)function = address;
    return address != NULL;
}

static void start(void) {
    struct pdfium_config config = {.version = 2};
    pdfium.FPDF_InitLibraryWithConfig(&config);
}

bool pdfium_load(const char *path) {
    // Resolve everything now, because nothing can be opened later.
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
#define X(result, name, arguments) \
    if (!find(library, #name, &pdfium.name)) return false;
    PDFIUM_FUNCTIONS(X)
#undef X
    start();
    return true;
}

void pdfium_restart(void) {
    pdfium.FPDF_DestroyLibrary();
    start();
}
