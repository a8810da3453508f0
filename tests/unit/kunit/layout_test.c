// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Bytes of records and payloads, against vectors from real traces. */
#define __DISABLE_EXPORTS	/* etw.ko exports the same names */
#include <kunit/test.h>
#include "session/session.h"
#include "record/linux_event.c"
#include "record/perfinfo.c"
#include "session/header_buffer.c"
#include "record/process.c"
#include "record/system.c"
#include "record/thread_ids.c"
#include "record/nt_thread.h"
#include "record/utf16.c"

/* header_buffer.c asks for it */
u64 etw_session_lost(struct etw_session *session)
{
	return 77;
}

#define EXPECT_BYTES(test, at, expected) \
	expect_bytes(test, at, expected, sizeof(expected), #expected)

static void expect_bytes(struct kunit *test, const void *at, const u8 *expected, u32 size,
			 const char *name)
{
	if (memcmp(at, expected, size))
		KUNIT_FAIL(test, "%s: %*ph\nshould be %*ph", name, (int)size, at, (int)size,
			   expected);
}

/* format.rst 3.6: CSwitch version 4 with two counters, then with PEBS too */
static void perfinfo_with_items(struct kunit *test)
{
	static const u8 payload[24] = { 0xc0, 0x3b };
	static const u8 counters[] = {
		0x04, 0x02, 0x11, 0xc0, 0x38, 0x00, 0x24, 0x05,
		0xff, 0x2e, 0xfc, 0xcd, 0x61, 0x01, 0x00, 0x00,
		0x38, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0xb8, 0x24, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xc0, 0x3b, 0,
	};
	static const u8 pebs[] = {
		0x04, 0x82, 0x11, 0xc0, 0x40, 0x00, 0x24, 0x05,
		0xff, 0x2e, 0xfc, 0xcd, 0x61, 0x01, 0x00, 0x00,
		0x59, 0x45, 0xc9, 0x4f, 0xf7, 0x7f, 0x00, 0x00,
		0x38, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0xb8, 0x24, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xc0, 0x3b, 0,
	};
	static const u64 items[] = { 0x7ff74fc94559, 0xf38, 0x24b8 };
	struct etw_payload body = { .data = payload, .size = sizeof(payload) };
	u64 to[9];

	KUNIT_EXPECT_EQ(test, 0x38U,
			etw_encode_perfinfo(to, TRACE_HEADER_TYPE_PERFINFO64, 0x0524, 0x0204,
					    0x161cdfc2eff, items + 1, &body));
	EXPECT_BYTES(test, to, counters);
	KUNIT_EXPECT_EQ(test, 0x40U,
			etw_encode_perfinfo(to, TRACE_HEADER_TYPE_PERFINFO64, 0x0524, 0x8204,
					    0x161cdfc2eff, items, &body));
	EXPECT_BYTES(test, to, pebs);
}

static void perfinfo_types(struct kunit *test)
{
	static const u8 native[] = { 2, 0, 0x11, 0xc0, 0x18, 0, 0x32, 0x05 };
	static const u8 narrow[] = { 2, 0, 0x10, 0xc0, 0x18, 0, 0x32, 0x05 };
	struct wmi_ready_thread ready = { .thread_id = 7, .adjust_reason = 1 };
	struct etw_payload body = { .data = &ready, .size = sizeof(ready) };
	u64 to[3], word;

	etw_encode_perfinfo(to, TRACE_HEADER_TYPE_PERFINFO64, 0x0532, 2, 9, NULL, &body);
	EXPECT_BYTES(test, to, native);
	KUNIT_EXPECT_EQ(test, to[1], 9ULL);
	KUNIT_EXPECT_EQ(test, to[2], 0x100000007ULL);
	word = etw_perfinfo_word(0x0532, 2, 24);
	EXPECT_BYTES(test, &word, native);
	etw_encode_perfinfo(to, TRACE_HEADER_TYPE_PERFINFO32, 0x0532, 2, 9, NULL, &body);
	EXPECT_BYTES(test, to, narrow);
}

/* format.rst 3.3 */
static void system_header(struct kunit *test)
{
	static const u8 expected[] = {
		0x03, 0x00, 0x02, 0xc0, 0x25, 0x00, 0x21, 0x14,
		0x44, 0x33, 0x22, 0x11, 0x04, 0x00, 0x00, 0x00,
		0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
		0x0a, 0x00, 0x00, 0x00, 0x0b, 0x00, 0x00, 0x00,
		1, 2, 3, 4, 5, 0, 0, 0,
	};
	struct etw_system_ids ids = {
		.thread_id = 0x11223344, .process_id = 4, .kernel_time = 10, .user_time = 11,
	};
	struct etw_payload body = { .data = "\1\2\3", .size = 3, .more = "\4\5", .more_size = 2 };
	u64 to[5], word = etw_system_word(0x1421, 3, 0x25);

	memset(to, 0xFF, sizeof(to));
	KUNIT_EXPECT_EQ(test, 0x25U,
			etw_encode_system(to, 0x1421, 3, &ids, 0x1122334455667788, &body));
	EXPECT_BYTES(test, to, expected);
	KUNIT_EXPECT_EQ(test, word, to[0]);
}

/* format.rst 3.9 */
static void event_header(struct kunit *test)
{
	static const u8 expected[] = {
		0x54, 0x00, 0x13, 0xc0, 0, 0, 0, 0,
		0x07, 0, 0, 0, 0x04, 0, 0, 0,
		0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
		0xb4, 0x09, 0x9c, 0xf7, 0x84, 0xca, 0xb2, 0x44,
		0x9a, 0x15, 0xf6, 0xe3, 0x11, 0x1c, 0x1b, 0x3e,
		0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0xAA, 0xBB, 0xCC, 0xDD, 0, 0, 0, 0,
	};
	struct etw_payload body = { .data = "\xAA\xBB\xCC\xDD", .size = 4 };
	u64 to[11];

	memset(to, 0xFF, sizeof(to));
	KUNIT_EXPECT_EQ(test, 0x54U,
			etw_encode_linux(to, ETW_LINUX_EVENT_LOSS, 7, 4, 0x1122334455667788,
					 &body));
	EXPECT_BYTES(test, to, expected);
}

/* No byte up to the next multiple of 8 is left as it was, none behind it touched. */
static void padding_is_zero(struct kunit *test)
{
	u8 bytes[16], to[64];
	u32 size, total, i;

	memset(bytes, 0x5A, sizeof(bytes));
	for (size = 0; size <= sizeof(bytes); size++) {
		struct etw_payload body = { .data = bytes, .size = size };

		memset(to, 0xFF, sizeof(to));
		total = etw_encode_perfinfo(to, TRACE_HEADER_TYPE_PERFINFO64, 1, 1, 1, NULL,
					    &body);
		KUNIT_EXPECT_EQ(test, total, 16 + size);
		for (i = total; i < ALIGN(total, 8); i++)
			KUNIT_EXPECT_EQ(test, to[i], 0);
		KUNIT_EXPECT_NULL(test, memchr_inv(to + i, 0xFF, sizeof(to) - i));
	}
}

static void record_limits(struct kunit *test)
{
	struct etw_payload body = { .size = ETW_MAX_RECORD - 16 + 1 };
	struct etw_ring ring = { .ticks = ETW_TICKS_MONOTONIC };
	int err;

	etw_ring_idle(&ring);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE,
			etw_record_perfinfo(&ring, 1, 1, &body, ETW_RESERVE_COUNT));
	KUNIT_EXPECT_EQ(test, local_read(&ring.lost[ETW_LOSS_TOO_LARGE]), 1L);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE,
			etw_record_perfinfo(&ring, 1, 1, &body, ETW_RESERVE_TRY));
	KUNIT_EXPECT_EQ(test, local_read(&ring.lost[ETW_LOSS_TOO_LARGE]), 1L);
	body.size = 8;
	preempt_disable();
	err = etw_record_linux(&ring, 1, &body, ETW_RESERVE_COUNT);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, -ENOBUFS, err);
	KUNIT_EXPECT_EQ(test, local_read(&ring.lost[ETW_LOSS_NO_BUFFER]), 1L);
}

