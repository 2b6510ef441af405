// The unit of a file's lengths, for texts and reports.

#pragma once

#include "bv/file.h"

/// @param in_meters  --units was given
/// @return "m", "cm" or "mm"; null if it is not known
const char* bvreport_unit_of( bool in_meters, double scale, bool normalized );

/// @return the same by the options that the file records
const char* bvreport_find_unit( const bv_file* file );

/// @return the same, or "mesh units"
const char* bvreport_name_unit( const bv_file* file );

/// A unit behind a number.
typedef struct bvreport_unit_suffix
{
	char text[8]; ///< such as " m^2"; empty if the unit is not known
} bvreport_unit_suffix;

/// @param power  1 of lengths, 2 of areas, 3 of volumes
bvreport_unit_suffix bvreport_suffix_unit( const bv_file* file, int power );
