// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Linux' system calls by their numbers and by their names. */
#include <stdlib.h>
#include <string.h>
#include "system_calls.h"

#define NONE	SYSTEM_CALL_NONE

/* By name: numbers of x86_64 and arm64, arguments. Of Linux 7.3, and older calls. */
static const struct system_call calls[] = {
	{ "_sysctl", { 156, NONE }, 0 }, { "accept", { 43, 202 }, 3 },
	{ "accept4", { 288, 242 }, 4 }, { "access", { 21, NONE }, 2 }, { "acct", { 163, 89 }, 1 },
	{ "add_key", { 248, 217 }, 5 }, { "adjtimex", { 159, 171 }, 1 },
	{ "afs_syscall", { 183, NONE }, 6 }, { "alarm", { 37, NONE }, 1 },
	{ "arch_prctl", { 158, NONE }, 2 }, { "bind", { 49, 200 }, 3 }, { "bpf", { 321, 280 }, 3 },
	{ "brk", { 12, 214 }, 1 }, { "cachestat", { 451, 451 }, 4 }, { "capget", { 125, 90 }, 2 },
	{ "capset", { 126, 91 }, 2 }, { "chdir", { 80, 49 }, 1 }, { "chmod", { 90, NONE }, 2 },
	{ "chown", { 92, NONE }, 3 }, { "chroot", { 161, 51 }, 1 },
	{ "clock_adjtime", { 305, 266 }, 2 }, { "clock_getres", { 229, 114 }, 2 },
	{ "clock_gettime", { 228, 113 }, 2 }, { "clock_nanosleep", { 230, 115 }, 4 },
	{ "clock_settime", { 227, 112 }, 2 }, { "clone", { 56, 220 }, 5 },
	{ "clone3", { 435, 435 }, 2 }, { "close", { 3, 57 }, 1 },
	{ "close_range", { 436, 436 }, 3 }, { "connect", { 42, 203 }, 3 },
	{ "copy_file_range", { 326, 285 }, 6 }, { "creat", { 85, NONE }, 2 },
	{ "create_module", { 174, NONE }, 6 }, { "delete_module", { 176, 106 }, 2 },
	{ "dup", { 32, 23 }, 1 }, { "dup2", { 33, NONE }, 2 }, { "dup3", { 292, 24 }, 3 },
	{ "epoll_create", { 213, NONE }, 1 }, { "epoll_create1", { 291, 20 }, 1 },
	{ "epoll_ctl", { 233, 21 }, 4 }, { "epoll_ctl_old", { 214, NONE }, 6 },
	{ "epoll_pwait", { 281, 22 }, 6 }, { "epoll_pwait2", { 441, 441 }, 6 },
	{ "epoll_wait", { 232, NONE }, 4 }, { "epoll_wait_old", { 215, NONE }, 6 },
	{ "eventfd", { 284, NONE }, 1 }, { "eventfd2", { 290, 19 }, 2 },
	{ "execve", { 59, 221 }, 3 }, { "execveat", { 322, 281 }, 5 }, { "exit", { 60, 93 }, 1 },
	{ "exit_group", { 231, 94 }, 1 }, { "faccessat", { 269, 48 }, 3 },
	{ "faccessat2", { 439, 439 }, 4 }, { "fadvise64", { 221, 223 }, 4 },
	{ "fallocate", { 285, 47 }, 4 }, { "fanotify_init", { 300, 262 }, 2 },
	{ "fanotify_mark", { 301, 263 }, 5 }, { "fchdir", { 81, 50 }, 1 },
	{ "fchmod", { 91, 52 }, 2 }, { "fchmodat", { 268, 53 }, 3 },
	{ "fchmodat2", { 452, 452 }, 4 }, { "fchown", { 93, 55 }, 3 },
	{ "fchownat", { 260, 54 }, 5 }, { "fchroot", { 472, 472 }, 2 }, { "fcntl", { 72, 25 }, 3 },
	{ "fdatasync", { 75, 83 }, 1 }, { "fgetxattr", { 193, 10 }, 4 },
	{ "file_getattr", { 468, 468 }, 5 }, { "file_setattr", { 469, 469 }, 5 },
	{ "finit_module", { 313, 273 }, 3 }, { "flistxattr", { 196, 13 }, 3 },
	{ "flock", { 73, 32 }, 2 }, { "fork", { 57, NONE }, 0 }, { "fremovexattr", { 199, 16 }, 2 },
	{ "fsconfig", { 431, 431 }, 5 }, { "fsetxattr", { 190, 7 }, 5 },
	{ "fsmount", { 432, 432 }, 3 }, { "fsopen", { 430, 430 }, 2 },
	{ "fspick", { 433, 433 }, 3 }, { "fstat", { 5, 80 }, 2 }, { "fstatfs", { 138, 44 }, 2 },
	{ "fsync", { 74, 82 }, 1 }, { "ftruncate", { 77, 46 }, 2 }, { "futex", { 202, 98 }, 6 },
	{ "futex_requeue", { 456, 456 }, 4 }, { "futex_wait", { 455, 455 }, 6 },
	{ "futex_waitv", { 449, 449 }, 5 }, { "futex_wake", { 454, 454 }, 4 },
	{ "futimesat", { 261, NONE }, 3 }, { "get_kernel_syms", { 177, NONE }, 6 },
	{ "get_mempolicy", { 239, 236 }, 5 }, { "get_robust_list", { 274, 100 }, 3 },
	{ "get_thread_area", { 211, NONE }, 1 }, { "getcpu", { 309, 168 }, 3 },
	{ "getcwd", { 79, 17 }, 2 }, { "getdents", { 78, NONE }, 3 },
	{ "getdents64", { 217, 61 }, 3 }, { "getegid", { 108, 177 }, 0 },
	{ "geteuid", { 107, 175 }, 0 }, { "getgid", { 104, 176 }, 0 },
	{ "getgroups", { 115, 158 }, 2 }, { "getitimer", { 36, 102 }, 2 },
	{ "getpeername", { 52, 205 }, 3 }, { "getpgid", { 121, 155 }, 1 },
	{ "getpgrp", { 111, NONE }, 0 }, { "getpid", { 39, 172 }, 0 },
	{ "getpmsg", { 181, NONE }, 6 }, { "getppid", { 110, 173 }, 0 },
	{ "getpriority", { 140, 141 }, 2 }, { "getrandom", { 318, 278 }, 3 },
	{ "getresgid", { 120, 150 }, 3 }, { "getresuid", { 118, 148 }, 3 },
	{ "getrlimit", { 97, 163 }, 2 }, { "getrusage", { 98, 165 }, 2 },
	{ "getsid", { 124, 156 }, 1 }, { "getsockname", { 51, 204 }, 3 },
	{ "getsockopt", { 55, 209 }, 5 }, { "gettid", { 186, 178 }, 0 },
	{ "gettimeofday", { 96, 169 }, 2 }, { "getuid", { 102, 174 }, 0 },
	{ "getxattr", { 191, 8 }, 4 }, { "getxattrat", { 464, 464 }, 6 },
	{ "init_module", { 175, 105 }, 3 }, { "inotify_add_watch", { 254, 27 }, 3 },
	{ "inotify_init", { 253, NONE }, 0 }, { "inotify_init1", { 294, 26 }, 1 },
	{ "inotify_rm_watch", { 255, 28 }, 2 }, { "io_cancel", { 210, 3 }, 3 },
	{ "io_destroy", { 207, 1 }, 1 }, { "io_getevents", { 208, 4 }, 5 },
	{ "io_pgetevents", { 333, 292 }, 6 }, { "io_setup", { 206, 0 }, 2 },
	{ "io_submit", { 209, 2 }, 3 }, { "io_uring_enter", { 426, 426 }, 6 },
	{ "io_uring_register", { 427, 427 }, 4 }, { "io_uring_setup", { 425, 425 }, 2 },
	{ "ioctl", { 16, 29 }, 3 }, { "ioperm", { 173, NONE }, 3 }, { "iopl", { 172, NONE }, 1 },
	{ "ioprio_get", { 252, 31 }, 2 }, { "ioprio_set", { 251, 30 }, 3 },
	{ "kcmp", { 312, 272 }, 5 }, { "kexec_file_load", { 320, 294 }, 5 },
	{ "kexec_load", { 246, 104 }, 4 }, { "keyctl", { 250, 219 }, 5 },
	{ "kill", { 62, 129 }, 2 }, { "landlock_add_rule", { 445, 445 }, 4 },
	{ "landlock_create_ruleset", { 444, 444 }, 3 },
	{ "landlock_restrict_self", { 446, 446 }, 2 }, { "lchown", { 94, NONE }, 3 },
	{ "lgetxattr", { 192, 9 }, 4 }, { "link", { 86, NONE }, 2 }, { "linkat", { 265, 37 }, 5 },
	{ "listen", { 50, 201 }, 2 }, { "listmount", { 458, 458 }, 4 },
	{ "listns", { 470, 470 }, 4 }, { "listxattr", { 194, 11 }, 3 },
	{ "listxattrat", { 465, 465 }, 5 }, { "llistxattr", { 195, 12 }, 3 },
	{ "lookup_dcookie", { 212, 18 }, 6 }, { "lremovexattr", { 198, 15 }, 2 },
	{ "lseek", { 8, 62 }, 3 }, { "lsetxattr", { 189, 6 }, 5 },
	{ "lsm_get_self_attr", { 459, 459 }, 4 }, { "lsm_list_modules", { 461, 461 }, 3 },
	{ "lsm_set_self_attr", { 460, 460 }, 4 }, { "lstat", { 6, NONE }, 2 },
	{ "madvise", { 28, 233 }, 3 }, { "map_shadow_stack", { 453, 453 }, 3 },
	{ "mbind", { 237, 235 }, 6 }, { "membarrier", { 324, 283 }, 3 },
	{ "memfd_create", { 319, 279 }, 2 }, { "memfd_secret", { 447, 447 }, 1 },
	{ "migrate_pages", { 256, 238 }, 4 }, { "mincore", { 27, 232 }, 3 },
	{ "mkdir", { 83, NONE }, 2 }, { "mkdirat", { 258, 34 }, 3 }, { "mknod", { 133, NONE }, 3 },
	{ "mknodat", { 259, 33 }, 4 }, { "mlock", { 149, 228 }, 2 }, { "mlock2", { 325, 284 }, 3 },
	{ "mlockall", { 151, 230 }, 1 }, { "mmap", { 9, 222 }, 6 },
	{ "modify_ldt", { 154, NONE }, 3 }, { "mount", { 165, 40 }, 5 },
	{ "mount_setattr", { 442, 442 }, 5 }, { "move_mount", { 429, 429 }, 5 },
	{ "move_pages", { 279, 239 }, 6 }, { "mprotect", { 10, 226 }, 3 },
	{ "mq_getsetattr", { 245, 185 }, 3 }, { "mq_notify", { 244, 184 }, 2 },
	{ "mq_open", { 240, 180 }, 4 }, { "mq_timedreceive", { 243, 183 }, 5 },
	{ "mq_timedsend", { 242, 182 }, 5 }, { "mq_unlink", { 241, 181 }, 1 },
	{ "mremap", { 25, 216 }, 5 }, { "mseal", { 462, 462 }, 3 }, { "msgctl", { 71, 187 }, 3 },
	{ "msgget", { 68, 186 }, 2 }, { "msgrcv", { 70, 188 }, 5 }, { "msgsnd", { 69, 189 }, 4 },
	{ "msync", { 26, 227 }, 3 }, { "munlock", { 150, 229 }, 2 },
	{ "munlockall", { 152, 231 }, 0 }, { "munmap", { 11, 215 }, 2 },
	{ "name_to_handle_at", { 303, 264 }, 5 }, { "nanosleep", { 35, 101 }, 2 },
	{ "newfstatat", { 262, 79 }, 4 }, { "nfsservctl", { 180, 42 }, 6 },
	{ "open", { 2, NONE }, 3 }, { "open_by_handle_at", { 304, 265 }, 3 },
	{ "open_tree", { 428, 428 }, 3 }, { "open_tree_attr", { 467, 467 }, 5 },
	{ "openat", { 257, 56 }, 4 }, { "openat2", { 437, 437 }, 4 }, { "pause", { 34, NONE }, 0 },
	{ "perf_event_open", { 298, 241 }, 5 }, { "personality", { 135, 92 }, 1 },
	{ "pidfd_getfd", { 438, 438 }, 3 }, { "pidfd_open", { 434, 434 }, 2 },
	{ "pidfd_send_signal", { 424, 424 }, 4 }, { "pipe", { 22, NONE }, 1 },
	{ "pipe2", { 293, 59 }, 2 }, { "pivot_root", { 155, 41 }, 2 },
	{ "pkey_alloc", { 330, 289 }, 2 }, { "pkey_free", { 331, 290 }, 1 },
	{ "pkey_mprotect", { 329, 288 }, 4 }, { "poll", { 7, NONE }, 3 },
	{ "ppoll", { 271, 73 }, 5 }, { "prctl", { 157, 167 }, 5 }, { "pread64", { 17, 67 }, 4 },
	{ "preadv", { 295, 69 }, 5 }, { "preadv2", { 327, 286 }, 6 },
	{ "prlimit64", { 302, 261 }, 4 }, { "process_madvise", { 440, 440 }, 5 },
	{ "process_mrelease", { 448, 448 }, 2 }, { "process_vm_readv", { 310, 270 }, 6 },
	{ "process_vm_writev", { 311, 271 }, 6 }, { "pselect6", { 270, 72 }, 6 },
	{ "ptrace", { 101, 117 }, 4 }, { "putpmsg", { 182, NONE }, 6 },
	{ "pwrite64", { 18, 68 }, 4 }, { "pwritev", { 296, 70 }, 5 },
	{ "pwritev2", { 328, 287 }, 6 }, { "query_module", { 178, NONE }, 6 },
	{ "quotactl", { 179, 60 }, 4 }, { "quotactl_fd", { 443, 443 }, 4 },
	{ "read", { 0, 63 }, 3 }, { "readahead", { 187, 213 }, 3 }, { "readlink", { 89, NONE }, 3 },
	{ "readlinkat", { 267, 78 }, 4 }, { "readv", { 19, 65 }, 3 }, { "reboot", { 169, 142 }, 4 },
	{ "recvfrom", { 45, 207 }, 6 }, { "recvmmsg", { 299, 243 }, 5 },
	{ "recvmsg", { 47, 212 }, 3 }, { "remap_file_pages", { 216, 234 }, 5 },
	{ "removexattr", { 197, 14 }, 2 }, { "removexattrat", { 466, 466 }, 4 },
	{ "rename", { 82, NONE }, 2 }, { "renameat", { 264, 38 }, 4 },
	{ "renameat2", { 316, 276 }, 5 }, { "request_key", { 249, 218 }, 4 },
	{ "restart_syscall", { 219, 128 }, 0 }, { "rmdir", { 84, NONE }, 1 },
	{ "rseq", { 334, 293 }, 4 }, { "rseq_slice_yield", { 471, 471 }, 0 },
	{ "rt_sigaction", { 13, 134 }, 4 }, { "rt_sigpending", { 127, 136 }, 2 },
	{ "rt_sigprocmask", { 14, 135 }, 4 }, { "rt_sigqueueinfo", { 129, 138 }, 3 },
	{ "rt_sigreturn", { 15, 139 }, 0 }, { "rt_sigsuspend", { 130, 133 }, 2 },
	{ "rt_sigtimedwait", { 128, 137 }, 4 }, { "rt_tgsigqueueinfo", { 297, 240 }, 4 },
	{ "sched_get_priority_max", { 146, 125 }, 1 },
	{ "sched_get_priority_min", { 147, 126 }, 1 }, { "sched_getaffinity", { 204, 123 }, 3 },
	{ "sched_getattr", { 315, 275 }, 4 }, { "sched_getparam", { 143, 121 }, 2 },
	{ "sched_getscheduler", { 145, 120 }, 1 }, { "sched_rr_get_interval", { 148, 127 }, 2 },
	{ "sched_setaffinity", { 203, 122 }, 3 }, { "sched_setattr", { 314, 274 }, 3 },
	{ "sched_setparam", { 142, 118 }, 2 }, { "sched_setscheduler", { 144, 119 }, 3 },
	{ "sched_yield", { 24, 124 }, 0 }, { "seccomp", { 317, 277 }, 3 },
	{ "security", { 185, NONE }, 6 }, { "select", { 23, NONE }, 5 },
	{ "semctl", { 66, 191 }, 4 }, { "semget", { 64, 190 }, 3 }, { "semop", { 65, 193 }, 3 },
	{ "semtimedop", { 220, 192 }, 4 }, { "sendfile", { 40, 71 }, 4 },
	{ "sendmmsg", { 307, 269 }, 4 }, { "sendmsg", { 46, 211 }, 3 },
	{ "sendto", { 44, 206 }, 6 }, { "set_mempolicy", { 238, 237 }, 3 },
	{ "set_mempolicy_home_node", { 450, 450 }, 4 }, { "set_robust_list", { 273, 99 }, 2 },
	{ "set_thread_area", { 205, NONE }, 1 }, { "set_tid_address", { 218, 96 }, 1 },
	{ "setdomainname", { 171, 162 }, 2 }, { "setfsgid", { 123, 152 }, 1 },
	{ "setfsuid", { 122, 151 }, 1 }, { "setgid", { 106, 144 }, 1 },
	{ "setgroups", { 116, 159 }, 2 }, { "sethostname", { 170, 161 }, 2 },
	{ "setitimer", { 38, 103 }, 3 }, { "setns", { 308, 268 }, 2 },
	{ "setpgid", { 109, 154 }, 2 }, { "setpriority", { 141, 140 }, 3 },
	{ "setregid", { 114, 143 }, 2 }, { "setresgid", { 119, 149 }, 3 },
	{ "setresuid", { 117, 147 }, 3 }, { "setreuid", { 113, 145 }, 2 },
	{ "setrlimit", { 160, 164 }, 2 }, { "setsid", { 112, 157 }, 0 },
	{ "setsockopt", { 54, 208 }, 5 }, { "settimeofday", { 164, 170 }, 2 },
	{ "setuid", { 105, 146 }, 1 }, { "setxattr", { 188, 5 }, 5 },
	{ "setxattrat", { 463, 463 }, 6 }, { "shmat", { 30, 196 }, 3 },
	{ "shmctl", { 31, 195 }, 3 }, { "shmdt", { 67, 197 }, 1 }, { "shmget", { 29, 194 }, 3 },
	{ "shutdown", { 48, 210 }, 2 }, { "sigaltstack", { 131, 132 }, 2 },
	{ "signalfd", { 282, NONE }, 3 }, { "signalfd4", { 289, 74 }, 4 },
	{ "socket", { 41, 198 }, 3 }, { "socketpair", { 53, 199 }, 4 },
	{ "splice", { 275, 76 }, 6 }, { "stat", { 4, NONE }, 2 }, { "statfs", { 137, 43 }, 2 },
	{ "statmount", { 457, 457 }, 4 }, { "statx", { 332, 291 }, 5 },
	{ "swapoff", { 168, 225 }, 1 }, { "swapon", { 167, 224 }, 2 },
	{ "symlink", { 88, NONE }, 2 }, { "symlinkat", { 266, 36 }, 3 }, { "sync", { 162, 81 }, 0 },
	{ "sync_file_range", { 277, 84 }, 4 }, { "syncfs", { 306, 267 }, 1 },
	{ "sysfs", { 139, NONE }, 3 }, { "sysinfo", { 99, 179 }, 1 }, { "syslog", { 103, 116 }, 3 },
	{ "tee", { 276, 77 }, 4 }, { "tgkill", { 234, 131 }, 3 }, { "time", { 201, NONE }, 1 },
	{ "timer_create", { 222, 107 }, 3 }, { "timer_delete", { 226, 111 }, 1 },
	{ "timer_getoverrun", { 225, 109 }, 1 }, { "timer_gettime", { 224, 108 }, 2 },
	{ "timer_settime", { 223, 110 }, 4 }, { "timerfd_create", { 283, 85 }, 2 },
	{ "timerfd_gettime", { 287, 87 }, 2 }, { "timerfd_settime", { 286, 86 }, 4 },
	{ "times", { 100, 153 }, 1 }, { "tkill", { 200, 130 }, 2 }, { "truncate", { 76, 45 }, 2 },
	{ "tuxcall", { 184, NONE }, 6 }, { "umask", { 95, 166 }, 1 }, { "umount2", { 166, 39 }, 2 },
	{ "uname", { 63, 160 }, 1 }, { "unlink", { 87, NONE }, 1 }, { "unlinkat", { 263, 35 }, 3 },
	{ "unshare", { 272, 97 }, 1 }, { "uprobe", { 336, NONE }, 0 },
	{ "uretprobe", { 335, NONE }, 0 }, { "uselib", { 134, NONE }, 1 },
	{ "userfaultfd", { 323, 282 }, 1 }, { "ustat", { 136, NONE }, 2 },
	{ "utime", { 132, NONE }, 2 }, { "utimensat", { 280, 88 }, 4 },
	{ "utimes", { 235, NONE }, 2 }, { "vfork", { 58, NONE }, 0 }, { "vhangup", { 153, 58 }, 0 },
	{ "vmsplice", { 278, 75 }, 4 }, { "vserver", { 236, NONE }, 6 },
	{ "wait4", { 61, 260 }, 4 }, { "waitid", { 247, 95 }, 5 }, { "write", { 1, 64 }, 3 },
	{ "writev", { 20, 66 }, 3 },
};

