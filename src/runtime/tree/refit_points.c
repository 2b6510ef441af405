// The vertices of a node and what they measure. See refit_points.h.

#include "runtime/tree/refit_points.h"

#include "runtime/simd/floats.h"

#include <math.h>

// Nodes with more than many vertices of their own skip parts of their subtrees. Few are measured faster than boxes are compared. The meshes
// of fuzzers are small.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum
{
	many_vertices = 12,
	few_vertices = 4,
};
#else
enum
{
	many_vertices = 1024,
	few_vertices = 128,
};
#endif

bvtree_refit_points bvtree_refit_points_of( const bvtree_refit* r, uint32_t number, uint32_t inner )
{
	uint32_t first = r->leaf_begin[r->first_leaf[number]];
	return ( bvtree_refit_points ){
		.refit = r,
		.box = r->boxes + number,
		.inner = inner,
		.count = r->leaf_begin[r->end_leaf[number]] - first,
		.list = r->vertices + first,
		.by_box = r->by_boxes,
	};
}

// Directions by coordinate, and what was measured along them so far.
typedef struct measuring
{
	bvsimd_floats center;
	bvsimd_floats scale;
	bvtree_refit_columns columns;
	bvtree_refit_columns sizes; // absolute values of the columns
	bvsimd_floats rounding;     // of a box's extents
	uint32_t used;              // bit 1 << row
	bvsimd_floats lower;
	bvsimd_floats upper;

	// Of a rectangle, along three directions, and the greatest square of a distance so far.
	bvsimd_floats middle;
	bvsimd_floats half;
	float square;
} measuring;

// What is measured.
typedef struct measure_kind
{
	void ( *take )( measuring* m, bvsimd_floats along );
	// Whether a box can contain a vertex that matters.
	bool ( *reaches )( const measuring* m, bvsimd_floats along, bvsimd_floats extent );
	// Takes a box as a whole.
	void ( *take_box )( measuring* m, bvsimd_floats along, bvsimd_floats extent );
	// Of a box, how much it can matter in a direction.
	float ( *bound )( const measuring* m, bvsimd_floats along, bvsimd_floats extent, uint32_t direction );
} measure_kind;

BVSIMD_INLINE bvsimd_floats times( const bvtree_refit_columns* columns, bvsimd_floats d )
{
	bvsimd_floats x = bvsimd_floats_multiply( columns->x, bvsimd_floats_all_of_0( d ) );
	bvsimd_floats y = bvsimd_floats_multiply( columns->y, bvsimd_floats_all_of_1( d ) );
	bvsimd_floats z = bvsimd_floats_multiply( columns->z, bvsimd_floats_all_of_2( d ) );
	return bvsimd_floats_add( bvsimd_floats_add( x, y ), z );
}

BVSIMD_INLINE bvsimd_floats relative( const measuring* m, bvsimd_floats position )
{
	return bvsimd_floats_multiply( bvsimd_floats_subtract( position, m->center ), m->scale );
}

BVSIMD_INLINE void take( measuring* m, const float* position, const measure_kind* kind )
{
	kind->take( m, times( &m->columns, relative( m, bvsimd_floats_load( position ) ) ) );
}

// Two at a time: an odd one is there twice.
BVSIMD_INLINE void take_list( measuring* m, float ( *positions )[3], const uint32_t* list, uint32_t count,
                              const measure_kind* kind )
{
	for ( uint32_t i = 0; i < count; i += 2 )
	{
		take( m, positions[list[i]], kind );
		take( m, positions[list[i + 1]], kind );
	}
}

BVSIMD_INLINE void take_lists( measuring* m, const bvtree_refit* r, const uint32_t* list, uint32_t count,
                               const measure_kind* kind )
{
	take_list( m, r->positions, list, count, kind );
	if ( r->later )
	{
		take_list( m, r->later, list, count, kind );
	}
}

