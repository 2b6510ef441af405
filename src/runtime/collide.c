// Intersecting triangles of two hierarchies: both are descended with one-sided expansion (Eckstein 1998, section 4.3;
// Gottschalk, Lin, Manocha 1996). Of two overlapping volumes the larger is opened, and the other is compared with all its
// children at once.

#include "bv/query.h"

#include "base/core/lanes.h"
#include "base/core/overlap_volumes.h"
#include "base/core/triangle.h"
#include "base/core/vec.h"
#include "formats/bvh/layout.h"
#include "runtime/spot.h"

#include <string.h>

// Every step takes one pair off and puts at most BV_LANES on, one level deeper in one of the two trees.
enum
{
	stack_size = 2 * BV_MAX_DEPTH * ( BV_LANES - 1 ) + 1,
	moved_triangles = 8, // of a leaf, that are kept moved
};

typedef struct spot_pair
{
	bv_spot a;
	bv_spot b;
} spot_pair;

// One of the two hierarchies, and what is remembered of its latest volume.
typedef struct side
{
	bvh_view view;
	const bv_pose* to_other; // takes its coordinates to the other's
	bool known;              // the rest is that of the node below
	uint32_t parent;
	uint32_t lane;
	bv_volume volume;
	bv_moved_box box; // in the other's coordinates, if it is one
} side;

// Corners of a triangle, one after another: they may all be off by so much in each coordinate.
typedef struct corners
{
	bv_vec3 of[3];
	double uncertainty;
} corners;

// Pairs of triangles that wait until there are enough of them for all lanes.
typedef struct batch
{
	uint32_t count;
	float tolerance; // no coordinate below is farther off
	bv_lane_triangles a;
	bv_lane_triangles b;
	uint32_t index_a[BV_LANES];
	uint32_t index_b[BV_LANES];
	bv_vec3 exact_a[BV_LANES][3];
	corners exact_b[BV_LANES];
} batch;

// Everything that lasts for one query.
typedef struct query
{
	side a;
	side b;
	const bv_lanes* lanes;
	bv_placement placement;
	bv_collide_options options;
	bv_collide_result* result;
	uint32_t moved_first; // triangle of b
	uint32_t moved_count; // 0 when there are none
	corners moved[moved_triangles];
	batch batch;
} query;

static void get_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] )
{
	uint32_t index[3];
	bvh_triangle( view, triangle, index );
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = bvh_position( view, index[i] );
	}
}

// Corners of a triangle of b, moved: three products, two sums and the translation err by less than 8 * 2^-53 of the
// magnitudes they add.
static void get_moved( const query* q, uint32_t triangle, corners* out )
{
	const bv_pose* pose = &q->placement.pose;
	double largest = 0;
	get_corners( &q->b.view, triangle, out->of );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 p = out->of[i];
		out->of[i] = bv_add( bv_rotate( pose, p ), pose->translation );
		largest = bv_max( largest, bv_norm1( p ) + bv_norm1( pose->translation ) );
	}
	out->uncertainty = 0x1p-50 * largest;
}

// Triangles of b side by side, those of a small leaf for as long as no other is asked for.
static const corners* moved_of( query* q, uint32_t first, uint32_t count )
{
	if ( q->moved_count != count || q->moved_first != first )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			get_moved( q, first + i, q->moved + i );
		}
		q->moved_first = first;
		q->moved_count = count;
	}
	return q->moved;
}

// Of the pairs that wait. Returns false when the query is over.
static bool test_batch( query* q )
{
	batch* pairs = &q->batch;
	uint32_t mask = 0;
	if ( pairs->count > 0 )
	{
		mask = q->lanes->triangles( &pairs->a, &pairs->b, pairs->count, pairs->tolerance );
	}
	q->result->triangle_tests += pairs->count;
	for ( uint32_t i = 0; i < pairs->count; ++i )
	{
		if ( !( mask >> i & 1 ) ||
		     !bv_triangles_intersect_within( pairs->exact_a[i], pairs->exact_b[i].of, pairs->exact_b[i].uncertainty ) )
		{
			continue;
		}
		q->result->pairs += 1;
		if ( ( q->options.callback &&
		       !q->options.callback( q->options.context, pairs->index_a[i], pairs->index_b[i] ) ) ||
		     q->options.first )
		{
			pairs->count = 0;
			return false;
		}
	}
	pairs->count = 0;
	pairs->tolerance = 0;
	return true;
}

