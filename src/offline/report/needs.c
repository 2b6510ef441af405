// Which measures an expression needs. Tables of many files compute only these.

#include "offline/report/json.h"

#include <string.h>

// Keys whose values a measure shapes, and all that is below them. An asterisk stands for any key; indexes are
// left out.
static const struct
{
	const char* keys;
	unsigned needs;
} measured[] = {
	{ "hierarchy.overlap", bvreport_json_needs_overlaps },
	{ "hierarchy.levels.overlap", bvreport_json_needs_overlaps },
	{ "hierarchy.fit", bvreport_json_needs_fits },
	{ "hierarchy.levels.fit", bvreport_json_needs_fits },
	{ "hierarchy.cost.measured", bvreport_json_needs_contact },
	{ "hierarchy.cost.yardstick", bvreport_json_needs_yardstick },
	{ "hierarchy.cost.yardstick.ratio", bvreport_json_needs_contact },
	{ "bounds.*.optimum", bvreport_json_needs_best },
	{ "bounds.*.ratio", bvreport_json_needs_best },
};

// Other parts of a report that no measure shapes.
static const char* const plain[] = {
	"schema", "tool", "source",     "mesh",          "body",  "hierarchy",
	"bounds", "hull", "recognised", "decomposition", "proxy", "file",
};

// Whether one is the other, or a part of it.
static bool meets( const bvreport_expression_step* step, const char* keys )
{
	while ( step && *keys )
	{
		if ( !step->key )
		{
			step = step->next;
			continue;
		}
		size_t length = strcspn( keys, "." );
		if ( *keys != '*' && ( strlen( step->key ) != length || memcmp( step->key, keys, length ) != 0 ) )
		{
			return false;
		}
		step = step->next;
		keys += length + ( keys[length] == '.' );
	}
	return true;
}

static unsigned find_needs_of_path( const bvreport_expression_step* first )
{
	unsigned needs = bvreport_json_needs_all;
	for ( size_t i = 0; i < sizeof plain / sizeof *plain; ++i )
	{
		needs = meets( first, plain[i] ) ? 0 : needs;
	}
	for ( size_t i = 0; i < sizeof measured / sizeof *measured; ++i )
	{
		needs |= meets( first, measured[i].keys ) ? measured[i].needs : 0;
	}
	return needs;
}

unsigned bvreport_json_find_needs( const bvreport_expression_node* expression )
{
	unsigned needs =
		expression->kind == bvreport_expression_path ? find_needs_of_path( expression->steps ) : 0;
	for ( const bvreport_expression_node* n = expression->first; n; n = n->next )
	{
		needs |= bvreport_json_find_needs( n );
	}
	return needs;
}
