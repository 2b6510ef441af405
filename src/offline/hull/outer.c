// Removal of inner points (Akl, Toussaint 1978, "A fast convex hull algorithm"). Their polygon of extreme
// points is a polyhedron here, found by a few steps of Quickhull on a sample.
//
// The polyhedron defines a gauge about a center inside it: x is inside if the maximum over its faces of dot(
// normal, x - center ) / offset is below 1. On the sides of a cube around the center this is a maximum of
// linear functions. In each cell of a side it is therefore at most the largest value at the cell's corners.
// One division and one table lookup classify most points.
//
// Proof that points inside the polyhedron are inside the hull: the polyhedron is a closed surface, and the
// center sees the inner side of all its triangles. Every ray from the center leaves it through a triangle
// whose corners are points of the set. A point on the inner side of that triangle's plane comes before this
// exit. Planes are rounded; the error is estimated from the heights of their own corners above them, and the
// margin is a thousand times that error.

#include "offline/hull/outer.h"

#include "offline/base/arena.h"
#include "offline/hull/rough.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	least = 1024,        // points for which the work is worth it
	sample_most = 2048,  // points of which the polyhedron is made
	corners_most = 96,   // of it
	cells_most = 32,     // along the sides of the cube's faces
	points_a_cell = 128, // on average, or fewer cells do
};

static const double margin = 0x1p-20;  // of the gauge
static const double shallow = 0x1p-10; // no face is nearer to the center, where the set is about 1 across
static const double height = 0x1p-34;  // of a corner over its own face's plane

// The set's frame, and the gauge over the six sides of the cube.
typedef struct outer_gauge
{
	bv_vec3 origin;
	bv_vec3 scale; // powers of two that make each side of the set's box about 1
	bv_vec3 center;
	int cells;
	double* largest; // of each cell
} outer_gauge;

static bv_vec3 placed( const outer_gauge* g, bv_vec3 p )
{
	bv_vec3 d = bv_sub( p, g->origin );
	return ( bv_vec3 ){ d.x * g->scale.x, d.y * g->scale.y, d.z * g->scale.z };
}

static double scale_of( double extent )
{
	int exponent;
	frexp( extent, &exponent );
	return ldexp( 1, -exponent );
}

// A part of the set, from all over it, placed about the middle of its box.
// @return false when that is flat along an axis, or too large or small for its scale to be a number
static bool take_sample( const bv_vec3* points, uint32_t count, outer_gauge* g, bvhull_rough* rough )
{
	uint32_t stride = ( count - 1 ) / sample_most + 1;
	bv_vec3 lower = points[0];
	bv_vec3 upper = points[0];
	for ( uint64_t i = 0; i < count; i += stride )
	{
		bv_vec3 p = points[i];
		lower =
			( bv_vec3 ){ bvmath_min( lower.x, p.x ), bvmath_min( lower.y, p.y ), bvmath_min( lower.z, p.z ) };
		upper =
			( bv_vec3 ){ bvmath_max( upper.x, p.x ), bvmath_max( upper.y, p.y ), bvmath_max( upper.z, p.z ) };
	}
	bv_vec3 size = bv_sub( upper, lower );
	double least_size = bvmath_min( size.x, bvmath_min( size.y, size.z ) );
	double most_size = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	if ( !( least_size > 0x1p-900 && most_size < 0x1p900 ) )
	{
		return false;
	}
	g->origin = bv_add( bv_scale( 0.5, lower ), bv_scale( 0.5, upper ) );
	g->scale = ( bv_vec3 ){ scale_of( size.x ), scale_of( size.y ), scale_of( size.z ) };
	for ( uint64_t i = 0; i < count; i += stride )
	{
		bvhull_rough_add( rough, placed( g, points[i] ) );
	}
	return !rough->failed;
}

// The faces as vectors whose product with a point, relative to the center, is 1 on them.
// @return their number; 0 when one of them is nothing to rely on
static uint32_t find_normals( const bvhull_rough* rough, outer_gauge* g, bv_vec3* normal )
{
	bv_vec3 sum = { 0 };
	uint32_t corners = 0;
	uint32_t count = 0;
	for ( uint32_t f = 0; f < rough->face_count; ++f )
	{
		for ( int k = 0; k < 3 && !rough->faces[f].dead; ++k, ++corners )
		{
			sum = bv_add( sum, rough->points[rough->faces[f].corner[k]] );
		}
	}
	g->center = bv_scale( 1.0 / corners, sum );
	for ( uint32_t f = 0; f < rough->face_count; ++f )
	{
		const bvhull_rough_face* face = rough->faces + f;
		if ( face->dead )
		{
			continue;
		}
		double offset = face->offset - bv_dot( face->normal, g->center );
		bool good = offset > shallow;
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 corner = rough->points[face->corner[k]];
			good = good && fabs( bv_dot( face->normal, corner ) - face->offset ) < height;
		}
		if ( !good )
		{
			return 0;
		}
		normal[count++] = bv_scale( 1 / offset, face->normal );
	}
	return count;
}

// The cube's side that a direction leaves through, as an axis and where it is: 0 for +x, 1 for -x, 2 for
// +y...
static bv_vec3 on_side( int side, double s, double t )
{
	double sign = side % 2 ? -1 : 1;
	return side < 2   ? ( bv_vec3 ){ sign, s, t }
	       : side < 4 ? ( bv_vec3 ){ t, sign, s }
	                  : ( bv_vec3 ){ s, t, sign };
}

