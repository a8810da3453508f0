// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: MOF_FIELD, GuidPtr, TimeStamp, instances, write(). */
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>
#include "programs.h"

static struct given given;

static void put_field(__u8 *to, const void *data, __u32 length)
{
	put64(to, (unsigned long)data);
	put32(to + 8, length);
	put32(to + 12, 0xA5A5A5A5);	/* a type, which is not looked at */
}

static const char *give_and_compare(struct session *session, int flags, const __u8 *guid,
				    const void *data, __u32 size, __u64 stamp)
{
	struct moment before = moment();
	struct expected_event e;
	struct record record;
	int err = trace_event(provider, session->id, &given, flags);

	if (err)
		return error_name(err);
	e = expect(&given, size, before);
	e.guid = guid;
	e.data = data;
	e.stamp = stamp;
	if (flags & ETW_TRACE_INSTANCE) {
		e.type = 0x15;
		e.instance = given.data;
	}
	record = take_one(session);
	return wrong_event(&record, &e);
}

static const char *or_good(const char *wrong)
{
	return wrong ? wrong : "as expected";
}

static void test_mof(struct session *session)
{
	static __u8 whole[0x10000], fields[0x200];
	static const __u32 lengths[16] = { 1, 2, 0, 3, 200, 8, 0, 4096, 7, 16, 1, 1, 1, 30000, 5, 9 };
	const char *wrong;
	__u32 at, total;
	int i, err;

	for (at = 0; at < sizeof(whole); at++)
		whole[at] = at ^ at >> 8;
	/* in order, though their addresses fall */
	put_field(fields, "third", 5);
	put_field(fields + 16, "2nd", 3);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 32);
	wrong = give_and_compare(session, 0, class_guid, "third2nd", 8, 0);
	row("T50", !wrong, "two fields: %s", or_good(wrong));
	for (i = 0, total = 0; i < 16; total += lengths[i++])
		put_field(fields + 16 * i, whole + total, lengths[i]);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 0x100);
	wrong = give_and_compare(session, 0, class_guid, whole, total, 0);
	row("T51", !wrong, "16 fields of 0 to 30000 bytes: %s", or_good(wrong));
	row("T52", !wrong, "%s", or_good(wrong));
	put_field(fields + 0x100, whole, 1);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 0x110);
	err = trace_event(provider, session->id, &given, 0);
	result(err == E2BIG, "MOF_FIELD array of 0x110 bytes: E2BIG # %s", error_name(err));
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 0x101);
	err = trace_event(provider, session->id, &given, 0);
	result(err == E2BIG, "MOF_FIELD array of 0x101 bytes: E2BIG # %s", error_name(err));
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 0);
	wrong = give_and_compare(session, 0, class_guid, "", 0, 0);
	result(!wrong, "MOF_FIELD array of 0 bytes: no data # %s", or_good(wrong));
	result(!take(session, NULL, 0), "MOF_FIELD: what was refused wrote nothing");
}

/* The largest record there is, of fields; and one byte more */
static void test_mof_limit(struct session *session)
{
	static __u8 whole[0x10000], fields[32];
	const char *wrong;
	int err;

	put_field(fields, whole, 0x8000);
	put_field(fields + 16, whole + 0x8000, 0xFFFF - 0x30 - 0x8000 - 0x48);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 32);
	wrong = give_and_compare(session, 0, class_guid, whole, 0xFFFF - 0x30 - 0x48, 0);
	result(!wrong, "MOF_FIELD: 0xFFB7 bytes in all: %s", or_good(wrong));
	put_field(fields + 16, whole, 0xFFFF - 0x30 - 0x8000 + 1);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 32);
	err = trace_event(provider, session->id, &given, 0);
	result(err == EMSGSIZE, "MOF_FIELD: 0x10000 bytes in all: EMSGSIZE # %s", error_name(err));
	put_field(fields, whole, 0xFFFFFFF0);
	put_field(fields + 16, whole, 0x20);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, fields, 32);
	err = trace_event(provider, session->id, &given, 0);
	result(err == EMSGSIZE, "MOF_FIELD: lengths over 32 bits in all: EMSGSIZE # %s",
	       error_name(err));
}

