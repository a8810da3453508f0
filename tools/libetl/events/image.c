// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of images. */
#include "events.h"
#include "etw_hooks.h"

static const struct form image_v0[] = {
	F_P("ImageBase"), F_U("ImageSize", 4), F_UTF16("FileName"), F_END
};

static const struct form image_v1[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_UTF16("FileName"), F_END
};

static const struct form image_v2[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_X("ImageChecksum", 4),
	F_X("TimeDateStamp", 4), F_SKIP(4), F_P("DefaultBase"), F_SKIP(16), F_UTF16("FileName"),
	F_END
};

static const struct form image_v3[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_X("ImageChecksum", 4),
	F_X("TimeDateStamp", 4), F_U("SignatureLevel", 1), F_U("SignatureType", 1), F_SKIP(2),
	F_P("DefaultBase"), F_SKIP(16), F_UTF16("FileName"), F_END
};

static const struct form image_base[] = { F_P("ImageBase"), F_END };
static const struct form hypercall_page[] = { F_P("HypercallPageVa"), F_END };

#define IMAGE(hook_id, name) \
	EVENT(hook_id, name, { 0, 0, image_v0 }, { 1, 1, image_v1 }, { 2, 2, image_v2 }, \
	      { 3, 3, image_v3 }), .has = EVENT_HAS_IMAGE

const struct etl_event events_image[] = {
	{ IMAGE(WMI_LOG_TYPE_PROCESS_LOAD_IMAGE, "Image/Load"), .phase = PHASE_BEGIN,
	  .stack_name = "ImageLoad" },
	{ IMAGE(WMI_LOG_TYPE_IMAGE_UNLOAD, "Image/Unload"), .phase = PHASE_END,
	  .stack_name = "ImageUnload" },
	{ IMAGE(WMI_LOG_TYPE_IMAGE_DC_START, "Image/DCStart"), .phase = PHASE_RUNDOWN_BEGIN },
	{ IMAGE(WMI_LOG_TYPE_IMAGE_DC_END, "Image/DCStop"), .phase = PHASE_RUNDOWN_END },
	{ EVENT(WMI_LOG_TYPE_IMAGE_KERNEL_BASE, "Image/KernelBase", { 2, 2, image_base }),
	  .has = EVENT_HAS_NO_CLASS },
	{ EVENT(0x1422, "Image/HypercallPage", { 2, 2, hypercall_page }) },
	{ }
};