static void fill_side( const bv_vec3* normal, uint32_t count, int side, int cells, double* largest )
{
	double at[cells_most + 1][cells_most + 1];
	for ( int i = 0; i <= cells; ++i )
	{
		for ( int k = 0; k <= cells; ++k )
		{
			bv_vec3 d = on_side( side, 2.0 * i / cells - 1, 2.0 * k / cells - 1 );
			double most = 0;
			for ( uint32_t f = 0; f < count; ++f )
			{
				most = bvmath_max( bv_dot( normal[f], d ), most );
			}
			at[i][k] = most;
		}
	}
	for ( int i = 0; i < cells; ++i )
	{
		for ( int k = 0; k < cells; ++k )
		{
			largest[cells * i + k] = bvmath_max( bvmath_max( at[i][k], at[i][k + 1] ),
			                                     bvmath_max( at[i + 1][k], at[i + 1][k + 1] ) );
		}
	}
}

// @return false when there is no gauge to rely on, or no memory for it
static bool make_gauge( const bv_vec3* points, uint32_t count, bvb_arena* scratch, outer_gauge* g )
{
	bvhull_rough rough = { .arena = scratch };
	if ( !take_sample( points, count, g, &rough ) )
	{
		return false;
	}
	bvhull_rough_hull_of_few( &rough, 1e-6, corners_most );
	bv_vec3* normal = bvb_arena_allocate( scratch, rough.face_count, sizeof *normal );
	g->cells = cells_most;
	while ( g->cells > 8 && 6 * g->cells * g->cells > (int)( count / points_a_cell ) )
	{
		g->cells /= 2;
	}
	g->largest = bvb_arena_allocate( scratch, 6 * (size_t)( g->cells * g->cells ), sizeof *g->largest );

	// Points that were moved to thicken a flat set are not of the set.
	if ( rough.failed || !normal || !g->largest || rough.face_count == 0 || rough.point_count > rough.given )
	{
		return false;
	}
	uint32_t faces = find_normals( &rough, g, normal );
	for ( int side = 0; side < 6 && faces > 0; ++side )
	{
		fill_side( normal, faces, side, g->cells, g->largest + side * g->cells * g->cells );
	}
	return faces > 0;
}

static int cell_of( double ratio, int cells )
{
	int cell = (int)( ( ratio + 1 ) * ( 0.5 * cells ) );
	return cell < cells ? cell : cells - 1;
}

static bool is_inner( const outer_gauge* g, bv_vec3 point )
{
	bv_vec3 d = bv_sub( placed( g, point ), g->center );
	double x = fabs( d.x );
	double y = fabs( d.y );
	double z = fabs( d.z );
	double along = bvmath_max( x, bvmath_max( y, z ) );
	if ( !( along > 0x1p-500 ) )
	{
		return true;
	}
	int side = along == x ? d.x < 0 : along == y ? 2 + ( d.y < 0 ) : 4 + ( d.z < 0 );
	double s = side < 2 ? d.y : side < 4 ? d.z : d.x;
	double t = side < 2 ? d.z : side < 4 ? d.x : d.y;
	double inverse = 1 / along;
	int cell =
		g->cells * ( g->cells * side + cell_of( s * inverse, g->cells ) ) + cell_of( t * inverse, g->cells );
	return along * g->largest[cell] < 1 - margin;
}

// Counts first, so that no room is taken for points that are left out.
static bv_status keep_outer( const bv_vec3* points, uint32_t count, const outer_gauge* g, int team,
                             bvb_arena* scratch, bvb_arena* arena, bvhull_outer* out )
{
	int64_t words = (int64_t)( count - 1 ) / 64 + 1;
	uint64_t* kept = bvb_arena_allocate( scratch, (size_t)words, sizeof *kept );
	if ( !kept )
	{
		return bv_error_memory;
	}
	uint32_t left = 0;
#pragma omp parallel for num_threads( team ) reduction( + : left ) if ( team > 1 )
	for ( int64_t word = 0; word < words; ++word )
	{
		uint64_t bits = word == 0;
		for ( uint32_t k = 0; k < 64 && 64 * (uint64_t)word + k < count; ++k )
		{
			bits |= (uint64_t)!is_inner( g, points[64 * word + k] ) << k;
		}
		kept[word] = bits;
		left += (uint32_t)__builtin_popcountll( bits );
	}
	bv_vec3* own = bvb_arena_allocate( arena, left, sizeof *own );
	uint32_t* index = bvb_arena_allocate( arena, left, sizeof *index );
	if ( !own || !index )
	{
		return bv_error_memory;
	}
	uint32_t next = 0;
	for ( uint32_t first = 0; next < left; first += 64 )
	{
		for ( uint64_t bits = kept[first / 64]; bits; bits &= bits - 1 )
		{
			uint32_t i = first + (uint32_t)__builtin_ctzll( bits );
			own[next] = points[i];
			index[next++] = i;
		}
	}
	*out = ( bvhull_outer ){ own, index, left };
	return bv_ok;
}

bv_status bvhull_outer_points( const bv_vec3* points, uint32_t count, int team, bvb_arena* arena,
                               bvhull_outer* out )
{
	*out = ( bvhull_outer ){ points, NULL, count };
	if ( count < least )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	outer_gauge g;
	bv_status status = scratch ? bv_ok : bv_error_memory;
	if ( status == bv_ok && make_gauge( points, count, scratch, &g ) )
	{
		status = keep_outer( points, count, &g, team, scratch, arena, out );
	}
	bvb_arena_destroy( scratch );
	return status;
}

void bvhull_outer_map( const bvhull_outer* outer, bvb_hull* hull )
{
	for ( uint32_t i = 0; i < hull->vertex_count && outer->index; ++i )
	{
		hull->vertices[i] = outer->index[hull->vertices[i]];
	}
}
