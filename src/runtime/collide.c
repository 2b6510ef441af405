// Intersecting triangles of two hierarchies (Gottschalk, Lin, Manocha 1996; expansion: Eckstein 1998, section 4.3). Of two
// overlapping volumes one is opened, and the other is compared with all its children at once.

#include "bv/query.h"

#include "base/core/overlap_volumes.h"
#include "base/core/similarity.h"
#include "base/core/triangle.h"
#include "base/core/vec.h"
#include "formats/bvh/layout.h"
#include "runtime/levels.h"
#include "runtime/spot.h"

#include <string.h>

// Every step takes one pair off and puts at most BV_LANES on, one level deeper in one of the two trees.
enum
{
	stack_size = 2 * BV_MAX_DEPTH * ( BV_LANES - 1 ) + 1,
	leaf_block = 8, // triangles of a leaf that are looked at together
};

typedef struct spot_pair
{
	bv_spot a;
	bv_spot b;
	bool opens_b; // nothing is known of the two yet, but b's children are next
} spot_pair;

// One of the two hierarchies, and what is remembered of its latest volume.
typedef struct side
{
	bvh_view view;
	const char* qualities;  // of its nodes: a section, or null unless both have it
	bv_similarity to_other; // takes its coordinates to the other's
	bool known;             // the rest is that of the node below
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
} batch;

// Triangles relative to some point near by, so that binary32 is fine enough wherever they lie.
typedef struct near_triangles
{
	float corner[leaf_block][9];
	double size; // no coordinates of a corner add up to more
} near_triangles;

// Everything that lasts for one query.
typedef struct query
{
	side a;
	side b;
	const bv_lanes* lanes;
	bool fits_lanes;        // boxes that are moved are boxes still, as far as the lanes' tests allow
	bv_placement placement; // of b, for volumes that are no boxes: after the next two
	double scale;
	bool mirror;
	double size_scale; // of sizes of b, to those of a
	bv_collide_options options;
	bv_collide_result* result;
	uint32_t moved_first; // triangle of b
	uint32_t moved_count; // 0 when there are none
	corners moved[leaf_block];
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

// Corners of a triangle of b, moved: each coordinate errs by less than 2^-50 of the magnitudes that it adds.
static void get_moved( const query* q, uint32_t triangle, corners* out )
{
	const bv_similarity* to_a = &q->b.to_other;
	double largest = 0;
	get_corners( &q->b.view, triangle, out->of );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 p = out->of[i];
		out->of[i] = bv_similarity_apply( to_a, p );
		largest = bv_max( largest, to_a->scale * bv_norm1( p ) + bv_norm1( to_a->translation ) );
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

static bool intersect( const query* q, uint32_t index_a, uint32_t index_b )
{
	bv_vec3 a[3];
	corners b;
	get_corners( &q->a.view, index_a, a );
	get_moved( q, index_b, &b );
	return bv_triangles_intersect_within( a, b.of, b.uncertainty );
}

// Of the pairs that wait. Returns false when the query is over.
static bool test_batch( query* q )
{
	batch* pairs = &q->batch;
	uint32_t count = pairs->count;
	uint32_t mask = count > 0 ? q->lanes->triangles( &pairs->a, &pairs->b, count, pairs->tolerance ) : 0;
	q->result->triangle_tests += count;
	pairs->count = 0;
	pairs->tolerance = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !( mask >> i & 1 ) || !intersect( q, pairs->index_a[i], pairs->index_b[i] ) )
		{
			continue;
		}
		q->result->pairs += 1;
		if ( ( q->options.callback &&
		       !q->options.callback( q->options.context, pairs->index_a[i], pairs->index_b[i] ) ) ||
		     q->options.first )
		{
			return false;
		}
	}
	return true;
}

static bool add_pair( query* q, uint32_t index_a, const float a[9], uint32_t index_b, const float b[9],
                      float tolerance )
{
	batch* pairs = &q->batch;
	uint32_t lane = pairs->count++;
	float* to_a = &pairs->a.corner[0][0][lane];
	float* to_b = &pairs->b.corner[0][0][lane];
	for ( int i = 0; i < 9; ++i )
	{
		to_a[BV_LANES * i] = a[i];
		to_b[BV_LANES * i] = b[i];
	}
	pairs->tolerance = pairs->tolerance > tolerance ? pairs->tolerance : tolerance;
	pairs->index_a[lane] = index_a;
	pairs->index_b[lane] = index_b;
	return pairs->count < BV_LANES || test_batch( q );
}

