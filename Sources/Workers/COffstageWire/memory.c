#define _GNU_SOURCE
#include "offstage_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static int seal(int file) { return fcntl(file, F_ADD_SEALS, SEALS); }

int offstage_wire_room(size_t size) {
    // A file larger than this process's limit would end the process.
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && size > limit.rlim_cur) size = limit.rlim_cur;
    int file = memfd_create("offstage-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || ftruncate(file, (off_t)size) == 0) return file;
    int code = errno;
    close(file);
    errno = code;
    return -1;
}

int offstage_wire_close(int file, size_t size) {
    struct stat info;
    if (fstat(file, &info) != 0) return -1;
    if (size > (size_t)info.st_size) {
        errno = EINVAL;
        return -1;
    }
    return ftruncate(file, (off_t)size) == 0 ? seal(file) : -1;
}

int offstage_wire_sealed(const void *bytes, size_t size) {
    int file = memfd_create("offstage-document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    size_t done = 0;
    while (done < size) {
        ssize_t count = write(file, (const char *)bytes + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    if (done == size && seal(file) == 0) return file;
    int code = errno;
    close(file);
    errno = code;
    return -1;
}

const void *offstage_wire_map(int file, size_t size) {
    int seals = fcntl(file, F_GET_SEALS);
    struct stat info;
    struct statfs system;
    // Without huge pages, because there may be too few when the memory is read.
    if (size == 0 || seals < 0 || (seals & SEALS) != SEALS || fstat(file, &info) != 0 || info.st_size < 0
        || (size_t)info.st_size != size || fstatfs(file, &system) != 0 || system.f_type != TMPFS_MAGIC) {
        errno = EINVAL;
        return NULL;
    }
    void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}
