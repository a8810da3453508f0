// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions that sample: how they start, change, and are refused. */
#define _GNU_SOURCE
#include "tests/lib/guest/counter_names.h"
#include "tests/lib/guest/requests.h"

static const char usage[] =
	"profile start [options] NAME   prints the logger id, or how it was refused\n"
	"profile update [options] ID    UPDATE: these masks and intervals\n"
	"  -f MASK,MASK...    group masks, element 0 first (0x01000000: sampled profile)\n"
	"  -i SOURCE:INTERVAL\n"
	"  -s SOURCE[,SOURCE...]           sources that sample by overflow\n"
	"  -c SOURCE:TYPE:CONFIG[:FLAGS]  a counter; FLAGS: ETW_COUNTER_*\n"
	"  -H HOOK[,HOOK...]  that carry counters\n"
	"  -N NAME[,NAME...]  of counters\n"
	"  -A                 without kernel addresses\n"
	"  -o                 overwrite mode   -n BUFFERS  of all CPUs together (256)\n"
	"profile counting ID            COUNTING\n"
	"profile snapshot ID FILE\n";

#define MOST	8

static struct {
	__u32 masks[ETW_MASKS];
	__u32 nr_masks;
	struct etw_ext_interval interval[MOST];
	__u32 nr_intervals;
	__u32 source[MOST];
	__u32 nr_sources;
	struct etw_ext_counter counter[MOST];
	struct etw_ext_counter_attr attr[MOST];
	__u32 nr_counters;
	__u32 hook[MOST];
	__u32 nr_hooks;
	struct counter_names names;
	__u32 flags;
	__u32 mode;
	__u32 buffers;
} asked = {
	.masks = { 0x01000000 }, .nr_masks = 1, .flags = ETW_START_NO_RUNDOWN, .buffers = 256,
};

static int control;

static void die_of_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

/* Numbers with commas between them; returns how many */
static __u32 numbers(char *text, __u32 *to, __u32 most)
{
	const char *number;
	__u32 n = 0;

	while ((number = strsep(&text, ","))) {
		if (n == most)
			die_of_usage();
		to[n++] = strtoul(number, NULL, 0);
	}
	return n;
}

static void add_interval(char *text)
{
	const char *source = strsep(&text, ":");

	if (!text || asked.nr_intervals == MOST)
		die_of_usage();
	asked.interval[asked.nr_intervals++] = (struct etw_ext_interval){
		strtoul(source, NULL, 0), strtoul(text, NULL, 0),
	};
}

static void add_counter(char *text)
{
	const char *source = strsep(&text, ":"), *type = strsep(&text, ":");
	const char *config = strsep(&text, ":");

	if (!config || asked.nr_counters == MOST)
		die_of_usage();
	asked.counter[asked.nr_counters] = (struct etw_ext_counter){
		.profile_source = strtoul(source, NULL, 0), .pmu_type = strtoul(type, NULL, 0),
		.config_low = strtoul(config, NULL, 0),
	};
	asked.attr[asked.nr_counters++].flags = text ? strtoul(text, NULL, 0) : 0;
}

static const char *parse(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "f:i:s:c:H:N:Aon:")) != -1) {
		switch (option) {
		case 'f': asked.nr_masks = numbers(optarg, asked.masks, ETW_MASKS); break;
		case 'i': add_interval(optarg); break;
		case 's': asked.nr_sources = numbers(optarg, asked.source, MOST); break;
		case 'c': add_counter(optarg); break;
		case 'H': asked.nr_hooks = numbers(optarg, asked.hook, MOST); break;
		case 'N':
			if (name_counters(&asked.names, optarg))
				die_of_usage();
			break;
		case 'A': asked.flags |= ETW_START_NO_ADDRESSES; break;
		case 'o': asked.mode = EVENT_TRACE_BUFFERING_MODE; break;
		case 'n': asked.buffers = strtoul(optarg, NULL, 0); break;
		default:
			die_of_usage();
		}
	}
	if (optind + 1 != argc)
		die_of_usage();
	return argv[optind];
}

