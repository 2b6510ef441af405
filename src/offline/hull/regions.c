// Regions of coplanar triangles. See regions.h.
//
// Regions grow from the largest triangles, which have the most accurate normals, to neighbors within the
// tolerance of the region's plane. The plane is recomputed as the region grows. A triangle is added only if
// the region remains a disc, so that no polygon has a hole, touches itself at a corner, or contains an edge
// twice. If the border of the result is not convex, the region is grown again, adding only triangles that
// keep it convex.

#include "offline/hull/regions.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>

// The state of the region that grows.
typedef struct regions_grower
{
	const bvhull_surface* surface;
	double tolerance;
	bv_vec3* area;      // of each face, doubled, times its normal
	uint32_t* of_face;  // region of each face, or BVHULL_NONE
	uint32_t* next;     // of each side of a border
	uint32_t* previous; // the other way
	uint32_t* touched;  // of each vertex, the last attempt whose triangles have it for a corner
	uint32_t attempt;
	uint32_t region;
	uint32_t* face; // those of the region
	uint32_t face_count;
	uint32_t* queue;     // sides of the region whose other side was not looked at yet
	uint32_t side;       // one of the border
	uint64_t wasted;     // triangles that grew and were given back
	uint64_t wasted_max; // more, and regions that are not convex at once stay small: keeps time linear
	bv_vec3* corner;     // scratch: a border, seen along the normal
	uint32_t* chain;     // scratch: its convex corners
} regions_grower;

// A plane through a point.
typedef struct regions_plane
{
	bv_vec3 normal; // unit
	bv_vec3 point;
} regions_plane;

// a b - c d within 1.5 units in the last place (Kahan; Jeannerod, Louvet, Muller 2013).
static double difference_of_products( double a, double b, double c, double d )
{
	double product = c * d;
	double lost = fma( -c, d, product );
	return fma( a, b, -product ) + lost;
}

// Slivers have normals too.
static bv_vec3 precise_cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ difference_of_products( a.y, b.z, a.z, b.y ),
		                difference_of_products( a.z, b.x, a.x, b.z ),
		                difference_of_products( a.x, b.y, a.y, b.x ) };
}

static const bv_vec3* origin_of( const regions_grower* g, uint32_t side )
{
	return &g->surface->at[bvhull_side_origin( g->surface, side )];
}

static const bv_vec3* end_of( const regions_grower* g, uint32_t side )
{
	return &g->surface->at[bvhull_side_end( g->surface, side )];
}

static bool within( const regions_grower* g, const regions_plane* p, bv_vec3 x )
{
	return fabs( bv_dot( p->normal, bv_sub( x, p->point ) ) ) <= g->tolerance;
}

// Whether x is on the left of the line from a to b, seen against the normal, or not farther from it than the
// tolerance.
static bool left_of( const regions_grower* g, const regions_plane* p, bv_vec3 a, bv_vec3 b, bv_vec3 x )
{
	bv_vec3 d = bv_sub( b, a );
	return bv_dot( bv_cross( d, bv_sub( x, a ) ), p->normal ) >= -g->tolerance * bvmath_length( d );
}

static void link_sides( regions_grower* g, uint32_t from, uint32_t to )
{
	g->next[from] = to;
	g->previous[to] = from;
}

static void take( regions_grower* g, uint32_t face )
{
	g->of_face[face] = g->region;
	g->face[g->face_count++] = face;
}

static void give_back( regions_grower* g )
{
	while ( g->face_count > 0 )
	{
		g->of_face[g->face[--g->face_count]] = BVHULL_NONE;
	}
}

static void start( regions_grower* g, uint32_t seed )
{
	give_back( g );
	g->attempt += 1;
	take( g, seed );
	for ( uint32_t side = 3 * seed; side < 3 * seed + 3; ++side )
	{
		link_sides( g, side, bvhull_next_side( side ) );
		g->touched[bvhull_side_origin( g->surface, side )] = g->attempt;
	}
	g->side = 3 * seed;
}

// Folded back over the region's plane a triangle must not be, unless it is so thin that this means nothing.
static bool faces_alike( const regions_grower* g, const regions_plane* p, uint32_t face )
{
	if ( bv_dot( g->area[face], p->normal ) > 0 )
	{
		return true;
	}
	double longest = 0;
	for ( uint32_t side = 3 * face; side < 3 * face + 3; ++side )
	{
		longest = bvmath_max( longest, bvmath_length( bv_sub( *end_of( g, side ), *origin_of( g, side ) ) ) );
	}
	return bvmath_length( g->area[face] ) <= g->tolerance * longest;
}