static void come_near( near_triangles* out, uint32_t index, const bv_vec3 corner[3], bv_vec3 origin )
{
	float* to = out->corner[index];
	for ( int i = 0; i < 3; ++i, to += 3 )
	{
		bv_vec3 p = bv_sub( corner[i], origin );
		to[0] = (float)p.x;
		to[1] = (float)p.y;
		to[2] = (float)p.z;
		out->size = bv_max( out->size, bv_norm1( p ) );
	}
}

// No more than leaf_block triangles of each. Returns false when the query is over.
static bool test_blocks( query* q, uint32_t first_a, uint32_t count_a, uint32_t first_b, uint32_t count_b )
{
	near_triangles a;
	near_triangles b;
	a.size = b.size = 0;
	bv_vec3 origin = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count_a; ++i )
	{
		bv_vec3 corner[3];
		get_corners( &q->a.view, first_a + i, corner );
		origin = i == 0 ? corner[0] : origin;
		come_near( &a, i, corner, origin );
	}
	const corners* moved = moved_of( q, first_b, count_b );
	double uncertainty = 0;
	for ( uint32_t k = 0; k < count_b; ++k )
	{
		come_near( &b, k, moved[k].of, origin );
		uncertainty = bv_max( uncertainty, moved[k].uncertainty );
	}
	float tolerance = (float)( ( 0x1p-24 * bv_max( a.size, b.size ) + uncertainty ) * ( 1 + 0x1p-20 ) );
	for ( uint32_t i = 0; i < count_a; ++i )
	{
		for ( uint32_t k = 0; k < count_b; ++k )
		{
			if ( !add_pair( q, first_a + i, a.corner[i], first_b + k, b.corner[k], tolerance ) )
			{
				return false;
			}
		}
	}
	return true;
}

// Returns false when the query is over.
static bool test_leaves( query* q, const bv_spot* a, const bv_spot* b )
{
	if ( q->options.counts )
	{
		q->options.counts->leaves += 1;
	}
	for ( uint32_t j = 0; j < b->triangles; j += leaf_block )
	{
		uint32_t count_b = b->triangles - j < leaf_block ? b->triangles - j : leaf_block;
		for ( uint32_t i = 0; i < a->triangles; i += leaf_block )
		{
			uint32_t count_a = a->triangles - i < leaf_block ? a->triangles - i : leaf_block;
			if ( !test_blocks( q, a->at + i, count_a, b->at + j, count_b ) )
			{
				return false;
			}
		}
	}
	return true;
}

static void know( side* s, const bv_spot* spot )
{
	if ( !s->known || s->parent != spot->parent || s->lane != spot->lane )
	{
		bv_spot_volume( &s->view, spot, &s->volume );
		if ( s->volume.type <= bv_volume_aabb )
		{
			bv_move_box( &s->volume, &s->to_other, &s->box );
		}
		s->known = true;
		s->parent = spot->parent;
		s->lane = spot->lane;
	}
}

static bool overlap( const query* q, const bv_volume* a, const bv_volume* b )
{
	bv_volume scaled;
	bv_placed_volume placed;
	if ( q->scale != 1 || q->mirror )
	{
		bv_volume_scaled( b, q->scale, q->mirror, &scaled );
		b = &scaled;
	}
	bv_volume_place( b, &q->placement, &placed );
	return bv_volumes_overlap( a, &placed );
}

// Volumes of other types, one by one.
static uint32_t test_singly( const query* q, const side* open, const bv_node_frame* frame,
                             const bv_group* group, const bv_volume* other, float size[BV_LANES] )
{
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bv_lane_unpack( group, i, frame, &volume );
		bool is_a = open == &q->a;
		mask |= (uint32_t)overlap( q, is_a ? &volume : other, is_a ? other : &volume ) << i;
		size[i] = bv_spot_size( &volume );
	}
	return mask;
}

