// Advice for findings. It depends on the options that the file was built with, so that it never repeats them.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"

/// A phrase, such as "use --max-depth 64".
typedef struct bvreport_advice
{
	char text[256];
} bvreport_advice;

/// @return the value of a parameter that shaped the file, or `otherwise`
double bvreport_advice_parameter( const bv_file* file, const char* name, double otherwise );

/// @return whether a parameter that shaped the file has this value
bool bvreport_advice_has_parameter( const bv_file* file, const char* name, const char* value );

/// To build the hierarchy by a preset. Names the options that must be left out for that, because they count
/// more: those in which the file differs from the nearest preset.
/// @param arena  scratch memory
/// @return an empty text if the file has that hierarchy already
bvreport_advice bvreport_advise_preset( const bv_file* file, const char* preset, bvb_arena* arena );

/// Which limits keep a decomposition from its tolerance.
typedef struct bvreport_part_limits
{
	uint32_t max_parts;    ///< as given, if there are so many parts; otherwise 0
	uint32_t max_vertices; ///< as given, if corners of the part stand off because it has so many; otherwise 0
	bool sure;             ///< which corners of the part are outside of the mesh is known
} bvreport_part_limits;

/// Finds the limits that a part is at. Corners of a part that was not simplified are on the shape.
/// @param index  of the part that certainly stands off farthest
bvreport_part_limits bvreport_find_part_limits( const bv_file* file, uint32_t index );

/// For a decomposition that exceeds its tolerance.
/// @param index   of the part that certainly stands off farthest
/// @param limits  of that part
bvreport_advice bvreport_advise_parts( const bv_file* file, uint32_t index, bvreport_part_limits limits );

/// @param name  of a section, as in --sections
/// @return --sections as they were given, without that name
bvreport_advice bvreport_advise_section( const bv_file* file, const char* name );

/// For a large file.
/// @param largest  section
bvreport_advice bvreport_advise_size( const bv_file* file, const bv_section_info* largest );
