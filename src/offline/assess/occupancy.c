// How many triangles leaves hold.

#include "bvbuild/assess.h"

#include "bv/inspect.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"

// Bins of one number each.
enum
{
	single_bins = 16,
};

void bvb_occupancy_range( uint32_t bin, uint32_t* least, uint32_t* most )
{
	bool single = bin < single_bins;
	*least = single ? bin + 1 : ( (uint32_t)single_bins << ( bin - single_bins ) ) + 1;
	*most = single ? bin + 1 : (uint32_t)single_bins << ( bin - single_bins + 1 );
}

static uint32_t bin_of( uint32_t triangles )
{
	uint32_t bin = triangles <= single_bins ? triangles - 1 : single_bins;
	for ( uint32_t least, most; bin >= single_bins && bin + 1 < BVB_OCCUPANCY_BINS; ++bin )
	{
		bvb_occupancy_range( bin, &least, &most );
		if ( triangles <= most )
		{
			break;
		}
	}
	return bin;
}

typedef struct counts
{
	bvb_occupancy* of;
	uint64_t triangles;
} counts;

static bool add_node( void* context, const bv_node_info* node )
{
	counts* c = context;
	if ( node->children > 0 )
	{
		return true;
	}
	bvb_occupancy* of = c->of;
	of->least = of->leaves == 0 || node->triangles < of->least ? node->triangles : of->least;
	of->most = node->triangles > of->most ? node->triangles : of->most;
	of->leaves += 1;
	of->bins[bin_of( node->triangles )] += 1;
	c->triangles += node->triangles;
	return true;
}

bv_status bvb_assess_occupancy( const bv_file* file, bvb_occupancy* out, bvb_error* error )
{
	*out = ( bvb_occupancy ){ 0 };
	if ( bv_file_get_hierarchy( file ).nodes == 0 )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy" );
	}
	counts c = { .of = out };
	bvfile_local_visit_nodes( file, add_node, &c );
	out->mean = (double)c.triangles / (double)out->leaves;
	return bv_ok;
}
