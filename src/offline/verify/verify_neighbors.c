// That neighbors are the parts that have a point in common.
//
// Two convex polyhedra are apart when they are so along a normal of a face, or along a common normal of an
// edge of each. That is looked for in binary64, and counts where it is more than rounding. They meet when a
// corner of the one is in the other, or an edge passes through a face: that is decided exactly. What is
// neither, for being next to convex only or too near, may be either.

#include "offline/verify/verify.h"

#include "bvbuild/decompose.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "offline/verify/verify_team.h"
#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_corners = BVB_MAX_PART_VERTICES,
	most_faces = 2 * most_corners - 4,
	most_edges = 3 * most_corners - 6,
};

// An edge, with the corners of its two faces that are not on it.
typedef struct neighbors_edge
{
	uint8_t corner[2];
	uint8_t apex[2];
} neighbors_edge;

typedef struct neighbors_solid
{
	bv_aabb box;
	double size; // of its coordinates
	uint32_t corner_count;
	uint32_t face_count;
	uint32_t edge_count;
	bv_vec3 corners[most_corners];
	uint32_t faces[most_faces][3];
	neighbors_edge edges[most_edges];
} neighbors_solid;

static void find_edges( neighbors_solid* s )
{
	// Which corner is beyond the side from one corner to another.
	uint8_t beyond[most_corners][most_corners];
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		for ( int k = 0; k < 3; ++k )
		{
			const uint32_t* c = s->faces[f];
			beyond[c[k]][c[( k + 1 ) % 3]] = (uint8_t)c[( k + 2 ) % 3];
		}
	}
	s->edge_count = 0;
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t a = s->faces[f][k];
			uint32_t b = s->faces[f][( k + 1 ) % 3];
			if ( a < b )
			{
				s->edges[s->edge_count++] =
					( neighbors_edge ){ { (uint8_t)a, (uint8_t)b }, { beyond[a][b], beyond[b][a] } };
			}
		}
	}
}

static void get_solid( const bv_file* file, uint32_t part, neighbors_solid* out )
{
	bv_part info;
	bvfile_local_part( file, part, &info );
	out->box = info.box;
	out->corner_count = info.vertices;
	out->face_count = info.faces;
	bv_vec3 lower = info.box.lower;
	bv_vec3 upper = info.box.upper;
	out->size = bvmath_max( bvmath_norm1( lower ), bvmath_norm1( upper ) );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		out->corners[i] = bvfile_local_part_vertex( file, part, i );
	}
	for ( uint32_t i = 0; i < info.faces; ++i )
	{
		bv_file_get_part_triangle( file, part, i, out->faces[i] );
	}
	find_edges( out );
}

// How far apart along a normal, at least; not above 0 when they are not. It need not be of unit length, nor
// quite be a normal of anything.
static double gap_along( const neighbors_solid* a, const neighbors_solid* b, bv_vec3 normal, double enough )
{
	double length = sqrt( bv_dot( normal, normal ) );
	if ( !( length > 0 ) )
	{
		return 0;
	}
	bv_vec3 unit = { normal.x / length, normal.y / length, normal.z / length };
	double top = -INFINITY;
	for ( uint32_t i = 0; i < a->corner_count; ++i )
	{
		top = bvmath_max( top, bv_dot( unit, a->corners[i] ) );
	}
	double bottom = INFINITY;
	double rounding = 0x1p-48 * ( a->size + b->size );
	for ( uint32_t i = 0; i < b->corner_count && bottom - top - rounding > enough; ++i )
	{
		bottom = bvmath_min( bottom, bv_dot( unit, b->corners[i] ) );
	}
	return ( bottom - top - rounding ) * ( 1 - 0x1p-40 );
}

static bv_vec3 normal_of( const neighbors_solid* s, uint32_t face )
{
	const uint32_t* c = s->faces[face];
	bv_vec3 a = s->corners[c[0]];
	return bv_cross( bv_sub( s->corners[c[1]], a ), bv_sub( s->corners[c[2]], a ) );
}

static double gap_along_faces( const neighbors_solid* a, const neighbors_solid* b, double enough )
{
	double gap = 0;
	for ( uint32_t f = 0; f < a->face_count && gap <= enough; ++f )
	{
		gap = bvmath_max( gap, gap_along( a, b, normal_of( a, f ), enough ) );
	}
	return gap;
}

