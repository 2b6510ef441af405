// The report of a file, as JSON. The keys are listed in formats/report/README.md; all are present, null until
// a version computes them, and keys are only ever added.

#pragma once

#include "bv/file.h"
#include "bvbuild/asset.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What only the build knows.
typedef struct bvb_report_build
{
	double import_seconds;  ///< reading the source
	double write_seconds;   ///< encoding and writing the file
	double total_seconds;   ///< all of it
	bvb_asset_times stages; ///< the stages between
	uint64_t peak_memory;   ///< bytes resident at the most
} bvb_report_build;

/// Writes the report of `file`.
/// @param build  null for an inspection: the keys `time` and `memory` are left out
/// @param text   receives a terminated string in `arena`, ending in a newline
/// @return bv_ok; bv_error_memory
bv_status bvb_report_json( const bv_file* file, const bvb_report_build* build, bvb_arena* arena, char** text,
                           bvb_error* error );

#ifdef __cplusplus
}
#endif