/* kernel-events.rst 14: a payload of version 4 */
static void context_swap_payload(struct kunit *test)
{
	static const u8 expected[] = {
		0xc0, 0x3b, 0x00, 0x00, 0x48, 0x55, 0x00, 0x00, 0x09, 0x08, 0x00, 0x00,
		0x1f, 0x00, 0x01, 0x02, 0x1f, 0x00, 0x00, 0x00, 0x85, 0x53, 0x00, 0x00,
	};
	struct wmi_contextswap swap = {
		.new_thread_id = 15296, .old_thread_id = 21832,
		.new_thread_priority = 9, .old_thread_priority = 8,
		.old_thread_wait_reason = 31, .old_thread_state = 1,
		.old_thread_ideal_processor = 2, .new_thread_wait_time = 31,
		.old_thread_remaining_quantum = 0x5385,
	};
	u32 wait = etw_wait_bytes(31, 0, 1);

	EXPECT_BYTES(test, &swap, expected);
	KUNIT_EXPECT_EQ(test, 0, memcmp(&wait, &swap.old_thread_wait_reason, 3));
}

/* kernel-events.rst 14: 0303 Idle and System, but for TOKEN_USER, which is ours */
static void process_payload(struct kunit *test)
{
	static const u8 head[] = {
		0xc0, 0xa1, 0x26, 0xdb, 0x04, 0xa8, 0xff, 0xff, 0x04, 0, 0, 0, 0, 0, 0, 0,
		0xff, 0xff, 0xff, 0xff, 0x03, 0x01, 0, 0, 0, 0xa0, 0x1a, 0, 0, 0, 0, 0,
		0x04, 0, 0, 0,
	};
	static const u8 tail[] = {
		0x01, 0x01, 0, 0, 0, 0, 0, 0x05, 0x12, 0, 0, 0,
		'S', 'y', 's', 't', 'e', 'm', 0, 0, 0, 0, 0, 0, 0,
	};
	struct etw_process_fields process = {
		.fixed = {
			.unique_process_key = 0xffffa804db26a1c0, .process_id = 4,
			.session_id = ~0U, .exit_status = ETW_STATUS_PENDING,
			.directory_table_base = 0x1aa000, .flags = 4,
		},
		.system = true, .image = "System", .command = "",
	};
	u8 *to = kunit_kzalloc(test, 512, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, to);
	KUNIT_EXPECT_EQ(test, 77U, etw_process_layout(to, 512, &process));
	EXPECT_BYTES(test, to, head);
	EXPECT_BYTES(test, to + 0x24 + 16, tail);
	process.image = "Idle";
	KUNIT_EXPECT_EQ(test, 75U, etw_process_layout(to, 512, &process));
}

