/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* WRITE_EVENT and its page: what is refused, what is counted, and which rights it needs. */
#ifndef ETW_TEST_WRITE_EVENTS_H
#define ETW_TEST_WRITE_EVENTS_H

#include <sys/wait.h>
#include "providers.h"

#define EVENT_GUID	0x700

static inline int write_event(int fd, struct etw_write_event *event)
{
	return ioctl(fd, ETW_PROVIDER_WRITE_EVENT, event) ? errno : 0;
}

static inline struct etw_write_event event_of(__u32 index)
{
	return (struct etw_write_event){
		.size = sizeof(struct etw_write_event), .index = index,
		.provider = GUID(EVENT_GUID), .descriptor = { .level = 2, .keyword = 4 },
	};
}

static inline int enable_keywords(int id, const struct etw_guid *guid, __u64 any)
{
	struct etw_enable e = {
		.size = sizeof(e), .logger_id = id, .guid = *guid, .enabled = 1, .match_any = any,
	};

	return ioctl(control, ETW_IOC_ENABLE, &e) ? errno : 0;
}

static inline void refused_events(int fd, __u32 index)
{
	struct etw_event_data data = { .data = 8, .size = 8 }, large = { .size = 0xFFFF };
	struct etw_write_event event = event_of(index);
	int only_read = open(PROVIDER, O_RDONLY | O_CLOEXEC);

	result(write_event(only_read, &event) == EBADF, "WRITE_EVENT: EBADF, open for reading");
	close(only_read);
	result(write_event(fd, (void *)8) == EFAULT, "WRITE_EVENT: EFAULT");
	event.size--;
	result(write_event(fd, &event) == EINVAL, "WRITE_EVENT: EINVAL for a size");
	event = event_of(index);
	event.flags = 4;
	result(write_event(fd, &event) == EINVAL, "WRITE_EVENT: EINVAL for a flag");
	event = event_of(index);
	event.reserved = 1;
	result(write_event(fd, &event) == EINVAL, "WRITE_EVENT: EINVAL for what is reserved");
	event = event_of(index);
	event.nr_data = 129;
	result(write_event(fd, &event) == EINVAL, "WRITE_EVENT: EINVAL for 129 pieces");
	event = event_of(index + 1);
	result(write_event(fd, &event) == ENOENT, "WRITE_EVENT: ENOENT for a free entry");
	event = event_of(~0U);
	result(write_event(fd, &event) == ENOENT, "WRITE_EVENT: ENOENT for index -1");
	event = event_of(index);
	event.provider.data1++;
	result(write_event(fd, &event) == ENOENT, "WRITE_EVENT: ENOENT for another GUID");
	event = event_of(index);
	event.nr_data = 1;
	event.data = 8;
	result(write_event(fd, &event) == EFAULT, "WRITE_EVENT: EFAULT for the list");
	event.data = (unsigned long)&data;
	result(write_event(fd, &event) == EFAULT, "WRITE_EVENT: EFAULT for the data");
	data.type = 3;
	event.flags = ETW_WRITE_TYPES;
	result(write_event(fd, &event) == EINVAL, "WRITE_EVENT: EINVAL for a type");
	event.data = (unsigned long)&large;
	result(write_event(fd, &event) == EOVERFLOW, "WRITE_EVENT: EOVERFLOW over 64 KB");
	event = event_of(index);
	event.traits = 8;
	event.traits_size = 8;
	result(write_event(fd, &event) == EFAULT, "WRITE_EVENT: EFAULT for the traits");
}

