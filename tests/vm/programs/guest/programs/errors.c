// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: every error of the device; what it costs, and what it doesn't change. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "programs.h"

#define KERNEL_ADDRESS	0xFFFF800000001000ULL
#define UNMAPPED	0x7FF0000000ULL

static struct given given;

/* What a session says of itself besides the loss that is expected */
struct account {
	__u64 written;
	__u64 lost[8];
};

static struct account account_of(__u32 id)
{
	struct etw_statistics s = statistics(id);
	struct account a = {
		.written = s.read + s.overwritten + s.discarded + s.buffered - s.internal,
	};

	memcpy(a.lost, s.lost, sizeof(a.lost));
	return a;
}

/* @more of @cause, or nothing at all, and no event */
static int is_counted(__u32 id, struct account before, __u64 more, int cause)
{
	struct account now = account_of(id);

	before.lost[cause] += more;
	return !memcmp(&before, &now, sizeof(now));
}

static void refuse(struct session *session, const char *what, __u64 handle, const void *event,
		   int want)
{
	struct account before = account_of(session->id);
	int err = trace_event(provider, handle, event, 0);

	result(err == want && is_counted(session->id, before, 0, 0),
	       "TRACE_EVENT, %s: %s, nothing counted # %s", what, error_name(want),
	       error_name(err));
}

static void test_argument(struct session *session)
{
	struct etw_trace_event t = {
		.size = sizeof(t), .session_handle = session->id, .event = (unsigned long)&given,
	};
	struct etw_trace_event bad;
	int err;

	prepare(&given, 0, NULL, 0);
	err = try(provider, ETW_PROVIDER_TRACE_EVENT, NULL);
	result(err == EFAULT, "TRACE_EVENT at 0: EFAULT # %s", error_name(err));
	err = try(provider, ETW_PROVIDER_TRACE_EVENT, (void *)KERNEL_ADDRESS);
	result(err == EFAULT, "TRACE_EVENT at a kernel address: EFAULT # %s", error_name(err));
	for (bad = t, bad.size = 0; bad.size < 64; bad.size++) {
		err = try(provider, ETW_PROVIDER_TRACE_EVENT, &bad);
		if (err != (bad.size == sizeof(t) ? 0 : EINVAL))
			break;
	}
	result(bad.size == 64, "TRACE_EVENT: a size of %zu and no other to 64: EINVAL # %u: %s",
	       sizeof(t), bad.size, error_name(err));
	for (bad = t, bad.flags = 2; bad.flags; bad.flags <<= 1) {
		err = try(provider, ETW_PROVIDER_TRACE_EVENT, &bad);
		if (err != EINVAL)
			break;
	}
	result(!bad.flags, "TRACE_EVENT, each unknown flag: EINVAL # 0x%x: %s", bad.flags,
	       error_name(err));
	take(session, NULL, 0);
}

static void test_addresses(struct session *session)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	__u8 field[16] = { 0 };

	munmap(pages + 4096, 4096);
	prepare(&given, 0, "0123456789", 10);
	refuse(session, "no event", session->id, NULL, EINVAL);
	refuse(session, "an event at an unmapped address", session->id, (void *)UNMAPPED, EFAULT);
	refuse(session, "an event at a kernel address", session->id, (void *)KERNEL_ADDRESS,
	       EFAULT);
	memcpy(pages + 4096 - 0x2F, &given, 0x2F);
	refuse(session, "a header with an unmapped last byte", session->id, pages + 4096 - 0x2F,
	       EFAULT);
	memcpy(pages + 4096 - 0x39, &given, 0x39);
	refuse(session, "data with an unmapped last byte", session->id, pages + 4096 - 0x39,
	       EFAULT);
	prepare(&given, WNODE_FLAG_USE_GUID_PTR, NULL, 0);
	put64(given.header + 0x18, 0);
	refuse(session, "GuidPtr 0", session->id, &given, EFAULT);
	put64(given.header + 0x18, KERNEL_ADDRESS);
	refuse(session, "GuidPtr in the kernel", session->id, &given, EFAULT);
	put64(given.header + 0x18, (unsigned long)pages + 4096 - 15);
	refuse(session, "GuidPtr, a byte short", session->id, &given, EFAULT);
	put64(field, UNMAPPED);
	put32(field + 8, 1);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, field, 16);
	refuse(session, "MOF_FIELD at an unmapped address", session->id, &given, EFAULT);
	put64(field, KERNEL_ADDRESS);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, field, 16);
	refuse(session, "MOF_FIELD in the kernel", session->id, &given, EFAULT);
	put64(field, ~0ULL);
	put32(field + 8, 2);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, field, 16);
	refuse(session, "MOF_FIELD round the end of memory", session->id, &given, EFAULT);
	munmap(pages, 4096);
}

static void test_read_only(struct session *session)
{
	static const __u8 want[4] = "read";
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct record record;
	int err;

	/* the handle can't be stored: is there an event then? Once, or not at all */
	prepare(&given, 0, want, 4);
	memcpy(page, &given, 0x34);
	mprotect(page, 4096, PROT_READ);
	err = trace_event(provider, session->id, page, 0);
	record = err ? (struct record){ 0 } : take_one(session);
	result(err ? err == EFAULT && !take(session, NULL, 0) :
		     record.size == 0x34 && !memcmp(record.bytes + 0x30, want, 4),
	       "TRACE_EVENT, an event in read-only memory: EFAULT and none, or success and one # %s",
	       error_name(err));
	munmap(page, 4096);
}

