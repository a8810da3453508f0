/* SPDX-License-Identifier: GPL-2.0 */
/* What session.c, start.c and stop.c share. */
#ifndef ETW_SESSION_H
#define ETW_SESSION_H

struct etw_session;
struct file;

int etw_table_add(struct etw_session *session);
void etw_table_remove(struct etw_session *session);
struct etw_session *etw_session_owned_by(struct file *owner);

/* Buffers of CPUs come and go with them: hotplug.c */
int etw_hotplug_init(void);
void etw_hotplug_exit(void);
int etw_hotplug_add(struct etw_session *session);
void etw_hotplug_remove(struct etw_session *session);

#endif /* ETW_SESSION_H */
