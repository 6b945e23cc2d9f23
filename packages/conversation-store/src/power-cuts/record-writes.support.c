/* Records what a process does to the files of a folder, for LD_PRELOAD. RECORDED_FOLDER is the folder, RECORDING the file of the recording.
   A record is: kind (1 byte), descriptor, length (4 bytes each), offset (8 bytes), and the bytes or the path. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_DESCRIPTORS 4096

static char is_recorded[MAX_DESCRIPTORS];
static int recording = -1;
static const char *folder;
static size_t folder_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static void start(void) {
  if (folder) return;
  folder = getenv("RECORDED_FOLDER");
  const char *path = getenv("RECORDING");
  if (!folder || !path) abort();
  folder_length = strlen(folder);
  recording = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (recording < 0) abort();
}

static int is_inside(const char *path) {
  start();
  return strncmp(path, folder, folder_length) == 0;
}

static int is_ours(int fd) { return fd >= 0 && fd < MAX_DESCRIPTORS && is_recorded[fd]; }

static void record(char kind, int32_t fd, int64_t offset, const void *bytes, uint32_t length) {
  char head[17];
  head[0] = kind;
  memcpy(head + 1, &fd, 4);
  memcpy(head + 5, &length, 4);
  memcpy(head + 9, &offset, 8);
  struct iovec parts[2] = {{head, 17}, {(void *)bytes, length}};
  if (syscall(SYS_writev, recording, parts, 2) != 17 + (long)length) abort();
}

static void record_path(char kind, const char *path) {
  record(kind, -1, 0, path, (uint32_t)strlen(path));
}

static int opened(const char *path, int flags, int fd, int existed) {
  if (fd < 0 || fd >= MAX_DESCRIPTORS) return fd;
  is_recorded[fd] = 1;
  if (!existed) record_path('c', path);
  record('o', fd, flags & O_TRUNC ? 1 : 0, path, (uint32_t)strlen(path));
  return fd;
}

static int open_recorded(const char *path, int flags, mode_t mode) {
  if (!is_inside(path)) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat found;
  int existed = stat(path, &found) == 0;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  opened(path, flags, fd, existed);
  pthread_mutex_unlock(&lock);
  return fd;
}

static mode_t read_mode(int flags, va_list more) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = read_mode(flags, more);
  va_end(more);
  return open_recorded(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = read_mode(flags, more);
  va_end(more);
  return open_recorded(path, flags, mode);
}

int close(int fd) {
  NEXT(close);
  if (!is_ours(fd)) return next(fd);
  pthread_mutex_lock(&lock);
  is_recorded[fd] = 0;
  record('x', fd, 0, "", 0);
  int result = next(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  NEXT(write);
  if (!is_ours(fd)) return next(fd, bytes, length);
  pthread_mutex_lock(&lock);
  ssize_t result = next(fd, bytes, length);
  /* The position after the write is its end, also of a file that is opened for appending. */
  if (result > 0) record('w', fd, lseek(fd, 0, SEEK_CUR) - result, bytes, (uint32_t)result);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  NEXT(pwrite64);
  if (!is_ours(fd)) return next(fd, bytes, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t result = next(fd, bytes, length, offset);
  if (result > 0) record('w', fd, offset, bytes, (uint32_t)result);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return pwrite64(fd, bytes, length, offset);
}

/* A call that this recorder cannot describe would make the recording wrong. */
ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(writev);
  if (is_ours(fd)) abort();
  return next(fd, parts, count);
}

int ftruncate64(int fd, off64_t length) {
  NEXT(ftruncate64);
  if (!is_ours(fd)) return next(fd, length);
  pthread_mutex_lock(&lock);
  int result = next(fd, length);
  if (result == 0) record('t', fd, length, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int fsync(int fd) {
  NEXT(fsync);
  if (!is_ours(fd)) return next(fd);
  pthread_mutex_lock(&lock);
  int result = next(fd);
  if (result == 0) record('s', fd, 0, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  if (!is_ours(fd)) return next(fd);
  pthread_mutex_lock(&lock);
  int result = next(fd);
  if (result == 0) record('s', fd, 0, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int unlink(const char *path) {
  NEXT(unlink);
  if (!is_inside(path)) return next(path);
  pthread_mutex_lock(&lock);
  int result = next(path);
  if (result == 0) record_path('u', path);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) {
  NEXT(rename);
  if (is_inside(from) || is_inside(to)) abort();
  return next(from, to);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  if (!is_inside(path)) return next(path, mode);
  pthread_mutex_lock(&lock);
  int result = next(path, mode);
  if (result == 0) record_path('d', path);
  pthread_mutex_unlock(&lock);
  return result;
}
