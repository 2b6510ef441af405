// The seeds of the insertion heuristic.
//
// Twelve points are chosen on the smallest ball, at random or as an icosahedron's corners. From the faces
// nearest to these points, the seeds are chosen so that their minimal distance from one another is greatest.
// Since adjacent faces of a mesh touch, the distance of their midpoints is used. According to the thesis a
// seeding fails if fewer faces than wanted are nearest to any point. Here the face whose midpoint is farthest
// from the existing seeds is added instead.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.4.

#include "offline/literature/insertion.h"

#include "bvbuild/hierarchy.h"
#include "offline/fit/sphere.h"
#include "offline/hierarchy/split_regions.h"

#include <math.h>

enum
{
	samples = 12, // on the least ball
};

static const bvfit_face* face_at( const bvfit_face_list* list, uint32_t place )
{
	return list->faces + list->order[place];
}

static double squared_distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

// From a segment's nearest point.
static double segment_distance( bv_vec3 p, bv_vec3 a, bv_vec3 b )
{
	bv_vec3 along = bv_sub( b, a );
	double squared = bv_dot( along, along );
	double t = squared > 0 ? bv_dot( bv_sub( p, a ), along ) / squared : 0;
	t = bvmath_min( bvmath_max( t, 0 ), 1 );
	return squared_distance( p, t == 1 ? b : bv_add( a, bv_scale( t, along ) ) );
}

// From the plane where p is above the triangle, else from the nearest side.
static double triangle_distance( bv_vec3 p, const bv_vec3 corner[3] )
{
	bv_vec3 normal = bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
	double squared = bv_dot( normal, normal );
	bool above = squared > 0;
	double least = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 a = corner[k];
		bv_vec3 b = corner[( k + 1 ) % 3];
		above = above && bv_dot( bv_cross( normal, bv_sub( b, a ) ), bv_sub( p, a ) ) >= 0;
		least = bvmath_min( least, segment_distance( p, a, b ) );
	}
	double height = bv_dot( normal, bv_sub( p, corner[0] ) );
	return above ? bvmath_min( least, height * height / squared ) : least;
}

static double radius_of( const bvfit_face* face )
{
	double squared = 0;
	for ( int k = 0; k < 3; ++k )
	{
		squared = bvmath_max( squared, squared_distance( face->corner[k], face->midpoint ) );
	}
	return sqrt( squared );
}

// The nearest face to a point so far.
typedef struct nearest
{
	uint32_t place;
	double squared;  // distance of the face
	double midpoint; // squared distance of its midpoint: several faces share a corner that is nearest
} nearest;

static void update( const bvfit_face_list* list, uint32_t place, double radius, bv_vec3 p, nearest* best )
{
	const bvfit_face* face = face_at( list, place );
	double midpoint = squared_distance( p, face->midpoint );

	// No point of the face is farther from its midpoint than its radius.
	double least = ( 1 - 0x1p-40 ) * sqrt( midpoint ) - radius;
	if ( least > 0 && least * least > best->squared )
	{
		return;
	}
	double squared = triangle_distance( p, face->corner );
	bool less = squared != best->squared     ? squared < best->squared
	            : midpoint != best->midpoint ? midpoint < best->midpoint
	                                         : list->order[place] < list->order[best->place];
	if ( less )
	{
		*best = ( nearest ){ place, squared, midpoint };
	}
}

// The places of the faces nearest to points; several may be the same.
static void find_nearest( const bvfit_face_list* list, const bv_vec3* point, uint32_t points,
                          uint32_t* place )
{
	nearest best[samples];
	for ( uint32_t k = 0; k < points; ++k )
	{
		best[k] = ( nearest ){ 0, INFINITY, INFINITY };
	}
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		double radius = radius_of( face_at( list, i ) );
		for ( uint32_t k = 0; k < points; ++k )
		{
			update( list, i, radius, point[k], best + k );
		}
	}
	for ( uint32_t k = 0; k < points; ++k )
	{
		place[k] = best[k].place;
	}
}

static bool contains( const uint32_t* place, uint32_t count, uint32_t wanted )
{
	bool found = false;
	for ( uint32_t k = 0; k < count; ++k )
	{
		found = found || place[k] == wanted;
	}
	return found;
}

static uint32_t drop_repeated( uint32_t* place, uint32_t count )
{
	uint32_t kept = 0;
	for ( uint32_t k = 0; k < count; ++k )
	{
		if ( !contains( place, kept, place[k] ) )
		{
			place[kept++] = place[k];
		}
	}
	return kept;
}

// Adds the faces with the midpoint farthest from those of the faces so far.
static void add_farthest( const bvfit_face_list* list, uint32_t count, uint32_t wanted, uint32_t* place )
{
	for ( ; count < wanted; ++count )
	{
		double greatest = -1;
		uint32_t best = 0;
		for ( uint32_t i = 0; i < list->count; ++i )
		{
			double least = INFINITY;
			for ( uint32_t k = 0; k < count; ++k )
			{
				double squared =
					squared_distance( face_at( list, i )->midpoint, face_at( list, place[k] )->midpoint );
				least = bvmath_min( least, place[k] == i ? -1 : squared );
			}
			if ( least > greatest ||
			     ( least == greatest && least >= 0 && list->order[i] < list->order[best] ) )
			{
				greatest = least;
				best = i;
			}
		}
		place[count] = best;
	}
}