static uint32_t test_group( const query* q, const side* open, const bv_node_frame* frame,
                            const bv_group* group, const side* other, float size[BV_LANES] )
{
	bv_volume_type type = other->volume.type;
	q->result->volume_tests += group->count;
	if ( q->options.counts )
	{
		bv_test_counts* counts = q->options.counts;
		*( open == &q->a ? &counts->volumes[group->type][type] : &counts->volumes[type][group->type] ) +=
			group->count;
	}
	if ( type > bv_volume_aabb || group->type > bv_volume_aabb || !q->fits_lanes )
	{
		return test_singly( q, open, frame, group, &other->volume, size );
	}
	bv_lane_group lanes;
	bv_lane_box box;
	bv_spot_group( group, frame, &lanes );
	bv_place_box( &other->box, frame, &box );
	return group->type == bv_volume_obb ? q->lanes->obb( &lanes, &box, size )
	                                    : q->lanes->aabb( &lanes, &box, size );
}

// Puts the pairs of a node's children with the other that overlap on the stack.
static spot_pair* open_side( query* q, side* open, const bv_spot* spot, side* other, const bv_spot* with,
                             spot_pair* top )
{
	if ( q->options.counts )
	{
		q->options.counts->openings += 1;
	}
	know( other, with );
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
				*top++ = open == &q->a ? ( spot_pair ){ child, against, false }
				                       : ( spot_pair ){ against, child, false };
			}
		}
	}
	return top;
}

// Both: a's children are not compared with b, but each of them with all of b's.
static spot_pair* open_both( const query* q, const spot_pair* pair, spot_pair* top )
{
	const bv_packed_node* node = bvh_node_at( &q->a.view, pair->a.at );
	bv_children children = bv_children_begin( node );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bv_spot child = bv_children_next( &children, pair->a.at );
		bv_volume volume;
		bv_spot_volume( &q->a.view, &child, &volume );
		child.size = bv_spot_size( &volume );
		*top++ = ( spot_pair ){ child, pair->b, true };
	}
	return top;
}

// The largest child's size, and how many children there are.
static double worst_child( const bvh_view* view, uint32_t place, uint32_t* count )
{
	const bv_packed_node* node = bvh_node_at( view, place );
	double worst = 0;
	*count = node->children;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bv_volume volume;
		bv_spot_volume( view, &( bv_spot ){ .parent = place, .lane = i }, &volume );
		worst = bv_max( worst, bv_spot_size( &volume ) );
	}
	return worst;
}

typedef enum opening
{
	opening_a,
	opening_b,
	opening_both,
} opening;

static const bvh_node_quality* quality_of( const side* s, const bv_spot* spot )
{
	bool is_root = spot->lane == BV_ROOT_LANE;
	uint32_t node = is_root ? 0 : bvh_node_at( &s->view, spot->parent )->first_child + spot->lane;
	return bvh_node_qualities( s->qualities ) + node;
}

static opening least_of( double one, double two, double both )
{
	return both <= one && both <= two ? opening_both : one <= two ? opening_a : opening_b;
}

// Opening both is opening b once for each child of a: of two costs the product would depend on what they are in.
static opening choose_by_quality( const query* q, const spot_pair* pair )
{
	const bvh_node_quality* a = quality_of( &q->a, &pair->a );
	const bvh_node_quality* b = quality_of( &q->b, &pair->b );
	double unit_a = ( (const bvh_qualities*)q->a.qualities )->unit;
	double unit_b = q->scale * q->scale * ( (const bvh_qualities*)q->b.qualities )->unit;
	double area_a = unit_a * a->quality;
	double area_b = unit_b * b->quality;
	double worst_a = unit_a * a->worst;
	double worst_b = unit_b * b->worst;
	double children_a = bvh_node_at( &q->a.view, pair->a.at )->children;
	return least_of( a->cost * ( worst_a + area_b ), b->cost * ( worst_b + area_a ),
	                 children_a * b->cost * ( worst_a + worst_b ) );
}

static opening choose_by_size( const query* q, const spot_pair* pair )
{
	uint32_t count_a;
	uint32_t count_b;
	double worst_a = worst_child( &q->a.view, pair->a.at, &count_a );
	double worst_b = q->size_scale * worst_child( &q->b.view, pair->b.at, &count_b );
	double one = count_a * ( worst_a + q->size_scale * pair->b.size );
	double two = count_b * ( worst_b + pair->a.size );
	double both = (double)( count_a * count_b ) * ( worst_a + worst_b );
	return least_of( one, two, both );
}

