// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Images in the mappings of an address space: base, size, name, identity. */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/pagemap.h>
#include <linux/string.h>
#ifdef CONFIG_X86
#include <asm/vdso.h>
#endif
#include "compat.h"
#include "context/vdso.h"
#include "record/process.h"
#include "image_elf.h"
#include "image_user.h"
#include "source/path.h"

/* Most mappings searched for an image's parts; no linker makes more */
#define MOST_PARTS	64

static bool same_file(const struct vm_area_struct *vma, const struct file *file)
{
	return vma->vm_file && file_inode(vma->vm_file) == file_inode(file);
}

/*
 * Reads the first page if the page cache has it, which is the rule for a mapped file. Does
 * not sleep. Uses folios, because page functions would bring jump labels of the kernel into
 * the module, which need memory at load.
 */
static bool read_head(const struct vm_area_struct *vma, struct etw_image_elf *elf)
{
	const struct file *file = vma->vm_file;
	struct folio *folio;
	bool good = false;
	void *head;

	if (!file->f_mapping || !S_ISREG(file_inode(file)->i_mode))
		return false;
	folio = filemap_get_folio(file->f_mapping, 0);
	if (IS_ERR_OR_NULL(folio))	/* from 6.4 on an error, before NULL */
		return false;
	if (folio_test_uptodate(folio)) {
		u64 size = min_t(u64, i_size_read(file_inode(file)), PAGE_SIZE);

		head = kmap_local_folio(folio, 0);
		good = etw_image_elf_read(head, size, (u64)vma->vm_pgoff << PAGE_SHIFT, elf);
		kunmap_local(head);
	}
	folio_put(folio);
	return good;
}

/*
 * The base by the program headers, if they are right: the file's offset 0 is mapped there.
 * Linkers, such as lld, may place code at an address unrelated to its offset, even in the
 * first page of the file. (kernel-events.rst 12.1)
 *
 * @first: out: the image has no executable mapping below this one
 */
static bool base_by_headers(struct vm_area_struct *vma, const struct etw_image_elf *elf,
			    u64 *base, bool *first)
{
	VMA_ITERATOR(vmi, vma->vm_mm, vma->vm_start - elf->code);
	struct vm_area_struct *part;
	u32 i;

	if (!elf->has_code || elf->code > vma->vm_start)
		return false;
	part = vma_next(&vmi);
	if (!part || part->vm_start != vma->vm_start - elf->code || part->vm_pgoff ||
	    !same_file(part, vma->vm_file))
		return false;
	*base = part->vm_start;
	*first = true;
	/* mappings of other files in a hole between the parts do not count */
	for (i = 0; part && part->vm_start < vma->vm_start && i < MOST_PARTS; i++) {
		if (same_file(part, vma->vm_file) && (part->vm_flags & VM_EXEC))
			*first = false;
		part = vma_next(&vmi);
	}
	return true;
}

/*
 * Without program headers: back through mappings of the same file with falling offsets. If
 * offset 0 is not mapped, the base is computed from the offset.
 */
static bool base_by_parts(struct vm_area_struct *vma, u64 *base)
{
	VMA_ITERATOR(vmi, vma->vm_mm, vma->vm_start);
	unsigned long offset = vma->vm_pgoff;
	struct vm_area_struct *part = vma;
	u32 i;

	*base = vma->vm_start;
	if (vma->vm_start >= (u64)offset << PAGE_SHIFT)
		*base -= (u64)offset << PAGE_SHIFT;
	for (i = 0; offset && i < MOST_PARTS; i++) {
		part = vma_prev(&vmi);
		if (!part || !same_file(part, vma->vm_file) || part->vm_pgoff > offset)
			return true;
		if (part->vm_flags & VM_EXEC)
			return false;
		offset = part->vm_pgoff;
		if (!offset)
			*base = part->vm_start;
	}
	return true;
}

static u64 find_end(struct vm_area_struct *vma)
{
	VMA_ITERATOR(vmi, vma->vm_mm, vma->vm_end);
	struct vm_area_struct *part;
	u64 end = vma->vm_end;
	u32 i;

	for (i = 0; i < MOST_PARTS; i++) {
		part = vma_next(&vmi);
		if (!part || !same_file(part, vma->vm_file) || !part->vm_pgoff)
			break;
		end = part->vm_end;
	}
	return end;
}

