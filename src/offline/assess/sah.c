// The surface area heuristic's cost of a hierarchy: J. Goldsmith, J. Salmon, "Automatic creation of object
// hierarchies for ray tracing", 1987; J. D. MacDonald, K. S. Booth, "Heuristics for ray tracing using space
// subdivision", 1990.

#include "bvbuild/assess.h"

#include "bv/inspect.h"
#include "bvbuild/fit.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"

typedef struct sah_sums
{
	double root; // its area
	double inner;
	double leaves;
	double children;
} sah_sums;

// A hierarchy without any area is met by nothing, but then all of it is where the root is.
static double share_of( const sah_sums* s, double area )
{
	return s->root > 0 ? area / s->root : 1;
}

static bool add_node( void* context, const bv_node_info* node )
{
	sah_sums* s = context;
	double area = bvb_area_of( &node->volume );
	if ( node->level == 0 )
	{
		s->root = area;
	}
	if ( node->children > 0 )
	{
		s->inner += share_of( s, area );
		s->children += share_of( s, area ) * node->children;
	}
	else
	{
		s->leaves += share_of( s, area ) * node->triangles;
	}
	return true;
}

bv_status bvb_assess_sah( const bv_file* file, bvb_sah* out, bvb_error* error )
{
	sah_sums s = { 0 };
	if ( bv_file_get_hierarchy( file ).nodes == 0 )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy" );
	}
	bvfile_local_visit_nodes( file, add_node, &s );
	*out = ( bvb_sah ){ s.inner + s.leaves, s.inner, s.leaves, s.children };
	return bv_ok;
}