/* The masks are the last item: request_end() would make them of one element */
static __u32 finish(struct request *r)
{
	const struct trace_enable_flag_extension overlay = {
		.offset = offsetof(struct request, extension),
		.length = ETW_EXT_ITEMS, .flag = ETW_EXT_FLAG,
	};
	struct trace_enable_flag_ext_header header;

	if (asked.nr_intervals)
		request_add(r, ETW_EXT_VND_SAMPLE_INTERVAL, asked.interval,
			    2 * asked.nr_intervals);
	if (asked.nr_sources)
		request_add(r, ETW_EXT_VND_SAMPLE_SOURCES, asked.source, asked.nr_sources);
	if (asked.nr_counters) {
		request_add(r, ETW_EXT_VND_PMC_COUNTERS, asked.counter, 4 * asked.nr_counters);
		request_add(r, ETW_EXT_VND_COUNTER_ATTRS, asked.attr, 6 * asked.nr_counters);
	}
	if (asked.nr_hooks)
		request_add(r, ETW_EXT_VND_PMC_HOOKS, asked.hook, asked.nr_hooks);
	if (asked.names.dwords)
		request_add(r, ETW_EXT_VND_COUNTER_NAMES, asked.names.item, asked.names.dwords);
	request_add(r, ETW_EXT_ENABLE_FLAGS, asked.masks, asked.nr_masks);
	header = (struct trace_enable_flag_ext_header){ r->used, r->items };
	memcpy(r->extension, &header, 4);
	memcpy(&r->info.enable_flags, &overlay, 4);
	r->info.wnode.buffer_size = offsetof(struct request, extension) + 4 * r->used;
	return r->info.wnode.buffer_size;
}

/* Where the refusal points: item's type and dword of its data, from 1 */
static void print_place(const struct request *r, const struct etw_control *c)
{
	struct trace_enable_flag_ext_item item;
	__u32 at = 1, n = 1, offset;

	offset = (c->error_offset - offsetof(struct request, extension)) / 4;
	for (; n < c->error_item; n++) {
		memcpy(&item, &r->extension[at], 4);
		at += item.offset;
	}
	memcpy(&item, &r->extension[at], 4);
	printf(" type=%#x dword=%u", item.type, offset - at);
}

static int send_request(unsigned long cmd, struct request *r, struct etw_control *c)
{
	int err = send_block(control, cmd, r, finish(r), c);

	if (!err)
		return 0;
	printf("refused error=%s reason=%u cpu=%u", error_name(err), c->error_reason,
	       c->error_processor);
	if (c->error_item)
		print_place(r, c);
	putchar('\n');
	return 1;
}

static int start(int argc, char **argv)
{
	struct wish wish = { .kb = 64, .flags = 1, .flush_timer = 500 };
	struct etw_control c = { };
	struct request r;

	wish.name = parse(argc, argv);
	wish.buffers = asked.buffers;
	wish.mode |= asked.mode;
	c.flags = asked.flags;
	request_begin(&r, &wish);
	if (send_request(ETW_IOC_START, &r, &c))
		return 1;
	printf("%u\n", c.logger_id);
	return 0;
}

static int update(int argc, char **argv)
{
	static __u8 block[65536];
	const struct wmi_logger_information *info = (const void *)block;
	__u32 id = strtoul(parse(argc, argv), NULL, 0);
	struct etw_control c = { .logger_id = id };
	struct request r = { .used = 1 };

	query_block(control, id, block, sizeof(block));
	r.info = *info;
	memcpy(r.name, block + info->logger_name.buffer, info->logger_name.length);
	r.info.logger_name.buffer = offsetof(struct request, name);
	r.info.log_file_name = (struct etw_unicode_string){ };
	return send_request(ETW_IOC_UPDATE, &r, &c);
}

static void counting(__u32 id)
{
	struct etw_counting c = {
		.size = sizeof(c), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};

	if (ioctl(control, ETW_IOC_COUNTING, &c))
		die("COUNTING");
	printf("clock=%u interval=%u throttled=%u\n", c.profile_clock, c.profile_interval,
	       c.throttled);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	argc--;
	argv++;
	if (!strcmp(verb, "start"))
		return start(argc, argv);
	if (!strcmp(verb, "update"))
		return update(argc, argv);
	if (!strcmp(verb, "counting") && argc == 2)
		counting(strtoul(argv[1], NULL, 0));
	else if (!strcmp(verb, "snapshot") && argc == 3)
		save_snapshot(control, strtoul(argv[1], NULL, 0), argv[2]);
	else
		die_of_usage();
	return 0;
}
