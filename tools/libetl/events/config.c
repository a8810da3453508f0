// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of SystemConfig. */
#include "libetl/cursor.h"
#include "events.h"
#include "etw_hooks.h"

static const struct form cpu[] = {
	F_U("MHz", 4), F_U("NumberOfProcessors", 4), F_U("MemSize", 4), F_U("PageSize", 4),
	F_U("AllocationGranularity", 4), F_ARRAY("ComputerName", 256), F_ARRAY("DomainName", 134),
	F_X("HyperThreadingFlag", 8), F_X("HighestUserAddress", 8), F_U("ProcessorArchitecture", 2),
	F_U("ProcessorLevel", 2), F_X("ProcessorRevision", 2), F_U("PaeEnabled", 1),
	F_U("NxEnabled", 1), F_U("MemorySpeed", 4), F_END
};

static const struct form physical_disk[] = {
	F_U("DiskNumber", 4), F_U("BytesPerSector", 4), F_U("SectorsPerTrack", 4),
	F_U("TracksPerCylinder", 4), F_U("Cylinders", 8), F_U("SCSIPort", 4), F_U("SCSIPath", 4),
	F_U("SCSITarget", 4), F_U("SCSILun", 4), F_ARRAY("Manufacturer", 256),
	F_U("PartitionCount", 4), F_U("WriteCacheEnabled", 1), F_SKIP(1),
	F_ARRAY("BootDriveLetter", 3), F_SKIP(4), F_END
};

static const struct form logical_disk[] = {
	F_U("StartOffset", 8), F_U("PartitionSize", 8), F_U("DiskNumber", 4), F_U("Size", 4),
	F_U("DriveType", 4), F_ARRAY("DriveLetter", 4), F_SKIP(4), F_U("PartitionNumber", 4),
	F_U("SectorsPerCluster", 4), F_U("BytesPerSector", 4), F_SKIP(4),
	F_U("NumberOfFreeClusters", 8), F_U("TotalNumberOfClusters", 8),
	F_ARRAY("FileSystem", 16), F_U("VolumeExt", 4), F_SKIP(4), F_END
};

static const struct form nic[] = {
	F_X("PhysicalAddr", 8), F_U("PhysicalAddrLen", 4), F_U("Ipv4Index", 4), F_U("Ipv6Index", 4),
	F_UTF16("NICDescription"), F_UTF16("IpAddresses"), F_UTF16("DnsServerAddresses"), F_END
};

static const struct form service[] = {
	F_U("ProcessId", 4), F_X("ServiceState", 4), F_U("SubProcessTag", 4),
	F_UTF16("ServiceName"), F_UTF16("DisplayName"), F_UTF16("ProcessName"),
	F_UTF16("LoadOrderGroup"), F_UTF16("SvchostGroup"), F_END
};

static const struct form power[] = {
	F_U("S1", 1), F_U("S2", 1), F_U("S3", 1), F_U("S4", 1), F_U("S5", 1), F_SKIP(3), F_END
};

static const struct form network[] = {
	F_U("TcbTablePartitions", 4), F_U("MaxHashTableSize", 4), F_U("MaxUserPort", 4),
	F_U("TcpTimedWaitDelay", 4), F_END
};

static const struct form irq[] = {
	F_X("IRQAffinity", 8), F_U("IRQGroup", 2), F_SKIP(2), F_U("IRQNum", 4),
	F_U("DeviceDescriptionLen", 4), F_UTF16("DeviceDescription"), F_END
};

static const struct form video[] = {
	F_U("MemorySize", 4), F_U("XResolution", 4), F_U("YResolution", 4), F_U("BitsPerPixel", 4),
	F_U("VRefresh", 4), F_ARRAY("ChipType", 256), F_ARRAY("DACType", 256),
	F_ARRAY("AdapterString", 256), F_ARRAY("BiosString", 256), F_ARRAY("DeviceId", 256),
	F_X("StateFlags", 4), F_END
};

