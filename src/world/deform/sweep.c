// Contacts of moving features of one mesh or of two. See bvworld/deform_contact.h.
//
// Each feature is compared where its owner is: the pair of triangles that own both edges, or of the owner of the vertex and the face. The
// boxes of a triangle enclose what it owns, so that the descent visits that pair of triangles if the features can touch.

#include "runtime/math/range.h"
#include "world/deform/contact.h"

#include <math.h>

bvw_deform_sweep_options bvw_deform_sweep_options_default( void )
{
	return ( bvw_deform_sweep_options ){ .limit = 0 };
}

enum
{
	kept_triangles = 8, // of the latest leaves
};

// Triangles of a leaf.
typedef struct kept_leaf
{
	uint32_t first;
	uint32_t count; // 0 for none
	bvwdeform_triangle triangle[kept_triangles];
} kept_leaf;

typedef struct sweep_query
{
	bvwdeform_side side[2];
	bool is_self;
	bvw_deform_sweep_options options;
	bv_feature_options feature_options;
	bvsimd_floats reach;
	bool is_over; // nothing can be earlier
	bvw_deform_sweep_result result;
	kept_leaf leaf[2];
} sweep_query;

// @return false to end the query
static bool keep( sweep_query* q, const bvw_deform_contact* contact )
{
	bvw_deform_sweep_result* r = &q->result;
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

// @param side  of each of the four points
static bool test_features( sweep_query* q, bvw_deform_contact* contact )
{
	bv_vec3 start[4];
	bv_vec3 end[4];
	int own = contact->kind == bvw_contact_vertex_face ? 1 : 2;
	for ( int i = 0; i < 4; ++i )
	{
		const bvwdeform_side* s = q->side + contact->mesh[i >= own];
		start[i] = bvwdeform_position( s, contact->vertex[i], false );
		end[i] = bvwdeform_position( s, contact->vertex[i], true );
	}
	q->result.exact_tests += 1;
	bv_status status = own == 1 ? bv_moving_vertex_face( start, end, &q->feature_options, &contact->time )
	                            : bv_moving_edge_edge( start, end, &q->feature_options, &contact->time );
	if ( status != bv_ok )
	{
		// Placed where features cannot be compared.
		contact->time = ( bv_feature_time ){ .found = true, .upper = INFINITY };
	}
	return !contact->time.found || keep( q, contact );
}

// A vertex of one triangle and the face of the other one.
static bool test_vertex( sweep_query* q, int side, const bvwdeform_triangle* of, int corner,
                         const bvwdeform_triangle* face )
{
	bvw_deform_contact contact = {
		.kind = bvw_contact_vertex_face,
		.mesh = { (uint8_t)( q->is_self ? 0 : side ), (uint8_t)( q->is_self ? 0 : 1 - side ) },
		.triangle = { of->number, face->number },
		.vertex = { of->vertex[corner], face->vertex[0], face->vertex[1], face->vertex[2] },
	};
	return test_features( q, &contact );
}

// An edge as results have it.
typedef struct edge
{
	uint32_t low;
	uint32_t high;
} edge;

static edge edge_of( const bvwdeform_triangle* t, int corner )
{
	uint32_t a = t->vertex[corner];
	uint32_t b = t->vertex[corner == 2 ? 0 : corner + 1];
	return ( edge ){ a < b ? a : b, a < b ? b : a };
}

static bool test_edges( sweep_query* q, const bvwdeform_triangle* a, edge of_a, const bvwdeform_triangle* b,
                        edge of_b )
{
	bvw_deform_contact contact = { .kind = bvw_contact_edge_edge };
	bool swaps = q->is_self && ( of_a.low > of_b.low || ( of_a.low == of_b.low && of_a.high > of_b.high ) );
	contact.mesh[1] = !q->is_self;
	contact.triangle[swaps] = a->number;
	contact.triangle[1 - swaps] = b->number;
	contact.vertex[2 * swaps] = of_a.low;
	contact.vertex[2 * swaps + 1] = of_a.high;
	contact.vertex[2 - 2 * swaps] = of_b.low;
	contact.vertex[3 - 2 * swaps] = of_b.high;
	return test_features( q, &contact );
}

// @return a bit for each corner that is a vertex of the other triangle
static uint32_t shared_corners( const bvwdeform_triangle* of, const bvwdeform_triangle* other )
{
	uint32_t shared = 0;
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t v = of->vertex[i];
		shared |=
			(uint32_t)( ( v == other->vertex[0] ) | ( v == other->vertex[1] ) | ( v == other->vertex[2] ) )
			<< i;
	}
	return shared;
}

static bool test_vertices( sweep_query* q, int side, const bvwdeform_triangle* of,
                           const bvwdeform_triangle* face )
{
	uint32_t corners = of->owned & 7;
	corners &= q->is_self ? ~shared_corners( of, face ) : 7;
	for ( ; corners > 0; corners &= corners - 1 )
	{
		int corner = (int)bvsimd_lowest_bit( corners );
		q->result.feature_tests += 1;
		if ( bvwdeform_are_near( of->corner + corner, &face->box, q->reach ) &&
		     !test_vertex( q, side, of, corner, face ) )
		{
			return false;
		}
	}
	return true;
}

