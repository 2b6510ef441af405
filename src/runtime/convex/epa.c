// The expanding polytope algorithm. See epa.h.
//
// Based on: van den Bergen 2001; Leemann 2017, chapters 7 to 9, with these changes:
//   - Distances have signs. A polytope that does not contain the origin grows like any other, so that the search for
//     a first polytope that contains it is no step of its own, and shapes that only touch are no special case.
//   - Which faces a new vertex sees is decided by exact signs. The polytope therefore is the convex hull of its
//     vertices as computed, its border is one loop, and no step can fail. A polytope of the last query need not be convex:
//     where its border is not one loop, the search ends.
//   - Vertices and faces that are not on the polytope any more make room for others.
//   - The next query of the same pair can begin with the last polytope, moved to where its vertices are then.
//
// Upper bound: a translation along any direction by the support in it separates the shapes. Lower bound: the polytope
// is in the difference, and no point of a face is nearer to the origin than the lowest of its corners along any unit
// vector, as the linear function on the face has its minimum at a corner. Both bounds allow for rounding errors.

#include "runtime/convex/epa.h"

#include "runtime/convex/curved.h"
#include "runtime/convex/exact.h"
#include "runtime/convex/near.h"
#include "runtime/math/exact.h"

#include <math.h>

enum
{
	most_vertices = 69,
	most_faces = 2 * most_vertices - 4,
	most_rounds = 256,
	none = 255,
};

typedef struct epa_face
{
	uint8_t vertex[3];   // counterclockwise as seen from outside
	uint8_t neighbor[3]; // across the edge from that vertex to the next
	bool used;
	bool visible;
} epa_face;

typedef struct epa_polytope
{
	const bvconvex_pair* pair;
	bool exact;                // everything is computed exactly, from the names of vertices
	bool expanded;             // a vertex was added
	bvconvex_epa_guess* guess; // null for none
	int vertices;              // of the array that were ever used
	int faces;
	int used;      // of the faces
	int free_face; // no unused one is before
	double upper;
	bv_vec3 normal; // of the upper bound
	bvconvex_gjk_vertex vertex[most_vertices];
	double height[most_faces]; // of a face's lowest corner along its normal; infinite if it is not used
	epa_face face[most_faces];
	uint8_t faces_of[most_vertices]; // how many faces a vertex has
} epa_polytope;

// Exact numbers are large: these functions keep few of them at a time. Vertices are those computed in binary64, or in
// the exact mode those of the difference.
BVSIMD_NOINLINE void exact_edge( const epa_polytope* p, const bvconvex_gjk_vertex* from,
                                 const bvconvex_gjk_vertex* to, bvmath_exact3* out )
{
	bvmath_exact3 start;
	if ( p->exact )
	{
		bvconvex_pair_exact_vertex( p->pair, from->name, &start );
		bvconvex_pair_exact_vertex( p->pair, to->name, out );
	}
	else
	{
		bvmath_exact3_set( from->at, &start );
		bvmath_exact3_set( to->at, out );
	}
	bvmath_exact3_subtract( out, &start, out );
}

BVSIMD_NOINLINE void exact_normal( const epa_polytope* p, const bvconvex_gjk_vertex* a,
                                   const bvconvex_gjk_vertex* b, const bvconvex_gjk_vertex* c,
                                   bvmath_exact3* out )
{
	bvmath_exact3 u;
	bvmath_exact3 v;
	exact_edge( p, a, b, &u );
	exact_edge( p, a, c, &v );
	bvmath_exact3_cross( &u, &v, out );
}

BVSIMD_NOINLINE bv_vec3 exact_direction( const epa_polytope* p, const bvconvex_gjk_vertex* a,
                                         const bvconvex_gjk_vertex* b, const bvconvex_gjk_vertex* c )
{
	bvmath_exact3 normal;
	exact_normal( p, a, b, c, &normal );
	return bvmath_exact3_direction( &normal );
}

BVSIMD_NOINLINE int exact_sign( const epa_polytope* p, const bvmath_exact3* normal,
                                const bvconvex_gjk_vertex* from, const bvconvex_gjk_vertex* to )
{
	bvmath_exact3 w;
	bvmath_exact sum;
	exact_edge( p, from, to, &w );
	bvmath_exact3_dot( normal, &w, &sum );
	return sum.lost ? 0 : sum.sign;
}

