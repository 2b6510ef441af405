// Eckstein's refinement of a volume's surface. See eckstein.h.

#include "tests/reference/eckstein.h"

#include "tests/reference/nearest.h"
#include "tests/reference/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A corner of regions. Neighbors share it: of a box `at` is its place in whole steps along the sides; of a sphere the two
// samples it is between, or one of the icosahedron's corners.
typedef struct sample
{
	uint32_t at[3];
	bv_vec3 point;
	bv_vec3 direction; // of a sphere: from its center, unit
	bv_vec3 nearest;   // point of a face; where the correction needs it
} sample;

// A rectangle or a spherical triangle, by its corners.
typedef struct region
{
	uint32_t corner[4]; // indices of samples; in order round it
	double estimate;    // no point of it is farther from the faces
} region;

typedef struct surface surface;

// What boxes and spheres do differently.
typedef struct shape
{
	uint32_t corners; // of a region
	uint32_t parts;   // that a region is split into
	uint32_t regions; // to begin with
	bool ( *begin )( surface* s, region* regions );
	bool ( *too_small )( const surface* s, const region* r );
	bool ( *split )( surface* s, const region* whole, region* parts );
	bv_vec3 ( *middle )( const surface* s, const region* r );
	double ( *reach )( const surface* s, const region* r, bv_vec3 sample );
	double ( *farthest )( const surface* s, const region* r, bv_vec3 p );
} shape;

struct surface
{
	const shape* shape;
	const bv_obb* box;
	const bv_sphere* ball;
	nearest_faces faces;
	eckstein_correction correction;
	sample* sample;
	uint32_t sample_count;
	uint32_t sample_room;
	uint32_t* slot;      // hashed by `at`: a sample's index plus 1, 0 where free
	uint32_t slot_count; // a power of two
	region* heap;        // the greatest estimate first
	uint64_t heap_count;
	uint64_t heap_room;
	uint64_t searched; // samples
	double best;
	bv_vec3 witness;
};

enum
{
	first_room = 256,
	most_regions = 20,
	// A box's corners are so many steps apart. Rectangles of one step are not split.
	steps = 1 << 30,
};

static const sample* corner_of( const surface* s, const region* r, uint32_t k )
{
	return &s->sample[r->corner[k % s->shape->corners]];
}

static double greatest_distance( const surface* s, const region* r, bv_vec3 p )
{
	double most = 0;
	for ( uint32_t k = 0; k < s->shape->corners; ++k )
	{
		most = fmax( most, length_of( sub( corner_of( s, r, k )->point, p ) ) );
	}
	return most;
}

static double measure( surface* s, bv_vec3 p, bv_vec3* nearest )
{
	double distance = nearest_distance( &s->faces, p, nearest );
	s->searched += 1;
	if ( distance > s->best )
	{
		s->best = distance;
		s->witness = p;
	}
	return distance;
}

static uint32_t* slot_of( uint32_t* slot, uint32_t count, const sample* samples, const uint32_t at[3] )
{
	uint64_t h = at[0] * 0x9e3779b97f4a7c15u ^ at[1] * 0xc2b2ae3d27d4eb4fu ^ at[2] * 0x165667b19e3779f9u;
	uint32_t i = (uint32_t)( ( h ^ ( h >> 29 ) ) * 0xbf58476d1ce4e5b9u >> 32 ) & ( count - 1 );
	while ( slot[i] != 0 && memcmp( samples[slot[i] - 1].at, at, 3 * sizeof *at ) != 0 )
	{
		i = ( i + 1 ) & ( count - 1 );
	}
	return &slot[i];
}

static bool make_room( surface* s )
{
	if ( s->sample_count < s->sample_room )
	{
		return true;
	}
	uint32_t room = s->sample_room ? 2 * s->sample_room : first_room;
	sample* larger = realloc( s->sample, room * sizeof *larger );
	uint32_t* slot = calloc( 2 * (size_t)room, sizeof *slot );
	s->sample = larger ? larger : s->sample;
	if ( !larger || !slot )
	{
		free( slot );
		return false;
	}
	for ( uint32_t i = 0; i < s->sample_count; ++i )
	{
		*slot_of( slot, 2 * room, s->sample, s->sample[i].at ) = i + 1;
	}
	free( s->slot );
	s->slot = slot;
	s->slot_count = 2 * room;
	s->sample_room = room;
	return true;
}

