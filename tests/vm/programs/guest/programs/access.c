// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: rights to write, and what no program can forge. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/lib/guest/calls.h"
#include "people.h"

static struct given given;

int give_as(const struct person *person, int fd, enum way way, __u32 id, const __u8 *guid,
	    __u32 flags)
{
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = TRACE_MESSAGE_GUID, .session_handle = id,
		.message_guid = (unsigned long)guid,
	};
	int *err = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	int result, status;
	pid_t pid;

	*err = -1;
	pid = fork();
	if (!pid) {
		person->become();
		if (fd < 0)
			fd = open_provider(0);
		prepare(&given, flags, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 0x18);
		memcpy(given.header + 0x18, guid, 16);
		if (way == BY_POINTER) {
			put64(given.header + 0x18, (unsigned long)guid);
			put32(given.header + 0x2C, flags | WNODE_FLAG_USE_GUID_PTR);
		}
		put64(given.header + 8, id);
		errno = 0;
		if (way == BY_WRITE)
			*err = write(fd, &given, 0x48) == 0x48 ? 0 : errno;
		else if (way == BY_MESSAGE)
			*err = trace_message(fd, &m);
		else
			*err = trace_event(fd, id, &given, way == BY_INSTANCE);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	result = status ? -status : *err;
	munmap(err, sizeof(int));
	return result;
}

static int give(const struct person *person, __u32 id)
{
	return give_as(person, -1, BY_EVENT, id, class_guid, 0);
}

static void nothing(void)
{
}

static void other(void)
{
	if (setgroups(0, NULL) || setgid(OTHER) || setuid(OTHER))
		_exit(251);
}

static void nobody(void)
{
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		_exit(251);
}

static void member(void)
{
	gid_t group = OTHER;

	if (setgroups(1, &group) || setgid(NOBODY) || setuid(NOBODY))
		_exit(251);
}

static void set_capabilities(__u64 mask)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = mask, .permitted = mask },
		{ .effective = mask >> 32, .permitted = mask >> 32 },
	};

	if (syscall(SYS_capset, &header, data))
		_exit(252);
}

static void root_without(void)
{
	set_capabilities(0);
}

/* uid 1234, which may control sessions */
static void other_with_perfmon(void)
{
	if (prctl(PR_SET_KEEPCAPS, 1))
		_exit(253);
	other();
	set_capabilities(1ULL << CAP_PERFMON);
}

const struct person root = { "root", nothing };
const struct person plain_root = { "uid 0 without capabilities", root_without };
const struct person user = { "uid 1234", other };
const struct person stranger = { "uid 65534", nobody };
const struct person grouped = { "uid 65534 in group 1234", member };
const struct person controller = { "uid 1234 with CAP_PERFMON", other_with_perfmon };

static int is_programs(const struct record *record)
{
	return record->bytes[3] == 0xC0 && record->bytes[2] == 0x14;
}

/* Kernel events may be there besides. */
static void check_give(const char *name, const struct person *person, struct session *session,
		       int want)
{
	static struct record records[1000];
	int err = give(person, session->id), found = 0;
	size_t n = take(session, records, COUNT(records));
	struct etw_statistics s = statistics(session->id);

	while (n--)
		found += n < COUNT(records) && is_programs(&records[n]);
	result(err == want && found == !want && !all_lost(&s), "%s: %s: %s # %s", name,
	       person->name, error_name(want), error_name(err));
}

struct asked {
	const char *what;
	struct wish wish;
	int errors[6];
};