BVSIMD_NOINLINE int exact_side( const epa_polytope* p, const bvconvex_gjk_vertex* a,
                                const bvconvex_gjk_vertex* b, const bvconvex_gjk_vertex* c,
                                const bvconvex_gjk_vertex* d )
{
	bvmath_exact3 normal;
	exact_normal( p, a, b, c, &normal );
	return exact_sign( p, &normal, a, d );
}

// The sign of ( b - a ) x ( c - a ) * ( d - a ): 1 if d is in front of the triangle.
static int side_of( const epa_polytope* p, const bvconvex_gjk_vertex* a, const bvconvex_gjk_vertex* b,
                    const bvconvex_gjk_vertex* c, const bvconvex_gjk_vertex* d )
{
	if ( !p->exact )
	{
		bv_vec3 u = bv_sub( b->at, a->at );
		bv_vec3 v = bv_sub( c->at, a->at );
		bv_vec3 w = bv_sub( d->at, a->at );
		double volume = bv_dot( bv_cross( u, v ), w );
		double doubt = 0x1p-49 * ( bvmath_norm1( u ) * bvmath_norm1( v ) * bvmath_norm1( w ) );
		if ( fabs( volume ) > doubt )
		{
			return volume > 0 ? 1 : -1;
		}
	}
	return exact_side( p, a, b, c, d );
}

static const bvconvex_gjk_vertex* corner_of( const epa_polytope* p, const epa_face* f, int i )
{
	return p->vertex + f->vertex[i];
}

static bool sees( const epa_polytope* p, const bvconvex_gjk_vertex* from, const epa_face* f )
{
	return side_of( p, corner_of( p, f, 0 ), corner_of( p, f, 1 ), corner_of( p, f, 2 ), from ) > 0;
}

// @return ( b - a ) x ( c - a ), or a vector of the same direction where that is mostly rounding
static bv_vec3 normal_of( const epa_polytope* p, const bvconvex_gjk_vertex* a, const bvconvex_gjk_vertex* b,
                          const bvconvex_gjk_vertex* c )
{
	bv_vec3 u = bv_sub( b->at, a->at );
	bv_vec3 v = bv_sub( c->at, a->at );
	bv_vec3 normal = bv_cross( u, v );
	bool is_clear = bvmath_norm1( normal ) > 0x1p-24 * ( bvmath_norm1( u ) * bvmath_norm1( v ) );
	return is_clear && !p->exact ? normal : exact_direction( p, a, b, c );
}

static bv_vec3 face_normal( const epa_polytope* p, const epa_face* f )
{
	return normal_of( p, corner_of( p, f, 0 ), corner_of( p, f, 1 ), corner_of( p, f, 2 ) );
}

// @return height / |normal|; `otherwise` if it is not known or the normal is null
static double exact_distance( const bvmath_exact3* normal, const bvmath_exact* height, double otherwise )
{
	bvmath_exact square;
	bvmath_exact3_dot( normal, normal, &square );
	return height->lost || square.lost || square.sign == 0 ? otherwise
	                                                       : bvmath_exact_over_root( height, &square );
}

static double round_up( double x )
{
	return x + 0x1p-49 * fabs( x ) + 0x1p-999;
}

BVSIMD_NOINLINE void exact_product( const epa_polytope* p, const bvmath_exact3* along,
                                    const bvconvex_gjk_vertex* v, bvmath_exact* out )
{
	bvmath_exact3 at;
	bvconvex_pair_exact_vertex( p->pair, v->name, &at );
	bvmath_exact3_dot( along, &at, out );
}

BVSIMD_NOINLINE double exact_height( const epa_polytope* p, const epa_face* f )
{
	bvmath_exact3 normal;
	bvmath_exact height;
	exact_normal( p, corner_of( p, f, 0 ), corner_of( p, f, 1 ), corner_of( p, f, 2 ), &normal );
	exact_product( p, &normal, corner_of( p, f, 0 ), &height );
	return -round_up( -exact_distance( &normal, &height, 0 ) );
}

static double height_of( const epa_polytope* p, const epa_face* f )
{
	if ( p->exact )
	{
		return exact_height( p, f );
	}
	bv_vec3 normal = face_normal( p, f );
	double length = bv_length( normal );
	double least = bv_dot( normal, corner_of( p, f, 0 )->at );
	least = bvmath_min( least, bv_dot( normal, corner_of( p, f, 1 )->at ) );
	least = bvmath_min( least, bv_dot( normal, corner_of( p, f, 2 )->at ) );
	return length > 0 ? least / length : 0;
}

