# SPDX-License-Identifier: GPL-2.0
# What the functions of tdh.h take: layouts of payloads, and descriptions by tools/manifest and
# tools/tmf

etl_sources += array.c cursor.c decode.c event_describe.c event_header.c event_header_fields.c event_info.c \
	event_info_payload.c event_map.c event_names.c fields.c guids.c hook_names.c layout.c library.c \
	logfile_header.c map.c name_guid.c process_record.c reader.c text.c tracelogging.c typed.c \
	$(patsubst $(here)../libetl/%,%,$(wildcard $(here)../libetl/events/*.c))

include $(here)../manifest/xml.mk
manifest_sources := $(patsubst $(here)../manifest/%,%,$(wildcard $(here)../manifest/*.c))
tmf_sources := $(patsubst $(here)../tmf/%,%,$(wildcard $(here)../tmf/*.c))
lib_cflags += $(xml_cflags)
# A static program cannot load libxml2
ifeq ($(findstring -static,$(LDFLAGS)),)
lib_cflags += -DETW_HAVE_DLOPEN
endif
