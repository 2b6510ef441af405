// Contacts of moving features of one mesh or of two. See bvworld/deform_contact.h.
//
// Each feature is compared where its owner is: the pair of triangles that own both edges, or of the owner of the vertex and the face. The
// boxes of a leaf enclose what its triangles own, so that the descent visits that pair of leaves if the features can touch. Features of a
// leaf are compared with those of another one if they are near its box.

#include "runtime/math/range.h"
#include "world/deform_contact/contact.h"

#include <math.h>
#include <string.h>

bvw_deform_sweep_options bvw_deform_sweep_options_default( void )
{
	return ( bvw_deform_sweep_options ){ .limit = 0 };
}

enum
{
	own_blocks = 2,
	own_bytes = 448,        // of the arrays of one
	most_scratch = 1 << 20, // more does not help, and is cleared in each query
};

typedef struct sweep_query
{
	bvwtouch_side side[2];
	bool is_self;
	bool is_stored; // all positions are stored as they are used
	bvw_deform_sweep_options options;
	bv_feature_options feature_options;
	bvsimd_floats reach;
	bool is_over;                    // nothing can be earlier
	bvw_deform_sweep_result* result; // of the caller
	bvwtouch_block* block;           // of the latest leaves; the last one is for those whose place is taken
	uint32_t blocks;                 // one more than a power of 2
	bvwtouch_block own[own_blocks];
	uint64_t arrays[own_blocks][own_bytes / 8];
} sweep_query;

// @return false to end the query
static bool keep( sweep_query* q, const bvw_deform_contact* contact )
{
	bvw_deform_sweep_result* r = q->result;
	const bv_feature_time* time = &contact->time;
	r->certain = r->certain && time->certain;
	if ( r->contacts == 0 || time->lower < r->lower )
	{
		r->lower = time->lower;
		r->first = *contact;
	}
	r->upper = time->upper < r->upper ? time->upper : r->upper;
	r->contacts += 1;
	if ( q->options.callback && !q->options.callback( q->options.context, contact ) )
	{
		return false;
	}
	if ( q->options.first && r->upper < q->feature_options.limit )
	{
		q->feature_options.limit = r->upper;
		q->is_over = r->upper == 0;
	}
	return !q->is_over;
}

// Whether one feature is on one side of the other along an axis, farther away than the reach, at both ends, and so always: the distance of any two
// of their points along the axis changes at constant speed.
static bool are_apart( const sweep_query* q, const bvw_deform_contact* contact, int own )
{
	uint32_t before = 7;
	uint32_t behind = 7;
	for ( int end = 0; end < 2; ++end )
	{
		bvsimd_floats lower[2];
		bvsimd_floats upper[2];
		for ( int k = 0; k < 2; ++k )
		{
			const bvwtouch_side* s = q->side + contact->mesh[k];
			float( *positions )[3] = end == 0 ? s->from : s->to;
			const uint32_t* vertex = contact->vertex + ( k == 0 ? 0 : own );
			lower[k] = upper[k] = bvsimd_floats_load( positions[vertex[0]] );
			for ( int i = 1; i < ( k == 0 ? own : 4 - own ); ++i )
			{
				bvsimd_floats p = bvsimd_floats_load( positions[vertex[i]] );
				lower[k] = bvsimd_floats_min( lower[k], p );
				upper[k] = bvsimd_floats_max( upper[k], p );
			}
		}
		before &= bvsimd_floats_bits(
			bvsimd_floats_below( q->reach, bvsimd_floats_subtract( lower[1], upper[0] ) ) );
		behind &= bvsimd_floats_bits(
			bvsimd_floats_below( q->reach, bvsimd_floats_subtract( lower[0], upper[1] ) ) );
	}
	return ( before | behind ) != 0;
}