/* kernel-events.rst 14: 0503, the System thread */
static void thread_payload(struct kunit *test)
{
	static const u8 expected[] = {
		0x04, 0, 0, 0, 0x08, 0, 0, 0, 0, 0xe0, 0x9a, 0, 0x80, 0xf8, 0xff, 0xff,
		0, 0x80, 0x9a, 0, 0x80, 0xf8, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0,
		0x60, 0x5b, 0x98, 0x21, 0, 0xf8, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0x05, 0x02, 0, 'a', 0, 0, 0,
	};
	struct wmi_thread_information thread = {
		.process_id = 4, .thread_id = 8,
		.stack_base = 0xfffff880009ae000, .stack_limit = 0xfffff880009a8000,
		.affinity = 0xff, .win32_start_addr = 0xfffff80021985b60,
		.page_priority = 5, .io_priority = 2,
	};
	u8 to[80];

	KUNIT_EXPECT_EQ(test, 76U, etw_thread_layout(to, sizeof(to), &thread, "a"));
	EXPECT_BYTES(test, to, expected);
}

#define BAD		0xFFFD

/* kernel-events.rst 4.1: what is no UTF-8 becomes U+FFFD, a piece at a time. */
static void any_text(struct kunit *test)
{
	static const struct {
		const char *from;
		u32 units;
		u16 to[8];
	} cases[] = {
		{ "a\x7f", 2, { 'a', 0x7F } },
		{ "\xc2\x80\xdf\xbf", 2, { 0x80, 0x7FF } },
		{ "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
		  4, { 0x800, 0xD7FF, 0xE000, 0xFFFF } },
		{ "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 4, { 0xD800, 0xDC00, 0xDBFF, 0xDFFF } },
		{ "\xf1\x80\x80\x80", 2, { 0xD8C0, 0xDC00 } },
		/* what begins no sequence */
		{ "\x80\xbf\xc0\xc1\xf5\xff", 6, { BAD, BAD, BAD, BAD, BAD, BAD } },
		/* overlong, surrogates, too high */
		{ "\xe0\x9f\xbf", 3, { BAD, BAD, BAD } },
		{ "\xed\xa0\x80", 3, { BAD, BAD, BAD } },
		{ "\xf0\x8f\xbf", 3, { BAD, BAD, BAD } },
		{ "\xf4\x90\x80", 3, { BAD, BAD, BAD } },
		/* cut short, by another character and by the end */
		{ "\xc2z", 2, { BAD, 'z' } },
		{ "\xe2\x82z", 2, { BAD, 'z' } },
		{ "\xf0\x90\x80\xc3\xa4", 2, { BAD, 0xE4 } },
		{ "\xf0\x90\x80", 1, { BAD } },
	};
	u32 i, units;
	u16 to[8];

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		units = etw_utf8_to_utf16(to, ARRAY_SIZE(to), cases[i].from,
					  strlen(cases[i].from));
		KUNIT_EXPECT_EQ_MSG(test, units, cases[i].units, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, 0, memcmp(to, cases[i].to, 2 * cases[i].units),
				    "case %u", i);
	}
	/* no half of a pair, when there is room for one unit */
	KUNIT_EXPECT_EQ(test, 1U, etw_utf8_to_utf16(to, 2, "a\xf0\x90\x80\x80", 5));
	KUNIT_EXPECT_EQ(test, 0U, etw_utf8_to_utf16(to, 0, "a", 1));
}

