// SPDX-License-Identifier: GPL-2.0
/* Sessions for tests: one verb a call; a reader that stalls, or dies in a buffer. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"

static const char usage[] =
	"session start [options] NAME   prints the logger id\n"
	"  -b KB -n BUFFERS   of all CPUs together      -o   overwrite mode\n"
	"  -f FLAGS           EnableFlags (0x08000000)  -c CLOCK\n"
	"  -m BUFFERS         to begin with             -t MS  period of flushes\n"
	"  -r                 with rundown\n"
	"  -p PID[,PID...]    only these processes      -C   and their descendants\n"
	"  -H HOOK[,HOOK...]  only these hook ids       -X   not the process that starts it\n"
	"  -i TYPE:N[,N...]   an item of dwords, of any type\n"
	"  -A                 without kernel addresses\n"
	"session stop|discard|flush ID\n"
	"session enable ID FLAGS        UPDATE: these EnableFlags, all else as QUERY tells it\n"
	"session stats ID [FILE]        STATISTICS, of all CPUs and of each\n"
	"session read [options] ID FILE\n"
	"  -c BYTES   of one read()     -d MS      pause between reads\n"
	"  -n BYTES   stop reading after so many   -s MS      then sleep\n"
	"  -k         die then, whatever is in hand\n"
	"  -S FILE    statistics at the end of the stream, before the session goes\n";

/* EnableFlags become an item when there are others */
struct block {
	struct wmi_logger_information info;
	__u16 name[64];
	__u32 extension[2 + 4 * (1 + ETW_MAX_HOOK_FILTER)];
	__u32 used;
	__u32 items;
};

static int control = -1;

