// Preloaded into a server, keeps of its database and log what was synced, in the directory LOCI_SYNCED: what would be on
// the disk after a power cut if nothing that was not synced had got there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int is_kept(const char *path, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  return !strcmp(*name, "loci.db") || !strcmp(*name, "loci.db-wal");
}

static void keep(int fd) {
  char link[64], path[4096], draft[4200], kept[4200], buffer[1 << 16];
  const char *name, *directory = getenv("LOCI_SYNCED");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (directory == NULL || length < 0) return;
  path[length] = 0;
  if (!is_kept(path, &name)) return;
  pthread_mutex_lock(&one_at_a_time);
  snprintf(draft, sizeof draft, "%s/draft", directory);
  snprintf(kept, sizeof kept, "%s/%s", directory, name);
  int from = open(path, O_RDONLY), to = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ssize_t count;
  while (from >= 0 && to >= 0 && (count = read(from, buffer, sizeof buffer)) > 0)
    if (write(to, buffer, count) != count) abort();
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  // A kill leaves the last state or this one, never half of it.
  if (from >= 0 && to >= 0) rename(draft, kept);
  pthread_mutex_unlock(&one_at_a_time);
}

int fsync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  keep(fd);
  return real(fd);
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  keep(fd);
  return real(fd);
}

int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  const char *name, *directory = getenv("LOCI_SYNCED");
  if (directory != NULL && is_kept(path, &name)) {
    char kept[4200];
    snprintf(kept, sizeof kept, "%s/%s", directory, name);
    real(kept);
  }
  return real(path);
}