// Whether no face beside the edge rises above it along the normal.
static bool is_topmost( const neighbors_solid* s, const neighbors_edge* e, bv_vec3 normal, double slack )
{
	bv_vec3 at = s->corners[e->corner[0]];
	return bv_dot( normal, bv_sub( s->corners[e->apex[0]], at ) ) <= slack &&
	       bv_dot( normal, bv_sub( s->corners[e->apex[1]], at ) ) <= slack;
}

static double gap_along_edges( const neighbors_solid* a, const neighbors_solid* b, double enough )
{
	double gap = 0;
	for ( uint32_t i = 0; i < a->edge_count; ++i )
	{
		const neighbors_edge* p = a->edges + i;
		bv_vec3 from = a->corners[p->corner[0]];
		bv_vec3 u = bv_sub( a->corners[p->corner[1]], from );
		for ( uint32_t k = 0; k < b->edge_count; ++k )
		{
			const neighbors_edge* q = b->edges + k;
			bv_vec3 to = b->corners[q->corner[0]];
			bv_vec3 normal = bv_cross( u, bv_sub( b->corners[q->corner[1]], to ) );
			bool turned = bv_dot( normal, bv_sub( to, from ) ) < 0;
			normal = turned ? bv_negate( normal ) : normal;
			double slack = 0x1p-40 * bvmath_norm1( normal ) * ( a->size + b->size );
			if ( is_topmost( a, p, normal, slack ) && is_topmost( b, q, bv_negate( normal ), slack ) )
			{
				gap = bvmath_max( gap, gap_along( a, b, normal, enough ) );
				if ( gap > enough )
				{
					return gap;
				}
			}
		}
	}
	return gap;
}

// Whether they are certainly farther apart than this.
static bool are_apart( const neighbors_solid* a, const neighbors_solid* b, double enough )
{
	return gap_along_faces( a, b, enough ) > enough || gap_along_faces( b, a, enough ) > enough ||
	       gap_along_edges( a, b, enough ) > enough;
}

// On which sides of the faces of `of` the corners of `other` are.
static void find_sides( const neighbors_solid* of, const neighbors_solid* other,
                        int8_t sides[most_faces][most_corners] )
{
	for ( uint32_t f = 0; f < of->face_count; ++f )
	{
		const uint32_t* c = of->faces[f];
		for ( uint32_t v = 0; v < other->corner_count; ++v )
		{
			double side =
				bvbase_orient3d( of->corners[c[0]], of->corners[c[1]], of->corners[c[2]], other->corners[v] );
			sides[f][v] = (int8_t)( ( side > 0 ) - ( side < 0 ) );
		}
	}
}

static bool has_corner_in( const neighbors_solid* of, const neighbors_solid* other,
                           int8_t sides[most_faces][most_corners] )
{
	for ( uint32_t v = 0; v < other->corner_count; ++v )
	{
		bool inside = true;
		for ( uint32_t f = 0; f < of->face_count && inside; ++f )
		{
			inside = sides[f][v] <= 0;
		}
		if ( inside )
		{
			return true;
		}
	}
	return false;
}

// Of an edge whose ends are on different sides of the face, or one of them in its plane.
static bool passes_through( bv_vec3 from, bv_vec3 to, const neighbors_solid* of, uint32_t face )
{
	int most = -1;
	int least = 1;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 a = of->corners[of->faces[face][k]];
		bv_vec3 b = of->corners[of->faces[face][( k + 1 ) % 3]];
		double side = bvbase_orient3d( from, to, a, b );
		int sign = ( side > 0 ) - ( side < 0 );
		most = sign > most ? sign : most;
		least = sign < least ? sign : least;
	}
	return most <= 0 || least >= 0;
}

static bool has_edge_through( const neighbors_solid* of, const neighbors_solid* other,
                              int8_t sides[most_faces][most_corners] )
{
	for ( uint32_t f = 0; f < of->face_count; ++f )
	{
		for ( uint32_t e = 0; e < other->edge_count; ++e )
		{
			const uint8_t* corner = other->edges[e].corner;
			int from = sides[f][corner[0]];
			int to = sides[f][corner[1]];

			// What is all in the plane meets the face at its own end, or at a side that passes through faces
			// beside it.
			if ( from * to <= 0 && ( from != 0 || to != 0 ) &&
			     passes_through( other->corners[corner[0]], other->corners[corner[1]], of, f ) )
			{
				return true;
			}
		}
	}
	return false;
}