static void die(const char *what)
{
	fprintf(stderr, "session: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void die_of_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

static void sleep_ms(unsigned int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

/* Numbers with commas between them */
static void add_item(struct block *block, __u16 type, const char *numbers)
{
	struct trace_enable_flag_ext_item item = { .offset = 1, .type = type };
	__u32 at = block->used++;
	char *end;

	for (; *numbers; numbers = *end ? end + 1 : end) {
		block->extension[block->used++] = strtoul(numbers, &end, 0);
		item.offset++;
		if (end == numbers || (*end && *end != ',') || item.offset > ETW_MAX_HOOK_FILTER)
			die_of_usage();
	}
	memcpy(&block->extension[at], &item, sizeof(item));
	block->items++;
}

/* TYPE:NUMBERS */
static void add_any_item(struct block *block, char *text)
{
	char *numbers = strchr(text, ':');

	if (!numbers)
		die_of_usage();
	add_item(block, strtoul(text, NULL, 0), numbers + 1);
}

static void finish_items(struct block *block, __u32 options)
{
	struct trace_enable_flag_extension overlay = {
		.offset = offsetof(struct block, extension),
		.length = ETW_EXT_ITEMS, .flag = ETW_EXT_FLAG,
	};
	struct trace_enable_flag_ext_header header;
	char number[16];

	snprintf(number, sizeof(number), "%u", options);
	if (options)
		add_item(block, ETW_EXT_VND_FILTER_OPTIONS, number);
	if (!block->items)
		return;
	snprintf(number, sizeof(number), "%u", block->info.enable_flags);
	add_item(block, ETW_EXT_ENABLE_FLAGS, number);
	header = (struct trace_enable_flag_ext_header){ block->used, block->items };
	memcpy(block->extension, &header, sizeof(header));
	memcpy(&block->info.enable_flags, &overlay, sizeof(overlay));
}

/* Returns ETW_START_* */
static __u32 parse_start(int argc, char **argv, struct block *block)
{
	__u32 flags = ETW_START_NO_RUNDOWN, options = 0;
	int option;

	while ((option = getopt(argc, argv, "b:n:m:of:c:t:rp:CH:Xi:A")) != -1) {
		switch (option) {
		case 'b': block->info.buffer_size = strtoul(optarg, NULL, 0); break;
		case 'n': block->info.maximum_buffers = strtoul(optarg, NULL, 0); break;
		case 'm': block->info.minimum_buffers = strtoul(optarg, NULL, 0); break;
		case 'o': block->info.log_file_mode |= EVENT_TRACE_BUFFERING_MODE; break;
		case 'f': block->info.enable_flags = strtoul(optarg, NULL, 0); break;
		case 'c': block->info.wnode.client_context = strtoul(optarg, NULL, 0); break;
		case 't': block->info.flush_timer = strtoul(optarg, NULL, 0); break;
		case 'r': flags &= ~ETW_START_NO_RUNDOWN; break;
		case 'p': add_item(block, ETW_EXT_PIDS, optarg); break;
		case 'C': options |= ETW_FILTER_CHILDREN; break;
		case 'H': add_item(block, ETW_EXT_VND_HOOK_FILTER, optarg); break;
		case 'X': options |= ETW_FILTER_EXCLUDE_SELF; break;
		case 'i': add_any_item(block, optarg); break;
		case 'A': flags |= ETW_START_NO_ADDRESSES; break;
		default:
			die_of_usage();
		}
	}
	if (optind + 1 != argc)
		die_of_usage();
	finish_items(block, options);
	return flags;
}

static void start(int argc, char **argv)
{
	struct block block = {
		.info = {
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE |
				EVENT_TRACE_SYSTEM_LOGGER_MODE | EVENT_TRACE_USE_MS_FLUSH_TIMER,
			.enable_flags = EVENT_TRACE_FLAG_TEST,
			.logger_name.buffer = offsetof(struct block, name),
		},
		.used = 1,
	};
	struct etw_control c = {
		.size = sizeof(c), .information = (unsigned long)&block,
		.flags = parse_start(argc, argv, &block),
	};
	int i;

	for (i = 0; i < 64 && argv[optind][i]; i++)
		block.name[i] = argv[optind][i];
	block.info.logger_name.length = 2 * i;
	c.information_size = offsetof(struct block, extension) + 4 * block.used;
	block.info.wnode.buffer_size = c.information_size;
	if (ioctl(control, ETW_IOC_START, &c)) {
		fprintf(stderr, "session: field %x, reason %u, item %u\n", c.error_offset,
			c.error_reason, c.error_item);
		die("START");
	}
	printf("%u\n", c.logger_id);
}

static void simple(unsigned long request, __u32 flags, __u32 id, const char *what)
{
	struct etw_control c = { .size = sizeof(c), .flags = flags, .logger_id = id };

	if (ioctl(control, request, &c))
		die(what);
}

/* QUERY, change, UPDATE */
static void enable(__u32 id, __u32 flags)
{
	static __u8 block[16384];
	struct wmi_logger_information *info = (void *)block;
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)block,
	};

	if (ioctl(control, ETW_IOC_QUERY, &c))
		die("QUERY");
	info->enable_flags = flags;
	c.information_size = info->wnode.buffer_size;
	if (ioctl(control, ETW_IOC_UPDATE, &c))
		die("UPDATE");
}

static void print_statistics(FILE *out, __u32 id, __u32 processor)
{
	struct etw_statistics s = { .size = sizeof(s), .logger_id = id, .processor = processor };
	int i;

	if (ioctl(control, ETW_IOC_STATISTICS, &s)) {
		/* a processor that doesn't exist */
		if (processor != ETW_ALL_PROCESSORS)
			return;
		die("STATISTICS");
	}
	if (processor == ETW_ALL_PROCESSORS)
		fputs("all", out);
	else
		fprintf(out, "cpu%u", processor);
	fprintf(out, " state=%u read=%llu overwritten=%llu discarded=%llu buffered=%llu", s.state,
		s.read, s.overwritten, s.discarded, s.buffered);
	for (i = 0; i < 8; i++)
		fprintf(out, " lost%d=%llu", i, s.lost[i]);
	fprintf(out, " buffers_read=%llu buffers_overwritten=%llu internal=%llu buffers=%u free=%u",
		s.buffers_read, s.buffers_overwritten, s.internal, s.buffers, s.buffers_free);
	fprintf(out, " uncounted=%llu\n", s.uncounted);
	if (processor != ETW_ALL_PROCESSORS)
		return;
	for (processor = 0; processor < s.processors; processor++)
		print_statistics(out, id, processor);
}

static void statistics(__u32 id, const char *file)
{
	static __u8 block[16384];
	const struct wmi_logger_information *info = (const void *)block;
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)block,
	};
	FILE *out = file ? fopen(file, "w") : stdout;

	if (!out)
		die(file);
	if (ioctl(control, ETW_IOC_QUERY, &c))
		die("QUERY");
	fprintf(out, "session %u %llu\n", id, info->wnode.time_stamp);
	print_statistics(out, id, ETW_ALL_PROCESSORS);
	if (fflush(out) || (file && fclose(out)))
		die(file);
}

