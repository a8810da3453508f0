/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What goes in by TRACE_EVENT and write() comes out byte for byte. */
#ifndef ETW_TEST_PROVIDER_RECORDS_H
#define ETW_TEST_PROVIDER_RECORDS_H

#include "tests/lib/guest/provider.h"

static struct {
	struct event_trace_header header;
	__u8 data[ROOM];
} big;

static struct {
	struct event_instance_guid_header header;
	__u8 data[64];
} instance;

static void fill(__u8 *data, __u32 size)
{
	static __u32 seed = 1;

	while (size--) {
		seed = seed * 1103515245 + 12345;
		*data++ = seed >> 16;
	}
}

static void one_size(__u32 size, __u32 *good)
{
	__u64 handle;

	fill(big.data, size);
	big.header = event_of(sizeof(big.header) + size, WNODE_FLAG_TRACED_GUID);
	*good += !trace(&big);
	expect(&big.header, sizeof(big.header), big.data, size);
	memcpy(&handle, &big.header.thread_id, sizeof(handle));
	*good += handle == session;
	big.header = event_of(sizeof(big.header) + size, 0);
	*good += !trace_by_write(provider, session, &big, sizeof(big.header) + size);
	expect(&big.header, sizeof(big.header), big.data, size);
}

static void all_sizes(void)
{
	static const __u32 others[] = { 1000, 4047, 4048, 4049, 30001, 65486, 65487 };
	__u32 i, n = 0, good = 0;

	for (i = 0; i < 20; i++, n += 3)
		one_size(i, &good);
	for (i = 456; i < 472; i++, n += 3)
		one_size(i, &good);
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++, n += 3)
		one_size(others[i], &good);
	result(good == n, "events of all sizes, by ioctl and write(); the handle at 0x08");
}

static void guid_pointer(void)
{
	struct event_trace_header event = event_of(sizeof(event), WNODE_FLAG_USE_GUID_PTR);

	memset(&event.guid, 0, sizeof(event.guid));
	event.guid_ptr = (unsigned long)&class_guid;
	result(!trace(&event), "USE_GUID_PTR");
	expect(&event, sizeof(event), NULL, 0);
	event.guid_ptr = 8;
	result(trace(&event) == EFAULT, "USE_GUID_PTR: EFAULT for a bad one");
}

static void fields(__u32 n, __u32 length, __u32 rest)
{
	struct {
		struct event_trace_header header;
		struct mof_field field[17];
	} event = { .header = event_of(sizeof(event.header) + 16 * n + rest,
				       WNODE_FLAG_USE_MOF_PTR) };
	__u32 i, at = 0;
	int err;

	fill(big.data, 8192);
	for (i = 0; i < n; i++) {
		event.field[i].data_ptr = (unsigned long)(big.data + at);
		event.field[i].length = length + i;
		at += length + i;
	}
	err = trace(&event);
	result(!err, "USE_MOF_PTR: %u fields of %u and more bytes # %s", n, length,
	       error_name(err));
	expect(&event.header, sizeof(event.header), big.data, at);
}

static void fields_refused(void)
{
	struct {
		struct event_trace_header header;
		struct mof_field field[3];
	} event = { .header = event_of(sizeof(event), WNODE_FLAG_USE_MOF_PTR) };

	event.field[0] = (struct mof_field){ (unsigned long)big.data, 65487, 0 };
	event.field[1] = (struct mof_field){ 8, 0, 0 };
	result(!trace(&event), "USE_MOF_PTR: a field of 0 bytes is not looked at; 64 KB");
	expect(&event.header, sizeof(event.header), big.data, 65487);
	event.field[2] = (struct mof_field){ (unsigned long)big.data, 1, 0 };
	result(trace(&event) == EMSGSIZE, "USE_MOF_PTR: EMSGSIZE over 64 KB");
	event.field[0].length = ~0U;
	event.field[1].length = 65488;
	result(trace(&event) == EMSGSIZE, "USE_MOF_PTR: EMSGSIZE where 32 bits overflow");
	event.field[0].length = 1;
	event.field[1].length = 1;
	result(trace(&event) == EFAULT, "USE_MOF_PTR: EFAULT for a bad field");
	event.header.size = sizeof(event.header) + 0x101;
	result(trace(&big) == 0 && trace(&event) == E2BIG, "USE_MOF_PTR: E2BIG over 0x100 bytes");
	expect(&big.header, sizeof(big.header), big.data, big.header.size - 0x30);
}

static void own_stamp(void)
{
	struct event_trace_header event = event_of(sizeof(event), WNODE_FLAG_USE_TIMESTAMP);

	event.time_stamp = 0x0123456789ABCDEF;
	result(!trace(&event), "USE_TIMESTAMP, where the session takes it");
	expect(&event, sizeof(event), NULL, 0);
}

