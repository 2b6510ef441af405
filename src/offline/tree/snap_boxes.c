// Axis-aligned boxes rounded outward to the units of their nodes' frames, six coordinates in two steps.
// Stored boxes are binary32 numbers, and so are all multiples of the units that they can become: what
// rounding the quotients takes away a comparison gives back.

#include "offline/tree/snap.h"

#include "offline/base/lanes.h"

#include <math.h>
#include <string.h>

enum
{
	most_exponent = 100, // of what quotients are made of: they stay far from the ends of binary32
	most_code = 255,
};

bool bvorder_snap_boxes_can( const bvfile_snap_range* all, int finest )
{
	bool can = finest >= -most_exponent;
	for ( int i = 0; i < 3; ++i )
	{
		double most = bvfile_power_of_two( most_exponent );
		can = can && all->lower[i] >= -most && all->upper[i] <= most;
	}
	return can;
}

static bvbase_float4 load( const float* from )
{
	return ( bvbase_float4 ){ from[0], from[1], from[2], 0 };
}

// Of axis-aligned boxes, one behind the other.
typedef struct range
{
	bvbase_float4 lower;
	bvbase_float4 upper;
} range;

static const range nowhere = { { INFINITY, INFINITY, INFINITY, 0 }, { -INFINITY, -INFINITY, -INFINITY, 0 } };

static void grow( range* all, bvbase_float4 lower, bvbase_float4 upper )
{
	all->lower = bvbase_least4( all->lower, lower );
	all->upper = bvbase_greatest4( all->upper, upper );
}

static bvfile_snap_range as_doubles( const range* r )
{
	return ( bvfile_snap_range ){ { r->lower[0], r->lower[1], r->lower[2] },
		                          { r->upper[0], r->upper[1], r->upper[2] } };
}

static void grow_by_boxes( range* all, const bvb_tree* tree, uint32_t first, uint32_t end )
{
	for ( uint32_t i = first; i < end; ++i )
	{
		const float* box = (const float*)( tree->volumes + (size_t)tree->stride * i );
		grow( all, load( box ), load( box + 3 ) );
	}
}

bool bvorder_snap_range_of_boxes( const bvb_tree* tree, int team, bvfile_snap_range* out )
{
	bool boxes = true;
	range all = nowhere;
#pragma omp parallel num_threads( team ) if ( team > 1 )
	{
		bool mine = true;
		range part = nowhere;
#pragma omp for schedule( static ) nowait
		for ( uint32_t i = 1; i < tree->node_count; ++i )
		{
			mine = mine && tree->nodes[i].type == bv_volume_aabb;
			if ( mine )
			{
				grow_by_boxes( &part, tree, i, i + 1 );
			}
		}
#pragma omp critical
		{
			boxes = boxes && mine;
			grow( &all, part.lower, part.upper );
		}
	}
	*out = boxes ? as_doubles( &all ) : *out;
	return boxes;
}

// What codes are multiplied with, and the reverse.
typedef struct units
{
	bvbase_float4 origin;
	bvbase_float4 unit;
	bvbase_float4 inverse;
} units;

static bvbase_float4 nearest_code( bvbase_float4 x, const units* u )
{
	bvbase_int4 code = __builtin_convertvector( ( x - u->origin ) * u->inverse + 0.5f, bvbase_int4 );
	return __builtin_convertvector( code, bvbase_float4 );
}

static bvbase_float4 within_codes( bvbase_float4 code )
{
	const bvbase_float4 most = { most_code, most_code, most_code, most_code };
	return bvbase_greatest4( bvbase_least4( code, most ), ( bvbase_float4 ){ 0, 0, 0, 0 } );
}

static void round_box( float* box, const units* u )
{
	const bvbase_float4 one = { 1, 1, 1, 1 };
	const bvbase_float4 none = { 0, 0, 0, 0 };
	bvbase_float4 lower = load( box );
	bvbase_float4 upper = load( box + 3 );
	bvbase_float4 low = nearest_code( lower, u );
	bvbase_float4 high = nearest_code( upper, u );
	low -= bvbase_select4( u->origin + u->unit * low > lower, one, none );
	high += bvbase_select4( u->origin + u->unit * high < upper, one, none );
	lower = u->origin + u->unit * within_codes( low );
	upper = u->origin + u->unit * within_codes( high );
	for ( int i = 0; i < 3; ++i )
	{
		box[i] = lower[i];
		box[3 + i] = upper[i];
	}
}

void bvorder_snap_boxes( bvb_tree* tree, uint32_t index, int finest )
{
	const bvorder_stored_node* node = tree->nodes + index;
	uint8_t* boxes = tree->volumes + (size_t)tree->stride * node->first_child;
	range all = nowhere;
	grow_by_boxes( &all, tree, node->first_child, node->first_child + node->children );
	bvfile_snap_range children = as_doubles( &all );
	bvfile_snap_make_frame( &tree->grid, &children, finest, tree->frames + index );
	tree->frames[index].extent = 0;
	bvfile_node_frame frame = bvorder_frame( tree, index );
	units u = { .origin = { 0, 0, 0, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		double unit = bvfile_code_coarse * frame.step[i];
		u.origin[i] = (float)frame.origin[i];
		u.unit[i] = (float)unit;
		u.inverse[i] = (float)( 1 / unit );
	}
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		round_box( (float*)( boxes + (size_t)tree->stride * i ), &u );
	}
}