static void test_guid_ptr(struct session *session)
{
	const char *wrong;

	prepare(&given, WNODE_FLAG_USE_GUID_PTR | WNODE_FLAG_TRACED_GUID, "guid", 4);
	put64(given.header + 0x18, (unsigned long)other_guid);
	wrong = give_and_compare(session, 0, other_guid, "guid", 4, 0);
	row("T54", !wrong, "%s", or_good(wrong));
	row("H25", !wrong, "the address was given at 0x18: %s", or_good(wrong));
}

static void test_stamp(struct session *session)
{
	const char *wrong;

	prepare(&given, WNODE_FLAG_USE_TIMESTAMP, "stamp", 5);
	put64(given.header + 0x10, 0x1122334455667788ULL);
	wrong = give_and_compare(session, 0, class_guid, "stamp", 5, 0x1122334455667788ULL);
	row("H42", !wrong, "%s", or_good(wrong));
	put64(given.header + 0x10, 7);
	wrong = give_and_compare(session, 0, class_guid, "stamp", 5, 7);
	row("T55", !wrong, "a stamp before all others: %s", or_good(wrong));
}

/* The same bytes behind the header are data or fields, as Flags say; so with the rest */
static void test_flags(struct session *session)
{
	const char *plain, *fields;
	__u8 field[16];

	put_field(field, "item", 4);
	prepare(&given, 0, field, 16);
	plain = give_and_compare(session, 0, class_guid, field, 16, 0);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, field, 16);
	fields = give_and_compare(session, 0, class_guid, "item", 4, 0);
	row("T16", !plain && !fields, "as data %s, as a field %s", or_good(plain),
	    or_good(fields));
	/* all pointers and the stamp at once */
	prepare(&given, WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR |
		WNODE_FLAG_USE_TIMESTAMP | WNODE_FLAG_TRACED_GUID, field, 16);
	put64(given.header + 0x18, (unsigned long)other_guid);
	put64(given.header + 0x10, 99);
	fields = give_and_compare(session, 0, other_guid, "item", 4, 99);
	result(!fields, "MOF_FIELD, GuidPtr and TimeStamp in one event: %s", or_good(fields));
	prepare(&given, WNODE_FLAG_NO_HEADER, field, 16);
	plain = give_and_compare(session, 0, class_guid, field, 16, 0);
	row("T44", !plain, "%s", or_good(plain));
	/* bits without a meaning */
	prepare(&given, 0xFFC1FDFF, "bits", 4);
	plain = give_and_compare(session, 0, class_guid, "bits", 4, 0);
	result(!plain, "Flags 0xFFC1FDFF: what means nothing does nothing # %s", or_good(plain));
}

void test_options(void)
{
	struct session session = start(&(struct wish){ .options = ETW_PROVIDER_TIMESTAMPS });

	test_mof(&session);
	test_mof_limit(&session);
	test_guid_ptr(&session);
	test_stamp(&session);
	test_flags(&session);
	end(&session);
}

/* EVENT_INSTANCE_GUID_HEADER: 0x48 bytes, then data */
void test_instances(void)
{
	static const __u32 sizes[] = { 0, 1, 100, 5000 };
	struct session session = start(&(struct wish){ .options = ETW_PROVIDER_TIMESTAMPS });
	static __u8 after[0x18 + 5000], field[16];
	const char *wrong = NULL;
	size_t i;
	int err;

	for (i = 0; i < sizeof(after); i++)
		after[i] = i * 3 + 1;
	for (i = 0; i < COUNT(sizes) && !wrong; i++) {
		prepare(&given, 0, after, 0x18 + sizes[i]);
		wrong = give_and_compare(&session, ETW_TRACE_INSTANCE, class_guid, after + 0x18,
					 sizes[i], 0);
	}
	result(!wrong,
	       "instances: ids and parent's GUID as given, for each size of data # %zu sizes, %s",
	       COUNT(sizes), or_good(wrong));
	prepare(&given, WNODE_FLAG_USE_GUID_PTR | WNODE_FLAG_USE_TIMESTAMP, after, 0x18 + 9);
	put64(given.header + 0x18, (unsigned long)other_guid);
	put64(given.header + 0x10, 1234);
	wrong = give_and_compare(&session, ETW_TRACE_INSTANCE, other_guid, after + 0x18, 9, 1234);
	result(!wrong, "instances with GuidPtr and TimeStamp: %s", or_good(wrong));
	put_field(field, "mof", 3);
	prepare(&given, WNODE_FLAG_USE_MOF_PTR, after, 0x18 + 16);
	memcpy(given.data + 0x18, field, 16);
	wrong = give_and_compare(&session, ETW_TRACE_INSTANCE, class_guid, "mof", 3, 0);
	result(!wrong, "instances with MOF_FIELD: %s", or_good(wrong));
	prepare(&given, 0, after, 0x17);
	err = trace_event(provider, session.id, &given, ETW_TRACE_INSTANCE);
	result(err == EINVAL, "instances: Size 0x47: EINVAL # %s", error_name(err));
	result(!take(&session, NULL, 0), "instances: what was refused wrote nothing");
	end(&session);
}