BVSIMD_INLINE void take_leaf( measuring* m, const bvtree_refit* r, uint32_t number, const measure_kind* kind )
{
	const uint32_t* begin = r->leaf_begin + r->first_leaf[number];
	take_lists( m, r, r->vertices + begin[0], begin[1] - begin[0], kind );
}

BVSIMD_INLINE uint32_t own_count( const bvtree_refit_distinct* of )
{
	return of->own_end - of->own;
}

BVSIMD_INLINE void take_own( measuring* m, const bvtree_refit* r, const bvtree_refit_distinct* of,
                             const measure_kind* kind )
{
	for ( uint32_t i = of->own; i < of->own_end; ++i )
	{
		take( m, r->positions[i], kind );
	}
	for ( uint32_t i = of->own; i < of->own_end && r->later; ++i )
	{
		take( m, r->later[i], kind );
	}
}

// A box along the directions. Coordinates of its vertices, as they are measured, are within the extents: the rounding is that of both.
BVSIMD_INLINE void see_box( const measuring* m, const bvtree_refit_box* box, bvsimd_floats* along,
                            bvsimd_floats* extent )
{
	bvsimd_floats lower = relative( m, bvsimd_floats_load( box->lower ) );
	bvsimd_floats upper = relative( m, bvsimd_floats_load( box->upper ) );
	bvsimd_floats half = bvsimd_floats_all( 0.5f );
	bvsimd_floats middle = bvsimd_floats_multiply( bvsimd_floats_add( lower, upper ), half );
	bvsimd_floats reach = bvsimd_floats_multiply( bvsimd_floats_subtract( upper, lower ), half );
	*along = times( &m->columns, middle );
	*extent = bvsimd_floats_add( times( &m->sizes, reach ), m->rounding );
}

BVSIMD_INLINE bool is_inner( const bvfile_packed_node* node, uint32_t lane )
{
	return bvfile_node_kinds( node )[lane] % bvfile_kind_counts == bvfile_kind_inner;
}

BVSIMD_INLINE bool has_few( const bvtree_refit* r, uint32_t index )
{
	return own_count( r->distinct + index ) <= few_vertices;
}

// Takes the vertices at the end of a path to the children that can matter most.
BVSIMD_INLINE void take_first( measuring* m, const bvtree_refit* r, uint32_t index, uint32_t direction,
                               const measure_kind* kind )
{
	while ( !has_few( r, index ) )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
		uint32_t next = index + 1;
		uint32_t best = 0;
		float most = -INFINITY;
		for ( uint32_t i = 0; i < node->children; ++i )
		{
			bvsimd_floats along;
			bvsimd_floats extent;
			see_box( m, r->boxes + node->first_child + i, &along, &extent );
			float bound = kind->bound( m, along, extent, direction );
			if ( bound > most )
			{
				most = bound;
				best = i;
				index = next;
			}
			next = is_inner( node, i ) ? r->inner[next].end : next;
		}
		if ( !is_inner( node, best ) )
		{
			take_leaf( m, r, node->first_child + best, kind );
			return;
		}
	}
	take_own( m, r, r->distinct + index, kind );
}

BVSIMD_INLINE bool reaches( const measuring* m, const bvtree_refit* r, uint32_t number,
                            const measure_kind* kind )
{
	bvsimd_floats along;
	bvsimd_floats extent;
	see_box( m, r->boxes + number, &along, &extent );
	return kind->reaches( m, along, extent );
}

// Takes the vertices that occur first in a subtree and can matter. Nodes are in depth-first order, so that skipping a subtree is a step to
// its end.
BVSIMD_INLINE void take_subtree( measuring* m, const bvtree_refit* r, uint32_t index,
                                 const measure_kind* kind )
{
	uint32_t end = r->inner[index].end;
	while ( index < end )
	{
		if ( !reaches( m, r, r->inner[index].number, kind ) )
		{
			index = r->inner[index].end;
			continue;
		}
		if ( has_few( r, index ) )
		{
			take_own( m, r, r->distinct + index, kind );
			index = r->inner[index].end;
			continue;
		}
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
		for ( uint32_t i = 0; i < node->children; ++i )
		{
			if ( !is_inner( node, i ) && reaches( m, r, node->first_child + i, kind ) )
			{
				take_leaf( m, r, node->first_child + i, kind );
			}
		}
		index += 1;
	}
}

