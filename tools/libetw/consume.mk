# SPDX-License-Identifier: GPL-2.0
# What OpenTrace() and ProcessTrace() take of the tool: files of tools/libetl

tool_sources += $(addprefix libetl/,guids.c logfile_header.c lznt1.c plain.c reader.c text.c \
	xpress.c xpress_huffman.c)
