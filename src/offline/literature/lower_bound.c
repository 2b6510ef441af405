// Lower bounds of the quality of a set of which some faces are known.
//
// Eckstein uses the quality of the known faces, since adding faces to a set cannot shrink its volume. This
// holds for volumes that are minimal for their type in the measure used as quality. Other volumes need other
// bounds. Let S be the known faces, T any larger set, and B(T) its volume as fitted.
//
// - Axis-aligned boxes and k-DOPs of S lie within those of T, since each side is determined independently and
//   rounding to the stored form is monotone. Volume, area (of convex sets) and diameter follow: the quality
//   of S is the bound. Those of k-DOPs are computed with a rounding error in proportion to the size of their
//   box, which is subtracted.
// - The smallest ball of S has no larger radius than that of T. Any ball around T, such as the stored one
//   with its rounded center, has no smaller radius. The bound is that of the smallest ball in binary64, not
//   of the stored one: centers are rounded by some 1e-7 of the distance from the origin, so stored radii are
//   not monotone.
// - Oriented boxes, prisms and rectangle swept spheres are fitted by heuristics, and B(T) may be smaller than
//   B(S). The following bounds hold for every box, or every convex set, around S.
//   - Diameter: boxes and swept spheres have a center, and the ball around it through their farthest points
//     encloses them, hence S. The diameter is at least that of the smallest ball of S. A prism has no center:
//     the radius of the smallest ball of any set is at most the diameter times sqrt(3/8) (Jung 1901).
//   - Area of a box with sides a, b, c around a triangle of area t: each projection of the triangle along a
//     side lies in a rectangle with at least twice its area. The squares of the projections' areas sum up to
//     t^2, so t^2 <= ((ab)^2 + (bc)^2 + (ca)^2) / 4, while the area is 2 (ab + bc + ca) >= 2 sqrt((ab)^2 +
//     (bc)^2 + (ca)^2) >= 4 t. For a flat box it is the area of the two sides of a rectangle.
//   - Area of a convex set: at least that of any convex set inside, here a tetrahedron with corners of S.
//   - Volume of a convex set: at least that of the tetrahedron. For a box three times as much: a 3 x 3
//     determinant of numbers in [0, 1] is at most 2, and a sixth of it is the share of the unit cube that a
//     tetrahedron can fill.
//   - Any tetrahedron is valid. Its corners are: a point far from the first one, the farthest from that, the
//     farthest from the line through both, the farthest from the plane of the three.
// - The Hausdorff distance of a volume from its faces can fall when a face is added in the right place, so
//   its bound is 0.
//
// With several types each set uses the best one, and the smallest of the bounds holds.
//
// Faces within the volume of S: for boxes and k-DOPs they are within the volume of T, and do not change it.
// Eckstein applies this to all types, but the smallest ball of T need not enclose that of S: balls, and
// volumes fitted by heuristics, may change.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.1.

#include "offline/literature/lower_bound.h"

#include "offline/fit/sphere.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

#include <math.h>

// Above all rounding here, of lengths in proportion to them.
static const double rounding = 0x1p-42;

typedef double bound_function( bv_volume_type type, bvb_quality_measure measure,
                               const bvfit_face_list* list );

// The bounds of a type.
typedef struct bound_row
{
	bound_function* by[bvb_quality_hausdorff]; // by measure
	bool nested;                               // volumes lie within those of larger sets
} bound_row;

static double measure_of( bvb_quality_measure measure, const bv_volume* volume )
{
	const bvfit_volume_row* row = bvfit_volume_row_of( volume->type );
	return measure == bvb_quality_area     ? row->area( volume )
	       : measure == bvb_quality_volume ? row->volume( volume )
	                                       : row->diameter( volume );
}

static double of_the_volume( bv_volume_type type, bvb_quality_measure measure, const bvfit_face_list* list )
{
	bv_volume volume = bvfit_volume_fit_type( type, list );
	return measure_of( measure, &volume );
}

