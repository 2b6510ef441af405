// The report of a file: as JSON for programs, as one page of HTML for people. The JSON's keys are listed in
// formats/report/README.md; all are present, null until a version computes them, and keys are only ever added.

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

/// Writes the same report as one page of HTML that needs nothing beside it: plots, tables, a picture, and a 3D view where
/// scripts may run. What it says is what the JSON report says. Equal files give equal pages, but for a build's times.
/// @param build  null for an inspection
/// @param arena  the result lives here
/// @param data   receives the page, UTF-8
/// @param size   receives its bytes
/// @return bv_ok; bv_error_memory
bv_status bvb_report_html( const bv_file* file, const bvb_report_build* build, bvb_arena* arena,
                           const void** data, size_t* size, bvb_error* error );

#ifdef __cplusplus
}
#endif
