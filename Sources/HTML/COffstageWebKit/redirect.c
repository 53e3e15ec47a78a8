#define _GNU_SOURCE
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <elf.h>
#include <gio/gunixconnection.h>
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// In a program, the dynamic linker finds Offstage's replacement functions before those of GTK and GLib. If Offstage is a shared
// library, it is loaded with GTK or after it and does not export these functions, so the linker does not find them. There, this code
// overwrites the table entries through which WebKit and GTK call the functions.

/// Without these variables, WebKit tries to use GL for its windows, and reports on standard error that the private display has none.
/// WebKitGTK 2.54 needs the second one.
static char *get_variable(const char *name) {
    static char yes[] = "1";
    bool disables_gl = strcmp(name, "WEBKIT_DISABLE_COMPOSITING_MODE") == 0 || strcmp(name, "WEBKIT_DISABLE_DMABUF_RENDERER") == 0;
    return disables_gl && offstage_is_on_stage() ? yes : getenv(name);
}

static const struct {
    const char *name;
    void *function;
} ours[] = {
    {"g_subprocess_launcher_take_fd", g_subprocess_launcher_take_fd},
    {"g_subprocess_launcher_spawnv", g_subprocess_launcher_spawnv},
    {"g_unix_connection_receive_credentials", g_unix_connection_receive_credentials},
    {"gtk_settings_get_default", gtk_settings_get_default},
    {"gdk_display_get_default", gdk_display_get_default},
    {"gdk_display_manager_get_default_display", gdk_display_manager_get_default_display},
    {"gdk_monitor_get_workarea", gdk_monitor_get_workarea},
    {"gdk_display_get_monitor_at_window", gdk_display_get_monitor_at_window},
    {"g_get_user_runtime_dir", g_get_user_runtime_dir},
    {"g_getenv", g_getenv},
    {"getenv", get_variable},
    {"sched_setscheduler", sched_setscheduler},
};

#if defined(__x86_64__)
#define IS_CALL(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_CALL(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#error "unsupported processor: define which relocations are calls"
#endif

static void *our_function(const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(ours); i++)
        if (strcmp(ours[i].name, name) == 0) return ours[i].function;
    return NULL;
}

/// The range that the dynamic linker made read-only after it had filled it.
struct sealed {
    uintptr_t start, end;
};

/// - Returns: False if the entry cannot be written.
static bool write_entry(void **entry, void *function, struct sealed sealed) {
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t address = (uintptr_t)entry;
    bool is_sealed = address >= sealed.start && address < sealed.end;
    void *page = (void *)(address & ~(page_size - 1));
    if (is_sealed && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
    // Another thread may call through the entry at the same time.
    __atomic_store_n(entry, function, __ATOMIC_RELEASE);
    if (is_sealed) mprotect(page, page_size, PROT_READ);
    return true;
}

static bool redirect_table(
    const ElfW(Rela) *table, size_t count, const ElfW(Sym) *symbols, const char *names, ElfW(Addr) base,
    struct sealed sealed) {
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        if (!IS_CALL(ELF64_R_TYPE(table[i].r_info))) continue;
        void *function = our_function(names + symbols[ELF64_R_SYM(table[i].r_info)].st_name);
        if (function) all &= write_entry((void **)(base + table[i].r_offset), function, sealed);
    }
    return all;
}

static bool is_a_caller(const char *path) {
    static const char *const callers[] = {
        "/libwebkit2gtk-4.1.so", "/libjavascriptcoregtk-4.1.so", "/libgtk-3.so", "/libgdk-3.so"};
    for (size_t i = 0; i < G_N_ELEMENTS(callers); i++)
        if (path && strstr(path, callers[i])) return true;
    return false;
}

static int redirect_library(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    if (!is_a_caller(info->dlpi_name)) return 0;
    const ElfW(Dyn) *dynamic = NULL;
    struct sealed sealed = {0, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_DYNAMIC) dynamic = (const void *)start;
        if (header->p_type == PT_GNU_RELRO) sealed = (struct sealed){start, start + header->p_memsz};
    }
    if (!dynamic) return 0;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *calls = NULL, *others = NULL;
    size_t calls_size = 0, others_size = 0;
    // The dynamic linker has replaced the file's offsets with addresses here.
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_SYMTAB: symbols = (const void *)dynamic->d_un.d_ptr; break;
        case DT_STRTAB: names = (const void *)dynamic->d_un.d_ptr; break;
        case DT_JMPREL: calls = (const void *)dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: calls_size = dynamic->d_un.d_val; break;
        case DT_RELA: others = (const void *)dynamic->d_un.d_ptr; break;
        case DT_RELASZ: others_size = dynamic->d_un.d_val; break;
        }
    }
    if (!symbols || !names) return 0;
    bool all = redirect_table(calls, calls_size / sizeof *calls, symbols, names, info->dlpi_addr, sealed);
    all &= redirect_table(others, others_size / sizeof *others, symbols, names, info->dlpi_addr, sealed);
    if (!all) *(bool *)data = false;
    return 0;
}

bool offstage_redirect_calls(void) {
    static bool is_done;
    if (is_done || dlsym(RTLD_DEFAULT, "g_subprocess_launcher_spawnv") == (void *)g_subprocess_launcher_spawnv) return true;
    is_done = true;
    dl_iterate_phdr(redirect_library, &is_done);
    return is_done;
}
