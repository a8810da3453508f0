// SPDX-License-Identifier: GPL-2.0
/* Payloads of SystemConfig events. */
#include "cursor.h"

void decode_cpu(struct cursor *cursor)
{
	U("MHz", 4);
	U("NumberOfProcessors", 4);
	U("MemSize", 4);
	U("PageSize", 4);
	U("AllocationGranularity", 4);
	take_array(cursor, "ComputerName", 256);
	take_array(cursor, "DomainName", 134);
	X("HyperThreadingFlag", 8);
	X("HighestUserAddress", 8);
	U("ProcessorArchitecture", 2);
	U("ProcessorLevel", 2);
	X("ProcessorRevision", 2);
	U("PaeEnabled", 1);
	U("NxEnabled", 1);
	U("MemorySpeed", 4);
}

void decode_physical_disk(struct cursor *cursor)
{
	U("DiskNumber", 4);
	U("BytesPerSector", 4);
	U("SectorsPerTrack", 4);
	U("TracksPerCylinder", 4);
	U("Cylinders", 8);
	U("SCSIPort", 4);
	U("SCSIPath", 4);
	U("SCSITarget", 4);
	U("SCSILun", 4);
	take_array(cursor, "Manufacturer", 256);
	U("PartitionCount", 4);
	U("WriteCacheEnabled", 1);
	skip(cursor, 1);
	take_array(cursor, "BootDriveLetter", 3);
}

void decode_logical_disk(struct cursor *cursor)
{
	U("StartOffset", 8);
	U("PartitionSize", 8);
	U("DiskNumber", 4);
	U("Size", 4);
	U("DriveType", 4);
	take_array(cursor, "DriveLetter", 4);
	skip(cursor, 4);
	U("PartitionNumber", 4);
	U("SectorsPerCluster", 4);
	U("BytesPerSector", 4);
	skip(cursor, 4);
	U("NumberOfFreeClusters", 8);
	U("TotalNumberOfClusters", 8);
	take_array(cursor, "FileSystem", 16);
}

void decode_processor(struct cursor *cursor)
{
	U("ProcessorIndex", 4);
	X("FeatureSet", 4);
	U("MHz", 4);
	take_array(cursor, "ProcessorName", 64);
	take_array(cursor, "ProcessorIdentifier", 128);
	take_array(cursor, "VendorIdentifier", 16);
}
