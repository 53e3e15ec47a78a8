#ifndef OFFSTAGE_CALLER_H
#define OFFSTAGE_CALLER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/// Whether a return address is WebKit's; it has a part of what it makes sandboxes and threads by in JavaScriptCore's library. For
/// files that define `_GNU_SOURCE`.
static inline bool is_webkit(const void *caller) {
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "/libwebkit2gtk-") || strstr(info.dli_fname, "/libjavascriptcoregtk-"));
}

#endif