BVSIMD_INLINE void measure_all( measuring* m, const bvtree_refit_points* points, uint32_t directions,
                                const measure_kind* kind )
{
	const bvtree_refit* r = points->refit;
	if ( points->by_box )
	{
		bvsimd_floats along;
		bvsimd_floats extent;
		see_box( m, points->box, &along, &extent );
		kind->take_box( m, along, extent );
		return;
	}
	bool is_inner = points->inner != BVTREE_REFIT_LEAF;
	const bvtree_refit_distinct* of = is_inner ? r->distinct + points->inner : NULL;
	if ( !of || of->shared == BVTREE_REFIT_UNLISTED )
	{
		take_lists( m, r, points->list, points->count, kind );
		return;
	}
	take_lists( m, r, r->shared + of->shared, of->shared_end - of->shared, kind );
	if ( own_count( of ) <= many_vertices || !r->skips )
	{
		take_own( m, r, of, kind );
		return;
	}
	for ( uint32_t i = 0; i < directions; ++i )
	{
		take_first( m, r, points->inner, i, kind );
	}
	take_subtree( m, r, points->inner, kind );
}

static void begin( const bvtree_refit_unit* unit, const bvtree_refit_columns* columns, measuring* m )
{
	m->center = unit->middle;
	m->scale = bvsimd_floats_all( unit->scale );
	m->rounding = bvsimd_floats_all( (float)BVTREE_REFIT_ROUNDING * unit->reach );
	m->columns = *columns;
	m->sizes = ( bvtree_refit_columns ){ bvsimd_floats_abs( columns->x ), bvsimd_floats_abs( columns->y ),
		                                 bvsimd_floats_abs( columns->z ) };
}

BVSIMD_INLINE void take_along( measuring* m, bvsimd_floats along )
{
	m->lower = bvsimd_floats_min( m->lower, along );
	m->upper = bvsimd_floats_max( m->upper, along );
}

BVSIMD_INLINE bool reaches_along( const measuring* m, bvsimd_floats along, bvsimd_floats extent )
{
	uint32_t lower =
		bvsimd_floats_bits( bvsimd_floats_below( bvsimd_floats_subtract( along, extent ), m->lower ) );
	uint32_t upper =
		bvsimd_floats_bits( bvsimd_floats_below( m->upper, bvsimd_floats_add( along, extent ) ) );
	return ( ( lower | upper ) & m->used ) != 0;
}

BVSIMD_INLINE void take_box_along( measuring* m, bvsimd_floats along, bvsimd_floats extent )
{
	take_along( m, bvsimd_floats_subtract( along, extent ) );
	take_along( m, bvsimd_floats_add( along, extent ) );
}

// Even directions are along a row, odd ones against it.
BVSIMD_INLINE float bound_along( const measuring* m, bvsimd_floats along, bvsimd_floats extent,
                                 uint32_t direction )
{
	float at[4];
	float half[4];
	(void)m;
	bvsimd_floats_store( at, along );
	bvsimd_floats_store( half, extent );
	uint32_t row = direction / 2;
	return direction % 2 == 0 ? at[row] + half[row] : half[row] - at[row];
}

static const measure_kind along_kind = { take_along, reaches_along, take_box_along, bound_along };

BVSIMD_INLINE bvsimd_floats_mask equal( bvsimd_floats a, bvsimd_floats b )
{
	return bvsimd_floats_both( bvsimd_floats_not_above( a, b ), bvsimd_floats_not_above( b, a ) );
}

