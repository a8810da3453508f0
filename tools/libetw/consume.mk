# SPDX-License-Identifier: GPL-2.0
# What OpenTrace() and ProcessTrace() take of the tool: files of tools/etw

tool_sources += guids.c logfile.c lznt1.c plain.c reader.c text.c xpress.c xpress_huffman.c