// Finds the corner that is where `wanted` is, or adds it.
static bool corner_add( surface* s, const sample* wanted, uint32_t* out )
{
	if ( !make_room( s ) )
	{
		return false;
	}
	uint32_t* slot = slot_of( s->slot, s->slot_count, s->sample, wanted->at );
	if ( *slot == 0 )
	{
		sample* new_sample = &s->sample[s->sample_count];
		*new_sample = *wanted;
		if ( s->correction == eckstein_nearest )
		{
			measure( s, new_sample->point, &new_sample->nearest );
		}
		s->sample_count += 1;
		*slot = s->sample_count;
	}
	*out = *slot - 1;
	return true;
}

static void estimate( surface* s, region* r )
{
	if ( s->correction == eckstein_reach )
	{
		bv_vec3 middle = s->shape->middle( s, r );
		r->estimate = measure( s, middle, NULL ) + s->shape->reach( s, r, middle );
		return;
	}
	r->estimate = INFINITY;
	for ( uint32_t k = 0; k < s->shape->corners; ++k )
	{
		r->estimate = fmin( r->estimate, s->shape->farthest( s, r, s->sample[r->corner[k]].nearest ) );
	}
}

static bool heap_push( surface* s, const region* r )
{
	if ( s->heap_count == s->heap_room )
	{
		uint64_t room = s->heap_room ? 2 * s->heap_room : first_room;
		region* larger = realloc( s->heap, room * sizeof *larger );
		if ( !larger )
		{
			return false;
		}
		s->heap = larger;
		s->heap_room = room;
	}
	uint64_t i = s->heap_count++;
	for ( ; i > 0 && s->heap[( i - 1 ) / 2].estimate < r->estimate; i = ( i - 1 ) / 2 )
	{
		s->heap[i] = s->heap[( i - 1 ) / 2];
	}
	s->heap[i] = *r;
	return true;
}

static region heap_pop( surface* s )
{
	region top = s->heap[0];
	region last = s->heap[--s->heap_count];
	uint64_t i = 0;
	for ( uint64_t child = 1; child < s->heap_count; child = 2 * i + 1 )
	{
		if ( child + 1 < s->heap_count && s->heap[child + 1].estimate > s->heap[child].estimate )
		{
			child += 1;
		}
		if ( s->heap[child].estimate <= last.estimate )
		{
			break;
		}
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return top;
}

static bool box_corner( surface* s, const uint32_t at[3], uint32_t* out )
{
	sample wanted = { .at = { at[0], at[1], at[2] }, .point = s->box->center };
	for ( int k = 0; k < 3; ++k )
	{
		double part = at[k] * ( 2.0 / steps ) - 1;
		wanted.point = along( wanted.point, part * s->box->half_extents[k], s->box->axis[k] );
	}
	return corner_add( s, &wanted, out );
}

static bool box_begin( surface* s, region* regions )
{
	static const uint32_t around[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	bool good = true;
	for ( int side = 0; side < 6; ++side )
	{
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t at[3];
			at[side / 2] = side % 2 ? steps : 0;
			at[( side / 2 + 1 ) % 3] = around[k][0] * steps;
			at[( side / 2 + 2 ) % 3] = around[k][1] * steps;
			good = good && box_corner( s, at, &regions[side].corner[k] );
		}
	}
	return good;
}

static bool box_too_small( const surface* s, const region* r )
{
	const sample* a = &s->sample[r->corner[0]];
	const sample* b = &s->sample[r->corner[2]];
	uint32_t most = 0;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t length = a->at[k] < b->at[k] ? b->at[k] - a->at[k] : a->at[k] - b->at[k];
		most = length > most ? length : most;
	}
	return most < 2;
}

static bool box_between( surface* s, uint32_t from, uint32_t to, uint32_t* out )
{
	const uint32_t* a = s->sample[from].at;
	const uint32_t* b = s->sample[to].at;
	return box_corner( s, ( uint32_t[3] ){ ( a[0] + b[0] ) / 2, ( a[1] + b[1] ) / 2, ( a[2] + b[2] ) / 2 },
	                   out );
}

static bool box_split( surface* s, const region* whole, region* parts )
{
	uint32_t side[4];
	uint32_t middle;
	bool good = box_between( s, whole->corner[0], whole->corner[2], &middle );
	for ( int k = 0; good && k < 4; ++k )
	{
		good = box_between( s, whole->corner[k], whole->corner[( k + 1 ) % 4], &side[k] );
	}
	for ( int k = 0; good && k < 4; ++k )
	{
		parts[k] = ( region ){ .corner = { whole->corner[k], side[k], middle, side[( k + 3 ) % 4] } };
	}
	return good;
}