// Whether it takes less time to look at those that moved than at all.
static bool have_few_moved( const bvtree_refit_points* points )
{
	if ( !points->moved || points->inner == BVTREE_REFIT_LEAF )
	{
		return false;
	}
	const bvtree_refit_distinct* of = points->refit->distinct + points->inner;
	return of->shared != BVTREE_REFIT_UNLISTED && own_count( of ) > many_vertices &&
	       points->moved->count < own_count( of ) / 4;
}

// Where the outermost vertex along a direction did not move, what was measured before is right for all that did not. Where it moved, that
// can be too much for them. It does not matter if some vertex is as far out now.
// @param known  what was measured before
// @return false if it matters
static bool take_moved( measuring* m, const bvtree_refit_points* points, const bvtree_refit_measure* known )
{
	const bvtree_refit* r = points->refit;
	const bvtree_refit_distinct* of = r->distinct + points->inner;
	bvsimd_floats lower = bvsimd_floats_load( known->lower );
	bvsimd_floats upper = bvsimd_floats_load( known->upper );
	uint32_t lowest = 0; // bit 1 << row of each direction along which one that moved was the outermost
	uint32_t uppermost = 0;
	take_lists( m, r, r->shared + of->shared, of->shared_end - of->shared, &along_kind );
	for ( uint32_t i = 0; i < points->moved->count; ++i )
	{
		uint32_t vertex = points->moved->vertex[i];
		bvsimd_floats before =
			times( &m->columns, relative( m, bvsimd_floats_load( points->moved->before[i] ) ) );
		lowest |= bvsimd_floats_bits( equal( before, lower ) );
		uppermost |= bvsimd_floats_bits( equal( before, upper ) );
		if ( vertex - of->own < own_count( of ) )
		{
			take( m, r->positions[vertex], &along_kind );
		}
	}
	lowest &= bvsimd_floats_bits( bvsimd_floats_below( lower, m->lower ) );
	uppermost &= bvsimd_floats_bits( bvsimd_floats_below( m->upper, upper ) );
	m->lower = bvsimd_floats_min( m->lower, lower );
	m->upper = bvsimd_floats_max( m->upper, upper );
	return ( ( lowest | uppermost ) & m->used ) == 0;
}

static void begin_along( measuring* m )
{
	m->lower = bvsimd_floats_all( INFINITY );
	m->upper = bvsimd_floats_all( -INFINITY );
}

void bvtree_refit_measure_along( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                                 const bvtree_refit_columns* columns, uint32_t rows,
                                 bvtree_refit_measure* out )
{
	measuring m;
	begin( unit, columns, &m );
	m.used = ( 1u << rows ) - 1;
	begin_along( &m );
	if ( !have_few_moved( points ) || !take_moved( &m, points, out ) )
	{
		begin_along( &m );
		measure_all( &m, points, 2 * rows, &along_kind );
	}
	bvsimd_floats_store( out->lower, m.lower );
	bvsimd_floats_store( out->upper, m.upper );
}

BVSIMD_INLINE float square_of( const measuring* m, bvsimd_floats along, bvsimd_floats extent )
{
	bvsimd_floats t = bvsimd_floats_abs( bvsimd_floats_subtract( along, m->middle ) );
	t = bvsimd_floats_subtract( bvsimd_floats_add( t, extent ), m->half );
	t = bvsimd_floats_max( t, bvsimd_floats_all( 0 ) );
	float rest[4];
	bvsimd_floats_store( rest, bvsimd_floats_multiply( t, t ) );
	return ( rest[0] + rest[1] ) + rest[2];
}

BVSIMD_INLINE void take_square( measuring* m, bvsimd_floats along )
{
	float square = square_of( m, along, bvsimd_floats_all( 0 ) );
	m->square = square > m->square ? square : m->square;
}

BVSIMD_INLINE void take_box_square( measuring* m, bvsimd_floats along, bvsimd_floats extent )
{
	float square = square_of( m, along, extent );
	m->square = square > m->square ? square : m->square;
}

