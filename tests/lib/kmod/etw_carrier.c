// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Packets of lo wait until a program's write() carries them in, as it is with a tun's. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/wait.h>
#include <net/net_namespace.h>

/* On one that is carried, so that it isn't taken again */
#define CARRIED		0x657477

static DECLARE_WAIT_QUEUE_HEAD(arrived);
static struct sk_buff_head waiting;

static rx_handler_result_t keep(struct sk_buff **at)
{
	struct sk_buff *packet = *at;

	if (packet->mark == CARRIED) {
		packet->mark = 0;
		return RX_HANDLER_PASS;
	}
	packet = skb_share_check(packet, GFP_ATOMIC);
	if (packet) {
		skb_queue_tail(&waiting, packet);
		wake_up(&arrived);
	}
	return RX_HANDLER_CONSUMED;
}

/* As tun_rx_batched(): in a task, and no softirq */
static void carry(u32 mark)
{
	struct sk_buff *packet;

	local_bh_disable();
	while ((packet = skb_dequeue(&waiting))) {
		packet->mark = mark;
		netif_receive_skb(packet);
	}
	local_bh_enable();
}

static int begin(struct inode *inode, struct file *file)
{
	int err;

	rtnl_lock();
	err = netdev_rx_handler_register(init_net.loopback_dev, keep, NULL);
	rtnl_unlock();
	return err;
}

static int end(struct inode *inode, struct file *file)
{
	rtnl_lock();
	netdev_rx_handler_unregister(init_net.loopback_dev);
	rtnl_unlock();
	carry(0);
	return 0;
}

/* All that is there; waits for the first one */
static ssize_t write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	int err = wait_event_interruptible(arrived, !skb_queue_empty(&waiting));

	if (err)
		return err;
	carry(CARRIED);
	return size;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = begin,
	.release = end,
	.write = write,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "etw-carrier",
	.fops = &operations,
};

static int __init carrier_init(void)
{
	skb_queue_head_init(&waiting);
	return misc_register(&device);
}

static void __exit carrier_exit(void)
{
	misc_deregister(&device);
}

module_init(carrier_init);
module_exit(carrier_exit);
MODULE_DESCRIPTION("Packets that a task brings in, for tests");
MODULE_LICENSE("GPL");