static void test_values(struct session *session)
{
	__u32 size;
	int err = 0;

	for (size = 0; size < 0x30; size++) {
		prepare(&given, 0, NULL, 0);
		put16(given.header, size);
		err = trace_event(provider, session->id, &given, 0);
		if (err != EINVAL)
			break;
	}
	row("H31", size == 0x30, "Size 0 to 0x2F: %s", error_name(err));
	prepare(&given, 0, "x", 1);
	refuse(session, "handle 0", 0, &given, EBADF);
	refuse(session, "handle 0xFFFF", 0xFFFF, &given, EBADF);
	refuse(session, "handle 0x10000", 0x10000, &given, EBADF);
	refuse(session, "handle 0x1FFFF", 0x1FFFF, &given, EBADF);
	refuse(session, "the private logger's bit", ETW_HANDLE_PRIVATE | session->id, &given, EBADF);
	refuse(session, "a logger that is not there", 64, &given, EBADF);
	refuse(session, "logger 65", 65, &given, EBADF);
	refuse(session, "logger 0x8000", 0x8000, &given, EBADF);
	/* the order in which errors are looked for */
	put16(given.header, 0x2F);
	refuse(session, "bad Size and bad handle", 0, &given, EINVAL);
	prepare(&given, WNODE_FLAG_LOG_WNODE | WNODE_FLAG_USE_MOF_PTR, NULL, 0x200);
	refuse(session, "bad handle before flags that are not to be", 0, &given, EBADF);
	refuse(session, "LOG_WNODE before the MOF array", session->id, &given, EOPNOTSUPP);
}

/* What is larger than a buffer is lost, and counted as such. */
static void test_too_large(void)
{
	struct session session = start(&(struct wish){ .name = "small", .kb = 4, .buffers = 8 });
	struct account before = account_of(session.id);
	int err;

	prepare(&given, 0, NULL, 0);
	put16(given.header, 4096 - 0x48);
	err = trace_event(provider, session.id, &given, 0);
	before.written++;
	result(!err && is_counted(session.id, before, 0, 0),
	       "an event that fills a buffer: success # %s", error_name(err));
	put16(given.header, 4096 - 0x48 + 1);
	err = trace_event(provider, session.id, &given, 0);
	result(err == EMSGSIZE && is_counted(session.id, before, 1, ETW_LOSS_TOO_LARGE),
	       "an event of a byte more: EMSGSIZE, one lost as too large # %s", error_name(err));
	end(&session);
}

/* There is no reader, and all buffers are full */
static void test_full(void)
{
	struct session session = start(&(struct wish){ .name = "full", .kb = 4, .buffers = 4 });
	__u64 good = 0, bad = 0, other = 0;
	struct account a;
	int err, i;

	close(session.node);
	session.node = -1;
	prepare(&given, 0, NULL, 0);
	put16(given.header, 1000);
	for (i = 0; i < 100; i++) {
		err = trace_event(provider, session.id, &given, 0);
		good += !err;
		bad += err == ENOBUFS;
		other += err && err != ENOBUFS;
	}
	a = account_of(session.id);
	result(good && bad && !other && a.written == good && a.lost[ETW_LOSS_NO_BUFFER] == bad,
	       "no buffer: ENOBUFS for each that is counted lost # %llu written, %llu lost",
	       good, bad);
	end(&session);
}

/* Sessions that are no more; sessions with a stream that was not read yet */
static void test_stopped(void)
{
	struct session session = start(&(struct wish){ .name = "stopped" });
	int err[3];

	prepare(&given, 0, NULL, 0);
	err[0] = trace_event(provider, session.id, &given, 0);
	stop(session.id, 0);
	err[1] = trace_event(provider, session.id, &given, 0);
	stop(session.id, ETW_STOP_DISCARD);
	err[2] = trace_event(provider, session.id, &given, 0);
	result(!err[0] && err[1] == EBADF && err[2] == EBADF,
	       "a session that was stopped, and one that was discarded: EBADF # %s, %s",
	       error_name(err[1]), error_name(err[2]));
	close(session.node);
	free(session.data);
}

/* Numbers that are no ioctl, and what the node is no file for */
static void test_node(void)
{
	static __u8 argument[64];
	unsigned int n, bad = 0;
	int err;

	for (n = 0; n < 256; n++) {
		err = try(provider, _IO(ETW_PROVIDER_MAGIC, n), NULL);
		bad += (n < 1 || n > 7) ? err != ENOTTY : err == ENOTTY;
		bad += try(provider, _IO(ETW_IOC_MAGIC, n), argument) != ENOTTY;
		bad += try(control, _IO(ETW_PROVIDER_MAGIC, n), argument) != ENOTTY;
	}
	result(!bad, "ioctls: 1 to 7 are known, control's are not, nor these to control");
	errno = 0;
	result(read(provider, argument, 1) < 0 && errno == EINVAL, "read(): EINVAL # %s",
	       error_name(errno));
	errno = 0;
	result(pwrite(provider, argument, 1, 0) < 0 && errno == ESPIPE, "pwrite(): ESPIPE # %s",
	       error_name(errno));
}

void test_errors(void)
{
	struct session session = start(&(struct wish){ 0 });

	test_argument(&session);
	test_addresses(&session);
	test_read_only(&session);
	test_values(&session);
	end(&session);
	test_too_large();
	test_full();
	test_stopped();
	test_node();
}
