/* Records all changes that a program makes to the files of one folder, to simulate power cuts later.
 *
 * Loaded before libc with LD_PRELOAD. POWER_FOLDER is the folder (its real path), POWER_JOURNAL a file outside of it
 * to which records are appended. A call is made and recorded under one lock, so the journal has the order of the
 * calls of all threads. It contains only successful calls. A record is a header and `length` bytes:
 *
 *   op       fd       value                 bytes
 *   START    process  -                     -               the program starts, with no open files
 *   OPEN     fd       1 new, 2 emptied      its name        "" is the folder itself
 *   WRITE    fd       offset                the data
 *   TRUNCATE fd       size                  -
 *   SYNC     fd       -                     -               all earlier changes to this file are safe
 *   CLOSE    fd       -                     -
 *   UNLINK   -        -                     name
 *   RENAME   -        -                     old, 0, new
 *   MARK     -        -                     a message of the program, from `power_mark`
 *
 * Files called *-shm are not tracked. Writes to mapped memory, dup, links and fallocate are not recorded; readers
 * detect them by comparing the folder that the journal reproduces with the real one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(long) == 8, "offsets are passed to system calls in one register");

enum { START = 1, OPEN, WRITE, TRUNCATE, SYNC, CLOSE, UNLINK, RENAME, MARK };
enum { NEW = 1, EMPTIED = 2 };
enum { FILES = 65536, NAME = PATH_MAX };

struct header {
    uint32_t op;
    int32_t fd;
    uint64_t value;
    uint64_t length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[NAME];
static int journal = -1;
static volatile char tracked[FILES];

static void fail(const char *reason) {
    dprintf(2, "power shim: %s: %s\n", reason, strerror(errno));
    abort();
}

static void append(const void *bytes, size_t length) {
    for (const char *at = bytes; length > 0;) {
        ssize_t written = syscall(SYS_write, journal, at, length);
        if (written < 0) fail("the journal cannot be written");
        at += written;
        length -= written;
    }
}

static void record(uint32_t op, int fd, uint64_t value, const void *bytes, size_t length) {
    int saved = errno;
    struct header header = {op, fd, value, length};
    append(&header, sizeof header);
    append(bytes, length);
    errno = saved;
}

__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("POWER_FOLDER"), *to = getenv("POWER_JOURNAL");
    if (!where || !to || strlen(where) >= NAME) fail("POWER_FOLDER and POWER_JOURNAL must be set");
    strcpy(folder, where);
    int low = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (low < 0) fail("the journal cannot be opened");
    /* Avoid low descriptors, which programs may close or reuse. */
    journal = fcntl(low, F_DUPFD_CLOEXEC, 1000);
    if (journal < 0) fail("the journal cannot be kept open");
    syscall(SYS_close, low);
    unsetenv("LD_PRELOAD"); /* child processes are not recorded */
    record(START, getpid(), 0, "", 0);
}

/* SQLite's shared memory, which is recreated after a power cut. */
static int is_memory(const char *name) {
    size_t length = strlen(name);
    return length >= 4 && !strcmp(name + length - 4, "-shm");
}

/* The name of an open file in the folder, "" for the folder itself, NULL for anything that is not tracked. */
static const char *name_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, NAME - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    size_t prefix = strlen(folder);
    if (strncmp(path, folder, prefix)) return NULL;
    if (path[prefix] == 0) return path + prefix;
    return path[prefix] == '/' && !is_memory(path) ? path + prefix + 1 : NULL;
}