void test_rights(void)
{
	static const struct person *const people[] = {
		&root, &plain_root, &user, &stranger, &grouped, &controller,
	};
	static const struct asked sessions[] = {
		{ "a session of root's", { 0 }, { 0, 0, EACCES, EACCES, EACCES, 0 } },
		{ "a session that says nothing of programs", { .plain = 1 },
		  { 0, 0, EACCES, EACCES, EACCES, 0 } },
		{ "a session for uid 1234", { .uids = { OTHER }, .nr_uids = 1 },
		  { 0, 0, 0, EACCES, EACCES, 0 } },
		{ "a session for gid 1234", { .gids = { OTHER }, .nr_gids = 1 },
		  { 0, 0, 0, EACCES, 0, 0 } },
		{ "a session for two uids", { .uids = { OTHER, NOBODY }, .nr_uids = 2 },
		  { 0, 0, 0, 0, 0, 0 } },
		{ "kernel events", { .flags = EVENT_TRACE_FLAG_CSWITCH },
		  { EACCES, EACCES, EACCES, EACCES, EACCES, EACCES } },
		{ "kernel events, uid 1234 named", { .flags = EVENT_TRACE_FLAG_CSWITCH,
						     .uids = { OTHER }, .nr_uids = 1 },
		  { EACCES, EACCES, EACCES, EACCES, EACCES, EACCES } },
		{ "kernel events and programs'", { .flags = EVENT_TRACE_FLAG_CSWITCH,
						   .options = ETW_PROVIDER_KERNEL_SESSION },
		  { 0, 0, EACCES, EACCES, EACCES, 0 } },
		{ "kernel events and those of uid 1234", { .flags = EVENT_TRACE_FLAG_CSWITCH,
			.options = ETW_PROVIDER_KERNEL_SESSION, .uids = { OTHER }, .nr_uids = 1 },
		  { 0, 0, 0, EACCES, EACCES, 0 } },
	};
	struct session session;
	size_t i, j;

	for (i = 0; i < COUNT(sessions); i++) {
		session = start(&sessions[i].wish);
		for (j = 0; j < COUNT(people); j++)
			check_give(sessions[i].what, people[j], &session, sessions[i].errors[j]);
		end(&session);
	}
}

/* The starter of a session may write to it, also without the rights to start another */
static void test_owner(void)
{
	__u32 *id = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, err[2] = { -1, -1 };
	pid_t pid;

	chmod("/dev/etw/control", 0666);
	pid = fork();
	if (!pid) {
		other_with_perfmon();
		control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
		_exit(control < 0 ? errno : try_start(&(struct wish){ .name = "owner" }, id));
	}
	waitpid(pid, &status, 0);
	chmod("/dev/etw/control", 0600);
	if (!status) {
		err[0] = give(&user, *id);
		err[1] = give(&stranger, *id);
		stop(*id, ETW_STOP_DISCARD);
	}
	result(!status && !err[0] && err[1] == EACCES,
	       "a session that uid 1234 started: it may write, uid 65534 may not # %s, %s",
	       error_name(err[0]), error_name(err[1]));
	munmap(id, 4);
}

/* A GUID in the order in which it stands in a record */
struct reserved {
	__u32 a;
	__u16 b;
	__u16 c;
	__u8 d[8];
};