static int new_face( epa_polytope* p, uint8_t a, uint8_t b, uint8_t c )
{
	int i = p->free_face;
	while ( i < p->faces && p->face[i].used )
	{
		++i;
	}
	p->free_face = i + 1;
	p->faces = i + 1 > p->faces ? i + 1 : p->faces;
	p->face[i] = ( epa_face ){ .vertex = { a, b, c }, .used = true };
	p->height[i] = height_of( p, p->face + i );
	++p->faces_of[a];
	++p->faces_of[b];
	++p->faces_of[c];
	++p->used;
	return i;
}

static void drop_face( epa_polytope* p, int i )
{
	for ( int k = 0; k < 3; ++k )
	{
		--p->faces_of[p->face[i].vertex[k]];
	}
	p->face[i].used = false;
	--p->used;
	p->height[i] = INFINITY;
	p->free_face = i < p->free_face ? i : p->free_face;
}

// @return the edge of a face that begins at a vertex
static int edge_from( const epa_polytope* p, int face, uint8_t vertex )
{
	const epa_face* f = p->face + face;
	return f->vertex[0] == vertex ? 0 : f->vertex[1] == vertex ? 1 : 2;
}

// Makes the faces of the tetrahedron of the first four vertices. Face i is the one without vertex i.
static void begin( epa_polytope* p )
{
	const bvconvex_gjk_vertex* v = p->vertex;
	bool front = side_of( p, v, v + 1, v + 2, v + 3 ) > 0;
	static const uint8_t outwards[2][4][3] = {
		{ { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } },
		{ { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } },
	};
	for ( int i = 0; i < 4; ++i )
	{
		const uint8_t* corner = outwards[front][i];
		epa_face* f = p->face + new_face( p, corner[0], corner[1], corner[2] );
		for ( int k = 0; k < 3; ++k )
		{
			f->neighbor[k] = corner[( k + 2 ) % 3];
		}
	}
}

static int lowest_face( const epa_polytope* p )
{
	int best = 0;
	for ( int i = 1; i < p->faces; ++i )
	{
		best = p->height[i] < p->height[best] ? i : best;
	}
	return best;
}

static int free_vertex( epa_polytope* p )
{
	if ( p->vertices < most_vertices )
	{
		p->faces_of[p->vertices] = 0;
		return p->vertices++;
	}
	for ( int i = 0; i < most_vertices; ++i )
	{
		if ( p->faces_of[i] == 0 )
		{
			return i;
		}
	}
	return none;
}

typedef struct epa_edge
{
	uint8_t from;
	uint8_t to;
	uint8_t beyond; // the face that is kept
} epa_edge;

// Finds the faces that a new vertex sees, from one of them on, and the border around them.
// @param all     receives the faces
// @param begins  is `none` everywhere, and another number then for vertices of the border
// @return how many edges the border has; 0 if it is not one loop or if there is no room for the faces that replace those:
//         neither happens to a convex polytope, but one that is resumed can be anything
static int find_visible( epa_polytope* p, int seen, const bvconvex_gjk_vertex* from, uint8_t* all, int* found,
                         epa_edge* border, uint8_t* begins )
{
	int edges = 0;
	bool good = true;
	*found = 1;
	all[0] = (uint8_t)seen;
	p->face[seen].visible = true;
	for ( int i = 0; i < *found; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int j = p->face[all[i]].neighbor[k];
			if ( !p->face[j].visible && sees( p, from, p->face + j ) )
			{
				p->face[j].visible = true;
				all[( *found )++] = (uint8_t)j;
			}
		}
	}
	for ( int i = 0; i < *found && good; ++i )
	{
		const epa_face* f = p->face + all[i];
		for ( int k = 0; k < 3 && good; ++k )
		{
			if ( !p->face[f->neighbor[k]].visible )
			{
				good = begins[f->vertex[k]] == none;
			}
			if ( good && !p->face[f->neighbor[k]].visible )
			{
				begins[f->vertex[k]] = 0;
				border[edges++] = ( epa_edge ){ f->vertex[k], f->vertex[( k + 1 ) % 3], f->neighbor[k] };
			}
		}
	}
	return good && p->used - *found + edges <= most_faces ? edges : 0;
}