static bool share_end( edge a, edge b )
{
	return ( a.low == b.low ) | ( a.low == b.high ) | ( a.high == b.low ) | ( a.high == b.high );
}

static void get_edge_box( const bvwdeform_triangle* t, int corner, bvtree_refit_box* out )
{
	bvwdeform_join( t->corner + corner, t->corner + ( corner == 2 ? 0 : corner + 1 ), out );
}

static bool test_all_edges( sweep_query* q, const bvwdeform_triangle* a, const bvwdeform_triangle* b )
{
	bvtree_refit_box box_b[3];
	for ( int j = 0; j < 3; ++j )
	{
		get_edge_box( b, j, box_b + j );
	}
	for ( uint32_t of_a = a->owned >> 3; of_a > 0; of_a &= of_a - 1 )
	{
		int i = (int)bvsimd_lowest_bit( of_a );
		edge edge_a = edge_of( a, i );
		bvtree_refit_box box_a;
		get_edge_box( a, i, &box_a );
		for ( uint32_t of_b = b->owned >> 3; of_b > 0; of_b &= of_b - 1 )
		{
			int j = (int)bvsimd_lowest_bit( of_b );
			edge edge_b = edge_of( b, j );
			q->result.feature_tests += 1;
			if ( bvwdeform_are_near( &box_a, box_b + j, q->reach ) &&
			     !( q->is_self && share_end( edge_a, edge_b ) ) && !test_edges( q, a, edge_a, b, edge_b ) )
			{
				return false;
			}
		}
	}
	return true;
}

static bool test_triangles( sweep_query* q, const bvwdeform_triangle* a, const bvwdeform_triangle* b )
{
	q->result.triangle_tests += 1;
	return !bvwdeform_are_near( &a->box, &b->box, q->reach ) ||
	       ( test_vertices( q, 0, a, b ) && test_vertices( q, 1, b, a ) && test_all_edges( q, a, b ) );
}

// @return the triangles of a leaf, or some of them
static const bvwdeform_triangle* load( sweep_query* q, int side, uint32_t first, uint32_t count )
{
	kept_leaf* leaf = q->leaf + side;
	if ( leaf->first != first || leaf->count != count )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			bvwdeform_load_triangle( q->side + ( q->is_self ? 0 : side ), first + i, leaf->triangle + i );
		}
		leaf->first = first;
		leaf->count = count;
	}
	return leaf->triangle;
}

static uint32_t block( uint32_t left )
{
	return left < kept_triangles ? left : kept_triangles;
}

static bool test_leaves( void* data, const uint32_t first[2], const uint32_t count[2], bool is_one )
{
	sweep_query* q = data;
	for ( uint32_t i = 0; i < count[0]; i += kept_triangles )
	{
		uint32_t of_a = block( count[0] - i );
		const bvwdeform_triangle* a = load( q, 0, first[0] + i, of_a );
		for ( uint32_t j = is_one ? i : 0; j < count[1]; j += kept_triangles )
		{
			uint32_t of_b = block( count[1] - j );
			const bvwdeform_triangle* b = load( q, 1, first[1] + j, of_b );
			for ( uint32_t k = 0; k < of_a; ++k )
			{
				for ( uint32_t l = is_one && i == j ? k + 1 : 0; l < of_b; ++l )
				{
					if ( !test_triangles( q, a + k, b + l ) )
					{
						return false;
					}
				}
			}
		}
	}
	return true;
}

static bool begin( const bvw_deform* deform, const bvw_owners* owners,
                   const bvw_deform_sweep_options* options, const bvw_deform_sweep_result* result,
                   sweep_query* out )
{
	bvw_deform_sweep_options o = options ? *options : bvw_deform_sweep_options_default();
	if ( !bvwdeform_is( deform ) || !deform->refit.later || !result || !( o.limit >= 0 && o.limit <= 1 ) ||
	     !bvmath_is_length( o.separation ) || !( o.tolerance >= 0 && o.tolerance <= 1 ) )
	{
		return false;
	}
	bvwdeform_side_of( deform, owners, true, out->side );
	if ( !bvwdeform_are_owners( owners, out->side[0].view.mesh->triangles ) )
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
	out->leaf[0].count = 0;
	out->leaf[1].count = 0;
	out->result = ( bvw_deform_sweep_result ){ .certain = true, .upper = INFINITY };
	out->result.lower = out->feature_options.limit;
	return true;
}

static bv_status run( sweep_query* q, bvw_deform_sweep_result* result )
{
	float reach = bvwdeform_reach( q->options.separation );
	q->reach = bvsimd_floats_all( reach );
	bool ended = !bvwdeform_descend( q->side, q->is_self ? NULL : q->side + 1, reach, test_leaves, q,
	                                 &q->result.volume_tests );
	q->result.complete = !ended || q->is_over;
	*result = q->result;
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
	q.is_self = false;
	if ( !other || !begin( deform, owners, options, result, &q ) ||
	     !bvwdeform_side_of_other( deform, other, q.side + 1 ) )
	{
		return bv_error_argument;
	}
	return run( &q, result );
}
