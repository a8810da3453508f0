# SPDX-License-Identifier: GPL-2.0
# What the private logger takes of the module: files of module, with shim/ for the kernel's headers

ring := ring/memory.c ring/writer.c ring/reader.c
items := $(addprefix config/,items.c items_encode.c items_conflicts.c items_values.c \
	linux_events.c profile_sources.c)
module_sources += $(ring) $(items) record/event_input.c record/event_names.c record/event_record.c \
	record/message.c record/process.c record/utf16.c

private_objects := $(patsubst $(here)%.c,$(out)/%.o,$(wildcard $(here)private*.c))
# and other files that include the module's headers
profile_objects := $(out)/profile_settings.o $(out)/query_information.o
$(private_objects) $(profile_objects): lib_cflags += -I$(here)shim -I$(here)../include

# As the kernel compiles it
ring_objects := $(patsubst %.c,$(out)/module/%.o,$(ring))
$(ring_objects): lib_cflags += -Wno-sign-compare
