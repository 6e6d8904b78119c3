/* A disk that becomes read-only: no file of one folder can be written to or opened for writing any more.
 *
 * Put before libc with LD_PRELOAD. FAULT_FOLDER is the folder (its real path); the disk is read-only while the
 * file FAULT_SWITCH, elsewhere, is there. SQLite's *-shm files are shared memory and stay as they are.
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

static int lies_there(const char *path) {
    const char *folder = getenv("FAULT_FOLDER"), *turned = getenv("FAULT_SWITCH");
    size_t length = strlen(path);
    if (folder == NULL || turned == NULL || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return access(turned, F_OK) == 0;
}

static int refuses(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!lies_there(path)) return 0;
    errno = EROFS;
    return 1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t write(int fd, const void *bytes, size_t length) {
    return refuses(fd) ? -1 : REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return refuses(fd) ? -1 : REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, bytes, length, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    return refuses(fd) ? -1 : REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, bytes, length, at);
}

int ftruncate(int fd, off_t size) {
    return refuses(fd) ? -1 : REAL(int, "ftruncate", int, off_t)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    return refuses(fd) ? -1 : REAL(int, "ftruncate64", int, off64_t)(fd, size);
}

static int opened(const char *name, const char *path, int flags, mode_t mode) {
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) && lies_there(path)) {
        errno = EROFS;
        return -1;
    }
    return REAL(int, name, const char *, int, ...)(path, flags, mode);
}

#define OPEN(name)                                \
    int name(const char *path, int flags, ...) {  \
        va_list more;                             \
        va_start(more, flags);                    \
        mode_t mode = va_arg(more, mode_t);       \
        va_end(more);                             \
        return opened(#name, path, flags, mode);  \
    }

OPEN(open)
OPEN(open64)