/* The name in the folder of the file at a path. */
static const char *name_at(int dirfd, const char *given, char *path) {
    int saved = errno;
    int fd = syscall(SYS_openat, dirfd, given, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
    const char *name = NULL;
    if (fd >= 0) {
        name = name_of(fd, path);
        syscall(SYS_close, fd);
    }
    errno = saved;
    return name;
}

static int track_open(int dirfd, const char *path, int flags, mode_t mode) {
    char real[NAME];
    pthread_mutex_lock(&lock);
    int saved = errno;
    int there = faccessat(dirfd, path, F_OK, 0) == 0;
    errno = saved;
    int fd = syscall(SYS_openat, dirfd, path, flags, mode);
    const char *name = fd >= 0 && !(flags & O_PATH) ? name_of(fd, real) : NULL;
    if (name) {
        if (fd >= FILES) fail("too many open files");
        tracked[fd] = 1;
        record(OPEN, fd, (there ? 0 : NEW) | (there && flags & O_TRUNC ? EMPTIED : 0), name, strlen(name));
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

static int is_tracked(int fd) { return fd >= 0 && fd < FILES && tracked[fd]; }

#define MODE(flags, mode)                        \
    mode_t mode = 0;                             \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {     \
        va_list rest;                            \
        va_start(rest, flags);                   \
        mode = va_arg(rest, mode_t);             \
        va_end(rest);                            \
    }

int open(const char *path, int flags, ...) { MODE(flags, mode) return track_open(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, mode) return track_open(AT_FDCWD, path, flags, mode); }
int __open_2(const char *path, int flags) { return track_open(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return track_open(AT_FDCWD, path, flags, 0); }
int openat(int dirfd, const char *path, int flags, ...) { MODE(flags, mode) return track_open(dirfd, path, flags, mode); }
int openat64(int dirfd, const char *path, int flags, ...) { MODE(flags, mode) return track_open(dirfd, path, flags, mode); }
int creat(const char *path, mode_t mode) { return track_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int fd) {
    if (!is_tracked(fd)) return syscall(SYS_close, fd);
    pthread_mutex_lock(&lock);
    tracked[fd] = 0;
    record(CLOSE, fd, 0, "", 0);
    int result = syscall(SYS_close, fd);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    if (!is_tracked(fd)) return syscall(SYS_pwrite64, fd, bytes, length, offset);
    pthread_mutex_lock(&lock);
    ssize_t written = syscall(SYS_pwrite64, fd, bytes, length, offset);
    if (written > 0) record(WRITE, fd, offset, bytes, written);
    pthread_mutex_unlock(&lock);
    return written;
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) { return pwrite(fd, bytes, length, offset); }

ssize_t write(int fd, const void *bytes, size_t length) {
    if (!is_tracked(fd)) return syscall(SYS_write, fd, bytes, length);
    pthread_mutex_lock(&lock);
    ssize_t written = syscall(SYS_write, fd, bytes, length);
    /* The offset is known only afterwards, because of O_APPEND. */
    if (written > 0) record(WRITE, fd, lseek(fd, 0, SEEK_CUR) - written, bytes, written);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
    if (!is_tracked(fd)) return syscall(SYS_writev, fd, pieces, count);
    ssize_t written = 0;
    for (int piece = 0; piece < count; piece++) {
        ssize_t more = write(fd, pieces[piece].iov_base, pieces[piece].iov_len);
        if (more < 0) return written ? written : more;
        written += more;
        if ((size_t)more < pieces[piece].iov_len) break;
    }
    return written;
}

int ftruncate(int fd, off_t size) {
    if (!is_tracked(fd)) return syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&lock);
    int result = syscall(SYS_ftruncate, fd, size);
    if (result == 0) record(TRUNCATE, fd, size, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

static int sync_tracked(long call, int fd) {
    if (!is_tracked(fd)) return syscall(call, fd);
    pthread_mutex_lock(&lock);
    int result = syscall(call, fd);
    if (result == 0) record(SYNC, fd, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int fsync(int fd) { return sync_tracked(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_tracked(SYS_fdatasync, fd); }

int unlinkat(int dirfd, const char *path, int flags) {
    char real[NAME];
    pthread_mutex_lock(&lock);
    const char *name = name_at(dirfd, path, real);
    int result = syscall(SYS_unlinkat, dirfd, path, flags);
    if (result == 0 && name) record(UNLINK, -1, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int remove(const char *path) {
    int result = unlink(path);
    return result < 0 && errno == EISDIR ? rmdir(path) : result;
}

int renameat(int from, const char *old, int to, const char *new) {
    char before[NAME], after[NAME], both[2 * NAME];
    pthread_mutex_lock(&lock);
    const char *was = name_at(from, old, before);
    int result = syscall(SYS_renameat2, from, old, to, new, 0);
    const char *is = result == 0 ? name_at(to, new, after) : NULL;
    if (result == 0 && (was || is)) {
        if (!was || !is) fail("a file was moved into the folder or out of it");
        size_t length = strlen(was) + 1;
        memcpy(both, was, length);
        strcpy(both + length, is);
        record(RENAME, -1, 0, both, length + strlen(is));
    }
    pthread_mutex_unlock(&lock);
    return result;
}
int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

/* Records a message of the program: that something was sent or acknowledged. */
void power_mark(const char *text, size_t length) {
    pthread_mutex_lock(&lock);
    record(MARK, -1, 0, text, length);
    pthread_mutex_unlock(&lock);
}