// Of what is computed of a k-DOP in a box with sides of that sum.
static double rounding_of( bvb_quality_measure measure, double size )
{
	double power = measure == bvb_quality_area     ? size * size
	               : measure == bvb_quality_volume ? size * size * size
	                                               : size;
	return rounding * power;
}

static double size_of( const bv_volume* volume )
{
	if ( volume->type == bv_volume_aabb )
	{
		return bvmath_norm1( bv_sub( volume->aabb.upper, volume->aabb.lower ) );
	}
	const bv_kdop* dop = &volume->kdop;
	return ( ( dop->upper[0] - dop->lower[0] ) + ( dop->upper[1] - dop->lower[1] ) ) +
	       ( dop->upper[2] - dop->lower[2] );
}

static double of_the_kdop( bv_volume_type type, bvb_quality_measure measure, const bvfit_face_list* list )
{
	bv_volume volume = bvfit_volume_fit_type( type, list );
	return measure_of( measure, &volume ) - rounding_of( measure, size_of( &volume ) );
}

static void collect_corners( const bvfit_face_list* list )
{
	for ( uint32_t i = 0; i < 3 * list->count; ++i )
	{
		list->corners[i] = list->faces[list->order[i / 3]].corner[i % 3];
	}
}

// Of balls what is asked for; of others the diameter.
static double of_the_ball( bv_volume_type type, bvb_quality_measure measure, const bvfit_face_list* list )
{
	(void)type;
	collect_corners( list );
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( list->corners, 3 * list->count, &ball );
	bv_volume volume = { .type = bv_volume_sphere, .sphere = { .radius = ball.radius * ( 1 - rounding ) } };
	return measure_of( measure, &volume );
}

// A corner and the edges from it, which determine a tetrahedron.
typedef struct tetrahedron
{
	bv_vec3 corner;
	bv_vec3 edge[3];
} tetrahedron;

static double length( bv_vec3 a )
{
	return sqrt( bv_dot( a, a ) );
}

// How far a point is from the corner, from the line along the first edge, from the plane of the first two: up
// to a factor.
static double extent( const tetrahedron* t, int edges, bv_vec3 edge )
{
	return edges == 0   ? bv_dot( edge, edge )
	       : edges == 1 ? length( bv_cross( t->edge[0], edge ) )
	                    : fabs( bv_dot( bv_cross( t->edge[0], t->edge[1] ), edge ) );
}

static bv_vec3 farthest( const bvfit_face_list* list, const tetrahedron* t, int edges )
{
	bv_vec3 best = t->corner;
	double most = -1;
	for ( uint32_t i = 0; i < 3 * list->count; ++i )
	{
		bv_vec3 point = list->faces[list->order[i / 3]].corner[i % 3];
		double here = extent( t, edges, bv_sub( point, t->corner ) );
		best = here > most ? point : best;
		most = bvmath_max( most, here );
	}
	return best;
}

// The first edge is the longest of the three.
static tetrahedron find_tetrahedron( const bvfit_face_list* list )
{
	tetrahedron t = { .corner = list->faces[list->order[0]].corner[0] };
	t.corner = farthest( list, &t, 0 );
	for ( int i = 0; i < 3; ++i )
	{
		t.edge[i] = bv_sub( farthest( list, &t, i ), t.corner );
	}
	return t;
}

static double triangle_area( bv_vec3 a, bv_vec3 b )
{
	return length( bv_cross( a, b ) ) / 2;
}

static double of_the_ball_without_center( bv_volume_type type, bvb_quality_measure measure,
                                          const bvfit_face_list* list )
{
	return 0x1.a20bd700c2c3dp-1 * of_the_ball( type, measure, list ); // sqrt(2/3), rounded down
}

