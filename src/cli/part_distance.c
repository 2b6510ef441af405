// The signed distance between the convex parts of two files. See part_distance.h.
//
// Depth-first branch and bound over pairs of nodes of both hierarchies, with the nearest pair first. A shape inside
// another one has no smaller signed distance to any shape: a translation that separates the outer shapes separates the inner
// ones. So the signed distance of two boxes bounds that of all parts in them, also if they overlap.

#include "cli/part_distance.h"

#include "runtime/file/view.h"
#include "runtime/math/vec.h"

#include <math.h>

// The parts of one file.
typedef struct parts_side
{
	const bv_file* file;
	const bv_vec3* offset;
	bvfile_parts_view view;
} parts_side;

static parts_side side_of( const bv_file* file )
{
	const bvfile_header* header = (const bvfile_header*)file;
	return ( parts_side ){
		.file = file,
		.offset = bvfile_offset_of( header ),
		.view = bvfile_parts_view_of( bvfile_find( header, bvfile_section_parts ) ),
	};
}

uint32_t part_distance_most_waiting( const bv_file* a, const bv_file* b )
{
	// Each step replaces a pair by two that are one level deeper in one of the hierarchies. These have fewer levels than parts.
	return bv_file_get_decomposition( a ).parts + bv_file_get_decomposition( b ).parts;
}

static double middle_of( float lower, float upper )
{
	return 0.5 * ( (double)lower + (double)upper );
}

static double half_of( float lower, float upper )
{
	return 0.5 * ( (double)upper - (double)lower );
}

// The box of a node. It is larger by more than its center is rounded.
static bv_convex box_of( const parts_side* side, uint32_t index )
{
	const bvfile_part_node* node = side->view.nodes + index;
	const float* low = node->lower;
	const float* high = node->upper;
	bv_vec3 middle = { middle_of( low[0], high[0] ), middle_of( low[1], high[1] ),
		               middle_of( low[2], high[2] ) };
	bv_vec3 half = { half_of( low[0], high[0] ), half_of( low[1], high[1] ), half_of( low[2], high[2] ) };
	bv_vec3 center = bvfile_with_offset( middle, side->offset );
	double slack = 0x1p-50 * ( bvmath_norm1( center ) + bvmath_norm1( middle ) + bvmath_norm1( half ) );
	return bv_convex_box( center, bv_add( half, bv_vec3_make( slack, slack, slack ) ) );
}

static double size_of( const parts_side* side, uint32_t index )
{
	const bvfile_part_node* node = side->view.nodes + index;
	return fmax( fmax( half_of( node->lower[0], node->upper[0] ), half_of( node->lower[1], node->upper[1] ) ),
	             half_of( node->lower[2], node->upper[2] ) );
}

static bool is_leaf( const parts_side* side, uint32_t index )
{
	return side->view.nodes[index].part != BVFILE_NO_PART;
}

typedef struct part_search
{
	parts_side side[2];
	const bv_transform* b_in_a;
	bv_convex_options options;
	part_distance found;
} part_search;

static bv_status bound( part_search* s, part_distance_waiting* pair )
{
	bv_convex box[2] = { box_of( s->side, pair->node[0] ), box_of( s->side + 1, pair->node[1] ) };
	bv_convex_result r;
	bv_status status = bv_convex_distance( box, box + 1, s->b_in_a, NULL, &r );
	s->found.volume_tests += 1;
	pair->bound = status == bv_ok ? r.lower : -INFINITY;
	return status;
}

static bv_status measure( part_search* s, const uint32_t node[2] )
{
	uint32_t part[2];
	bv_convex shape[2];
	for ( int i = 0; i < 2; ++i )
	{
		part[i] = s->side[i].view.nodes[node[i]].part;
		shape[i] = bv_convex_part( s->side[i].file, part[i] );
	}
	bv_convex_result r;
	bv_status status = bv_convex_distance( shape, shape + 1, s->b_in_a, &s->options, &r );
	if ( status != bv_ok )
	{
		return status;
	}
	bv_convex_result* best = &s->found.nearest;
	double lower = fmin( best->lower, r.lower );
	uint32_t supports = best->supports + r.supports;
	if ( s->found.pair_tests == 0 || r.upper < best->upper )
	{
		*best = r;
		s->found.part[0] = part[0];
		s->found.part[1] = part[1];
	}
	best->lower = lower;
	best->supports = supports;
	s->found.pair_tests += 1;
	return bv_ok;
}

// Opens the larger node. The nearer one of its children is put on top.
static bv_status open( part_search* s, const uint32_t node[2], part_distance_waiting** top )
{
	bool first = is_leaf( s->side + 1, node[1] ) ||
	             ( !is_leaf( s->side, node[0] ) &&
	               size_of( s->side, node[0] ) >= s->b_in_a->scale * size_of( s->side + 1, node[1] ) );
	int which = first ? 0 : 1;
	uint32_t child = node[which] + 1;
	part_distance_waiting pair[2];
	for ( int i = 0; i < 2; ++i )
	{
		pair[i] = ( part_distance_waiting ){ .node = { node[0], node[1] } };
		pair[i].node[which] = child;
		child = s->side[which].view.nodes[child].next;
		bv_status status = bound( s, pair + i );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	bool nearer = pair[1].bound < pair[0].bound;
	*( *top )++ = pair[nearer ? 0 : 1];
	*( *top )++ = pair[nearer ? 1 : 0];
	return bv_ok;
}

bv_status part_distance_find( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                              bv_convex_method method, part_distance_waiting* waiting, part_distance* out )
{
	double scratch[BV_CONVEX_SCRATCH_AMPLE / sizeof( double )];
	part_search s = {
		.side = { side_of( a ), side_of( b ) },
		.b_in_a = b_in_a,
		.options = { .method = method, .scratch = scratch, .scratch_bytes = sizeof scratch },
		.found.nearest = { .lower = INFINITY, .upper = INFINITY },
	};
	part_distance_waiting* top = waiting;
	*top++ = ( part_distance_waiting ){ .bound = -INFINITY, .node = { 0, 0 } };
	bv_status status = bv_ok;
	while ( top > waiting && status == bv_ok )
	{
		part_distance_waiting next = *--top;
		if ( s.found.pair_tests > 0 && next.bound >= s.found.nearest.upper )
		{
			continue;
		}
		bool both = is_leaf( s.side, next.node[0] ) && is_leaf( s.side + 1, next.node[1] );
		status = both ? measure( &s, next.node ) : open( &s, next.node, &top );
	}
	if ( status == bv_ok )
	{
		*out = s.found;
	}
	return status;
}
