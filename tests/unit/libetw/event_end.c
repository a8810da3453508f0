// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A registration of EventRegister() ends, and another one begins, while an event is written. What
 * another thread could do in the middle of an event, this kernel does within its ioctls.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "libetw/event_provider.h"
#include "libetw/registration.h"
#include "check.h"

#define TRAITS	30

static const GUID old = { 1, 2, 3, { 4 } }, new = { 2, 2, 3, { 4 } };
static const EVENT_DESCRIPTOR descriptor = { .Level = 1, .Keyword = 1 };
static const uint8_t traits[TRAITS] = { TRAITS, 0, 'a', 0, 1 };

static REGHANDLE before, after;
static int bad_traits, written;
static uint32_t limit = ETW_MAX_REGISTRATIONS;
/* ioctl in which the registration ends, once */
static unsigned long moment;
/* The node is another one after the next REGISTER. */
static bool loses;
static struct etw_guid entries[ETW_MAX_REGISTRATIONS];
static bool used[ETW_MAX_REGISTRATIONS];

void registrations_lock(void)
{
}

void registrations_unlock(void *unused)
{
	(void)unused;
}

void notify_watch(void)
{
}

/* There is no private session. */
const struct private_wish *private_wish(const GUID *guid)
{
	(void)guid;
	return NULL;
}

ULONG private_write_event(TRACEHANDLE handle, const struct etw_write_event *event,
			  const struct etw_event_names *names)
{
	(void)names;
	(void)handle;
	(void)event;
	return ERROR_INVALID_HANDLE;
}

/* @fd: a negative errno: the node can't be opened */
struct etw_node etw_provider_node = { .fd = -1 };

int etw_provider_open(void)
{
	return etw_provider_node.fd;
}

bool etw_provider_lost(int fd, int err)
{
	(void)fd;
	(void)err;
	return false;
}

int etw_copy_in(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return 0;
}

int etw_copy_out(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return 0;
}

static void begin_another(void)
{
	moment = 0;
	EventUnregister(before);
	EventRegister(&new, NULL, NULL, &after);
}

static int enroll(struct etw_provider_register *argument)
{
	uint32_t i = 0;

	while (i < limit && used[i])
		i++;
	if (i == limit)
		return ENOSPC;
	used[i] = true;
	entries[i] = argument->guid;
	argument->index = i;
	etw_provider_node.epoch += loses;
	loses = false;
	return 0;
}

static int take_event(const struct etw_write_event *event)
{
	if (event->traits)
		bad_traits += event->traits_size != TRAITS ||
			      memcmp((void *)(uintptr_t)event->traits, traits, TRAITS);
	if (!used[event->index] ||
	    memcmp(&entries[event->index], &event->provider, sizeof(event->provider)))
		return ENOENT;
	written++;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	void *argument;
	va_list list;
	int err = 0;

	(void)fd;
	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (request == moment)
		begin_another();
	if (request == ETW_PROVIDER_REGISTER)
		err = enroll(argument);
	else
		used[((struct etw_provider_unregister *)argument)->index] = false;
	errno = err;
	return err ? -1 : 0;
}

/* In place of event_call.c's */
int event_call(int fd, struct etw_write_event *event)
{
	(void)fd;
	if (moment == ETW_PROVIDER_WRITE_EVENT)
		begin_another();
	return take_event(event);
}

static uint32_t count(const GUID *guid)
{
	uint32_t i, n = 0;

	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		n += used[i] && (!guid || !memcmp(&entries[i], guid, sizeof(*guid)));
	return n;
}

/* All entries are enabled */
static void make_node(void)
{
	struct etw_event_page *page;
	int i;

	etw_provider_node.fd = memfd_create("node", 0);
	if (ftruncate(etw_provider_node.fd, ETW_EVENT_PAGE_OFFSET + sizeof(*page)))
		return;
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, etw_provider_node.fd,
		    ETW_EVENT_PAGE_OFFSET);
	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		page->state[i] = (struct etw_event_state){
			.match_any = ~0ULL, .level = 255, .sessions = 1, .keyword_0 = 1,
		};
}

static void end_in(unsigned long request, const char *name)
{
	EventRegister(&old, NULL, NULL, &before);
	EventSetInformation(before, EventProviderSetTraits, (void *)traits, TRAITS);
	/* a lost node: the event registers the provider at another one */
	if (request == ETW_PROVIDER_REGISTER) {
		etw_provider_node.epoch++;
		memset(used, 0, sizeof(used));
	}
	moment = request;
	EventWrite(before, &descriptor, 0, NULL);
	check(name, !moment && !bad_traits && count(&new) == 1 && !count(&old));
	written = 0;
	check("the event of the next registration is written",
	      !EventWrite(after, &descriptor, 0, NULL) && written == 1);
	check("the ended registration has no events",
	      EventWrite(before, &descriptor, 0, NULL) == ERROR_INVALID_HANDLE);
	EventUnregister(after);
	check("the kernel keeps no entry", !count(NULL));
}

static void refuse(void)
{
	const int fd = etw_provider_node.fd;

	limit = 0;
	check("a registration that the kernel refuses fails",
	      EventRegister(&old, NULL, NULL, &before) == ERROR_NO_SYSTEM_RESOURCES);
	limit = ETW_MAX_REGISTRATIONS;
	check("a registration after a refused one succeeds",
	      !EventRegister(&old, NULL, NULL, &before) && count(&old) == 1);
	EventUnregister(before);
	etw_provider_node.fd = -EMFILE;
	check("a registration without a descriptor for the node fails",
	      EventRegister(&old, NULL, NULL, &before) == ERROR_TOO_MANY_OPEN_FILES);
	etw_provider_node.fd = -ENODEV;
	check("a registration without the module succeeds",
	      !EventRegister(&old, NULL, NULL, &before) &&
	      !EventWrite(before, &descriptor, 0, NULL) && !EventUnregister(before));
	etw_provider_node.fd = fd;
}

/* The node is replaced within the first REGISTER. */
static void replace(void)
{
	loses = true;
	check("a node that is lost after REGISTER is not used",
	      !EventRegister(&old, NULL, NULL, &before) && count(NULL) == 1);
	written = 0;
	check("the provider is registered at the next node",
	      !EventWrite(before, &descriptor, 0, NULL) && written == 1);
	EventUnregister(before);
}

int main(void)
{
	make_node();
	end_in(ETW_PROVIDER_WRITE_EVENT,
	       "a registration that ends while its event is written keeps its traits until then");
	end_in(ETW_PROVIDER_REGISTER,
	       "a registration that ends while an event registers it has no entry afterwards");
	refuse();
	replace();
	return 0;
}