static bool test_features( sweep_query* q, bvw_deform_contact* contact )
{
	bv_vec3 start[4];
	bv_vec3 end[4];
	int own = contact->kind == bvw_contact_vertex_face ? 1 : 2;
	if ( q->is_stored && are_apart( q, contact, own ) )
	{
		return true;
	}
	for ( int i = 0; i < 4; ++i )
	{
		const bvwtouch_side* s = q->side + contact->mesh[i >= own];
		start[i] = bvwtouch_position( s, contact->vertex[i], false );
		end[i] = bvwtouch_position( s, contact->vertex[i], true );
	}
	q->result->exact_tests += 1;
	bv_status status = own == 1 ? bv_moving_vertex_face( start, end, &q->feature_options, &contact->time )
	                            : bv_moving_edge_edge( start, end, &q->feature_options, &contact->time );
	if ( status != bv_ok )
	{
		// Placed where features cannot be compared.
		contact->time = ( bv_feature_time ){ .found = true, .upper = INFINITY };
	}
	return !contact->time.found || keep( q, contact );
}

static bool test_vertex( sweep_query* q, const bvwtouch_block* of, uint32_t vertex,
                         const bvwtouch_block* faces, uint32_t face )
{
	const uint32_t* corner = faces->corner[face];
	bvw_deform_contact contact = {
		.kind = bvw_contact_vertex_face,
		.mesh = { (uint8_t)of->side, (uint8_t)faces->side },
		.triangle = { of->first + of->vertex_face[vertex], faces->first + face },
		.vertex = { of->vertex[vertex], corner[0], corner[1], corner[2] },
	};
	return test_features( q, &contact );
}

static bool test_edge( sweep_query* q, const bvwtouch_block* a, uint32_t i, const bvwtouch_block* b,
                       uint32_t j )
{
	const uint32_t* of_a = a->edge[i];
	const uint32_t* of_b = b->edge[j];
	bvw_deform_contact contact = { .kind = bvw_contact_edge_edge };
	bool swaps = q->is_self && of_a[0] > of_b[0]; // they share no vertex
	contact.mesh[0] = (uint8_t)a->side;
	contact.mesh[1] = (uint8_t)b->side;
	contact.triangle[swaps] = a->first + a->edge_face[i];
	contact.triangle[1 - swaps] = b->first + b->edge_face[j];
	memcpy( contact.vertex + 2 * swaps, of_a, sizeof a->edge[i] );
	memcpy( contact.vertex + 2 - 2 * swaps, of_b, sizeof b->edge[j] );
	return test_features( q, &contact );
}

// A box that many are compared with.
typedef struct held_box
{
	bvsimd_floats lower;
	bvsimd_floats upper;
	bvsimd_floats reach;
} held_box;

static held_box hold( const sweep_query* q, const bvtree_refit_box* box )
{
	return ( held_box ){ bvsimd_floats_load( box->lower ), bvsimd_floats_load( box->upper ), q->reach };
}

// As bvwtouch_are_near.
static bool is_near( const held_box* box, const bvtree_refit_box* other )
{
	bvsimd_floats gap =
		bvsimd_floats_max( bvsimd_floats_subtract( bvsimd_floats_load( other->lower ), box->upper ),
	                       bvsimd_floats_subtract( box->lower, bvsimd_floats_load( other->upper ) ) );
	return ( bvsimd_floats_bits( bvsimd_floats_below( box->reach, gap ) ) & 7 ) == 0;
}

// @return a bit for each of some boxes that is near
static uint32_t near_boxes( const held_box* box, const bvtree_refit_box* boxes, uint32_t count )
{
	uint32_t near = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		near |= (uint32_t)is_near( box, boxes + i ) << i;
	}
	return near;
}

static bool is_corner( uint32_t vertex, const uint32_t corner[3] )
{
	return ( corner[0] == vertex ) | ( corner[1] == vertex ) | ( corner[2] == vertex );
}

