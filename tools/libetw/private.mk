# SPDX-License-Identifier: GPL-2.0
# What the private logger takes of the module: files of module, with shim/ for the kernel's headers

module_sources += ring.c buffer.c collect.c event_input.c record_message.c

private_objects := $(patsubst $(here)%.c,$(out)/%.o,$(wildcard $(here)private*.c))
$(private_objects): lib_cflags += -I$(here)shim -I$(here)../include

# As the kernel compiles it
ring_objects := $(patsubst %.c,$(out)/module-%.o,ring.c buffer.c collect.c)
$(ring_objects): lib_cflags += -Wno-sign-compare