static struct etw_session *header_session(struct kunit *test)
{
	static const u16 name[] = { 'e', 't', 'w', 0 };
	struct etw_session *session = kunit_kzalloc(test, sizeof(*session), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, session);
	session->sink.buffer_size = 8192;
	session->settings.kernel = true;
	session->sink.id = 5;
	session->settings.clock_type = ETW_CLOCK_QPC;
	session->settings.mode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE;
	session->start = (struct etw_reading){
		.filetime = 134116992000000000ULL, .boottime = 500000,
	};
	session->start_tick = 0x123456789;
	session->end_filetime = 134116992000000001ULL;
	mutex_init(&session->settings_lock);
	session->settings.masks.masks[1] = 4;
	memcpy(session->settings.logger_name, name, sizeof(name));
	return session;
}

/* format.rst 2.1, 2.2, 2.7 */
static void header_buffer(struct kunit *test)
{
	struct etw_session *session = header_session(test);
	u8 *buffer = kunit_kzalloc(test, session->sink.buffer_size, GFP_KERNEL);
	struct wmi_buffer_header *header = (void *)buffer;
	struct system_trace_header *record = (void *)(header + 1);
	struct trace_logfile_header *logfile = (void *)(record + 1);
	struct etw_kernel_header_extension *extension;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	etw_fill_header_buffer(session, buffer, 12);
	KUNIT_EXPECT_EQ(test, header->buffer_size, 8192U);
	KUNIT_EXPECT_EQ(test, header->logger_id, 5U);
	KUNIT_EXPECT_EQ(test, header->buffer_type, ETW_BUFFER_TYPE_HEADER);
	KUNIT_EXPECT_EQ(test, header->sequence_number, 0ULL);
	KUNIT_EXPECT_EQ(test, header->time_stamp, 0LL);
	KUNIT_EXPECT_EQ(test, record->size, 0x20 + 0x118 + 8 + 2);
	KUNIT_EXPECT_EQ(test, record->hook_id, WMI_LOG_TYPE_HEADER);
	KUNIT_EXPECT_EQ(test, record->system_time, 0x123456789ULL);
	KUNIT_EXPECT_EQ(test, logfile->start_time, 134116992000000000ULL);
	KUNIT_EXPECT_EQ(test, logfile->boot_time, 134116992000000000ULL - 5000);
	KUNIT_EXPECT_EQ(test, logfile->log_file_mode, EVENT_TRACE_SYSTEM_LOGGER_MODE);
	KUNIT_EXPECT_EQ(test, *(u64 *)(buffer + ETW_FILE_END_TIME), 134116992000000001ULL);
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer + ETW_FILE_BUFFERS_WRITTEN), 12U);
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer + ETW_FILE_EVENTS_LOST), 77U);
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer + ETW_FILE_BUFFERS_LOST), 0U);
	record = (void *)record + ALIGN(record->size, 8);
	extension = (void *)(record + 1);
	KUNIT_EXPECT_EQ(test, record->hook_id, WMI_LOG_TYPE_HEADER_EXTENSION);
	KUNIT_EXPECT_EQ(test, record->size, 0x44U);
	KUNIT_EXPECT_EQ(test, extension->masks[1], 4U);
	KUNIT_EXPECT_EQ(test, extension->kernel_event_version, 0x50U);
	KUNIT_EXPECT_PTR_EQ(test, (void *)record + ALIGN(record->size, 8),
			    (void *)buffer + header->offset);
	KUNIT_EXPECT_NULL(test, memchr_inv(buffer + header->offset, 0xFF,
					   session->sink.buffer_size - header->offset));
}

