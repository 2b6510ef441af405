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

/// For a decomposition that exceeds its tolerance.
/// @param worst  the part that certainly stands off farthest
bvreport_advice bvreport_advise_parts( const bv_file* file, const bv_part* worst );

/// @param name  of a section, as in --sections
/// @return --sections as they were given, without that name
bvreport_advice bvreport_advise_section( const bv_file* file, const char* name );

/// For a large file.
/// @param largest  section
bvreport_advice bvreport_advise_size( const bv_file* file, const bv_section_info* largest );