static opening choose_opening( const query* q, const spot_pair* pair )
{
	bool leaf_a = pair->a.triangles > 0;
	bool leaf_b = pair->b.triangles > 0;
	if ( pair->opens_b || leaf_a || leaf_b )
	{
		return leaf_b ? opening_a : opening_b;
	}
	switch ( q->options.expansion )
	{
	case bv_expand_both: return opening_both;
	case bv_expand_hybrid: return q->a.qualities ? choose_by_quality( q, pair ) : choose_by_size( q, pair );
	default: return pair->a.size >= q->size_scale * pair->b.size ? opening_a : opening_b;
	}
}

static bool roots_overlap( query* q )
{
	bv_volume_type a = q->a.volume.type;
	bv_volume_type b = q->b.volume.type;
	q->result->volume_tests += 1;
	if ( q->options.counts )
	{
		q->options.counts->volumes[a][b] += 1;
	}
	return overlap( q, &q->a.volume, &q->b.volume );
}

static void traverse( query* q )
{
	spot_pair stack[stack_size];
	spot_pair* top = stack;
	spot_pair roots = { bv_spot_root( &q->a.view ), bv_spot_root( &q->b.view ), false };
	know( &q->a, &roots.a );
	know( &q->b, &roots.b );
	if ( roots_overlap( q ) )
	{
		*top++ = roots;
	}
	while ( top > stack )
	{
		spot_pair pair = *--top;
		if ( pair.a.triangles > 0 && pair.b.triangles > 0 )
		{
			if ( !test_leaves( q, &pair.a, &pair.b ) )
			{
				return;
			}
			continue;
		}
		switch ( choose_opening( q, &pair ) )
		{
		case opening_a: top = open_side( q, &q->a, &pair.a, &q->b, &pair.b, top ); break;
		case opening_b: top = open_side( q, &q->b, &pair.b, &q->a, &pair.a, top ); break;
		default: top = open_both( q, &pair, top ); break;
		}
	}
	test_batch( q );
}

// If both files have any.
static void find_qualities( query* q )
{
	q->a.qualities = bvh_find( q->a.view.header, bvh_section_node_quality );
	q->b.qualities = bvh_find( q->b.view.header, bvh_section_node_quality );
	bool both = q->a.qualities && q->b.qualities;
	q->a.qualities = both ? q->a.qualities : NULL;
	q->b.qualities = both ? q->b.qualities : NULL;
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
	return ( bv_collide_options ){ .expansion = bv_expand_larger };
}

bv_status bv_collide_in( const bv_lanes* lanes, const bv_file* a, const bv_file* b,
                         const bv_transform* b_in_a, const bv_collide_options* options,
                         bv_collide_result* result )
{
	bv_transform transform = b_in_a ? *b_in_a : bv_transform_identity();
	if ( !a || !b || !result || !bv_transform_is_valid( &transform ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_collide_result ){ 0 };
	query q;
	q.a.view = bvh_view_of( a );
	q.b.view = bvh_view_of( b );
	q.options = options ? *options : bv_collide_options_default();
	if ( !q.a.view.hierarchy || !q.b.view.hierarchy || (unsigned)q.options.expansion >= bv_expansions )
	{
		return bv_error_argument;
	}
	bv_similarity_begin( &transform, &q.b.to_other );
	q.a.to_other = bv_similarity_reverse( &q.b.to_other );
	q.fits_lanes = q.a.to_other.skew < 0x1p-22; // twice that of the other way
	q.a.known = q.b.known = false;
	find_qualities( &q );
	q.moved_count = 0;
	memset( &q.batch, 0, sizeof q.batch );
	q.lanes = lanes;
	q.result = result;
	q.scale = transform.scale;
	q.mirror = transform.mirror;
	q.size_scale = transform.scale * transform.scale * transform.scale;
	bv_placement_begin( &transform.pose, types_of( &q.a.view ), types_of( &q.b.view ), &q.placement );
	traverse( &q );
	return bv_ok;
}

bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result )
{
	return bv_collide_in( bv_lanes_best(), a, b, b_in_a, options, result );
}