static const struct form optical_media[] = {
	F_U("DiskNumber", 2), F_U("BusType", 2), F_U("DeviceType", 2), F_U("MediaType", 2),
	F_U("StartingOffset", 8), F_U("Size", 8), F_U("NumberOfFreeBlocks", 8),
	F_U("TotalNumberOfBlocks", 8), F_U("NextWritableAddress", 8), F_U("NumberOfSessions", 4),
	F_U("NumberOfTracks", 4), F_U("BytesPerSector", 4), F_U("DiscStatus", 2),
	F_U("LastSessionStatus", 2), F_UTF16("DriveLetter"), F_UTF16("FileSystemName"),
	F_BYTES("DeviceName"), F_BYTES("ManufacturerName"), F_END
};

#define PNP_NAMES \
	F_UTF16("DeviceID"), F_UTF16("DeviceDescription"), F_UTF16("FriendlyName")

#define PNP_FILTERS \
	F_GUID("ClassGuid"), F_U("UpperFiltersCount", 4), F_U("LowerFiltersCount", 4)

/* Version 2 ends behind FriendlyName, and the records of version 3 before ServiceName. */
static const struct form pnp_v2[] = {
	F_U("IDLength", 4), F_U("DescriptionLength", 4), F_U("FriendlyNameLength", 4), PNP_NAMES,
	F_MAY_END, F_UTF16("PdoName"), F_MAY_END, F_UTF16("ServiceName"), F_END
};

static const struct form pnp_v4[] = {
	PNP_FILTERS, PNP_NAMES, F_UTF16("PdoName"), F_UTF16("ServiceName"), F_STRINGS("Filter"),
	F_END
};

static const struct form pnp_v5[] = {
	PNP_FILTERS, F_X("DevStatus", 4), F_U("DevProblem", 4), PNP_NAMES, F_UTF16("PdoName"),
	F_UTF16("ServiceName"), F_STRINGS("Filter"), F_END
};

static const struct form ide_channel[] = {
	F_U("TargetId", 4), F_X("DeviceType", 4), F_X("DeviceTimingMode", 4),
	F_U("LocationInformationLen", 4), F_UTF16("LocationInformation"), F_END
};

static const struct form platform[] = {
	F_UTF16("SystemManufacturer"), F_UTF16("SystemProductName"), F_UTF16("BiosDate"),
	F_UTF16("BiosVersion"), F_END
};

static const struct form dpi[] = { F_U("MachineDPI", 4), F_U("UserDPI", 4), F_END };
static const struct form code_integrity[] = { F_X("CodeIntegrityInfo", 4), F_END };
static const struct form machine_id[] = { F_GUID("MachineId"), F_END };

static const struct form device_family[] = {
	F_X("UapInfo", 8), F_U("DeviceFamily", 4), F_U("DeviceForm", 4), F_END
};

static const struct form virtualization[] = {
	F_U("VbsEnabled", 1), F_U("HvciEnabled", 1), F_U("HypervisorEnabled", 1), F_SKIP(1), F_END
};

static const struct form boot[] = {
	F_X("BootFlags", 8), F_U("FirmwareType", 4), F_U("SecureBootEnabled", 1),
	F_U("SecureBootCapable", 1), F_SKIP(2), F_END
};

/* A mask, a group, and 6 bytes for each node; the published description has only the mask. */
static void call_nodes(struct cursor *cursor)
{
	while (cursor->left >= 16) {
		X("NodeProcessors", 8);
		U("NodeGroup", 2);
		skip(cursor, 6);
	}
}

static const struct form numa_node[] = { F_U("NodeCount", 4), F_CALL(call_nodes), F_END };
static const struct form groups[] = { F_U("GroupCount", 4), F_NUMBERS("Affinity", 8), F_END };

static void call_numbers(struct cursor *cursor)
{
	fields_list(cursor->fields, "GroupAndNumber");
	while (cursor->left >= 4) {
		uint64_t group = take(cursor, 2);

		fields_list_unsigned(cursor->fields, group << 8 | take(cursor, 1));
		skip(cursor, 1);
	}
}

static const struct form numbers[] = { F_U("ProcessorCount", 4), F_CALL(call_numbers), F_END };

