/* Simulates a disk that becomes read-only: files of one folder can no longer be written or opened for writing.
 *
 * Loaded before libc with LD_PRELOAD. FAULT_FOLDER is the folder (its real path). The disk is read-only while the
 * file FAULT_SWITCH exists, which lies elsewhere. SQLite's *-shm files are shared memory and are not affected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_read_only(const char *path) {
    const char *folder = getenv("FAULT_FOLDER"), *switch_file = getenv("FAULT_SWITCH");
    size_t length = strlen(path);
    if (folder == NULL || switch_file == NULL || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return access(switch_file, F_OK) == 0;
}

static int refuse_write(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!is_read_only(path)) return 0;
    errno = EROFS;
    return 1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t write(int fd, const void *bytes, size_t length) {
    return refuse_write(fd) ? -1 : REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return refuse_write(fd) ? -1 : REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, bytes, length, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    return refuse_write(fd) ? -1 : REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, bytes, length, at);
}

int ftruncate(int fd, off_t size) {
    return refuse_write(fd) ? -1 : REAL(int, "ftruncate", int, off_t)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    return refuse_write(fd) ? -1 : REAL(int, "ftruncate64", int, off64_t)(fd, size);
}

static int check_open(const char *name, const char *path, int flags, mode_t mode) {
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) && is_read_only(path)) {
        errno = EROFS;
        return -1;
    }
    return REAL(int, name, const char *, int, ...)(path, flags, mode);
}

#define OPEN(name)                                  \
    int name(const char *path, int flags, ...) {    \
        va_list more;                               \
        va_start(more, flags);                      \
        mode_t mode = va_arg(more, mode_t);         \
        va_end(more);                               \
        return check_open(#name, path, flags, mode);\
    }

OPEN(open)
OPEN(open64)