// Relative to the first corner of a, so that binary32 is fine enough wherever they lie.
static bool add_pair( query* q, uint32_t index_a, const bv_vec3 a[3], uint32_t index_b, const corners* b )
{
	batch* pairs = &q->batch;
	uint32_t lane = pairs->count++;
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 p = bv_sub( a[i], a[0] );
		bv_vec3 r = bv_sub( b->of[i], a[0] );
		pairs->a.corner[i][0][lane] = (float)p.x;
		pairs->a.corner[i][1][lane] = (float)p.y;
		pairs->a.corner[i][2][lane] = (float)p.z;
		pairs->b.corner[i][0][lane] = (float)r.x;
		pairs->b.corner[i][1][lane] = (float)r.y;
		pairs->b.corner[i][2][lane] = (float)r.z;
		size = bv_max( size, bv_max( bv_norm1( p ), bv_norm1( r ) ) );
	}
	float tolerance = (float)( ( 0x1p-24 * size + b->uncertainty ) * ( 1 + 0x1p-20 ) );
	pairs->tolerance = pairs->tolerance > tolerance ? pairs->tolerance : tolerance;
	pairs->index_a[lane] = index_a;
	pairs->index_b[lane] = index_b;
	memcpy( pairs->exact_a[lane], a, sizeof pairs->exact_a[lane] );
	pairs->exact_b[lane] = *b;
	return pairs->count < BV_LANES || test_batch( q );
}

// Returns false when the query is over.
static bool test_leaves( query* q, const bv_spot* a, const bv_spot* b )
{
	if ( q->options.counts )
	{
		q->options.counts->leaves += 1;
	}
	for ( uint32_t first = 0; first < b->triangles; first += moved_triangles )
	{
		uint32_t left = b->triangles - first;
		uint32_t count = left < moved_triangles ? left : moved_triangles;
		const corners* moved = moved_of( q, b->at + first, count );
		for ( uint32_t i = 0; i < a->triangles; ++i )
		{
			bv_vec3 corner[3];
			get_corners( &q->a.view, a->at + i, corner );
			for ( uint32_t k = 0; k < count; ++k )
			{
				if ( !add_pair( q, a->at + i, corner, b->at + first + k, moved + k ) )
				{
					return false;
				}
			}
		}
	}
	return true;
}

static void know( side* s, const bv_spot* spot, double skew )
{
	if ( !s->known || s->parent != spot->parent || s->lane != spot->lane )
	{
		bv_spot_volume( &s->view, spot, &s->volume );
		if ( s->volume.type <= bv_volume_aabb )
		{
			bv_move_box( &s->volume, s->to_other, skew, &s->box );
		}
		s->known = true;
		s->parent = spot->parent;
		s->lane = spot->lane;
	}
}

// Volumes of other types, one by one.
static uint32_t test_singly( const query* q, const side* open, const bv_node_frame* frame, const bv_group* group,
                             const bv_volume* other, float size[BV_LANES] )
{
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bv_placed_volume placed;
		bv_lane_unpack( group, i, frame, &volume );
		bool is_a = open == &q->a;
		bv_volume_place( is_a ? other : &volume, &q->placement, &placed );
		mask |= (uint32_t)bv_volumes_overlap( is_a ? &volume : other, &placed ) << i;
		size[i] = bv_spot_size( &volume );
	}
	return mask;
}

static uint32_t test_group( const query* q, const side* open, const bv_node_frame* frame, const bv_group* group,
                            const side* other, float size[BV_LANES] )
{
	bv_volume_type type = other->volume.type;
	q->result->volume_tests += group->count;
	if ( q->options.counts )
	{
		bv_test_counts* counts = q->options.counts;
		*( open == &q->a ? &counts->volumes[group->type][type] : &counts->volumes[type][group->type] ) +=
			group->count;
	}
	if ( type > bv_volume_aabb || group->type > bv_volume_aabb )
	{
		return test_singly( q, open, frame, group, &other->volume, size );
	}
	bv_lane_group lanes;
	bv_lane_box box;
	bv_spot_group( group, frame, &lanes );
	bv_place_box( &other->box, frame, &box );
	return group->type == bv_volume_obb ? q->lanes->obb( &lanes, &box, size ) : q->lanes->aabb( &lanes, &box, size );
}

