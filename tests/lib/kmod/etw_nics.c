// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Network interfaces with nothing behind them, more than a few; most have long addresses. */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>

/* more than a container host's first few */
#define NICS	70

static struct net_device *nics[NICS];

static netdev_tx_t drop(struct sk_buff *packet, struct net_device *nic)
{
	dev_kfree_skb(packet);
	return NETDEV_TX_OK;
}

static const struct net_device_ops operations = { .ndo_start_xmit = drop };

static void set_up(struct net_device *nic)
{
	ether_setup(nic);
	nic->netdev_ops = &operations;
}

static void remove_all(void)
{
	int i;

	for (i = 0; i < NICS; i++) {
		if (!nics[i])
			continue;
		unregister_netdev(nics[i]);
		free_netdev(nics[i]);
	}
}

static int __init nics_init(void)
{
	static const u8 address[8] = { 2, 0xE7, 3, 4, 5, 6, 7, 8 };
	struct net_device *nic;
	int i, err = 0;

	for (i = 0; !err && i < NICS; i++) {
		nic = alloc_netdev(0, "etwnic%d", NET_NAME_UNKNOWN, set_up);
		if (!nic) {
			err = -ENOMEM;
			break;
		}
		if (i) {
			nic->type = ARPHRD_EUI64;
			nic->addr_len = sizeof(address);
			nic->flags |= IFF_NOARP;
		}
		__dev_addr_set(nic, address, nic->addr_len);
		err = register_netdev(nic);
		if (err)
			free_netdev(nic);
		else
			nics[i] = nic;
	}
	if (err)
		remove_all();
	return err;
}

static void __exit nics_exit(void)
{
	remove_all();
}

module_init(nics_init);
module_exit(nics_exit);
MODULE_DESCRIPTION("Network interfaces for the tests");
MODULE_LICENSE("GPL");
