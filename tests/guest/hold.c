// SPDX-License-Identifier: GPL-2.0
/* Hold a session while a command runs, read it or not, tell its statistics. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"

static const char usage[] =
	"hold [options] [-- COMMAND...]\n"
	"  -n NAME   logger name (hold)    -f FLAGS  EnableFlags, 0: no kernel session\n"
	"  -b KB     buffer size           -B N      buffers of all CPUs together\n"
	"  -c CLOCK  1..3                  -w MS     flush period\n"
	"  -O        overwrite mode        -R        no rundown\n"
	"  -o FILE   save the stream while the command runs\n"
	"  -s FILE   save it when the session has stopped\n"
	"  -d        read and throw away   -k        keep: no STOP at the end\n"
	"  -x ID     only STOP session ID\n"
	"Without a command: until SIGTERM. Prints \"session N\" when it runs, and\n"
	"name=value pairs of STATISTICS at the end.\n";

struct session {
	struct wmi_logger_information info;
	__u16 name[64];
};

struct reader {
	int in;
	int out;
	int err;
};

static void die(const char *what)
{
	fprintf(stderr, "hold: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void *copy(void *arg)
{
	struct reader *reader = arg;
	static char buffer[1 << 20];
	ssize_t n, m, done;

	while ((n = read(reader->in, buffer, sizeof(buffer))) > 0) {
		for (done = 0; reader->out >= 0 && done < n; done += m) {
			m = write(reader->out, buffer + done, n - done);
			if (m < 0) {
				reader->err = errno;
				return NULL;
			}
		}
	}
	if (n < 0)
		reader->err = errno;
	return NULL;
}

static void open_reader(struct reader *reader, __u32 id, const char *file)
{
	char node[32];

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	reader->in = open(node, O_RDONLY | O_CLOEXEC);
	if (reader->in < 0)
		die(node);
	reader->out = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
	if (file && reader->out < 0)
		die(file);
}

static void tell(int control, __u32 id)
{
	struct etw_statistics s = {
		.size = sizeof(s),
		.logger_id = id,
		.processor = ETW_ALL_PROCESSORS,
	};
	__u64 lost = 0;
	int i;

	if (ioctl(control, ETW_IOC_STATISTICS, &s))
		die("STATISTICS");
	for (i = 0; i < 8; i++)
		lost += s.lost[i];
	printf("hold: read=%llu overwritten=%llu buffered=%llu lost=%llu buffers_read=%llu buffers_waiting=%llu internal=%llu\n",
	       (unsigned long long)s.read, (unsigned long long)s.overwritten,
	       (unsigned long long)s.buffered, (unsigned long long)lost,
	       (unsigned long long)s.buffers_read, (unsigned long long)s.buffers_waiting,
	       (unsigned long long)s.internal);
	fflush(stdout);
}

static int run(char **command)
{
	int status = 0;
	pid_t pid;

	if (!command) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGTERM);
		sigaddset(&set, SIGINT);
		sigwait(&set, &status);
		return 0;
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(command[0], command);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	static const struct etw_guid guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	const char *name = "hold", *save = NULL, *save_late = NULL;
	struct session session = {
		.info = {
			.wnode = { .buffer_size = sizeof(session), .client_context = 1,
				   .flags = WNODE_FLAG_TRACED_GUID },
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE,
			.enable_flags = EVENT_TRACE_FLAG_CSWITCH,
			.logger_name.buffer = offsetof(struct session, name),
		},
	};
	struct etw_control c = {
		.size = sizeof(c), .information_size = sizeof(session),
		.information = (unsigned long)&session,
	};
	struct reader reader = { .in = -1, .out = -1 };
	int control, option, status, discard = 0, keep = 0, only_stop = 0;
	pthread_t thread;
	sigset_t set;
	size_t i;

	while ((option = getopt(argc, argv, "+n:f:b:B:c:w:ORo:s:dkx:")) != -1) {
		switch (option) {
		case 'n': name = optarg; break;
		case 'f': session.info.enable_flags = strtoul(optarg, NULL, 0); break;
		case 'b': session.info.buffer_size = atoi(optarg); break;
		case 'B': session.info.maximum_buffers = atoi(optarg); break;
		case 'c': session.info.wnode.client_context = atoi(optarg); break;
		case 'w':
			session.info.flush_timer = atoi(optarg);
			session.info.log_file_mode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
			break;
		case 'O':
			session.info.log_file_mode |= EVENT_TRACE_BUFFERING_MODE;
			break;
		case 'R': c.flags |= ETW_START_NO_RUNDOWN; break;
		case 'o': save = optarg; break;
		case 's': save_late = optarg; break;
		case 'd': discard = 1; break;
		case 'k': keep = 1; break;
		case 'x': only_stop = atoi(optarg); break;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (session.info.enable_flags)
		session.info.wnode.guid = guid;
	for (i = 0; name[i] && i < 63; i++)
		session.name[i] = name[i];
	session.info.logger_name.length = 2 * i;

	/* for run() without a command; a thread must not get them */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (optind >= argc)
		pthread_sigmask(SIG_BLOCK, &set, NULL);

	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	if (only_stop) {
		c = (struct etw_control){ .size = sizeof(c), .logger_id = only_stop };
		if (ioctl(control, ETW_IOC_STOP, &c))
			die("STOP");
		return 0;
	}
	if (ioctl(control, ETW_IOC_START, &c)) {
		fprintf(stderr, "hold: START: %s, field at 0x%x, reason %u\n", strerror(errno),
			c.error_offset, c.error_reason);
		return 125;
	}
	if (save || discard) {
		open_reader(&reader, c.logger_id, save);
		if (pthread_create(&thread, NULL, copy, &reader))
			die("thread");
	}
	printf("session %u\n", c.logger_id);
	fflush(stdout);

	status = run(optind < argc ? argv + optind : NULL);

	c = (struct etw_control){ .size = sizeof(c), .logger_id = c.logger_id };
	if (keep) {
		tell(control, c.logger_id);
		return status;
	}
	if (ioctl(control, ETW_IOC_STOP, &c))
		die("STOP");
	if (save || discard)
		pthread_join(thread, NULL);
	tell(control, c.logger_id);
	if (save_late) {
		open_reader(&reader, c.logger_id, save_late);
		copy(&reader);
	} else if (!save && !discard) {
		c.flags = ETW_STOP_DISCARD;
		ioctl(control, ETW_IOC_STOP, &c);
	}
	if (reader.err) {
		errno = reader.err;
		die("reading");
	}
	return status;
}