// Puts the pairs of a node's children with the other that overlap on the stack.
static spot_pair* open_side( query* q, side* open, const bv_spot* spot, side* other, const bv_spot* with,
                             spot_pair* top )
{
	if ( q->options.counts )
	{
		q->options.counts->openings += 1;
	}
	know( other, with, q->placement.skew );
	const bv_packed_node* node = bvh_node_at( &open->view, spot->at );
	bv_node_frame frame = bv_node_frame_of( node, &open->view.hierarchy->grid );
	bv_children children = bv_children_begin( node );
	bv_spot against = *with;
	for ( bv_group group = bv_group_first( node ); group.count > 0; group = bv_group_next( node, &group ) )
	{
		float size[BV_LANES];
		uint32_t mask = test_group( q, open, &frame, &group, other, size );
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_spot child = bv_children_next( &children, spot->at );
			if ( mask >> i & 1 )
			{
				child.size = size[i];
				if ( child.triangles == 0 )
				{
					__builtin_prefetch( bvh_node_at( &open->view, child.at ) );
					__builtin_prefetch( (const char*)bvh_node_at( &open->view, child.at ) + 64 );
				}
				*top++ = open == &q->a ? ( spot_pair ){ child, against } : ( spot_pair ){ against, child };
			}
		}
	}
	return top;
}

static bool roots_overlap( query* q )
{
	bv_placed_volume placed;
	bv_volume_type a = q->a.volume.type;
	bv_volume_type b = q->b.volume.type;
	q->result->volume_tests += 1;
	if ( q->options.counts )
	{
		q->options.counts->volumes[a][b] += 1;
	}
	bv_volume_place( &q->b.volume, &q->placement, &placed );
	return bv_volumes_overlap( &q->a.volume, &placed );
}

static void traverse( query* q )
{
	spot_pair stack[stack_size];
	spot_pair* top = stack;
	spot_pair roots = { bv_spot_root( &q->a.view ), bv_spot_root( &q->b.view ) };
	know( &q->a, &roots.a, q->placement.skew );
	know( &q->b, &roots.b, q->placement.skew );
	if ( roots_overlap( q ) )
	{
		*top++ = roots;
	}
	while ( top > stack )
	{
		spot_pair pair = *--top;
		bool leaf_a = pair.a.triangles > 0;
		bool leaf_b = pair.b.triangles > 0;
		if ( leaf_a && leaf_b )
		{
			if ( !test_leaves( q, &pair.a, &pair.b ) )
			{
				return;
			}
		}
		else if ( leaf_b || ( !leaf_a && pair.a.size >= pair.b.size ) )
		{
			top = open_side( q, &q->a, &pair.a, &q->b, &pair.b, top );
		}
		else
		{
			top = open_side( q, &q->b, &pair.b, &q->a, &pair.a, top );
		}
	}
	test_batch( q );
}

// A bit, 1 << type, for each type that nodes have.
static uint32_t types_of( const bvh_view* view )
{
	uint32_t types = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		types |= view->hierarchy->of_type[i] > 0 ? 1u << i : 0;
	}
	return types;
}

bv_collide_options bv_collide_options_default( void )
{
	return ( bv_collide_options ){ .first = false };
}

bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_pose* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result )
{
	if ( !a || !b || !b_in_a || !result || !bv_pose_is_rigid( b_in_a ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_collide_result ){ 0 };
	query q;
	q.a.view = bvh_view_of( a );
	q.b.view = bvh_view_of( b );
	if ( !q.a.view.hierarchy || !q.b.view.hierarchy )
	{
		return bv_error_argument;
	}
	q.a.to_other = &q.placement.back;
	q.b.to_other = &q.placement.pose;
	q.a.known = q.b.known = false;
	q.moved_count = 0;
	memset( &q.batch, 0, sizeof q.batch );
	q.lanes = bv_lanes_best();
	q.options = options ? *options : bv_collide_options_default();
	q.result = result;
	bv_placement_begin( b_in_a, types_of( &q.a.view ), types_of( &q.b.view ), &q.placement );
	traverse( &q );
	return bv_ok;
}
