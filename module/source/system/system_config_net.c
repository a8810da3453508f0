// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Network interface records: 0B0D; declared in system_config.h. */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <net/addrconf.h>
#include <net/if_inet6.h>
#include <net/net_namespace.h>
#include "etw_hooks.h"
#include "system_config.h"

#define ADDRESS_TEXT	512

/* Fixed part of 0B0D version 2 */
struct nic_record {
	u64 physical_address;
	u32 physical_address_length;
	u32 ipv4_index;
	u32 ipv6_index;
} __packed;

/* The interface with the next index after @index, or NULL */
static const struct net_device *next_nic(int index)
{
	const struct net_device *dev, *next = NULL;

	for_each_netdev_rcu(&init_net, dev)
		if (dev->ifindex > index && (!next || dev->ifindex < next->ifindex))
			next = dev;
	return next;
}

/* IPv4, then IPv6 addresses, each followed by a semicolon, as on Windows */
static void list_addresses(const struct net_device *dev, char text[ADDRESS_TEXT])
{
	struct in_device *in_dev = __in_dev_get_rcu(dev);
	const struct in_ifaddr *ifa;
	u32 used = 0;

	text[0] = 0;
	if (in_dev)
		in_dev_for_each_ifa_rcu(ifa, in_dev)
			used += scnprintf(text + used, ADDRESS_TEXT - used, "%pI4;",
					  &ifa->ifa_local);
#if IS_ENABLED(CONFIG_IPV6)
	{
		struct inet6_dev *in6_dev = __in6_dev_get(dev);
		const struct inet6_ifaddr *ifa6;

		if (in6_dev)
			list_for_each_entry_rcu(ifa6, &in6_dev->addr_list, if_list)
				used += scnprintf(text + used, ADDRESS_TEXT - used, "%pI6c;",
						  &ifa6->addr);
	}
#endif
}

static u32 build(const struct net_device *dev, u8 *payload)
{
	struct nic_record *record = (struct nic_record *)payload;
	char addresses[ADDRESS_TEXT];
	u32 size = sizeof(*record);

	memset(record, 0, sizeof(*record));
	record->physical_address_length = min_t(u32, dev->addr_len, sizeof(u64));
	memcpy(&record->physical_address, dev->dev_addr, record->physical_address_length);
	record->ipv4_index = dev->ifindex;
	record->ipv6_index = dev->ifindex;
	list_addresses(dev, addresses);
	size += etw_system_config_wide(payload + size, ETW_SYSTEM_CONFIG_PAYLOAD - size, dev->name);
	size += etw_system_config_wide(payload + size, ETW_SYSTEM_CONFIG_PAYLOAD - size, addresses);
	size += etw_system_config_wide(payload + size, ETW_SYSTEM_CONFIG_PAYLOAD - size, "");
	return size;
}

/**
 * etw_system_config_nics() - write one 0B0D per interface of the initial namespace
 * @rundown: destination
 * @payload: ETW_SYSTEM_CONFIG_PAYLOAD bytes to build them in
 *
 * Writing may wait, so each record is built under RCU and written outside of it. The next
 * interface is found by its index, because interfaces come and go. (kernel-events.rst 5.16)
 * Context: process; sleeps.
 */
void etw_system_config_nics(struct etw_rundown *rundown, void *payload)
{
	u32 size;
	int index = 0;

	do {
		const struct net_device *dev;

		size = 0;
		rcu_read_lock();
		dev = next_nic(index);
		if (dev) {
			index = dev->ifindex;
			size = build(dev, payload);
		}
		rcu_read_unlock();
		if (size)
			etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_NIC, WMI_CONFIG_VERSION,
					  ETW_RUNDOWN_SYSTEM, payload, size);
	} while (size);
}
