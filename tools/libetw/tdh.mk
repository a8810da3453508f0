# SPDX-License-Identifier: GPL-2.0
# What the functions of tdh.h take of libetl: the layouts of payloads, and their descriptions

etl_sources += array.c cursor.c decode.c event_describe.c event_info.c event_info_payload.c \
	event_map.c event_names.c fields.c guids.c hook_names.c layout.c logfile_header.c map.c \
	process_record.c reader.c text.c tracelogging.c typed.c \
	$(patsubst $(here)../libetl/%,%,$(wildcard $(here)../libetl/events/*.c))