// Replaces the faces that a new vertex sees by those between it and their border.
// @return false, and the polytope remains as it is, if that is not possible
static bool insert( epa_polytope* p, int seen, uint8_t vertex )
{
	uint8_t all[most_faces];
	epa_edge border[most_vertices];
	uint8_t begins[most_vertices]; // of a vertex of the border, the new face that begins there
	int found;
	memset( begins, none, sizeof begins );
	int edges = find_visible( p, seen, p->vertex + vertex, all, &found, border, begins );
	for ( int i = 0; i < found && edges > 0; ++i )
	{
		drop_face( p, all[i] );
	}
	for ( int i = 0; i < edges; ++i )
	{
		const epa_edge* e = border + i;
		int made = new_face( p, e->from, e->to, vertex );
		p->face[made].neighbor[0] = e->beyond;
		p->face[e->beyond].neighbor[edge_from( p, e->beyond, e->to )] = (uint8_t)made;
		begins[e->from] = (uint8_t)made;
	}
	for ( int i = 0; i < edges; ++i )
	{
		uint8_t here = begins[border[i].from];
		uint8_t next = begins[border[i].to];
		p->face[here].neighbor[1] = next;
		p->face[next].neighbor[2] = here;
	}
	return edges > 0;
}

static void take_upper( epa_polytope* p, double upper, bv_vec3 along )
{
	if ( upper < p->upper )
	{
		p->upper = upper;
		p->normal = bv_normalize( along );
	}
}

BVSIMD_NOINLINE bvconvex_gjk_vertex exact_bound( epa_polytope* p, const bvmath_exact3* along )
{
	bvmath_exact height;
	bvconvex_gjk_vertex out = bvconvex_exact_support( p->pair, along );
	exact_product( p, along, &out, &height );
	take_upper( p, round_up( exact_distance( along, &height, INFINITY ) ), bvmath_exact3_direction( along ) );
	return out;
}

// Finds the vertex that is farthest along a direction, and takes it for an upper bound.
BVSIMD_NOINLINE bvconvex_gjk_vertex exact_bound_along( epa_polytope* p, bv_vec3 along )
{
	bvmath_exact3 direction;
	bvmath_exact3_set( along, &direction );
	return exact_bound( p, &direction );
}

static bvconvex_gjk_vertex bound_along( epa_polytope* p, bv_vec3 along, const uint32_t near[2] )
{
	if ( p->exact )
	{
		return exact_bound_along( p, along );
	}
	bvconvex_gjk_vertex out = bvconvex_gjk_support( &p->pair->search, bv_negate( along ), near );
	take_upper( p, bv_dot( along, out.at ) / bv_length( along ) + p->pair->rounding, along );
	return out;
}

// The same along the normal of a face.
BVSIMD_NOINLINE bvconvex_gjk_vertex exact_bound_of( epa_polytope* p, const epa_face* f )
{
	bvmath_exact3 normal;
	exact_normal( p, corner_of( p, f, 0 ), corner_of( p, f, 1 ), corner_of( p, f, 2 ), &normal );
	return exact_bound( p, &normal );
}

static bvconvex_gjk_vertex bound_of( epa_polytope* p, const epa_face* f )
{
	return p->exact ? exact_bound_of( p, f )
	                : bound_along( p, face_normal( p, f ), corner_of( p, f, 0 )->name );
}

// How far a point is from the hull of the first vertices, in any unit: 0 only if it is in their plane, line or point.
typedef double epa_measure( const epa_polytope* p, const bvconvex_gjk_vertex* v );

static double from_point( const epa_polytope* p, const bvconvex_gjk_vertex* v )
{
	return bv_length( bv_sub( v->at, p->vertex[0].at ) );
}

static double from_line( const epa_polytope* p, const bvconvex_gjk_vertex* v )
{
	bv_vec3 along = bv_sub( p->vertex[1].at, p->vertex[0].at );
	bv_vec3 across = bv_cross( along, bv_sub( v->at, p->vertex[0].at ) );
	double reach = bvmath_norm1( along ) * from_point( p, v );
	bool is_on = !( bvmath_norm1( across ) > 0x1p-24 * reach ) &&
	             bvmath_is_zero( exact_direction( p, p->vertex, p->vertex + 1, v ) );
	return is_on ? 0 : bv_length( across ) + 0x1p-1000;
}

