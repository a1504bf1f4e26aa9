//! Calls to the system that a process may make, by seccomp.
//!
//! What is not listed does not exist for the process: no socket, no `io_uring`, no `ptrace`, no
//! other process, and no change of a file, its name, owner or mode.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// Filters the calls of this process, which may open a file for writing where it makes one; whether
/// the kernel has agreed.
pub(super) fn restrict(makes_a_file: bool) -> bool {
    filter(makes_a_file).is_some_and(|filter| apply_filter(&filter).is_ok())
}

/// `None` for a processor that is not known here.
fn filter(makes_a_file: bool) -> Option<BpfProgram> {
    let arch = std::env::consts::ARCH.try_into().ok()?;
    // A call that is not there has programs look for another way; one that is refused, give up.
    let unknown = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let filter =
        SeccompFilter::new(rules(makes_a_file)?, unknown, SeccompAction::Allow, arch).ok()?;
    filter.try_into().ok()
}

fn rules(makes_a_file: bool) -> Option<BTreeMap<i64, Vec<SeccompRule>>> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        CALLS.iter().chain(OLD_CALLS).map(|call| (*call, Vec::new())).collect();
    let itself = u64::from(std::process::id());
    for (call, argument, operator, values) in [
        // Opened to be read, and never made.
        (libc::SYS_openat, 2, SeccompCmpOp::MaskedEq(CHANGING), &[0][..]),
        // Threads, and no other processes.
        (libc::SYS_clone, 0, SeccompCmpOp::MaskedEq(THREAD), &[THREAD]),
        // Signals to itself, as for an end by its own fault.
        (libc::SYS_kill, 0, SeccompCmpOp::Eq, &[itself]),
        (libc::SYS_tkill, 0, SeccompCmpOp::Eq, &[itself]),
        (libc::SYS_tgkill, 0, SeccompCmpOp::Eq, &[itself]),
        // Its own limits.
        (libc::SYS_prlimit64, 0, SeccompCmpOp::Eq, &[0, itself]),
        // Names of threads and of pieces of memory.
        (
            libc::SYS_prctl,
            0,
            SeccompCmpOp::Eq,
            &[PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_GET_DUMPABLE],
        ),
    ] {
        let each = values.iter().map(|value| rule(argument, operator.clone(), *value));
        rules.insert(call, each.collect::<Option<_>>()?);
    }
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![rule(1, SeccompCmpOp::MaskedEq(CHANGING), 0)?]);
    if makes_a_file {
        // Which file that is, is for Landlock to say.
        for call in WRITING {
            rules.insert(*call, Vec::new());
        }
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_open, Vec::new());
    }
    Some(rules)
}

/// What making a file takes besides.
const WRITING: &[i64] = &[libc::SYS_openat, libc::SYS_ftruncate, libc::SYS_pwrite64];

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompRule> {
    let length = SeccompCmpArgLen::Dword;
    let condition = SeccompCondition::new(argument, length, operator, value).ok()?;
    SeccompRule::new(vec![condition]).ok()
}

/// Flags with which a file would be made or changed.
const CHANGING: u64 = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC).unsigned_abs() as u64;

const THREAD: u64 = libc::CLONE_THREAD.unsigned_abs() as u64;
const PR_SET_NAME: u64 = libc::PR_SET_NAME.unsigned_abs() as u64;
const PR_GET_NAME: u64 = libc::PR_GET_NAME.unsigned_abs() as u64;
const PR_SET_VMA: u64 = libc::PR_SET_VMA.unsigned_abs() as u64;
const PR_GET_DUMPABLE: u64 = libc::PR_GET_DUMPABLE.unsigned_abs() as u64;

/// Calls that decoding a film takes, and starting a program with its libraries, with the GNU C
/// library and with musl. Source: our decision, from what ffmpeg and ffprobe do under `strace`.
const CALLS: &[i64] = &[
    // streams and files that are open
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_fcntl,
    libc::SYS_ioctl,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_getdents64,
    // names of files
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    // memory
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_membarrier,
    // threads and waiting
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_restart_syscall,
    // signals
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    // what it is told
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    // its beginning and its end
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// What newer processors have no number for.
#[cfg(target_arch = "x86_64")]
const OLD_CALLS: &[i64] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_getrlimit,
    libc::SYS_time,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CALLS: &[i64] = &[];