BVSIMD_INLINE bool reaches_square( const measuring* m, bvsimd_floats along, bvsimd_floats extent )
{
	return square_of( m, along, extent ) > m->square;
}

BVSIMD_INLINE float bound_square( const measuring* m, bvsimd_floats along, bvsimd_floats extent,
                                  uint32_t direction )
{
	(void)direction;
	return square_of( m, along, extent );
}

// A unit is that of the box. Where the center is far from a small one, squares of distances would overflow, and where the box is a point,
// they would underflow.
static double radius_scale( const bvtree_refit_unit* unit, bv_vec3 from, const double half[2] )
{
	double span = bvmath_max( fabs( from.x ), bvmath_max( fabs( from.y ), fabs( from.z ) ) );
	span = bvmath_max( span, bvmath_max( half[0], half[1] ) );
	span = bvmath_max( span, (double)unit->reach * unit->inverse );
	int exponent = span > 0 ? bvfile_exponent_above( span ) : 0;
	return bvfile_power_of_two( exponent < -100 ? 100 : -exponent );
}

// Coordinates along the axes err by BVTREE_REFIT_ROUNDING of the reach; the middle and the half extents are rounded to binary32, and err
// by 2^-24 of themselves. Squares, sums and root add less than 2^-22 of the distance.
double bvtree_refit_radius( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                            const bv_vec3 axis[3], bv_vec3 center, const double half[2] )
{
	static const measure_kind kind = { take_square, reaches_square, take_box_square, bound_square };
	float columns[3][bvtree_refit_rows] = { { 0 } };
	float middle[4] = { 0 };
	const bv_vec3 from = { center.x - unit->center[0], center.y - unit->center[1],
		                   center.z - unit->center[2] };
	double scale = radius_scale( unit, from, half );
	float halves[4] = { (float)( half[0] * scale ), (float)( half[1] * scale ), 0, 0 };
	double size = (double)unit->reach * unit->inverse * scale;
	for ( int k = 0; k < 3; ++k )
	{
		columns[0][k] = (float)axis[k].x;
		columns[1][k] = (float)axis[k].y;
		columns[2][k] = (float)axis[k].z;
		middle[k] = (float)( bv_dot( axis[k], from ) * scale );
		size += fabs( middle[k] ) + halves[k];
	}
	measuring m;
	bvtree_refit_columns axes = bvtree_refit_columns_of( columns );
	begin( unit, &axes, &m );
	m.scale = bvsimd_floats_all( (float)scale );
	m.rounding = bvsimd_floats_all( (float)( BVTREE_REFIT_ROUNDING * size ) );
	m.middle = bvsimd_floats_load( middle );
	m.half = bvsimd_floats_load( halves );
	m.square = 0;
	measure_all( &m, points, 1, &kind );
	double rounding = 2 * BVTREE_REFIT_ROUNDING * size;
	return ( sqrt( (double)m.square ) * ( 1 + 0x1p-20 ) + rounding ) / scale;
}

static bv_vec3 corner_at( const void* context, uint32_t index )
{
	const bvtree_refit_box* box = ( (const bvtree_refit_points*)context )->box;
	return ( bv_vec3 ){ index & 1 ? box->upper[0] : box->lower[0], index & 2 ? box->upper[1] : box->lower[1],
		                index & 4 ? box->upper[2] : box->lower[2] };
}

static bv_vec3 point_at( const void* context, uint32_t index )
{
	const bvtree_refit_points* points = context;
	bool is_later = index >= points->count;
	float( *positions )[3] = is_later ? points->refit->later : points->refit->positions;
	const float* p = positions[points->list[is_later ? index - points->count : index]];
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

bvvol_point_list bvtree_refit_list( const bvtree_refit_points* points )
{
	if ( points->by_box )
	{
		return ( bvvol_point_list ){ points, corner_at, 8 };
	}
	return ( bvvol_point_list ){ points, point_at, points->refit->later ? 2 * points->count : points->count };
}
