# SPDX-License-Identifier: GPL-2.0
# What OpenTrace() and ProcessTrace() take of libetl

etl_sources += buffer_alignment.c buffer_decompress.c given_time.c guids.c logfile_header.c losses.c \
	lznt1.c reader.c text.c xpress.c xpress_huffman.c