static double from_plane( const epa_polytope* p, const bvconvex_gjk_vertex* v )
{
	const bvconvex_gjk_vertex* w = p->vertex;
	for ( int i = 0; i < 3; ++i )
	{
		if ( w[i].at.x == v->at.x && w[i].at.y == v->at.y && w[i].at.z == v->at.z )
		{
			return 0; // as is often asked, and would take exact arithmetic to find out
		}
	}
	return side_of( p, w, w + 1, w + 2, v ) == 0
	           ? 0
	           : fabs( bv_dot( normal_of( p, w, w + 1, w + 2 ), bv_sub( v->at, w[0].at ) ) ) + 0x1p-1000;
}

// Finds the vertex of the start that is worth most or, if none is worth anything, one along or against some
// directions.
static bool find_vertex( epa_polytope* p, const bvconvex_gjk_simplex* start, const bv_vec3* directions,
                         int count, epa_measure* worth, bvconvex_gjk_vertex* best )
{
	double most = 0;
	for ( int i = 0; i < start->count; ++i )
	{
		double value = worth( p, start->vertex + i );
		*best = value > most ? start->vertex[i] : *best;
		most = bvmath_max( most, value );
	}
	for ( int i = 0; i < 2 * count && !( most > 0 ); ++i )
	{
		bv_vec3 along = i % 2 ? bv_negate( directions[i / 2] ) : directions[i / 2];
		*best = bound_along( p, along, start->vertex[0].name );
		most = worth( p, best );
	}
	return most > 0;
}

// Unit vectors that with `along` are a basis.
static void complete( bv_vec3 along, bv_vec3 out[2] )
{
	bv_vec3 size = { fabs( along.x ), fabs( along.y ), fabs( along.z ) };
	bool x = size.x <= size.y && size.x <= size.z;
	bool y = !x && size.y <= size.z;
	out[0] = bv_normalize( bv_cross( bv_normalize( along ), ( bv_vec3 ){ x, y, !x && !y } ) );
	out[1] = bv_normalize( bv_cross( bv_normalize( along ), out[0] ) );
}

// Makes the first vertices those of a simplex of as many dimensions as the difference has.
// @return how many vertices: 4 unless the difference is flat
static int find_simplex( epa_polytope* p, const bvconvex_gjk_simplex* start )
{
	bvconvex_gjk_vertex* v = p->vertex;
	bv_vec3 direction[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	if ( start->count == 4 )
	{
		memcpy( v, start->vertex, sizeof start->vertex );
		if ( side_of( p, v, v + 1, v + 2, v + 3 ) != 0 )
		{
			return 4;
		}
	}
	v[0] = start->vertex[0];
	if ( !find_vertex( p, start, direction, 3, from_point, v + 1 ) )
	{
		return 1;
	}
	complete( bv_sub( v[1].at, v[0].at ), direction );
	if ( !find_vertex( p, start, direction, 2, from_line, v + 2 ) )
	{
		return 2;
	}
	direction[0] = normal_of( p, v, v + 1, v + 2 );
	return find_vertex( p, start, direction, 1, from_plane, v + 3 ) ? 4 : 3;
}

// The second shape, moved away from the first.
typedef struct moved_body
{
	bvconvex_support_function* support;
	const void* shape;
	bv_vec3 by;
} moved_body;

static bvconvex_support moved_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const moved_body* m = shape;
	bvconvex_support out = m->support( m->shape, along, near );
	out.at = bv_add( out.at, m->by );
	return out;
}

// The points of both shapes that touch when the second has been moved by the depth: the nearest ones when it is moved
// farther. A face of the difference can be much larger than that of the polytope.
static void describe( const epa_polytope* p, const epa_face* f, double relative, bvconvex_depth* out )
{
	const bvconvex_gjk_pair* search = &p->pair->search;
	double height = bvmath_max( p->upper, 0x1p20 * p->pair->rounding );
	const moved_body moved = { search->support[1], search->shape[1], bv_scale( 2 * height, p->normal ) };
	bvconvex_gjk_pair apart = *search;
	apart.support[1] = moved_support;
	apart.shape[1] = &moved;
	apart.solve = bvconvex_gjk_solve;
	bvconvex_gjk_result found;
	found.lower = 0;
	found.along = ( bv_vec3 ){ 0, 0, 0 };
	found.room->count = 3;
	for ( int i = 0; i < 3; ++i )
	{
		found.room->vertex[i] = *corner_of( p, f, i );
		found.room->vertex[i].at = bv_sub( found.room->vertex[i].at, moved.by );
	}
	apart.solve( found.room );
	found.nearest = found.room;
	double foot = 2 * height - p->upper + p->pair->rounding;
	if ( !( bv_length( found.room->nearest ) <= foot * ( 1 + 0x1p-44 ) ) )
	{
		bvconvex_gjk_continue( &apart, 0, 0x1p-40, &found );
	}
	bvconvex_gjk_describe( found.nearest, out->point );
	out->point[1] = bv_sub( out->point[1], moved.by );
	// What is sideways hardly counts unless the depth is as small.
	bv_vec3 between = bv_sub( out->point[0], out->point[1] );
	bv_vec3 rest = bv_sub( between, bv_scale( p->upper, p->normal ) );
	double rounding = p->pair->rounding;
	double depth = p->exact ? p->upper : p->upper - rounding; // as supports tell
	double off = fabs( bv_length( between ) - fabs( depth ) );
	out->is_rough = p->pair->polytopes && ( bvmath_norm1( rest ) > 4 * rounding + relative * p->upper ||
	                                        off > 0x1p-4 * rounding + relative * p->upper );
	out->nearest = *found.nearest;
	out->moved = moved.by;
}

