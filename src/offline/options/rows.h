// The table of the options that bvbuild takes for each input. See rows.c.

#pragma once

#include "bvbuild/options.h"
#include "offline/asset/option.h"

/// The last row is followed by one without a name. Offsets are of bvb_build_options. Those of rows with `record` or `preset` are also of bvb_asset_options.
extern const bvasset_option bvopt_rows[];
extern const int bvopt_row_count; ///< without that last one