// @param all  the box of all faces
static bool test_vertices( sweep_query* q, const bvwtouch_block* of, const held_box* all,
                           const bvwtouch_block* faces )
{
	for ( uint32_t i = 0; i < of->vertices; ++i )
	{
		if ( !is_near( all, of->vertex_box + i ) )
		{
			continue;
		}
		uint32_t number = of->vertex[i];
		held_box box = hold( q, of->vertex_box + i );
		q->result->feature_tests += faces->faces;
		for ( uint32_t j = 0; j < faces->faces; ++j )
		{
			if ( is_near( &box, faces->face_box + j ) &&
			     !( q->is_self && is_corner( number, faces->corner[j] ) ) &&
			     !test_vertex( q, of, i, faces, j ) )
			{
				return false;
			}
		}
	}
	return true;
}

static bool share_end( const uint32_t a[2], const uint32_t b[2] )
{
	return ( a[0] == b[0] ) | ( a[0] == b[1] ) | ( a[1] == b[0] ) | ( a[1] == b[1] );
}

static bool test_edges( sweep_query* q, const bvwtouch_block* a, uint32_t edges, const bvwtouch_block* b,
                        uint32_t wanted )
{
	uint32_t tests = 0;
	bool goes_on = true;
	for ( ; edges > 0 && goes_on; edges &= edges - 1 )
	{
		uint32_t i = bvsimd_lowest_bit( edges );
		held_box box = hold( q, a->edge_box + i );
		uint32_t left = wanted & ( a == b ? ~0u << i << 1 : ~0u );
		for ( ; left > 0 && goes_on; left &= left - 1 )
		{
			uint32_t j = bvsimd_lowest_bit( left );
			tests += 1;
			if ( is_near( &box, b->edge_box + j ) && !( q->is_self && share_end( a->edge[i], b->edge[j] ) ) )
			{
				goes_on = test_edge( q, a, i, b, j );
			}
		}
	}
	q->result->feature_tests += tests;
	return goes_on;
}

static bool test_block( sweep_query* q, const bvwtouch_block* a )
{
	held_box box = hold( q, &a->box );
	uint32_t edges = ( 1u << a->edges ) - 1;
	return test_vertices( q, a, &box, a ) && test_edges( q, a, edges, a, edges );
}

// Edges that are near the box of the other block are compared with those that are near that of this one.
static bool test_blocks( sweep_query* q, const bvwtouch_block* a, const bvwtouch_block* b )
{
	held_box box_a = hold( q, &a->box );
	held_box box_b = hold( q, &b->box );
	uint32_t edges_a = near_boxes( &box_b, a->edge_box, a->edges );
	uint32_t edges_b = edges_a > 0 ? near_boxes( &box_a, b->edge_box, b->edges ) : 0;
	return test_vertices( q, a, &box_b, b ) && test_vertices( q, b, &box_a, a ) &&
	       ( edges_b == 0 || test_edges( q, a, edges_a, b, edges_b ) );
}

// @param side   of a mesh with itself always 0
// @param count  of triangles that are left in the leaf, at least 1
// @param other  a block that must be kept, or null
static const bvwtouch_block* get_block( sweep_query* q, uint32_t side, uint32_t first, uint32_t count,
                                        const bvwtouch_block* other )
{
	bvwtouch_block* block = q->block + ( ( first / 4 + 3 * side ) & ( q->blocks - 2 ) );
	if ( block == other && ( block->first != first || block->side != side ) )
	{
		block = q->block + ( q->blocks - 1 );
	}
	if ( block->first != first || block->side != side || block->faces == 0 )
	{
		block->side = side;
		bvwtouch_load_block( q->side + side, first, count, block );
	}
	return block;
}

static bool test_leaves( void* data, const uint32_t first[2], const uint32_t count[2], bool is_one )
{
	sweep_query* q = data;
	uint32_t side_b = q->is_self ? 0 : 1;
	for ( uint32_t i = 0; i < count[0]; )
	{
		const bvwtouch_block* a = get_block( q, 0, first[0] + i, count[0] - i, NULL );
		for ( uint32_t j = is_one ? i : 0; j < count[1]; )
		{
			const bvwtouch_block* b = get_block( q, side_b, first[1] + j, count[1] - j, a );
			if ( a == b ? !test_block( q, a ) : !test_blocks( q, a, b ) )
			{
				return false;
			}
			j += b->faces;
		}
		i += a->faces;
	}
	return true;
}