static void instances(void)
{
	instance.header.event = event_of(sizeof(instance.header) + 21, 0);
	instance.header.instance_id = 7;
	instance.header.parent_instance_id = 6;
	instance.header.parent_guid = (struct etw_guid){ .data1 = 5 };
	fill(instance.data, 21);
	result(!trace_to(provider, session, &instance, ETW_TRACE_INSTANCE), "INSTANCE");
	expect(&instance.header, sizeof(instance.header), instance.data, 21);
	instance.header.event.size = sizeof(instance.header) - 1;
	result(trace_to(provider, session, &instance, ETW_TRACE_INSTANCE) == EINVAL,
	       "INSTANCE: EINVAL for a Size below its header's");
}

static void expect_wnode(const void *wnode, __u32 size)
{
	struct due *d = &due[nr_due++];
	__u64 handle;

	d->size = size;
	d->bytes = malloc(size);
	memcpy(d->bytes, wnode, size);
	d->stamped = 0;
	handle = session;
	memcpy(d->bytes + 0x08, &handle, sizeof(handle));
	memset(d->bytes + 0x10, 0, 8);
}

static void rules_of_5_0(void)
{
	const struct mof_field field = { (unsigned long)&class_guid, 7, 0 };
	struct {
		struct event_trace_header header;
		__u8 data[16];
	} event = { .header = event_of(sizeof(event), 0), .data = "a WNODE's data" };

	set_rules(ETW_RULES_5_0);
	result(trace(&event) == EBADRQC, "5.0: EBADRQC without TRACED_GUID and LOG_WNODE");
	event.header.flags = WNODE_FLAG_TRACED_GUID;
	result(!trace(&event), "5.0: TRACED_GUID");
	expect(&event.header, sizeof(event.header), event.data, sizeof(event.data));
	event.header.flags = WNODE_FLAG_LOG_WNODE | WNODE_FLAG_USE_GUID_PTR |
			     WNODE_FLAG_USE_MOF_PTR;
	memcpy(event.data, &field, sizeof(field));
	result(!trace(&event), "5.0: a WNODE_HEADER, logged whole");
	expect_wnode(&event, sizeof(event));
	event.header.flags |= WNODE_FLAG_TRACED_GUID;
	event.header.header_type = 1;	/* BufferSize 0x10040 */
	result(trace(&event) == EMSGSIZE, "5.0: EMSGSIZE for a BufferSize over 64 KB");
	event.header.size = 0x20;
	result(trace(&event) == EINVAL, "5.0: EINVAL for its low half as a Size");
	set_rules(ETW_RULES_5_1);
}

static int same(const struct due *d, const __u8 *record, __u32 size)
{
	struct event_trace_header *header;
	__u8 *copy;
	int good;

	if (size != d->size)
		return 0;
	copy = malloc(size);
	memcpy(copy, record, size);
	header = (void *)copy;
	if (!d->stamped)
		header->time_stamp = 0;
	/* times: little, as we have run for seconds at most */
	if (record[3] == TRACE_HEADER_FLAGS && header->kernel_time < 100000 &&
	    header->user_time < 100000)
		header->processor_time = 0;
	good = !memcmp(copy, d->bytes, size);
	free(copy);
	return good;
}

static void compare(struct stream *s)
{
	const __u8 *record;
	__u32 n = 0, good = 0, stray = 0, size, i;

	while ((record = next_event(s, &size))) {
		if (n < nr_due && same(&due[n], record, size))
			good++;
		else if (!stray++)
			for (i = 0; n < nr_due && i < size && i < 0x50; i++)
				printf("%02x%s", record[i], record[i] == due[n].bytes[i] ? " " :
				       "! ");
		/* nothing stale behind it */
		for (i = size; i & 7; i++)
			stray += record[i] != 0;
		n++;
	}
	result(n == nr_due && good == n && !stray,
	       "all records come, byte-exact # %u of %u, %u byte-exact", n, nr_due,
	       good);
}

static void test_records(void)
{
	static const struct wish wish = { .name = "records", .kb = 128, .buffers = 128 };
	struct etw_statistics s;
	struct stream stream;

	session = start_taker(&wish, ETW_PROVIDER_TIMESTAMPS | ETW_PROVIDER_WNODES, 0);
	all_sizes();
	guid_pointer();
	fields(0, 0, 0);
	fields(1, 0, 0);
	fields(1, 1, 15);
	fields(16, 3, 0);
	fields(16, 9, 0);
	fields(16, 300, 0);
	fields_refused();
	own_stamp();
	instances();
	rules_of_5_0();
	stream = stop_and_read(session, &s);
	compare(&stream);
	result(s.buffered == nr_due + s.internal && !all_lost(&s),
	       "as many are counted # %llu, %llu of them internal", s.buffered, s.internal);
	result(trace(&big) == EBADF, "EBADF once the session has stopped");
	free(stream.data);
}

#endif /* ETW_TEST_PROVIDER_RECORDS_H */