// Lets the triangle beyond `side` join if it may.
static bool join( regions_grower* g, uint32_t side, const regions_plane* p, bool convex )
{
	const bvhull_surface* s = g->surface;
	uint32_t shared = s->twin[side];
	uint32_t face = shared / 3;
	uint32_t second = bvhull_next_side( shared );
	uint32_t third = bvhull_next_side( second );
	uint32_t apex = bvhull_side_origin( s, third );
	bool has_second = g->of_face[s->twin[second] / 3] == g->region;
	bool has_third = g->of_face[s->twin[third] / 3] == g->region;
	if ( ( has_second && has_third ) || !faces_alike( g, p, face ) )
	{
		return false;
	}

	uint32_t before = g->previous[side];
	uint32_t after = g->next[side];
	if ( has_second )
	{
		link_sides( g, g->previous[before], third );
		link_sides( g, third, after );
		g->side = third;
	}
	else if ( has_third )
	{
		link_sides( g, before, second );
		link_sides( g, second, g->next[after] );
		g->side = second;
	}
	else
	{
		if ( g->touched[apex] == g->attempt || !within( g, p, s->at[apex] ) ||
		     ( convex && ( !left_of( g, p, *origin_of( g, before ), *end_of( g, before ), s->at[apex] ) ||
		                   !left_of( g, p, *origin_of( g, after ), *end_of( g, after ), s->at[apex] ) ) ) )
		{
			return false;
		}
		link_sides( g, before, second );
		link_sides( g, second, third );
		link_sides( g, third, after );
		g->touched[apex] = g->attempt;
		g->side = second;
	}
	take( g, face );
	return true;
}

// Grows until nothing more may join.
static void grow( regions_grower* g, const regions_plane* p, bool convex )
{
	uint32_t length_of_queue = 0;
	uint32_t side = g->side;
	do
	{
		g->queue[length_of_queue++] = side;
		side = g->next[side];
	} while ( side != g->side );

	for ( uint32_t i = 0; i < length_of_queue; ++i )
	{
		uint32_t shared = g->surface->twin[g->queue[i]];
		if ( g->of_face[shared / 3] == BVHULL_NONE && join( g, g->queue[i], p, convex ) )
		{
			g->queue[length_of_queue++] = bvhull_next_side( shared );
			g->queue[length_of_queue++] = bvhull_previous_side( shared );
		}
	}
}

// The plane of the whole region.
static regions_plane find_plane( const regions_grower* g )
{
	bv_vec3 area = { 0 };
	bv_vec3 sum = { 0 };
	double weight = 0;
	for ( uint32_t i = 0; i < g->face_count; ++i )
	{
		bv_vec3 a = g->area[g->face[i]];
		double w = bvmath_length( a );
		area = bv_add( area, a );
		weight += w;
		for ( uint32_t side = 3 * g->face[i]; side < 3 * g->face[i] + 3; ++side )
		{
			sum = bv_add( sum, bv_scale( w, *origin_of( g, side ) ) );
		}
	}
	double size = bvmath_length( area );
	return ( regions_plane ){ size > 0 ? bv_scale( 1 / size, area ) : area,
		                      weight > 0 ? bv_scale( 1 / ( 3 * weight ), sum ) : *origin_of( g, g->side ) };
}

// Whether all corners are within the tolerance of one plane with this normal.
static bool is_flat( const regions_grower* g, bv_vec3 normal )
{
	double least = INFINITY;
	double greatest = -INFINITY;
	for ( uint32_t i = 0; i < g->face_count; ++i )
	{
		for ( uint32_t side = 3 * g->face[i]; side < 3 * g->face[i] + 3; ++side )
		{
			double at = bv_dot( normal, bv_sub( *origin_of( g, side ), *origin_of( g, g->side ) ) );
			least = bvmath_min( least, at );
			greatest = bvmath_max( greatest, at );
		}
	}
	return greatest - least <= 2 * g->tolerance;
}