// @return a bound of the heights of all faces; 0 if the origin is in front of one
static double certain_lower( const epa_polytope* p )
{
	static const bvconvex_gjk_vertex origin = { .name = { 0, 0 } };
	double lower = INFINITY;
	for ( int i = 0; i < p->faces; ++i )
	{
		lower = bvmath_min( lower, p->height[i] );
	}
	lower -= p->exact ? 0 : p->pair->rounding;
	for ( int i = 0; i < p->faces && lower > 0 && !p->exact; ++i )
	{
		lower = p->face[i].used && sees( p, &origin, p->face + i ) ? 0 : lower;
	}
	return bvmath_max( lower, 0 );
}

// @param far  the support point along the face's normal
// @return whether the support point in the guessed direction is where the guess is
static bool is_guessed( epa_polytope* p, const epa_face* f, const bvconvex_gjk_vertex* far, double relative )
{
	const bv_vec3 vertex[4] = { corner_of( p, f, 0 )->at, corner_of( p, f, 1 )->at, corner_of( p, f, 2 )->at,
		                        far->at };
	bv_vec3 along;
	double depth = p->guess( vertex, p->height[f - p->face], p->upper, &along );
	if ( !( depth > 0 ) )
	{
		return false;
	}
	bound_along( p, along, far->name );
	return p->upper <= ( 1 + relative ) * depth + p->pair->rounding;
}

// Expands the lowest face as long as there is a vertex in front of it.
// @return the last one
static const epa_face* expand( epa_polytope* p, double relative )
{
	const epa_face* f = NULL;
	for ( int round = 0; round < most_rounds; ++round )
	{
		int face = lowest_face( p );
		f = p->face + face;
		bvconvex_gjk_vertex next = bound_of( p, f );
		double rise = p->upper - p->height[face] - ( p->exact ? 0 : p->pair->rounding );
		if ( rise <= relative * fabs( p->height[face] ) || !sees( p, &next, f ) )
		{
			break;
		}
		if ( p->guess && !p->exact && is_guessed( p, f, &next, relative ) )
		{
			break;
		}
		int place = free_vertex( p );
		if ( place == none )
		{
			break;
		}
		p->vertex[place] = next;
		p->expanded = true;
		if ( !insert( p, face, (uint8_t)place ) )
		{
			break;
		}
	}
	return f;
}

// @param last  receives the last face; null if the difference is flat
static const epa_face* find_depth( epa_polytope* p, const bvconvex_gjk_simplex* start, double relative,
                                   bvconvex_depth* out )
{
	const epa_face* last = NULL;
	p->faces = p->used = 0;
	p->free_face = 0;
	p->upper = INFINITY;
	p->normal = ( bv_vec3 ){ 1, 0, 0 };
	p->vertices = 4;
	memset( p->faces_of, 0, 4 );
	out->lower = 0;
	int count = find_simplex( p, start );
	if ( count == 4 )
	{
		begin( p );
		last = expand( p, relative );
		out->lower = certain_lower( p );
		describe( p, last, relative, out );
	}
	else
	{
		bvconvex_gjk_describe( start, out->point );
		out->is_rough = p->exact;
		out->nearest = *start;
		out->moved = ( bv_vec3 ){ 0, 0, 0 };
	}
	if ( count == 3 )
	{
		// Directions that a flat difference has no extent in are known exactly.
		const epa_face f = { .vertex = { 0, 1, 2 } };
		const epa_face back = { .vertex = { 0, 2, 1 } };
		bound_of( p, &f );
		bound_of( p, &back );
	}
	out->upper = p->upper;
	out->normal = p->normal;
	return last;
}