/* The longest names fit into the smallest buffer; a running one says no end. */
static void header_buffer_of_long_names(struct kunit *test)
{
	struct etw_session *session = header_session(test);
	u32 i;
	u8 *buffer;

	session->sink.buffer_size = 4096;
	buffer = kunit_kzalloc(test, session->sink.buffer_size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buffer);
	for (i = 0; i < ETW_MAX_LOGGER_NAME; i++)
		session->settings.logger_name[i] = 'n';
	for (i = 0; i < ETW_MAX_LOG_FILE_NAME; i++)
		session->settings.log_file_name[i] = 'f';
	etw_fill_header_buffer(session, buffer, 0);
	KUNIT_EXPECT_LE(test, ((struct wmi_buffer_header *)buffer)->offset, 4096U);
	KUNIT_EXPECT_EQ(test, *(u64 *)(buffer + ETW_FILE_END_TIME), 0ULL);
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer + ETW_FILE_BUFFERS_WRITTEN), 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(perfinfo_with_items),
	KUNIT_CASE(perfinfo_types),
	KUNIT_CASE(system_header),
	KUNIT_CASE(event_header),
	KUNIT_CASE(padding_is_zero),
	KUNIT_CASE(record_limits),
	KUNIT_CASE(context_swap_payload),
	KUNIT_CASE(process_payload),
	KUNIT_CASE(thread_payload),
	KUNIT_CASE(any_text),
	KUNIT_CASE(header_buffer),
	KUNIT_CASE(header_buffer_of_long_names),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_layout",
	.test_cases = cases,
};

kunit_test_suite(suite);
