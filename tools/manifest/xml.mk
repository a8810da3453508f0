# SPDX-License-Identifier: GPL-2.0
# The headers of what reads manifests; the library is loaded when it is needed

xml_include := -I$(SYSROOT)/usr/include/libxml2 $(if $(SYSROOT),-I$(SYSROOT)/usr/include)
xml_probe := printf '%s\n' '\#include <libxml/parser.h>' | \
	$(CC) $(xml_include) -x c -E -o /dev/null - 2>/dev/null && echo yes
ifeq ($(shell $(xml_probe)),yes)
xml_cflags := -DETW_HAVE_XML $(xml_include)
endif
