// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * tdh.dll: names of providers. Windows keeps them in its registry; here a provider has a GUID and
 * no name. TraceEvent then computes the GUID that .NET and TraceLogging give to a name.
 */
#include <string.h>
#include "win32.h"

/**
 * struct provider_list - PROVIDER_ENUMERATION_INFO, without entries
 * @count: 0
 * @reserved: 0
 */
struct provider_list {
	ULONG count;
	ULONG reserved;
};

/**
 * TdhEnumerateProviders() - lists the providers that have a name
 * @list: out: an empty list
 * @size: bytes at @list; out: bytes of the list
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER, with @size set; ERROR_INVALID_PARAMETER.
 */
ULONG TdhEnumerateProviders(PVOID list, PULONG size)
{
	static const struct provider_list none;
	ULONG had;

	if (!size)
		return ERROR_INVALID_PARAMETER;
	had = *size;
	*size = sizeof(none);
	if (!list || had < sizeof(none))
		return ERROR_INSUFFICIENT_BUFFER;
	memcpy(list, &none, sizeof(none));
	return ERROR_SUCCESS;
}

/**
 * TdhEnumerateProviderFieldInformation() - names of a provider's keywords, and others
 * @provider: its GUID
 * @field: which of its fields
 * @list: not used
 * @size: not used
 *
 * Return: ERROR_NOT_FOUND, because no provider has a manifest here.
 */
ULONG TdhEnumerateProviderFieldInformation(LPCGUID provider, ULONG field, PVOID list, PULONG size)
{
	(void)provider;
	(void)field;
	(void)list;
	(void)size;
	return ERROR_NOT_FOUND;
}