/* How a reader behaves */
struct manner {
	size_t chunk;
	unsigned int pause;
	unsigned long long most;
	unsigned int sleep;
	int dies;
	const char *statistics;
};

static void write_all(int fd, const char *data, size_t size)
{
	ssize_t n;

	for (; size; data += n, size -= n) {
		n = write(fd, data, size);
		if (n < 0)
			die("write");
	}
}

/* Up to @most bytes; all when that is 0. Returns whether the stream ended. */
static int copy(int in, int out, const struct manner *manner, unsigned long long most)
{
	char *data = malloc(manner->chunk);
	unsigned long long done = 0;
	size_t want;
	ssize_t n;

	if (!data)
		die("malloc");
	for (;;) {
		want = manner->chunk;
		if (most && most - done < want)
			want = most - done;
		if (!want)
			break;
		n = read(in, data, want);
		if (n < 0)
			die("read");
		if (!n)
			break;
		write_all(out, data, n);
		done += n;
		if (manner->pause)
			sleep_ms(manner->pause);
	}
	free(data);
	return want != 0;
}

static void reader(int argc, char **argv)
{
	struct manner manner = { .chunk = 1 << 16 };
	int option, in, out, ended;
	char node[32];
	__u32 id;

	while ((option = getopt(argc, argv, "c:d:n:s:kS:")) != -1) {
		switch (option) {
		case 'c':
			manner.chunk = strtoul(optarg, NULL, 0);
			break;
		case 'd':
			manner.pause = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			manner.most = strtoull(optarg, NULL, 0);
			break;
		case 's':
			manner.sleep = strtoul(optarg, NULL, 0);
			break;
		case 'k':
			manner.dies = 1;
			break;
		case 'S':
			manner.statistics = optarg;
			break;
		default:
			die_of_usage();
		}
	}
	if (optind + 2 != argc || !manner.chunk)
		die_of_usage();
	id = strtoul(argv[optind], NULL, 0);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	in = open(node, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		die(node);
	out = open(argv[optind + 1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (out < 0)
		die(argv[optind + 1]);
	ended = copy(in, out, &manner, manner.most);
	if (manner.sleep)
		sleep_ms(manner.sleep);
	if (manner.dies)
		_exit(0);
	if (!ended)
		copy(in, out, &manner, 0);
	if (manner.statistics)
		statistics(id, manner.statistics);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	__u32 id;

	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	argc--;
	argv++;
	if (!strcmp(verb, "start")) {
		start(argc, argv);
		return 0;
	}
	if (!strcmp(verb, "read")) {
		reader(argc, argv);
		return 0;
	}
	if (argc < 2)
		die_of_usage();
	id = strtoul(argv[1], NULL, 0);
	if (!strcmp(verb, "stop"))
		simple(ETW_IOC_STOP, 0, id, "STOP");
	else if (!strcmp(verb, "discard"))
		simple(ETW_IOC_STOP, ETW_STOP_DISCARD, id, "STOP");
	else if (!strcmp(verb, "flush"))
		simple(ETW_IOC_FLUSH, 0, id, "FLUSH");
	else if (!strcmp(verb, "enable") && argc == 3)
		enable(id, strtoul(argv[2], NULL, 0));
	else if (!strcmp(verb, "stats"))
		statistics(id, argc > 2 ? argv[2] : NULL);
	else
		die_of_usage();
	return 0;
}