// Edges are right to 2^-53 of themselves.
static double in_convex_sets( bv_volume_type type, bvb_quality_measure measure, const bvfit_face_list* list )
{
	tetrahedron t = find_tetrahedron( list );
	const bv_vec3* e = t.edge;
	double squared = bv_dot( e[0], e[0] );
	if ( measure == bvb_quality_volume )
	{
		double six =
			fabs( bv_dot( bv_cross( e[0], e[1] ), e[2] ) ) - rounding * ( squared * sqrt( squared ) );
		return six / ( type == bv_volume_obb ? 2 : 6 );
	}
	double base = triangle_area( e[0], e[1] );
	double area = ( base + triangle_area( e[1], e[2] ) ) + triangle_area( e[2], e[0] );
	area += triangle_area( bv_sub( e[1], e[0] ), bv_sub( e[2], e[0] ) );
	return ( type == bv_volume_obb ? bvmath_max( area, 4 * base ) : area ) - rounding * squared;
}

static const bound_row bounds[bvvol_forms] = {
	[bvvol_form_rounded] = { { in_convex_sets, in_convex_sets, of_the_ball }, false },
	[bvvol_form_box] = { { in_convex_sets, in_convex_sets, of_the_ball }, false },
	[bvvol_form_upright] = { { of_the_volume, of_the_volume, of_the_volume }, true },
	[bvvol_form_ball] = { { of_the_ball, of_the_ball, of_the_ball }, false },
	[bvvol_form_slabs] = { { of_the_kdop, of_the_kdop, of_the_kdop }, true },
};
static const bound_row bounds_of_tapered = { { in_convex_sets, in_convex_sets, of_the_ball_without_center },
	                                         false };

static const bound_row* row_of( int type )
{
	const bvvol_kind* kind = bvvol_kind_of( (bv_volume_type)type );
	return kind->tapered ? &bounds_of_tapered : bounds + kind->form;
}

double bvlit_lower_bound( const bvhier_build* build, const bvfit_face_list* list )
{
	const bvhier_quality* quality = &build->quality;
	if ( quality->measure == bvb_quality_hausdorff )
	{
		return 0;
	}
	double least = INFINITY;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( build->options->volume_types >> i & 1 )
		{
			double bound = row_of( i )->by[quality->measure]( (bv_volume_type)i, quality->measure, list );
			least = bvmath_min( least, bound * quality->collision[i] );
		}
	}
	return bvmath_max( least, 0 );
}

bool bvlit_inner_faces_are_free( const bvhier_build* build )
{
	bool nested = build->quality.measure != bvb_quality_hausdorff;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		nested = nested && ( row_of( i )->nested || !( build->options->volume_types >> i & 1 ) );
	}
	return nested;
}

double bvlit_quality_rounding( const bvhier_build* build, const bv_volume* whole )
{
	double greatest = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( build->options->volume_types >> i & 1 )
		{
			greatest = bvmath_max( greatest, build->quality.collision[i] );
		}
	}
	return greatest * rounding_of( build->quality.measure, size_of( whole ) );
}

static bool is_within( const bv_volume* volume, const bvfit_face* face )
{
	bool within = true;
	for ( int k = 0; k < 3 && within; ++k )
	{
		within = bvvol_kind_of( volume->type )->encloses( volume, face->corner[k] );
	}
	return within;
}

uint64_t bvlit_inner_faces( const bvhier_build* build, const bvfit_face_list* list, const uint32_t* faces,
                            uint32_t count )
{
	uint64_t inner = count < 64 ? ( UINT64_C( 1 ) << count ) - 1 : UINT64_MAX;
	for ( int i = 0; i < bv_volume_types && inner; ++i )
	{
		if ( !( build->options->volume_types >> i & 1 ) )
		{
			continue;
		}
		bv_volume volume = bvfit_volume_fit_type( (bv_volume_type)i, list );
		for ( uint32_t f = 0; f < count; ++f )
		{
			if ( inner >> f & 1 && !is_within( &volume, list->faces + faces[f] ) )
			{
				inner &= ~( UINT64_C( 1 ) << f );
			}
		}
	}
	return inner;
}