// Where rounding errors are not small beside the depth, bounds are computed in twice the precision.
static void narrow( const epa_polytope* p, const epa_face* last, bvconvex_depth* out )
{
	const uint32_t* name[3];
	bv_vec3 normal;
	for ( int i = 0; i < 3; ++i )
	{
		name[i] = corner_of( p, last, i )->name;
	}
	bvconvex_near_height( p->pair, name, &normal );
	if ( bvmath_norm1( normal ) > 0 )
	{
		double upper = bvconvex_near_support( p->pair, normal, name[0] );
		out->normal = upper < out->upper ? bv_normalize( normal ) : out->normal;
		out->upper = bvmath_min( out->upper, upper );
	}
	double lower = INFINITY;
	for ( int i = 0; i < p->faces; ++i )
	{
		double least = p->height[i] - p->pair->rounding;
		if ( p->face[i].used && !( least > out->upper ) )
		{
			for ( int k = 0; k < 3; ++k )
			{
				name[k] = corner_of( p, p->face + i, k )->name;
			}
			least = bvconvex_near_height( p->pair, name, &normal );
		}
		lower = bvmath_min( lower, least );
	}
	out->lower = bvmath_max( out->lower, bvmath_min( lower, out->upper ) );
}

static bool is_wide( const bvconvex_pair* pair, double relative, const bvconvex_depth* out )
{
	return out->upper - out->lower > 2 * relative * out->upper + 0x1p-8 * pair->rounding;
}

enum
{
	most_kept = 24,
	most_faces_kept = 2 * most_kept - 4,
};

// Stores a polytope if it is small enough.
// @param first  this face comes first
static void keep( const epa_polytope* p, const epa_face* first, bv_convex_cache* cache )
{
	uint8_t number[most_vertices];
	memset( number, none, sizeof number );
	cache->count = cache->faces = 0;
	for ( int i = -1; i < p->faces; ++i )
	{
		const epa_face* f = i < 0 ? first : p->face + i;
		if ( !f->used || ( i >= 0 && f == first ) )
		{
			continue;
		}
		if ( cache->faces == most_faces_kept )
		{
			cache->faces = 0;
			return;
		}
		for ( int k = 0; k < 3; ++k )
		{
			uint8_t v = f->vertex[k];
			if ( number[v] == none && cache->count == most_kept )
			{
				cache->faces = 0;
				return;
			}
			if ( number[v] == none )
			{
				number[v] = (uint8_t)cache->count;
				memcpy( cache->name[cache->count++], p->vertex[v].name, sizeof *cache->name );
			}
			cache->face[cache->faces][k] = number[v];
		}
		++cache->faces;
	}
}

static bool is_kept( const bvconvex_pair* pair, const bv_convex_cache* cache )
{
	bool good = cache->faces >= 4 && cache->faces <= most_faces_kept && cache->count <= most_kept;
	for ( uint32_t i = 0; i < cache->count && good; ++i )
	{
		good = cache->name[i][0] < pair->body[0].own.corners && cache->name[i][1] < pair->body[1].own.corners;
	}
	return good;
}

// Makes the polytope that is stored. Of a closed surface that has the origin behind all faces, a ray from the origin goes
// through one of them, wherever it points: the projection of the surface on a sphere preserves its orientation, so that its
// degree is above 0. Therefore the origin is in the difference, and the least height is a lower bound of the depth, whether
// the surface is convex or not. It remains closed when it is expanded, and `certain_lower` looks at all faces again.
// @return false if it is not closed or has the origin in front of a face
static bool restore( epa_polytope* p, const bv_convex_cache* cache )
{
	uint8_t face_from[most_kept][most_kept]; // the face that has the edge from one vertex to another
	memset( face_from, none, sizeof face_from );
	p->faces = p->used = p->free_face = 0;
	p->upper = INFINITY;
	p->normal = ( bv_vec3 ){ 1, 0, 0 };
	p->vertices = (int)cache->count;
	memset( p->faces_of, 0, sizeof p->faces_of );
	for ( uint32_t i = 0; i < cache->count; ++i )
	{
		p->vertex[i] = bvconvex_pair_vertex( p->pair, cache->name[i] );
	}
	for ( uint32_t i = 0; i < cache->faces; ++i )
	{
		const uint8_t* v = cache->face[i];
		for ( int k = 0; k < 3; ++k )
		{
			uint8_t from = v[k];
			uint8_t to = v[( k + 1 ) % 3];
			if ( !( from < cache->count && to < cache->count ) || face_from[from][to] != none )
			{
				return false;
			}
			face_from[from][to] = (uint8_t)i;
		}
		new_face( p, v[0], v[1], v[2] );
		if ( !( p->height[i] > p->pair->rounding ) )
		{
			return false;
		}
	}
	for ( int i = 0; i < p->faces; ++i )
	{
		epa_face* f = p->face + i;
		for ( int k = 0; k < 3; ++k )
		{
			f->neighbor[k] = face_from[f->vertex[( k + 1 ) % 3]][f->vertex[k]];
			if ( f->neighbor[k] == none )
			{
				return false;
			}
		}
	}
	return true;
}