// The border as seen against the normal, from its leftmost corner on, of several the lowest.
static uint32_t project_border( const regions_grower* g, bv_vec3 normal )
{
	// Any two directions will do that are perpendicular to the normal.
	bv_vec3 across = fabs( normal.x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	bv_vec3 u = bv_cross( across, normal );
	u = bv_scale( 1 / bvmath_length( u ), u );
	bv_vec3 v = bv_cross( normal, u );

	uint32_t first = g->side;
	uint32_t side = g->side;
	do
	{
		bv_vec3 p = *origin_of( g, side );
		bv_vec3 q = *origin_of( g, first );
		double right = bv_dot( u, p ) - bv_dot( u, q );
		first = right < 0 || ( right == 0 && bv_dot( v, p ) < bv_dot( v, q ) ) ? side : first;
		side = g->next[side];
	} while ( side != g->side );

	uint32_t count = 0;
	side = first;
	do
	{
		g->corner[count++] =
			( bv_vec3 ){ bv_dot( u, *origin_of( g, side ) ), bv_dot( v, *origin_of( g, side ) ), 0 };
		side = g->next[side];
	} while ( side != first );
	return count;
}

static double turn( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	return ( b.x - a.x ) * ( c.y - a.y ) - ( b.y - a.y ) * ( c.x - a.x );
}

// Whether the corners between two are within the tolerance of the segment that joins these, and go along it.
static bool follows_segment( const regions_grower* g, bv_vec3 a, bv_vec3 b, const bv_vec3* corner,
                             uint32_t count )
{
	bv_vec3 d = bv_sub( b, a );
	double size = bvmath_length( d );
	double before = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double along = bv_dot( bv_sub( corner[i], a ), d );
		if ( fabs( turn( a, b, corner[i] ) ) > g->tolerance * size || along < before - g->tolerance * size ||
		     along > ( size + g->tolerance ) * size )
		{
			return false;
		}
		before = along;
	}
	return true;
}

// Whether the border is a convex polygon that no corner is farther from than the tolerance: Graham's scan,
// starting at a corner of the hull, drops corners where the border does not turn left. What is left turns
// left everywhere; it is one round if it goes right and then left once each.
static bool is_convex( const regions_grower* g, bv_vec3 normal )
{
	uint32_t count = project_border( g, normal );
	const bv_vec3* c = g->corner;
	uint32_t left = 0;
	for ( uint32_t i = 0; i <= count; ++i )
	{
		bv_vec3 x = c[i % count];
		while ( left >= 2 && turn( c[g->chain[left - 2]], c[g->chain[left - 1]], x ) <= 0 )
		{
			--left;
		}
		g->chain[left++] = i % count;
	}
	uint32_t turns = 0;
	for ( uint32_t k = 0; k + 1 < left; ++k )
	{
		uint32_t from = g->chain[k];
		uint32_t to = k + 2 == left ? count : g->chain[k + 1];
		if ( !follows_segment( g, c[from], c[to % count], c + from + 1, to - from - 1 ) )
		{
			return false;
		}
		bool rightwards = c[to % count].x > c[from].x;
		turns += k > 0 && rightwards != ( c[from].x > c[g->chain[k - 1]].x );
	}
	return left >= 4 && turns == 1;
}

static bool is_valid( const regions_grower* g, bv_vec3 normal )
{
	return is_flat( g, normal ) && is_convex( g, normal );
}

// @return false, with the work counted, when what has grown is no polygon
static bool keep_if_valid( regions_grower* g, bv_vec3 normal )
{
	if ( g->face_count == 1 || is_valid( g, normal ) )
	{
		return true;
	}
	g->wasted += g->face_count;
	return false;
}

static void find_region( regions_grower* g, uint32_t seed )
{
	start( g, seed );
	regions_plane seeded = find_plane( g );
	bool has_plane = bvmath_norm1( seeded.normal ) > 0;
	if ( has_plane && g->wasted < g->wasted_max )
	{
		// A plane of many triangles is more certain than that of one.
		regions_plane p = seeded;
		uint32_t before;
		int rounds = 0;
		do
		{
			before = g->face_count;
			grow( g, &p, false );
			p = g->face_count > before ? find_plane( g ) : p;
			++rounds;
		} while ( g->face_count > before && rounds < 4 );
		if ( keep_if_valid( g, p.normal ) )
		{
			return;
		}
		start( g, seed );
	}
	if ( has_plane && g->wasted < 2 * g->wasted_max )
	{
		grow( g, &seeded, true );
		if ( keep_if_valid( g, seeded.normal ) )
		{
			return;
		}
		start( g, seed );
	}
}

static void emit_region( const regions_grower* g, bvhull_region* out )
{
	*out = ( bvhull_region ){ .side = g->side };
	for ( uint32_t i = 0; i < g->face_count; ++i )
	{
		out->area = bv_add( out->area, g->area[g->face[i]] );
	}
	uint32_t side = g->side;
	do
	{
		out->side = side < out->side ? side : out->side;
		out->length += 1;
		side = g->next[side];
	} while ( side != g->side );
}