// Whether they certainly have a point in common.
static bool do_meet( const neighbors_solid* a, const neighbors_solid* b,
                     int8_t sides[most_faces][most_corners] )
{
	find_sides( a, b, sides );
	if ( has_corner_in( a, b, sides ) || has_edge_through( a, b, sides ) )
	{
		return true;
	}
	find_sides( b, a, sides );
	return has_corner_in( b, a, sides ) || has_edge_through( b, a, sides );
}

static bool share_corner( const neighbors_solid* a, const neighbors_solid* b )
{
	for ( uint32_t i = 0; i < a->corner_count; ++i )
	{
		for ( uint32_t k = 0; k < b->corner_count; ++k )
		{
			bv_vec3 p = a->corners[i];
			bv_vec3 q = b->corners[k];
			if ( p.x == q.x && p.y == q.y && p.z == q.z )
			{
				return true;
			}
		}
	}
	return false;
}

// What a thread looks at.
typedef struct pair_check
{
	const bv_file* file;
	neighbors_solid* first;
	neighbors_solid* second;
	bool* is_neighbor; // of the first one
	int8_t ( *sides )[most_corners];
	uint32_t part;
	uint32_t wrong; // the other one of a pair that is wrong
} pair_check;

static bv_status begin( const void* shared, bvb_arena* arena, void* own, bvb_error* error )
{
	pair_check* check = own;
	*check = ( pair_check ){ .file = shared };
	check->first = bvb_arena_allocate( arena, 1, sizeof *check->first );
	check->second = bvb_arena_allocate( arena, 1, sizeof *check->second );
	check->is_neighbor = bvb_arena_allocate( arena, bv_file_get_decomposition( check->file ).parts,
	                                         sizeof *check->is_neighbor );
	check->sides = bvb_arena_allocate( arena, most_faces, sizeof *check->sides );
	return check->first && check->second && check->is_neighbor && check->sides ? bv_ok
	                                                                           : bvbase_fail_memory( error );
}

static bool verify_stranger( void* context, uint32_t other )
{
	pair_check* check = context;
	if ( other > check->part && !check->is_neighbor[other] )
	{
		get_solid( check->file, other, check->second );
		if ( !are_apart( check->first, check->second, 0 ) &&
		     do_meet( check->first, check->second, check->sides ) )
		{
			check->wrong = other;
			return false;
		}
	}
	return true;
}

// Whether a part and one of its neighbors may have a point in common.
static bool verify_neighbor( pair_check* check, uint32_t other )
{
	get_solid( check->file, other, check->second );
	double near = 0x1p-36 * ( check->first->size + check->second->size );
	return share_corner( check->first, check->second ) || !are_apart( check->first, check->second, near );
}

static bv_status verify_part( void* own, uint32_t part, bvb_error* error )
{
	pair_check* check = own;
	get_solid( check->file, part, check->first );
	check->part = part;
	const uint32_t* list;
	uint32_t count = bv_file_get_part_neighbors( check->file, part, &list );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( list[i] > part && !verify_neighbor( check, list[i] ) )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "parts %u and %u are listed as neighbors but have no point in common", part,
			                    list[i] );
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		check->is_neighbor[list[i]] = true;
	}
	bool good = bvfile_local_visit_parts( check->file, &check->first->box, verify_stranger, check );
	for ( uint32_t i = 0; i < count; ++i )
	{
		check->is_neighbor[list[i]] = false;
	}
	return good ? bv_ok
	            : bvbase_fail( error, bv_error_damaged,
	                           "parts %u and %u have a point in common but are not listed as neighbors", part,
	                           check->wrong );
}

bv_status bvverify_neighbors( const bv_file* file, bvb_arena* arena, bvb_error* error )
{
	uint32_t parts = bv_file_get_decomposition( file ).parts;
	static const bvverify_verifier verifier = { sizeof( pair_check ), begin, verify_part };
	return bvverify_each( &verifier, file, parts, 1, arena, error );
}