/* Functions of the kernel that have another name than the call */
static const struct {
	const char *function;
	const char *name;
} functions[] = {
	{ "fadvise64_64", "fadvise64" }, { "newfstat", "fstat" }, { "newlstat", "lstat" },
	{ "newstat", "stat" }, { "newuname", "uname" }, { "sendfile64", "sendfile" },
	{ "sysctl", "_sysctl" }, { "umount", "umount2" },
};

uint16_t system_call_machine(void)
{
#if defined(__x86_64__)
	return MACHINE_AMD64;
#elif defined(__aarch64__)
	return MACHINE_ARM64;
#else
	return 0;
#endif
}

const struct system_call *system_call_of(uint16_t machine, uint64_t number)
{
	size_t i;

	for (i = 0; number < NONE && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (system_call_number(&calls[i], machine) == number)
			return &calls[i];
	return NULL;
}

static int compare(const void *name, const void *call)
{
	return strcmp(name, ((const struct system_call *)call)->name);
}

const struct system_call *system_call_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(name, functions[i].function))
			name = functions[i].name;
	return bsearch(name, calls, sizeof(calls) / sizeof(calls[0]), sizeof(calls[0]), compare);
}

uint16_t system_call_number(const struct system_call *call, uint16_t machine)
{
	if (machine != MACHINE_AMD64 && machine != MACHINE_ARM64)
		return NONE;
	return call->number[machine == MACHINE_ARM64];
}
