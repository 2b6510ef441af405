// What must be alike so that the numbers of two files can be compared: the source, units, axes and form of
// positions.

#pragma once

#include "offline/report/writer.h"

/// Adds a list of what is unlike: objects with `key` and `text`.
/// @param before, after  reports
void bvreport_put_unlike( bvreport_json_writer* w, cJSON* to, const char* key, const cJSON* before,
                          const cJSON* after );

/// @return whether the recorded options give lengths of both reports the same unit
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