/* Classes of the hook groups (format 3.12), of merging tools, ours */
static const struct reserved reserved[] = {
	{ 0x68FDD900, 0x4A3E, 0x11D1, { 0x84, 0xF4, 0, 0, 0xF8, 0x04, 0x64, 0xE3 } },
	{ 0x3D6FA8D4, 0xFE05, 0x11D0, { 0x9D, 0xDA, 0, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C } },
	{ 0x3D6FA8D3, 0xFE05, 0x11D0, { 0x9D, 0xDA, 0, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C } },
	{ 0x3D6FA8D0, 0xFE05, 0x11D0, { 0x9D, 0xDA, 0, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C } },
	{ 0x90CBDC39, 0x4A3E, 0x11D1, { 0x84, 0xF4, 0, 0, 0xF8, 0x04, 0x64, 0xE3 } },
	{ 0x3D6FA8D1, 0xFE05, 0x11D0, { 0x9D, 0xDA, 0, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C } },
	{ 0x9A280AC0, 0xC8E0, 0x11D1, { 0x84, 0xE2, 0, 0xC0, 0x4F, 0xB9, 0x98, 0xA2 } },
	{ 0x3282FC76, 0xFEED, 0x498E, { 0x8A, 0xA7, 0xE7, 0x0F, 0x45, 0x9D, 0x43, 0x0E } },
	{ 0xBF3A50C5, 0xA9C9, 0x4988, { 0xA0, 0x05, 0x2D, 0xF0, 0xB7, 0xC8, 0x0F, 0x80 } },
	{ 0xAE53722E, 0xC863, 0x11D2, { 0x86, 0x59, 0, 0xC0, 0x4F, 0xA3, 0x21, 0xA1 } },
	{ 0x13976D09, 0xA327, 0x438C, { 0x95, 0x0B, 0x7F, 0x03, 0x19, 0x28, 0x15, 0xC7 } },
	{ 0x01853A65, 0x418F, 0x4F36, { 0xAE, 0xFC, 0xDC, 0x0F, 0x1D, 0x2F, 0xD2, 0x35 } },
	{ 0x99134383, 0x5248, 0x43FC, { 0x83, 0x4B, 0x52, 0x94, 0x54, 0xE7, 0x5D, 0xF3 } },
	{ 0x42695762, 0xEA50, 0x497A, { 0x90, 0x68, 0x5C, 0xBB, 0xB3, 0x5E, 0x0B, 0x95 } },
	{ 0x0268A8B6, 0x74FD, 0x4302, { 0x9D, 0xD0, 0x6E, 0x8F, 0x17, 0x95, 0xC0, 0xCF } },
	{ 0xCE1DBFB4, 0x137E, 0x4DA6, { 0x87, 0xB0, 0x3F, 0x59, 0xAA, 0x10, 0x2C, 0xBC } },
	{ 0x222962AB, 0x6180, 0x4B88, { 0xA8, 0x25, 0x34, 0x6B, 0x75, 0xF2, 0xA2, 0x4A } },
	{ 0x89497F50, 0xEFFE, 0x4440, { 0x8C, 0xF2, 0xCE, 0x6B, 0x1C, 0xDC, 0xAC, 0xA7 } },
	{ 0xE43445E0, 0x0903, 0x48C3, { 0xB8, 0x78, 0xFF, 0x0F, 0xCC, 0xEB, 0xDD, 0x04 } },
	{ 0xA9152F00, 0x3F58, 0x4BEE, { 0x92, 0xA1, 0x70, 0xC7, 0xD0, 0x79, 0xD5, 0xDD } },
	{ 0x2CB15D1D, 0x5FC1, 0x11D2, { 0xAB, 0xE1, 0, 0xA0, 0xC9, 0x11, 0xF5, 0x18 } },
	{ 0xB2D14872, 0x7C5B, 0x463D, { 0x84, 0x19, 0xEE, 0x9B, 0xF7, 0xD2, 0x3E, 0x04 } },
	{ 0x7687A439, 0xF752, 0x45B8, { 0xB7, 0x41, 0x32, 0x1A, 0xEC, 0x0F, 0x8D, 0xF9 } },
	{ 0x3AC66736, 0xCC59, 0x4CFF, { 0x81, 0x15, 0x8D, 0xF5, 0x0E, 0x39, 0x81, 0x6B } },
	{ 0xDEF2FE46, 0x7BD6, 0x4B80, { 0xBD, 0x94, 0xF5, 0x7F, 0xE2, 0x0D, 0x0C, 0xE3 } },
	{ 0x9AEC974B, 0x5B8E, 0x4118, { 0x9B, 0x92, 0x31, 0x86, 0xD8, 0x00, 0x2C, 0xE5 } },
	{ 0x45D8CCCD, 0x539F, 0x4B72, { 0xA8, 0xB7, 0x5C, 0x68, 0x31, 0x42, 0x60, 0x9A } },
	{ 0xD837CA92, 0x12B9, 0x44A5, { 0xAD, 0x6A, 0x3A, 0x65, 0xB3, 0x57, 0x8A, 0xA8 } },
	{ 0xC861D0E2, 0xA2C1, 0x4D36, { 0x9F, 0x9C, 0x97, 0x0B, 0xAB, 0x94, 0x3A, 0x12 } },
	{ 0x7F2A405C, 0x69B5, 0x4BF9, { 0xA1, 0xF5, 0x30, 0xE8, 0xF1, 0xAF, 0xAB, 0x5E } },
	{ 0x2CE9A149, 0xEFFE, 0x42F0, { 0xA6, 0x35, 0xA1, 0xD3, 0x9E, 0x26, 0xC8, 0xF2 } },
	/* SystemConfigEx, ImageID, RT_LostEvent, the NT Kernel Logger's, ours */
	{ 0x9B79EE91, 0xB5FD, 0x41C0, { 0xA2, 0x43, 0x42, 0x48, 0xE2, 0x66, 0xE9, 0xD0 } },
	{ 0xB3E675D7, 0x2554, 0x4F18, { 0x83, 0x0B, 0x27, 0x62, 0x73, 0x25, 0x60, 0xDE } },
	{ 0x6A399AE0, 0x4BC6, 0x4DE9, { 0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E } },
	{ 0x9E814AAD, 0x3204, 0x11D2, { 0x9A, 0x82, 0, 0x60, 0x08, 0xA8, 0x69, 0x39 } },
	{ 0xF79C09B4, 0xCA84, 0x44B2, { 0x9A, 0x15, 0xF6, 0xE3, 0x11, 0x1C, 0x1B, 0x3E } },
};