// Leaves fit into blocks in scratch memory as a whole. The stack has no room for such blocks beside the exact tests.
static void begin_blocks( sweep_query* q, void* scratch, size_t bytes )
{
	static const bvwtouch_room small = { 3, 5, 3 };
	static const bvwtouch_room large = { 8, 12, 8 };
	size_t arrays = bvwtouch_room_bytes( scratch ? large : small );
	q->block = scratch ? scratch : q->own;
	q->blocks = own_blocks;
	while ( scratch && ( 2 * q->blocks - 1 ) * ( sizeof( bvwtouch_block ) + arrays ) <= bytes )
	{
		q->blocks = 2 * q->blocks - 1;
	}
	char* memory = scratch ? (char*)( q->block + q->blocks ) : (char*)q->arrays;
	for ( uint32_t i = 0; i < q->blocks; ++i )
	{
		bvwtouch_begin_block( memory + i * arrays, scratch ? large : small, q->block + i );
	}
}

static bool begin( const bvw_deform* deform, const bvw_owners* owners,
                   const bvw_deform_sweep_options* options, const bvw_deform_sweep_result* result,
                   sweep_query* out )
{
	bvw_deform_sweep_options o = options ? *options : bvw_deform_sweep_options_default();
	size_t bytes = o.scratch_bytes < most_scratch ? o.scratch_bytes : most_scratch;
	if ( !bvwdeform_is_valid( deform ) || !deform->refit.later || !result ||
	     !( o.limit >= 0 && o.limit <= 1 ) || !bvmath_is_length( o.separation ) ||
	     !( o.tolerance >= 0 && o.tolerance <= 1 ) ||
	     ( o.scratch && ( (uintptr_t)o.scratch % 8 != 0 || bytes < BVW_DEFORM_SCRATCH_LEAST ) ) )
	{
		return false;
	}
	bvwtouch_side_of( deform, owners, true, out->side );
	if ( !bvwtouch_are_owners( owners, &out->side[0].view ) )
	{
		return false;
	}
	out->options = o;
	out->feature_options = ( bv_feature_options ){
		.limit = o.limit > 0 ? o.limit : 1,
		.separation = o.separation,
		.tolerance = o.tolerance,
	};
	out->is_over = false;
	begin_blocks( out, o.scratch, bytes );
	return true;
}

static bv_status run( sweep_query* q, bvw_deform_sweep_result* result )
{
	float reach = bvwtouch_reach( q->options.separation );
	uint64_t tests = 0;
	*result = ( bvw_deform_sweep_result ){ .certain = true, .upper = INFINITY };
	result->lower = q->feature_options.limit;
	q->result = result;
	q->reach = bvsimd_floats_all( reach );
	q->is_stored = q->is_self || ( q->side[1].from && !q->side[1].placed );
	bool ended = !bvwtouch_descend( q->side, q->is_self ? NULL : q->side + 1, reach, test_leaves, q, &tests );
	result->complete = !ended || q->is_over;
	result->volume_tests = tests;
	return bv_ok;
}

bv_status bvw_deform_self_sweep( const bvw_deform* deform, const bvw_owners* owners,
                                 const bvw_deform_sweep_options* options, bvw_deform_sweep_result* result )
{
	sweep_query q;
	q.is_self = true;
	return begin( deform, owners, options, result, &q ) ? run( &q, result ) : bv_error_argument;
}

bv_status bvw_deform_sweep( const bvw_deform* deform, const bvw_owners* owners, const bvw_deform_other* other,
                            const bvw_deform_sweep_options* options, bvw_deform_sweep_result* result )
{
	sweep_query q;
	bvvol_similarity placed[2];
	q.is_self = false;
	if ( !other || !begin( deform, owners, options, result, &q ) ||
	     !bvwtouch_side_of_other( deform, other, placed, q.side + 1 ) )
	{
		return bv_error_argument;
	}
	return run( &q, result );
}