// A choice of places, the greatest least distance of which is looked for.
typedef struct insertion_seeds_choice
{
	uint32_t place[BVB_MAX_DEGREE];
	double least; // squared distance of two of them
} insertion_seeds_choice;

static double least_distance( const bvfit_face_list* list, const insertion_seeds_choice* c, uint32_t count,
                              uint32_t next )
{
	double least = c->least;
	for ( uint32_t k = 0; k < count; ++k )
	{
		least = bvmath_min( least, squared_distance( face_at( list, c->place[k] )->midpoint,
		                                             face_at( list, next )->midpoint ) );
	}
	return least;
}

// Tries all ways to add the places from `from` on. Ends BVB_MAX_DEGREE calls down.
static void choose( const bvfit_face_list* list, const uint32_t* place, uint32_t places, uint32_t from,
                    uint32_t count, uint32_t wanted, const insertion_seeds_choice* so_far,
                    insertion_seeds_choice* best )
{
	if ( count == wanted )
	{
		*best = *so_far;
		return;
	}
	for ( uint32_t i = from; i + ( wanted - count ) <= places; ++i )
	{
		insertion_seeds_choice next = *so_far;
		next.least = least_distance( list, so_far, count, place[i] );
		next.place[count] = place[i];
		if ( next.least > best->least )
		{
			choose( list, place, places, i + 1, count + 1, wanted, &next, best );
		}
	}
}

// Of the faces nearest to points on the least ball, those that are farthest apart.
static void seed_from_ball( const bvfit_face_list* list, const bv_vec3* direction, uint32_t count,
                            uint32_t* place )
{
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		for ( uint32_t k = 0; k < 3; ++k )
		{
			list->corners[3 * (size_t)i + k] = face_at( list, i )->corner[k];
		}
	}
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( list->corners, 3 * list->count, &ball );
	bv_vec3 point[samples];
	for ( int k = 0; k < samples; ++k )
	{
		point[k] = bv_add( ball.origin, bv_add( ball.center, bv_scale( ball.radius, direction[k] ) ) );
	}
	uint32_t found[samples];
	find_nearest( list, point, samples, found );
	uint32_t places = drop_repeated( found, samples );
	insertion_seeds_choice best = { .least = -1 };
	uint32_t chosen = places < count ? places : count;
	choose( list, found, places, 0, 0, chosen, &( insertion_seeds_choice ){ .least = INFINITY }, &best );
	for ( uint32_t k = 0; k < chosen; ++k )
	{
		place[k] = best.place[k];
	}
	add_farthest( list, chosen, count, place );
}

// In [-1, 1).
static double random_side( uint64_t* random )
{
	return (double)( bvbase_random( random ) >> 11 ) * 0x1p-52 - 1;
}

static void seed_sphere( const bvhier_face_set* set, uint32_t count, uint64_t* random, uint32_t* place )
{
	bv_vec3 direction[samples];
	for ( int k = 0; k < samples; ++k )
	{
		double squared;
		do
		{
			double x = random_side( random );
			double y = random_side( random );
			direction[k] = ( bv_vec3 ){ x, y, random_side( random ) };
			squared = bv_dot( direction[k], direction[k] );
		} while ( squared > 1 || squared < 0x1p-20 );
		direction[k] = bv_scale( 1 / sqrt( squared ), direction[k] );
	}
	seed_from_ball( &set->list, direction, count, place );
}

static void seed_icosahedron( const bvhier_face_set* set, uint32_t count, uint64_t* random, uint32_t* place )
{
	(void)random;
	// 1 and the golden ratio, over the length of both.
	static const double a = 0x1.0d2ca0da1530dp-1;
	static const double b = 0x1.b38880b4603e4p-1;
	bv_vec3 direction[samples];
	for ( int k = 0; k < 4; ++k )
	{
		double s = k & 1 ? a : -a;
		double t = k & 2 ? b : -b;
		direction[k] = ( bv_vec3 ){ 0, s, t };
		direction[4 + k] = ( bv_vec3 ){ t, 0, s };
		direction[8 + k] = ( bv_vec3 ){ s, t, 0 };
	}
	seed_from_ball( &set->list, direction, count, place );
}

static void seed_points( const bvhier_face_set* set, uint32_t count, uint64_t* random, uint32_t* place )
{
	(void)random;
	bv_vec3 point[BVB_MAX_DEGREE];
	bvhier_region_centers( set, count, point );
	find_nearest( &set->list, point, count, place );
	add_farthest( &set->list, drop_repeated( place, count ), count, place );
}

static void seed_random( const bvhier_face_set* set, uint32_t count, uint64_t* random, uint32_t* place )
{
	for ( uint32_t k = 0; k < count; ++k )
	{
		do
		{
			place[k] = (uint32_t)( bvbase_random( random ) % set->list.count );
		} while ( contains( place, k, place[k] ) );
	}
}

void bvlit_insertion_seed( const bvhier_face_set* set, bvlit_insertion_seeds seeds, uint32_t count,
                           uint64_t* random, uint32_t* place )
{
	static void ( *const kinds[bvlit_seeds_kinds] )( const bvhier_face_set*, uint32_t, uint64_t*,
	                                                 uint32_t* ) = {
		[bvlit_seeds_random] = seed_random,
		[bvlit_seeds_sphere] = seed_sphere,
		[bvlit_seeds_icosahedron] = seed_icosahedron,
		[bvlit_seeds_points] = seed_points,
	};
	kinds[seeds]( set, count, random, place );
}