static void test_reserved(void)
{
	static const char *const ways[] = { "TRACE_EVENT", "GuidPtr", "instance", "write()",
					    "TRACE_MESSAGE" };
	struct session session = start(&(struct wish){ .uids = { OTHER }, .nr_uids = 1 });
	__u8 guid[16];
	int way, err, bad;
	size_t i;

	for (way = 0; way < WAYS; way++) {
		for (i = 0, bad = 0; i < COUNT(reserved); i++) {
			memcpy(guid, &reserved[i], 16);
			err = give_as(&user, -1, way, session.id, guid, 0);
			if (err != EACCES)
				bad += printf("# %08x: %s\n", reserved[i].a, error_name(err));
		}
		result(!bad && !take(&session, NULL, 0),
		       "%s by uid 1234 with each GUID of the system: EACCES # %zu GUIDs", ways[way],
		       COUNT(reserved));
		/* a bit of the last byte, and of the first, makes it a GUID of no provider */
		memcpy(guid, &reserved[3], 16);
		guid[15] ^= 1;
		err = give_as(&user, -1, way, session.id, guid, 0);
		guid[15] ^= 1;
		guid[0] ^= 0x80;
		err = err ?: give_as(&user, -1, way, session.id, guid, 0);
		result(!err && take(&session, NULL, 0) == 2, "%s with a GUID of another bit: %s",
		       ways[way], error_name(err));
		memcpy(guid, &reserved[3], 16);
		err = give_as(&root, -1, way, session.id, guid, 0);
		result(!err && take(&session, NULL, 0) == 1,
		       "%s with such a GUID by a user with the right to control: %s",
		       ways[way], error_name(err));
	}
	end(&session);
}

static void test_stamps(void)
{
	struct session no = start(&(struct wish){ .name = "no" });
	struct session kernel = start(&(struct wish){
		.name = "kernel", .flags = EVENT_TRACE_FLAG_CSWITCH,
		.options = ETW_PROVIDER_KERNEL_SESSION });
	struct session both = start(&(struct wish){
		.name = "both", .flags = EVENT_TRACE_FLAG_CSWITCH,
		.options = ETW_PROVIDER_KERNEL_SESSION | ETW_PROVIDER_TIMESTAMPS });
	__u32 ids[3] = { no.id, kernel.id, both.id };
	int errors[3] = { EACCES, EACCES, 0 }, err[5];
	size_t i;

	for (i = 0; i < 3; i++) {
		int way;

		for (way = 0; way < BY_MESSAGE; way++)
			err[way] = give_as(&root, -1, way, ids[i], class_guid,
					   WNODE_FLAG_USE_TIMESTAMP);
		result(err[0] == errors[i] && err[1] == err[0] && err[2] == err[0] &&
		       err[3] == err[0], "USE_TIMESTAMP, %s: %s # %s",
		       i ? i == 1 ? "kernel session without consent" : "kernel session with consent" :
		       "session without consent", error_name(errors[i]), error_name(err[0]));
	}
	end(&no);
	end(&kernel);
	end(&both);
}

static void *write_ids(void *arg)
{
	__u32 *id = arg;

	prepare(&given, 0, "thread", 6);
	id[1] = trace_event(provider, id[0], &given, 0);
	id[2] = syscall(SYS_gettid);
	return NULL;
}

/* A thread is not its process; ids of a namespace are not those that are recorded */
static void test_ids(void)
{
	struct session session = start(&(struct wish){ 0 });
	__u32 id[3] = { session.id, 1, 0 };
	struct record record = { 0 };
	pthread_t thread;
	int status;
	pid_t pid;

	if (!pthread_create(&thread, NULL, write_ids, id) && !pthread_join(thread, NULL))
		record = take_one(&session);
	result(!id[1] && record.bytes && get32(record.bytes + 8) == id[2] &&
	       get32(record.bytes + 12) == (__u32)getpid() && id[2] != (__u32)getpid(),
	       "an event of a thread: its id, and the process's");
	pid = fork();
	if (!pid) {
		if (unshare(CLONE_NEWPID))
			_exit(1);
		pid = fork();
		if (!pid) {
			prepare(&given, 0, NULL, 0);
			_exit(getpid() != 1 || trace_event(provider, session.id, &given, 0));
		}
		waitpid(pid, &status, 0);
		_exit(!!status);
	}
	waitpid(pid, &status, 0);
	record = status ? (struct record){ 0 } : take_one(&session);
	result(!status && record.bytes && get32(record.bytes + 8) > (__u32)pid &&
	       get32(record.bytes + 8) == get32(record.bytes + 12),
	       "an event of process 1 of a pid namespace: the ids that the system knows it by");
	end(&session);
}

void test_forging(void)
{
	test_ids();
	test_reserved();
	test_stamps();
	test_owner();
}