// Faces by descending area, up to a factor of four; smaller ones of one magnitude in their order.
static bool sort_faces( const regions_grower* g, bvb_arena* arena, uint32_t* order )
{
	enum
	{
		magnitudes = 1100,
	};
	uint32_t faces = g->surface->face_count;
	uint16_t* magnitude = bvb_arena_allocate( arena, faces, sizeof *magnitude );
	if ( !magnitude )
	{
		return false;
	}
	uint32_t first[magnitudes + 1] = { 0 };
	for ( uint32_t f = 0; f < faces; ++f )
	{
		// Lengths of about 1 have squares of 16 at most; the least magnitude takes all that underflows.
		int exponent = -magnitudes * 2;
		double square = bv_dot( g->area[f], g->area[f] );
		if ( square > 0 )
		{
			frexp( square, &exponent );
		}
		int steps = ( 8 - exponent ) / 4;
		magnitude[f] = (uint16_t)( steps < 0 ? 0 : steps >= magnitudes ? magnitudes - 1 : steps );
		first[magnitude[f] + 1] += 1;
	}
	for ( int i = 0; i < magnitudes; ++i )
	{
		first[i + 1] += first[i];
	}
	for ( uint32_t f = 0; f < faces; ++f )
	{
		order[first[magnitude[f]]++] = f;
	}
	return true;
}

static bool begin( regions_grower* g, bvb_arena* arena )
{
	uint32_t faces = g->surface->face_count;
	size_t sides = 3 * (size_t)faces;
	g->area = bvb_arena_allocate( arena, faces, sizeof *g->area );
	g->of_face = bvb_arena_allocate( arena, faces, sizeof *g->of_face );
	g->next = bvb_arena_allocate( arena, sides, sizeof *g->next );
	g->previous = bvb_arena_allocate( arena, sides, sizeof *g->previous );
	g->touched = bvb_arena_allocate( arena, g->surface->vertex_count, sizeof *g->touched );
	g->face = bvb_arena_allocate( arena, faces, sizeof *g->face );
	g->queue = bvb_arena_allocate( arena, 2 * sides, sizeof *g->queue );
	g->corner = bvb_arena_allocate( arena, sides, sizeof *g->corner );
	g->chain = bvb_arena_allocate( arena, sides + 1, sizeof *g->chain );
	if ( !g->area || !g->of_face || !g->next || !g->previous || !g->touched || !g->face || !g->queue ||
	     !g->corner || !g->chain )
	{
		return false;
	}
	g->wasted_max = 4 * (uint64_t)faces;
	for ( uint32_t f = 0; f < faces; ++f )
	{
		bv_vec3 a = *origin_of( g, 3 * f );
		g->area[f] =
			precise_cross( bv_sub( *origin_of( g, 3 * f + 1 ), a ), bv_sub( *origin_of( g, 3 * f + 2 ), a ) );
		g->of_face[f] = BVHULL_NONE;
	}
	return true;
}

// Numbers regions by their first triangles, so that the order of growing does not show.
static void renumber( const bvhull_region* grown, uint32_t* number, uint32_t faces, bvhull_regions* out )
{
	uint32_t count = 0;
	for ( uint32_t f = 0; f < faces; ++f )
	{
		uint32_t* renamed = &number[out->of_face[f]];
		if ( *renamed == BVHULL_NONE )
		{
			out->region[count] = grown[out->of_face[f]];
			*renamed = count++;
		}
		out->of_face[f] = *renamed;
	}
}

bool bvhull_find_regions( const bvhull_surface* surface, double tolerance, bvb_arena* arena,
                          bvhull_regions* out )
{
	regions_grower g = { .surface = surface, .tolerance = tolerance };
	uint32_t* order = bvb_arena_allocate( arena, surface->face_count, sizeof *order );
	bvhull_region* grown = bvb_arena_allocate( arena, surface->face_count, sizeof *grown );
	if ( !order || !grown || !begin( &g, arena ) || !sort_faces( &g, arena, order ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < surface->face_count; ++i )
	{
		if ( g.of_face[order[i]] == BVHULL_NONE )
		{
			find_region( &g, order[i] );
			emit_region( &g, &grown[g.region] );
			g.region += 1;
			g.face_count = 0;
		}
	}

	*out = ( bvhull_regions ){ .region_count = g.region, .of_face = g.of_face, .next = g.next };
	out->region = bvb_arena_allocate( arena, g.region, sizeof *out->region );
	if ( !out->region )
	{
		return false;
	}
	for ( uint32_t i = 0; i < g.region; ++i )
	{
		order[i] = BVHULL_NONE;
	}
	renumber( grown, order, surface->face_count, out );
	return true;
}
