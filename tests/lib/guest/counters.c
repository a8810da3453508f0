// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions with counters: what is refused and why, how each counter is read. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include "counter_names.h"
#include "requests.h"

static const char usage[] =
	"counters start [options] NAME   prints the logger id, or how it was refused\n"
	"  -c SOURCE:TYPE:CONFIG[:FLAGS]  a counter; TYPE: a number or a PMU's name;\n"
	"                                 FLAGS: ETW_COUNTER_*\n"
	"  -H HOOK[,HOOK...]  hook ids that carry them\n"
	"  -N NAME[,NAME...]  names, one for each counter\n"
	"  -f FLAGS  EnableFlags (0x10)   -b KB -n BUFFERS  of all CPUs together\n"
	"  -o        overwrite mode       -r                with rundown\n"
	"counters hold [options] NAME COMMAND...\n"
	"                                 start, run it, discard; prints name=value pairs\n"
	"counters methods ID [CPU]        COUNTING\n"
	"counters snapshot ID FILE\n";

static struct {
	struct etw_ext_counter counter[16];
	struct etw_ext_counter_attr attr[16];
	__u32 nr;
	__u32 flagged;
	__u32 hooks[ETW_MAX_PMC_HOOKS];
	__u32 nr_hooks;
	struct counter_names names;
} counters;

static int control;

static void die_of_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

/* A PMU's number, by its name if it is none */
static __u32 pmu_type(const char *name)
{
	char path[128], *end;
	__u32 type = strtoul(name, &end, 0);
	FILE *file;

	if (*name && !*end)
		return type;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%u", &type) != 1)
		die(path);
	fclose(file);
	return type;
}

static void add_counter(char *text)
{
	const char *source = strsep(&text, ":"), *type = strsep(&text, ":");
	const char *config = strsep(&text, ":"), *flags = strsep(&text, ":");
	__u64 value;

	if (!config || counters.nr == 16)
		die_of_usage();
	value = strtoull(config, NULL, 0);
	counters.counter[counters.nr] = (struct etw_ext_counter){
		.profile_source = strtoul(source, NULL, 0), .pmu_type = pmu_type(type),
		.config_low = value, .config_high = value >> 32,
	};
	counters.attr[counters.nr].flags = flags ? strtoul(flags, NULL, 0) : 0;
	counters.flagged |= counters.attr[counters.nr].flags;
	counters.nr++;
}

static void add_hooks(char *text)
{
	const char *hook;

	while ((hook = strsep(&text, ","))) {
		if (counters.nr_hooks == ETW_MAX_PMC_HOOKS)
			die_of_usage();
		counters.hooks[counters.nr_hooks++] = strtoul(hook, NULL, 0);
	}
}

/* Returns ETW_START_*; all else goes to @wish and to the counters */
static __u32 parse_start(int argc, char **argv, struct wish *wish)
{
	__u32 flags = ETW_START_NO_RUNDOWN;
	int option;

	while ((option = getopt(argc, argv, "+c:H:N:f:b:n:or")) != -1) {
		switch (option) {
		case 'c': add_counter(optarg); break;
		case 'H': add_hooks(optarg); break;
		case 'N':
			if (name_counters(&counters.names, optarg))
				die_of_usage();
			break;
		case 'f': wish->flags = strtoul(optarg, NULL, 0); break;
		case 'b': wish->kb = strtoul(optarg, NULL, 0); break;
		case 'n': wish->buffers = strtoul(optarg, NULL, 0); break;
		case 'o': wish->mode |= EVENT_TRACE_BUFFERING_MODE; break;
		case 'r': flags &= ~ETW_START_NO_RUNDOWN; break;
		default:
			die_of_usage();
		}
	}
	if (optind == argc)
		die_of_usage();
	wish->name = argv[optind];
	return flags;
}

