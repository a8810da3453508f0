// SPDX-License-Identifier: GPL-2.0
/* Layouts of payloads: SystemConfig. */
#include "../layout.h"
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

#define PNP \
	F_GUID("ClassGuid"), F_U("UpperFiltersCount", 4), F_U("LowerFiltersCount", 4), \
	F_X("DevStatus", 4), F_U("DevProblem", 4), F_UTF16("DeviceID"), \
	F_UTF16("DeviceDescription"), F_UTF16("FriendlyName"), F_UTF16("PdoName"), \
	F_UTF16("ServiceName")

static const struct form pnp[] = { PNP, F_STRINGS("Filter"), F_END };

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

const struct layout layouts_config[] = {
	{ WMI_LOG_TYPE_CONFIG_CPU, 3, 3, cpu },
	{ WMI_LOG_TYPE_CONFIG_PHYSICALDISK, 2, 2, physical_disk },
	{ WMI_LOG_TYPE_CONFIG_LOGICALDISK, 2, 2, logical_disk },
	{ WMI_LOG_TYPE_CONFIG_NIC, 2, 2, nic },
	{ 0x0B0F, 3, 3, service },
	{ 0x0B10, 2, 2, power },
	{ 0x0B11, 2, 2, network },
	{ 0x0B15, 3, 3, irq },
	{ 0x0B16, 4, 5, pnp },
	{ 0x0B17, 2, 2, ide_channel },
	{ WMI_LOG_TYPE_CONFIG_NUMANODE, 2, 2, numa_node },
	{ WMI_LOG_TYPE_CONFIG_PLATFORM, 2, 2, platform },
	{ WMI_LOG_TYPE_CONFIG_PROCESSORGROUP, 2, 2, groups },
	{ WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER, 2, 2, numbers },
	{ 0x0B1C, 2, 2, dpi },
	{ 0x0B1D, 2, 2, code_integrity },
	{ 0x0B1E, 2, 2, machine_id },
	{ 0x0B21, 2, 2, device_family },
	{ WMI_LOG_TYPE_CONFIG_PROCESSOR, 2, 2, processor },
	{ 0x0B24, 2, 2, virtualization },
	{ 0x0B25, 2, 2, boot },
	{ }
};