static bv_vec3 box_middle( const surface* s, const region* r )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t k = 0; k < 4; ++k )
	{
		sum = along( sum, 0.25, corner_of( s, r, k )->point );
	}
	return sum;
}

static const shape box_shape = {
	.corners = 4,
	.parts = 4,
	.regions = 6,
	.begin = box_begin,
	.too_small = box_too_small,
	.split = box_split,
	.middle = box_middle,
	.reach = greatest_distance,
	.farthest = greatest_distance,
};

static bv_vec3 unit( bv_vec3 a )
{
	return along( ( bv_vec3 ){ 0, 0, 0 }, 1 / length_of( a ), a );
}

static bool sphere_corner( surface* s, const uint32_t at[3], bv_vec3 direction, uint32_t* out )
{
	sample wanted = { .at = { at[0], at[1], at[2] }, .direction = unit( direction ) };
	wanted.point = along( s->ball->center, s->ball->radius, wanted.direction );
	return corner_add( s, &wanted, out );
}

// Neighboring corners of the icosahedron are 2 apart.
static bool neighbors( bv_vec3 a, bv_vec3 b )
{
	return fabs( length_of( sub( a, b ) ) - 2 ) < 0.1;
}

static bool sphere_begin( surface* s, region* regions )
{
	const double golden = ( 1 + sqrt( 5 ) ) / 2;
	bv_vec3 p[12];
	uint32_t index[12];
	bool good = true;
	for ( uint32_t i = 0; i < 12; ++i )
	{
		double one = i & 1 ? 1 : -1;
		double other = i & 2 ? golden : -golden;
		p[i] = i < 4   ? ( bv_vec3 ){ 0, one, other }
		       : i < 8 ? ( bv_vec3 ){ one, other, 0 }
		               : ( bv_vec3 ){ other, 0, one };
		good = good && sphere_corner( s, ( uint32_t[3] ){ i, i, 0 }, p[i], &index[i] );
	}
	for ( int a = 0; a < 12; ++a )
	{
		for ( int b = 0; b < 12; ++b )
		{
			for ( int c = 0; c < 12; ++c )
			{
				bool first = a < b && a < c;
				if ( first && neighbors( p[a], p[b] ) && neighbors( p[b], p[c] ) && neighbors( p[c], p[a] ) &&
				     dot( p[a], cross( p[b], p[c] ) ) > 0 )
				{
					*regions++ = ( region ){ .corner = { index[a], index[b], index[c] } };
				}
			}
		}
	}
	return good;
}

static bool sphere_too_small( const surface* s, const region* r )
{
	(void)s;
	(void)r;
	return false;
}

// The side from corner i to the next.
static uint32_t longest_side( const surface* s, const region* r )
{
	uint32_t longest = 0;
	double most = -1;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		double length =
			length_of( sub( corner_of( s, r, k )->direction, corner_of( s, r, k + 1 )->direction ) );
		longest = length > most ? k : longest;
		most = fmax( most, length );
	}
	return longest;
}

static bv_vec3 middle_of_side( const surface* s, const region* r, uint32_t k )
{
	return along( corner_of( s, r, k )->direction, 1, corner_of( s, r, k + 1 )->direction );
}

static bool sphere_split( surface* s, const region* whole, region* parts )
{
	uint32_t i = longest_side( s, whole );
	uint32_t from = whole->corner[i];
	uint32_t to = whole->corner[( i + 1 ) % 3];
	uint32_t opposite = whole->corner[( i + 2 ) % 3];
	uint32_t middle;
	uint32_t at[3] = { from < to ? from : to, from < to ? to : from, 1 };
	if ( !sphere_corner( s, at, middle_of_side( s, whole, i ), &middle ) )
	{
		return false;
	}
	parts[0] = ( region ){ .corner = { from, middle, opposite } };
	parts[1] = ( region ){ .corner = { to, opposite, middle } };
	return true;
}

// The projection of the plane triangle's circumcenter, which is along its normal, or if that is outside of it of the middle
// of its longest side.
static bv_vec3 sphere_middle_direction( const surface* s, const region* r )
{
	bv_vec3 side[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		side[k] = sub( corner_of( s, r, k + 1 )->direction, corner_of( s, r, k )->direction );
	}
	bool obtuse = dot( side[0], side[1] ) > 0 || dot( side[1], side[2] ) > 0 || dot( side[2], side[0] ) > 0;
	return unit( obtuse ? middle_of_side( s, r, longest_side( s, r ) ) : cross( side[0], side[1] ) );
}

