// What two files were made of and how their coordinates are meant: what must be alike, so that their numbers can be
// compared.

#pragma once

#include "offline/report/writer.h"

/// Adds a list of what is unlike: objects with `key` and `text`.
/// @param before, after  reports
void bvreport_put_unlike( bvreport_json_writer* w, cJSON* to, const char* key, const cJSON* before,
                          const cJSON* after );

/// @return whether lengths of both reports are in the same unit, as far as the options say
bool bvreport_have_same_unit( const cJSON* before, const cJSON* after );

/// Whether numbers of a report depend on the unit of length.
typedef enum bvreport_dimension
{
	bvreport_dimension_unknown = 0, ///< those above do not tell
	bvreport_dimension_length,      ///< they do: lengths, areas, volumes, and what is made of them
	bvreport_dimension_none,        ///< they do not, nor does anything below: counts, ratios, costs
} bvreport_dimension;

/// @return that of the values of a key
/// @param of  that of the object which has the key
bvreport_dimension bvreport_find_dimension( const char* key, bvreport_dimension of );