/*
 * The kernel's own page of the vDSO that contains its headers. The program's page may be absent,
 * and a fault cannot be handled here.
 */
static const void *vdso_head(const struct vm_area_struct *vma)
{
#ifdef CONFIG_X86
	const struct vdso_image *image = vma->vm_mm->context.vdso_image;

	return image ? image->data : NULL;
#elif defined(CONFIG_ARM64)
	const struct vm_special_mapping *mapping = vma->vm_private_data;

	return mapping->pages && mapping->pages[0] ? page_address(mapping->pages[0]) : NULL;
#else
	return NULL;
#endif
}

static void vdso_image(struct vm_area_struct *vma, struct etw_user_image *found)
{
	const void *head = vdso_head(vma);
	struct etw_image_elf elf;

	*found = (struct etw_user_image){
		.text = vma->vm_start,
		.image = { .base = vma->vm_start, .size = vma->vm_end - vma->vm_start },
	};
	if (head && etw_image_elf_read(head, PAGE_SIZE, 0, &elf))
		found->image.stamp = elf.stamp;
}

/**
 * etw_may_be_image() - whether a mapping can belong to an image
 * @vma: a mapping
 *
 * Context: any. Return: true for a file's mapping and for a 64-bit program's vDSO.
 */
bool etw_may_be_image(struct vm_area_struct *vma)
{
	return vma->vm_file || etw_is_vdso(vma);
}

/**
 * etw_user_image_of() - get the image that a mapping belongs to
 * @vma: an executable mapping; etw_may_be_image() is true
 * @found: out
 *
 * The size is what the file's headers require, including zeroed memory, because the mappings
 * change while a linker works. A file that is not ELF ends with its last mapping.
 *
 * Context: any; with mmap_lock. Return: whether this mapping is the image's first
 * executable one, which represents the image.
 */
bool etw_user_image_of(struct vm_area_struct *vma, struct etw_user_image *found)
{
	struct etw_image *image = &found->image;
	struct etw_image_elf elf = { };
	bool first, is_elf;

	if (!vma->vm_file) {
		vdso_image(vma, found);
		return true;
	}
	memset(found, 0, sizeof(*found));
	is_elf = read_head(vma, &elf);
	if (!is_elf || !base_by_headers(vma, &elf, &image->base, &first))
		first = base_by_parts(vma, &image->base);
	if (!first)
		return false;
	found->text = vma->vm_start;
	found->file = vma->vm_file;
	image->size = find_end(vma) - image->base;
	if (is_elf) {
		image->default_base = elf.low;
		image->stamp = elf.stamp;
		/* if the size is too small, base was a wrong guess */
		if (image->base + elf.size >= vma->vm_end)
			image->size = elf.size;
	}
	return true;
}

/**
 * etw_user_image_next() - find the next image in an address space
 * @mm: address space
 * @from: in, out: address to search from; 0 at first
 * @found: out
 * @most: number of mappings to visit
 *
 * Context: any; with mmap_lock, which may be dropped between calls.
 * Return: 0; -ENOENT: there is none; -EINPROGRESS: none of the visited mappings is one.
 */
int etw_user_image_next(struct mm_struct *mm, unsigned long *from, struct etw_user_image *found,
			u32 most)
{
	VMA_ITERATOR(vmi, mm, *from);
	struct vm_area_struct *vma;

	for_each_vma(vmi, vma) {
		if (!most--)
			return -EINPROGRESS;
		*from = vma->vm_end;
		if ((vma->vm_flags & VM_EXEC) && etw_may_be_image(vma) &&
		    etw_user_image_of(vma, found))
			return 0;
	}
	return -ENOENT;
}

/**
 * etw_user_image_name() - path of a mapped file, as /proc/PID/maps has it
 * @file: with a reference, or mapped; NULL: the vDSO
 * @buffer: PATH_MAX bytes
 *
 * Relative to the current task's root directory. Context and return: as etw_path().
 */
const char *etw_user_image_name(const struct file *file, char *buffer)
{
	return file ? etw_path(etw_file_path(file), buffer, PATH_MAX) : ETW_VDSO_NAME;
}