static int write_event(const void *event, size_t size)
{
	ssize_t n;

	errno = 0;
	n = write(provider, event, size);
	return n < 0 ? errno : n == (ssize_t)size ? 0 : -1;
}

static void check_write(const char *what, __u64 handle, __u32 flags, long more, int want)
{
	int err;

	prepare(&given, flags, "by write", 8);
	put64(given.header + 8, handle);
	err = write_event(&given, 0x38 + more);
	result(err == want, "write(), %s: %s # %s", what, error_name(want), error_name(err));
}

/* write(): exactly one event, nothing in it an address, its handle at 0x08 */
void test_writes(void)
{
	struct session session = start(&(struct wish){ .options = ETW_PROVIDER_TIMESTAMPS });
	struct moment before = moment();
	struct iovec pieces[2];
	struct expected_event e;
	struct record record;
	struct given copy;
	const char *wrong;
	int err;

	prepare(&given, 0, "by write", 8);
	put64(given.header + 8, session.id);
	memcpy(&copy, &given, 0x38);
	err = write_event(&given, 0x38);
	e = expect(&given, 8, before);
	record = take_one(&session);
	wrong = wrong_event(&record, &e);
	result(!err && !wrong && !memcmp(&copy, &given, 0x38),
	       "write(): the record, and its Size returned: %s, %s", error_name(err),
	       or_good(wrong));
	check_write("USE_GUID_PTR", session.id, WNODE_FLAG_USE_GUID_PTR, 0, EOPNOTSUPP);
	check_write("USE_MOF_PTR", session.id, WNODE_FLAG_USE_MOF_PTR, 0, EOPNOTSUPP);
	check_write("NO_HEADER", session.id, WNODE_FLAG_NO_HEADER, 0, 0);
	result(take(&session, NULL, 0) == 1, "write(), NO_HEADER: it is there");
	check_write("LOG_WNODE", session.id, WNODE_FLAG_LOG_WNODE, 0, EOPNOTSUPP);
	check_write("handle 0", 0, 0, 0, EBADF);
	check_write("handle 0xFFFF", 0xFFFF, 0, 0, EBADF);
	check_write("the private logger's handle", ETW_HANDLE_PRIVATE | 1, 0, 0, EBADF);
	check_write("no such session", 63, 0, 0, EBADF);
	check_write("a byte less than Size", session.id, 0, -1, EINVAL);
	check_write("a byte more than Size", session.id, 0, 1, EINVAL);
	check_write("less than a header", session.id, 0, -9, EINVAL);
	check_write("nothing", session.id, 0, -0x38, EINVAL);
	prepare(&given, 0, "by pieces", 9);
	put64(given.header + 8, session.id);
	pieces[0] = (struct iovec){ &given, 0x20 };
	pieces[1] = (struct iovec){ given.header + 0x20, 0x19 };
	err = writev(provider, pieces, 2) == 0x39 ? 0 : errno;
	result(err && !take(&session, NULL, 0),
	       "writev() of one event in two pieces: refused, nothing is written # %s",
	       error_name(err));
	end(&session);
}