static const char *reason_name(__u32 reason)
{
	switch (reason) {
	case ETW_REASON_NO_EVENT: return "NO_EVENT";
	case ETW_REASON_BUSY: return "BUSY";
	case ETW_REASON_SHARED: return "SHARED";
	case ETW_REASON_NO_PEBS: return "NO_PEBS";
	case ETW_REASON_MANNER: return "MANNER";
	default: return "other";
	}
}

/* Returns the logger id; 0: refused, with a message */
static __u32 start(int argc, char **argv)
{
	struct wish wish = { .kb = 64, .buffers = 64, .flags = 0x10, .flush_timer = 500 };
	__u32 flags = parse_start(argc, argv, &wish);
	struct etw_control c = { .flags = flags };
	struct request r;
	__u32 first;
	int err;

	request_begin(&r, &wish);
	first = offsetof(struct request, extension) + 4 * (r.used + 1);
	/* the first item, so that refusals can be compared with a known place */
	if (counters.nr)
		request_add(&r, ETW_EXT_VND_PMC_COUNTERS, counters.counter, 4 * counters.nr);
	if (counters.nr_hooks)
		request_add(&r, ETW_EXT_VND_PMC_HOOKS, counters.hooks, counters.nr_hooks);
	if (counters.flagged)
		request_add(&r, ETW_EXT_VND_COUNTER_ATTRS, counters.attr, 6 * counters.nr);
	if (counters.names.dwords)
		request_add(&r, ETW_EXT_VND_COUNTER_NAMES, counters.names.item,
			    counters.names.dwords);
	err = request_send(control, ETW_IOC_START, &r, &c);
	if (!err)
		return c.logger_id;
	/* offset: in dwords behind the first counter's first */
	printf("refused error=%s reason=%s item=%u dword=%d cpu=%u number=%u\n", error_name(err),
	       reason_name(c.error_reason), c.error_item, ((int)c.error_offset - (int)first) / 4,
	       c.error_processor, c.error_reason);
	return 0;
}

static void methods(__u32 id, __u32 processor)
{
	static const char * const names[] = { "none", "direct", "pmu", "memory", "mixed" };
	struct etw_counting c = { .size = sizeof(c), .logger_id = id, .processor = processor };
	__u32 i;

	if (ioctl(control, ETW_IOC_COUNTING, &c))
		die("COUNTING");
	for (i = 0; i < c.nr_counters; i++)
		printf("%s%#x:%s", i ? " " : "", c.counter[i].profile_source,
		       c.counter[i].method < 5 ? names[c.counter[i].method] : "?");
	putchar('\n');
}

/* Return: the exit status */
static int hold(int argc, char **argv)
{
	__u32 id = start(argc, argv);
	struct etw_statistics s;
	int status;
	pid_t pid;

	if (!id)
		return 125;
	argv += optind + 1;
	pid = fork();
	if (!pid) {
		execvp(*argv, argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("waitpid");
	printf("hold: read by: ");
	fflush(stdout);
	methods(id, ETW_ALL_PROCESSORS);
	if (on_session(control, ETW_IOC_STOP, id, 0) || session_statistics(control, id, &s))
		die("STATISTICS");
	printf("hold: buffered=%llu overwritten=%llu lost=%llu uncounted=%llu\n", s.buffered,
	       s.overwritten, all_lost(&s), s.uncounted);
	if (discard_session(control, id))
		die("STOP");
	return status ? 1 : 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	__u32 id;

	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
	argc--;
	argv++;
	if (!strcmp(verb, "start")) {
		id = start(argc, argv);
		if (id)
			printf("%u\n", id);
		return !id;
	}
	if (!strcmp(verb, "hold") && argc > 2)
		return hold(argc, argv);
	if (argc < 2)
		die_of_usage();
	if (!strcmp(verb, "methods"))
		methods(strtoul(argv[1], NULL, 0),
			argc > 2 ? strtoul(argv[2], NULL, 0) : ETW_ALL_PROCESSORS);
	else if (!strcmp(verb, "snapshot") && argc == 3)
		save_snapshot(control, strtoul(argv[1], NULL, 0), argv[2]);
	else
		die_of_usage();
	return 0;
}