static const struct form processor[] = {
	F_U("ProcessorIndex", 4), F_X("FeatureSet", 4), F_U("MHz", 4), F_ARRAY("ProcessorName", 64),
	F_ARRAY("ProcessorIdentifier", 128), F_ARRAY("VendorIdentifier", 16), F_END
};

#define OURS(version, bytes)	.ours = { version, IN_SYSTEM, EXACTLY(bytes) }

const struct etl_event events_config[] = {
	{ EVENT(WMI_LOG_TYPE_CONFIG_CPU, "SystemConfig/CPU", { 3, 3, cpu }),
	  OURS(WMI_CPU_VERSION, sizeof(struct wmi_cpu_record)) },
	{ EVENT(WMI_LOG_TYPE_CONFIG_PHYSICALDISK, "SystemConfig/PhyDisk", { 2, 2, physical_disk }),
	  OURS(WMI_CONFIG_VERSION, sizeof(struct wmi_physical_disk_record)) },
	{ EVENT(WMI_LOG_TYPE_CONFIG_LOGICALDISK, "SystemConfig/LogDisk", { 2, 2, logical_disk }),
	  OURS(WMI_CONFIG_VERSION, sizeof(struct wmi_logical_disk_record)) },
	{ EVENT(WMI_LOG_TYPE_CONFIG_NIC, "SystemConfig/NIC", { 2, 2, nic }) },
	{ EVENT(0x0B0E, "SystemConfig/Video", { 2, 2, video }) },
	{ EVENT(0x0B0F, "SystemConfig/Services", { 3, 3, service }) },
	{ EVENT(0x0B10, "SystemConfig/Power", { 2, 2, power }) },
	{ EVENT(0x0B11, "SystemConfig/Network", { 2, 2, network }) },
	{ EVENT(0x0B12, "SystemConfig/OpticalMedia", { 2, 2, optical_media }) },
	{ EVENT(0x0B15, "SystemConfig/IRQ", { 3, 3, irq }) },
	{ EVENT(0x0B16, "SystemConfig/PnP", { 2, 3, pnp_v2 }, { 4, 4, pnp_v4 },
		{ 5, 5, pnp_v5 }) },
	{ EVENT(0x0B17, "SystemConfig/IDEChannel", { 2, 2, ide_channel }) },
	{ EVENT(WMI_LOG_TYPE_CONFIG_NUMANODE, "SystemConfig/NumaNode", { 2, 2, numa_node }),
	  .has = EVENT_HAS_NO_CLASS },
	{ EVENT(WMI_LOG_TYPE_CONFIG_PLATFORM, "SystemConfig/Platform", { 2, 2, platform }),
	  .has = EVENT_HAS_NO_CLASS },
	{ EVENT(WMI_LOG_TYPE_CONFIG_PROCESSORGROUP, "SystemConfig/ProcGroup", { 2, 2, groups }),
	  .has = EVENT_HAS_NO_CLASS },
	{ EVENT(WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER, "SystemConfig/ProcNumber",
		{ 2, 2, numbers }), .has = EVENT_HAS_NO_CLASS },
	{ EVENT(0x0B1C, "SystemConfig/DPI", { 2, 2, dpi }) },
	{ EVENT(0x0B1D, "SystemConfig/CodeIntegrity", { 2, 2, code_integrity }) },
	{ EVENT(0x0B1E, "SystemConfig/MachineId", { 2, 2, machine_id }) },
	{ EVENT(0x0B21, "SystemConfig/DeviceFamily", { 2, 2, device_family }) },
	{ EVENT(WMI_LOG_TYPE_CONFIG_PROCESSOR, "SystemConfig/Processors", { 2, 2, processor }),
	  .has = EVENT_HAS_NO_CLASS, OURS(WMI_CONFIG_VERSION, sizeof(struct wmi_processor_record)) },
	{ EVENT(0x0B24, "SystemConfig/Virtualization", { 2, 2, virtualization }) },
	{ EVENT(0x0B25, "SystemConfig/Boot", { 2, 2, boot }) },
	{ }
};