static bv_vec3 sphere_middle( const surface* s, const region* r )
{
	return along( s->ball->center, s->ball->radius, sphere_middle_direction( s, r ) );
}

// The longest arc to a corner.
static double sphere_reach( const surface* s, const region* r, bv_vec3 middle )
{
	(void)middle;
	bv_vec3 direction = sphere_middle_direction( s, r );
	double most = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		bv_vec3 corner = corner_of( s, r, k )->direction;
		most = fmax( most, 2 * asin( fmin( 1, length_of( sub( corner, direction ) ) / 2 ) ) );
	}
	return s->ball->radius * most;
}

// At the far end of the line from p through the center if the region has it, else on the great circle of a side, else at a
// corner.
static double sphere_farthest( const surface* s, const region* r, bv_vec3 p )
{
	double radius = s->ball->radius;
	bv_vec3 q = sub( p, s->ball->center );
	double most = greatest_distance( s, r, p );
	bool pole = true;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		bv_vec3 a = corner_of( s, r, k )->direction;
		bv_vec3 b = corner_of( s, r, k + 1 )->direction;
		bv_vec3 normal = cross( a, b );
		double height = dot( normal, q );
		pole = pole && height <= 0;
		if ( dot( cross( a, normal ), q ) >= 0 && dot( cross( b, normal ), q ) <= 0 )
		{
			bv_vec3 projected = along( q, -height / dot( normal, normal ), normal );
			double beyond = length_of( projected ) + radius;
			double off = height / length_of( normal );
			most = fmax( most, sqrt( off * off + beyond * beyond ) );
		}
	}
	return pole ? length_of( q ) + radius : most;
}

static const shape sphere_shape = {
	.corners = 3,
	.parts = 2,
	.regions = 20,
	.begin = sphere_begin,
	.too_small = sphere_too_small,
	.split = sphere_split,
	.middle = sphere_middle,
	.reach = sphere_reach,
	.farthest = sphere_farthest,
};

static bool estimate_all( surface* s, region* regions, uint32_t count )
{
	bool good = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		estimate( s, &regions[i] );
		good = good && heap_push( s, &regions[i] );
	}
	return good;
}

static bool refine( surface* s, const eckstein_options* options, eckstein_result* out )
{
	const shape* kind = s->shape;
	region regions[most_regions];
	uint64_t count = kind->regions;
	bool exhausted = false;
	bool good = kind->begin( s, regions ) && estimate_all( s, regions, kind->regions );
	while ( good && s->heap[0].estimate > s->best * ( 1 + options->relative ) &&
	        s->heap[0].estimate > s->best + options->absolute )
	{
		exhausted = count + kind->parts > options->max_regions || kind->too_small( s, &s->heap[0] );
		if ( exhausted )
		{
			break;
		}
		region top = heap_pop( s );
		good = kind->split( s, &top, regions ) && estimate_all( s, regions, kind->parts );
		count += kind->parts;
	}
	if ( good )
	{
		*out = ( eckstein_result ){ .lower = s->best,
			                        .upper = s->heap[0].estimate,
			                        .witness = s->witness,
			                        .regions = count,
			                        .samples = s->searched,
			                        .out_of_regions = exhausted };
	}
	return good;
}

static bool measure_surface( surface* s, const bvb_mesh* mesh, uint32_t first, uint32_t count,
                             const eckstein_options* options, eckstein_result* out )
{
	eckstein_options chosen = options ? *options : eckstein_options_default();
	s->correction = chosen.correction;
	s->best = -1;
	bool good = nearest_prepare( mesh, first, count, &s->faces ) && refine( s, &chosen, out );
	nearest_free( &s->faces );
	free( s->sample );
	free( s->slot );
	free( s->heap );
	return good;
}

eckstein_options eckstein_options_default( void )
{
	return ( eckstein_options ){ .correction = eckstein_nearest, .relative = 0.01, .max_regions = 100000 };
}

bool eckstein_box( const bvb_mesh* mesh, uint32_t first, uint32_t count, const bv_obb* box,
                   const eckstein_options* options, eckstein_result* out )
{
	surface s = { .shape = &box_shape, .box = box };
	return measure_surface( &s, mesh, first, count, options, out );
}

bool eckstein_sphere( const bvb_mesh* mesh, uint32_t first, uint32_t count, const bv_sphere* ball,
                      const eckstein_options* options, eckstein_result* out )
{
	surface s = { .shape = &sphere_shape, .ball = ball };
	return measure_surface( &s, mesh, first, count, options, out );
}
