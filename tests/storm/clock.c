/* Shifts the wall clock of a process that is started with this in LD_PRELOAD.
 *
 * The file named by STORM_CLOCK holds the shift in nanoseconds, as eight bytes of this
 * machine. It is mapped, so that a change holds from the next call on. Only the wall clock is
 * shifted; what measures time that has passed (CLOCK_MONOTONIC) is as it was. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static const volatile int64_t *shift;

__attribute__((constructor)) static void open_shift(void) {
  const char *path = getenv("STORM_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) shift = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long answer = syscall(SYS_clock_gettime, clock, time);
  if (answer == 0 && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanoseconds = (int64_t)time->tv_sec * SECOND + time->tv_nsec + *shift;
    time->tv_sec = nanoseconds / SECOND;
    time->tv_nsec = nanoseconds % SECOND;
  }
  return (int)answer;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
