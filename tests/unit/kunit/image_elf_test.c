// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where the code of an ELF file is, by what its first page says: linkers' layouts. */
#include <kunit/test.h>
#include "source/image/image_elf.c"

#define K		0x1000ULL
#define HEAD		1024
#define MOST_SEGMENTS	4
#define ANYWHERE	U64_MAX	/* has no code */

/**
 * struct layout - a file, and where its code has to be found
 * @linker: that made it
 * @segments: PT_LOADs: rights, offset, address, size
 * @code: for a page of the file what is to be found
 */
static const struct layout {
	const char *linker;
	struct {
		u32 flags;
		u64 offset, address, size;
	} segments[MOST_SEGMENTS];
	struct {
		u64 offset, code;
	} code[3];
} layouts[] = {
	{ "GNU ld", { { PF_R, 0, 0, 0x2f00 }, { PF_R | PF_X, 0x3000, 0x3000, 0x5100 },
		      { PF_R | PF_W, 0x8df0, 0x9df0, 0x300 } },
	  { { 3 * K, 3 * K }, { 8 * K, 8 * K }, { 9 * K, ANYWHERE } } },
	{ "GNU ld, not apart", { { PF_R | PF_X, 0, 0x400000, 0x5100 },
				 { PF_R | PF_W, 0x5df0, 0x406df0, 0x300 } },
	  { { 0, 0 }, { 5 * K, 5 * K }, { 6 * K, ANYWHERE } } },
	{ "lld, small", { { PF_R, 0, 0, 0x7cc }, { PF_R | PF_X, 0x7d0, 0x17d0, 0x200 },
			  { PF_R | PF_W, 0x9d0, 0x29d0, 0x300 } },
	  { { 0, K }, { K, ANYWHERE } } },
	{ "lld, arm64", { { PF_R, 0, 0, 0x32f2c }, { PF_R | PF_X, 0x32f2c, 0x42f2c, 0x8f00 },
			  { PF_R | PF_W, 0x3be30, 0x5be30, 0x300 } },
	  { { 0x32 * K, 0x42 * K }, { 0x3b * K, 0x4b * K }, { 0, ANYWHERE } } },
	{ "its tables last", { { PF_R | PF_X, 0x7d0, 0x5017d0, 0x200 },
			       { PF_R, 0, 0x500000, 0x7cc } },
	  { { 0, K } } },
	/* the mapping that begins with that page is of the second */
	{ "code in two", { { PF_R, 0, 0, 0x7cc }, { PF_R | PF_X, 0x7d0, 0x17d0, 0x1100 },
			   { PF_X, 0x18d0, 0x38d0, 0x200 } },
	  { { 0, K }, { K, 3 * K } } },
	/* what its offset 0 would be at no segment says */
	{ "without its head", { { PF_R | PF_X, 0x1000, 0x400000, 0x900 } },
	  { { K, ANYWHERE } } },
	{ "no code", { { PF_R, 0, 0, 0x2000 } }, { { 0, ANYWHERE }, { K, ANYWHERE } } },
};

/* The same for both sizes of a word, with headers that have the same members */
#define LAY_OUT(bits)										\
static u32 lay_out_##bits(u8 *head, const struct layout *layout)				\
{												\
	struct elf##bits##_hdr *e = (void *)head;						\
	struct elf##bits##_phdr *p = (void *)(e + 1);						\
												\
	memcpy(e->e_ident, ELFMAG, SELFMAG);							\
	e->e_ident[EI_CLASS] = ELFCLASS##bits;							\
	e->e_ident[EI_DATA] = ELFDATA2LSB;							\
	e->e_phoff = sizeof(*e);								\
	e->e_phentsize = sizeof(*p);								\
	for (; e->e_phnum < MOST_SEGMENTS && layout->segments[e->e_phnum].size; e->e_phnum++)	\
		p[e->e_phnum] = (struct elf##bits##_phdr){					\
			.p_type = PT_LOAD,							\
			.p_flags = layout->segments[e->e_phnum].flags,				\
			.p_offset = layout->segments[e->e_phnum].offset,			\
			.p_vaddr = layout->segments[e->e_phnum].address,			\
			.p_filesz = layout->segments[e->e_phnum].size,				\
			.p_memsz = layout->segments[e->e_phnum].size,				\
		};										\
	return sizeof(*e) + e->e_phnum * sizeof(*p);						\
}

LAY_OUT(64)
LAY_OUT(32)

static void expect_code(struct kunit *test, const u8 *head, u32 size, const struct layout *layout)
{
	struct etw_image_elf elf;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(layout->code) && (!i || layout->code[i].offset); i++) {
		u64 code = layout->code[i].code;

		KUNIT_ASSERT_TRUE(test, etw_image_elf_read(head, size, layout->code[i].offset,
							   &elf));
		KUNIT_EXPECT_EQ_MSG(test, elf.has_code ? elf.code : ANYWHERE, code, "%s, page %u",
				    layout->linker, i);
	}
	KUNIT_EXPECT_FALSE(test, etw_image_elf_read(head, size - 1, 0, &elf));
}

static void code_is_found(struct kunit *test)
{
	u8 *head = kunit_kzalloc(test, HEAD, GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, head);
	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		memset(head, 0, HEAD);
		expect_code(test, head, lay_out_64(head, &layouts[i]), &layouts[i]);
		memset(head, 0, HEAD);
		expect_code(test, head, lay_out_32(head, &layouts[i]), &layouts[i]);
	}
}

/* Whatever stands there */
static void sizes_that_no_file_has(struct kunit *test)
{
	static const struct layout wild = {
		.segments = { { PF_X, U64_MAX, 0x1000, U64_MAX >> 2 },
			      { PF_X, 0, S64_MAX, S64_MAX }, { PF_R, 0, 0, 0x1000 } },
	};
	u8 *head = kunit_kzalloc(test, HEAD, GFP_KERNEL);
	struct etw_image_elf elf;
	u32 size;

	KUNIT_ASSERT_NOT_NULL(test, head);
	size = lay_out_64(head, &wild);
	KUNIT_ASSERT_TRUE(test, etw_image_elf_read(head, size, 0, &elf));
	KUNIT_EXPECT_FALSE(test, elf.has_code);
	KUNIT_ASSERT_TRUE(test, etw_image_elf_read(head, size, U64_MAX & PAGE_MASK, &elf));
	KUNIT_EXPECT_TRUE(test, elf.has_code);
	KUNIT_EXPECT_EQ(test, elf.low, 0ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(code_is_found),
	KUNIT_CASE(sizes_that_no_file_has),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_image_elf",
	.test_cases = cases,
};

kunit_test_suite(suite);