/* A record over the session's buffers of 4 KB is lost, and counted by its cause. */
static inline void counted_events(int fd, __u32 index, int a, int b)
{
	static char bytes[5000];
	struct etw_event_data data = { .data = (unsigned long)bytes, .size = 3000 };
	struct etw_write_event event = event_of(index);
	struct etw_statistics before, after;

	event.nr_data = 1;
	event.data = (unsigned long)&data;
	session_statistics(control, a, &before);
	result(!write_event(fd, &event), "WRITE_EVENT of a record that fits");
	data.size = sizeof(bytes);
	result(write_event(fd, &event) == EMSGSIZE, "WRITE_EVENT: EMSGSIZE over a buffer");
	session_statistics(control, a, &after);
	result(session_attempted(&after) == session_attempted(&before) + 2 &&
	       after.lost[ETW_LOSS_TOO_LARGE] == before.lost[ETW_LOSS_TOO_LARGE] + 1,
	       "both are counted, and one as too large");
	session_statistics(control, b, &before);
	event.descriptor.keyword = 1;
	write_event(fd, &event);
	session_statistics(control, b, &after);
	result(session_attempted(&after) == session_attempted(&before),
	       "a session that does not want the event counts nothing");
}

/* As another user. Return: exit code, 0 if both are refused */
static inline int try_foreign(const struct etw_guid *system)
{
	struct etw_provider_register r = { .size = sizeof(r), .guid = *system };
	struct etw_write_event event;
	int fd;

	if (setgid(65534) || setuid(65534))
		return 1;
	fd = open_provider();
	event = event_of(enroll(fd, EVENT_GUID));
	if (write_event(fd, &event) != EACCES)
		return 2;
	if (ioctl(fd, ETW_PROVIDER_REGISTER, &r))
		return 3;
	event = event_of(r.index);
	event.provider = *system;
	return write_event(fd, &event) == EACCES ? 0 : 4;
}

static inline void foreign_events(const struct etw_guid *system)
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		close(control);
		_exit(try_foreign(system));
	}
	waitpid(child, &status, 0);
	result(WIFEXITED(status) && !WEXITSTATUS(status),
	       "WRITE_EVENT: EACCES for another user, and for the system's GUID");
}

static inline void write_events(void)
{
	/* EventTrace's */
	static const struct etw_guid system = {
		0x68fdd900, 0x4a3e, 0x11d1, { 0x84, 0xf4, 0, 0, 0xf8, 0x04, 0x64, 0xe3 },
	};
	const struct etw_guid guid = GUID(EVENT_GUID);
	int fd = open_provider(), a = new_session("a"), b = new_session("b");
	int index = enroll(fd, EVENT_GUID);
	const size_t size = sysconf(_SC_PAGESIZE);
	const volatile struct etw_event_page *page =
		mmap(NULL, ETW_EVENT_PAGE_SIZE, PROT_READ, MAP_SHARED, fd, size);
	struct etw_write_event event = event_of(index);

	result(page != MAP_FAILED && page->version == 1, "mmap() of the page of events");
	result(mmap(NULL, 3 * size, PROT_READ, MAP_SHARED, fd, size) == MAP_FAILED &&
	       errno == EINVAL, "mmap(): EINVAL for a page more");
	result(mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, size) == MAP_FAILED &&
	       errno == EPERM, "mmap(): EPERM for what can be written to");
	result(!page->state[index].sessions && !write_event(fd, &event),
	       "WRITE_EVENT that no session wants");
	enable_keywords(a, &guid, 0x4);
	enable_keywords(b, &guid, 0x8);
	result(page->state[index].sessions == 2 && page->state[index].match_any == 0xC &&
	       page->state[index].level == 255 && page->state[index].keyword_0,
	       "the page combines both sessions");
	refused_events(fd, index);
	counted_events(fd, index, a, b);
	enable_keywords(b, &system, 0);
	foreign_events(&system);
	discard_session(control, b);
	result(page->state[index].sessions == 1 && page->state[index].match_any == 4,
	       "a session that stops leaves the page");
	discard_session(control, a);
	result(!page->state[index].sessions && !page->state[index].match_any,
	       "the page shows no session");
	close(fd);
	munmap((void *)page, ETW_EVENT_PAGE_SIZE);
}

#endif /* ETW_TEST_WRITE_EVENTS_H */
