#ifndef OFFSTAGE_CALLER_H
#define OFFSTAGE_CALLER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/// True if a return address is in WebKit. JavaScriptCore's library contains part of the code that creates sandboxes and threads.
/// For files that define `_GNU_SOURCE`.
static inline bool is_webkit(const void *caller) {
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "/libwebkit2gtk-") || strstr(info.dli_fname, "/libjavascriptcoregtk-"));
}

#endif