// In functions of their own, so that what follows does not stand on top of the polytope.
BVSIMD_NOINLINE bool expand_kept( const bvconvex_pair* pair, double relative, bv_convex_cache* cache,
                                  bvconvex_depth* out )
{
	epa_polytope p;
	p.pair = pair;
	p.exact = p.expanded = false;
	p.guess = NULL;
	const epa_face* last = restore( &p, cache ) ? expand( &p, relative ) : NULL;
	if ( !last )
	{
		return false;
	}
	out->lower = certain_lower( &p );
	describe( &p, last, relative, out );
	out->upper = p.upper;
	out->normal = p.normal;
	if ( is_wide( pair, relative, out ) )
	{
		narrow( &p, last, out );
	}
	if ( p.expanded )
	{
		keep( &p, last, cache );
	}
	return !is_wide( pair, relative, out );
}

static const epa_face* find_in_binary( epa_polytope* p, const bvconvex_gjk_simplex* start, double relative,
                                       bvconvex_depth* out )
{
	p->exact = false;
	const epa_face* last = find_depth( p, start, relative, out );
	if ( last && p->pair->polytopes && is_wide( p->pair, relative, out ) )
	{
		narrow( p, last, out );
	}
	return last;
}

BVSIMD_NOINLINE void expand_from( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start,
                                  double relative, bvconvex_epa_guess* guess, bv_convex_cache* cache,
                                  bvconvex_depth* out )
{
	epa_polytope p;
	p.pair = pair;
	p.expanded = false;
	p.guess = guess;
	const epa_face* last = find_in_binary( &p, start, relative, out );
	if ( last && cache && pair->polytopes )
	{
		keep( &p, last, cache );
	}
	if ( pair->polytopes && is_wide( pair, relative, out ) )
	{
		p.exact = true;
		find_depth( &p, start, relative, out );
		if ( !( out->upper < INFINITY ) ) // numbers of too many digits are lost
		{
			find_in_binary( &p, start, relative, out );
			out->is_rough = false;
		}
	}
}

static void describe_exactly( const bvconvex_pair* pair, bvconvex_depth* out )
{
	bvconvex_exact_gap gap;
	bvconvex_exact_distance( pair, &out->nearest, &out->moved, &gap );
	if ( gap.known && gap.count > 0 )
	{
		bvconvex_exact_describe( pair, &gap, out->point );
	}
}

static void find( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                  bvconvex_epa_guess* guess, bv_convex_cache* cache, bvconvex_depth* out )
{
	out->is_rough = false;
	expand_from( pair, start, relative, guess, cache, out );
	if ( !pair->polytopes )
	{
		bvconvex_descend( pair, relative, out );
	}
	if ( out->is_rough )
	{
		describe_exactly( pair, out );
	}
}

void bvconvex_epa( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                   bv_convex_cache* cache, bvconvex_depth* out )
{
	find( pair, start, relative, NULL, cache, out );
}

void bvconvex_epa_guided( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                          bvconvex_epa_guess* guess, bvconvex_depth* out )
{
	find( pair, start, relative, guess, NULL, out );
}

bool bvconvex_epa_resume( const bvconvex_pair* pair, double relative, bv_convex_cache* cache,
                          bvconvex_depth* out )
{
	out->is_rough = false;
	if ( !cache || !pair->polytopes || !is_kept( pair, cache ) || !expand_kept( pair, relative, cache, out ) )
	{
		return false;
	}
	if ( out->is_rough )
	{
		describe_exactly( pair, out );
	}
	return true;
}
