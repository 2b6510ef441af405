// Axis-aligned boxes rounded outward to the units of their nodes' frames, six coordinates in two steps. Stored boxes are binary32
// numbers, and so are all multiples of the units that they can become: what rounding the quotients takes away a comparison gives back.

#include "tree/snap.h"

#include "base/offline/lanes.h"

#include <string.h>

enum
{
	most_exponent = 100, // of what quotients are made of: they stay far from the ends of binary32
	most_code = 255,
};

bool bvb_snap_boxes_can( const bvb_tree* tree, const bvb_snap_range* all, int finest )
{
	bool can = finest >= -most_exponent;
	for ( int i = 0; i < 3; ++i )
	{
		double most = bv_power_of_two( most_exponent );
		can = can && all->lower[i] >= -most && all->upper[i] <= most;
	}
	for ( uint32_t i = 1; can && i < tree->node_count; ++i )
	{
		can = tree->nodes[i].type == bv_volume_aabb;
	}
	return can;
}

static bvb_float4 load( const float* from )
{
	return ( bvb_float4 ){ from[0], from[1], from[2], 0 };
}

static bvb_snap_range range_of( const uint8_t* boxes, uint32_t stride, uint32_t count )
{
	bvb_float4 lower = load( (const float*)boxes );
	bvb_float4 upper = load( (const float*)boxes + 3 );
	for ( uint32_t i = 1; i < count; ++i )
	{
		const float* box = (const float*)( boxes + (size_t)stride * i );
		lower = bvb_least4( lower, load( box ) );
		upper = bvb_greatest4( upper, load( box + 3 ) );
	}
	return ( bvb_snap_range ){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

// What codes are multiplied with, and the reverse.
typedef struct units
{
	bvb_float4 origin;
	bvb_float4 unit;
	bvb_float4 inverse;
} units;

static bvb_float4 nearest_code( bvb_float4 x, const units* u )
{
	bvb_int4 code = __builtin_convertvector( ( x - u->origin ) * u->inverse + 0.5f, bvb_int4 );
	return __builtin_convertvector( code, bvb_float4 );
}

static bvb_float4 within_codes( bvb_float4 code )
{
	const bvb_float4 most = { most_code, most_code, most_code, most_code };
	return bvb_greatest4( bvb_least4( code, most ), ( bvb_float4 ){ 0, 0, 0, 0 } );
}

static void round_box( float* box, const units* u )
{
	const bvb_float4 one = { 1, 1, 1, 1 };
	const bvb_float4 none = { 0, 0, 0, 0 };
	bvb_float4 lower = load( box );
	bvb_float4 upper = load( box + 3 );
	bvb_float4 low = nearest_code( lower, u );
	bvb_float4 high = nearest_code( upper, u );
	low -= bvb_select4( u->origin + u->unit * low > lower, one, none );
	high += bvb_select4( u->origin + u->unit * high < upper, one, none );
	lower = u->origin + u->unit * within_codes( low );
	upper = u->origin + u->unit * within_codes( high );
	for ( int i = 0; i < 3; ++i )
	{
		box[i] = lower[i];
		box[3 + i] = upper[i];
	}
}

void bvb_snap_boxes( bvb_tree* tree, uint32_t index, int finest )
{
	const bvb_stored_node* node = tree->nodes + index;
	uint8_t* boxes = tree->volumes + (size_t)tree->stride * node->first_child;
	bvb_snap_range range = range_of( boxes, tree->stride, node->children );
	bvb_snap_make_frame( &tree->grid, &range, finest, tree->frames + index );
	tree->frames[index].extent = 0;
	bv_node_frame frame = bvb_tree_frame( tree, index );
	units u = { .origin = { 0, 0, 0, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		double unit = bv_code_coarse * frame.step[i];
		u.origin[i] = (float)frame.origin[i];
		u.unit[i] = (float)unit;
		u.inverse[i] = (float)( 1 / unit );
	}
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		round_box( (float*)( boxes + (size_t)tree->stride * i ), &u );
	}
}
