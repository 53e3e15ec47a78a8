#define _GNU_SOURCE
#include "offstage_system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int offstage_open_beneath(const char *folder, const char *path) {
    int base = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (base < 0) return -1;
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int place = (int)syscall(SYS_openat2, base, path, &how, sizeof how);
    int code = errno;
    close(base);
    if (place < 0) {
        errno = code;
        return -1;
    }
    // With O_PATH the descriptor only refers to the file. The type is checked before the file is opened.
    struct stat info;
    int opened = -1;
    code = EACCES;
    if (fstat(place, &info) == 0 && S_ISREG(info.st_mode)) {
        char name[32];
        snprintf(name, sizeof name, "/proc/self/fd/%d", place);
        opened = open(name, O_RDONLY | O_CLOEXEC);
        code = errno;
    }
    close(place);
    if (opened < 0) errno = code;
    return opened;
}

int offstage_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int offstage_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int offstage_sealed_memory_file(const char *name, int size) {
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, size) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0) return file;
    int code = errno;
    close(file);
    errno = code;
    return -1;
}

const char *offstage_path_of_library(const char *name) {
    // Increments the library's reference count, which keeps the path valid.
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    struct link_map *map;
    return library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : NULL;
}

struct search {
    const char *name, *path;
};

/// Ends the search at the first file with that name followed by a number.
static int compare(struct dl_phdr_info *library, size_t size, void *data) {
    (void)size;
    struct search *search = data;
    const char *slash = strrchr(library->dlpi_name, '/');
    const char *file = slash ? slash + 1 : library->dlpi_name;
    size_t length = strlen(search->name);
    if (strncmp(file, search->name, length) != 0 || strncmp(file + length, ".so", 3) != 0) return 0;
    search->path = library->dlpi_name;
    return 1;
}

const char *offstage_path_of_loaded_library(const char *name) {
    struct search search = {.name = name};
    dl_iterate_phdr(compare, &search);
    return search.path;
}

const char *offstage_path_of_this(void) {
    Dl_info info;
    return dladdr((void *)offstage_path_of_this, &info) ? info.dli_fname : NULL;
}

const char *offstage_trusted_variable(const char *name) { return secure_getenv(name); }

int offstage_watch_writes(const char *path) {
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch < 0) return -1;
    if (inotify_add_watch(watch, path, IN_MODIFY) >= 0) return watch;
    int code = errno;
    close(watch);
    errno = code;
    return -1;
}

int offstage_exchange_names(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

/// Copies one attribute. Returns false if the new file cannot have it.
static bool copy_attribute(const char *path, int file, const char *name) {
    ssize_t size = getxattr(path, name, NULL, 0);
    if (size < 0) return errno == ENODATA || errno == ENOTSUP;
    void *value = malloc((size_t)size + 1);
    if (!value) return false;
    size = getxattr(path, name, value, (size_t)size);
    bool copied = size >= 0 && fsetxattr(file, name, value, (size_t)size, 0) == 0;
    free(value);
    return copied;
}

bool offstage_copy_access_list(const char *path, int file) { return copy_attribute(path, file, "system.posix_acl_access"); }

void offstage_copy_attributes(const char *path, int file) {
    ssize_t size = listxattr(path, NULL, 0);
    if (size <= 0) return;
    char *names = malloc((size_t)size + 1);
    if (!names) return;
    size = listxattr(path, names, (size_t)size);
    for (ssize_t at = 0; at < size; at += (ssize_t)strnlen(names + at, (size_t)(size - at)) + 1) {
        names[size] = 0;
        if (strcmp(names + at, "system.posix_acl_access") != 0) copy_attribute(path, file, names + at);
    }
    free(names);
}
