// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventSetInformation(): traits of providers, and types of data descriptors. */
#include <stdlib.h>
#include <string.h>
#include "event_provider.h"
#include "registration.h"

/* They begin with their size and the provider's name, which ends in a zero byte. */
static bool are_traits(const struct provider_traits *traits)
{
	uint16_t size;

	memcpy(&size, traits->bytes, sizeof(size));
	return size == traits->size && memchr(traits->bytes + 2, 0, traits->size - 2);
}

static ULONG set_traits(struct event_provider *provider, const void *from, ULONG size)
{
	struct provider_traits *traits;
	int err;

	if (provider->traits)
		return ERROR_ALREADY_EXISTS;
	if (!from || size < 3 || size > 0xFFFF)
		return ERROR_INVALID_PARAMETER;
	traits = malloc(sizeof(*traits) + size);
	if (!traits)
		return ERROR_NOT_ENOUGH_MEMORY;
	traits->size = size;
	err = etw_copy_in(traits->bytes, from, size);
	if (err || !are_traits(traits)) {
		free(traits);
		return err ? etw_error(err) : ERROR_INVALID_PARAMETER;
	}
	__atomic_store_n(&provider->traits, traits, __ATOMIC_RELEASE);
	__atomic_store_n(&provider->types, true, __ATOMIC_RELEASE);
	return ERROR_SUCCESS;
}

static ULONG set_types(struct event_provider *provider, const void *from, ULONG size)
{
	BOOLEAN types;
	int err;

	if (!from || size != sizeof(types))
		return ERROR_INVALID_PARAMETER;
	err = etw_copy_in(&types, from, sizeof(types));
	if (!err)
		__atomic_store_n(&provider->types, !!types, __ATOMIC_RELEASE);
	return etw_error(err);
}

static ULONG set_information(struct event_provider *provider, EVENT_INFO_CLASS class,
			     const void *from, ULONG size)
{
	switch (class) {
	case EventProviderBinaryTrackInfo:
		/* image events name each program's file, whatever providers it has */
		return ERROR_SUCCESS;
	case EventProviderSetTraits:
		return set_traits(provider, from, size);
	case EventProviderUseDescriptorType:
		return set_types(provider, from, size);
	default:
		return ERROR_NOT_SUPPORTED;
	}
}

/**
 * EventSetInformation() - sets the traits of a provider, or how data descriptors are read
 * @RegHandle: of EventRegister()
 * @InformationClass: EventProviderSetTraits: once; also makes the types of data descriptors
 *	valid; EventProviderUseDescriptorType: a BOOLEAN; EventProviderBinaryTrackInfo: no effect
 * @EventInformation: data of the class
 * @InformationLength: bytes of the data
 *
 * Return: ERROR_INVALID_HANDLE; ERROR_INVALID_PARAMETER; ERROR_NOACCESS; ERROR_NOT_SUPPORTED:
 * another class; ERROR_ALREADY_EXISTS: traits are set; ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG EventSetInformation(REGHANDLE RegHandle, EVENT_INFO_CLASS InformationClass,
			  PVOID EventInformation, ULONG InformationLength)
{
	struct event_provider *provider;
	ULONG error = ERROR_INVALID_HANDLE;
	int cancel = etw_cancel_disable();

	registrations_lock();
	provider = event_provider_find(RegHandle);
	if (provider)
		error = set_information(provider, InformationClass, EventInformation,
					InformationLength);
	registrations_unlock(NULL);
	etw_cancel_restore(cancel);
	return etw_result(error);
}
