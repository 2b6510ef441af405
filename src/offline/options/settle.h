// What options of one subject mean together. Parts of bvopt_settle.

#pragma once

#include "bvbuild/options.h"

/// Options that were given explicitly win over those of the preset.
/// @return bv_ok; bv_error_argument for options that exclude each other
bv_status bvopt_settle_hierarchy( bvb_build_options* options, bvb_error* error );

/// @return bv_ok; bv_error_argument for options that do not go with a clip
bv_status bvopt_settle_clip( const bvb_build_options* options, bvb_error* error );

/// Adds the sections that decompose and simplify ask for. Before bvopt_settle_sections.
/// @return bv_ok; bv_error_argument if a section is both added and removed
bv_status bvopt_add_sections( bvb_build_options* options, bvb_error* error );

/// @return bv_ok; bv_error_argument if a section that was asked for by name cannot be made, or needs another
/// one
bv_status bvopt_settle_sections( const bvb_build_options* options, bvb_error* error );
