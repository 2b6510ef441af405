// Dense sampling of volumes. See sampling.h.

#include "tests/reference/sampling.h"

#include <math.h>
#include <stdlib.h>

enum
{
	deepest = 6,
	few_faces = 2,
};

// A box with the triangles that can be nearest to a point of it.
typedef struct cell
{
	bv_vec3 center;
	uint32_t first_face; // in cells.face
	uint32_t face_count;
	uint32_t first_child; // of eight; 0: none yet
	double limit;         // no point of it is farther from the triangles
} cell;

typedef struct cells
{
	const nearest_faces* faces;
	bv_vec3 half; // of the root
	cell* cell;
	uint32_t count;
	uint32_t room;
	uint32_t* face;
	uint32_t face_count;
	uint32_t face_room;
	double* distance; // of a cell's center to each of its parent's faces
	bool failed;      // an allocation did
} cells;

static double length_of( bv_vec3 a )
{
	return sqrt( a.x * a.x + a.y * a.y + a.z * a.z );
}

static bv_vec3 half_at( const cells* c, int depth )
{
	double scale = ldexp( 1, -depth );
	return ( bv_vec3 ){ scale * c->half.x, scale * c->half.y, scale * c->half.z };
}

// Grows by doubling. @return null and sets failed when out of memory
static void* grown( cells* c, void* old, uint32_t needed, uint32_t* room, size_t size )
{
	if ( needed <= *room )
	{
		return old;
	}
	void* larger = realloc( old, 2 * (size_t)needed * size );
	*room = larger ? 2 * needed : *room;
	c->failed = c->failed || !larger;
	return larger ? larger : old;
}

// Keeps those of `count` faces that can be nearest to a point of the cell.
static void fill_cell( cells* c, cell* to, int depth, const uint32_t* parent, uint32_t count )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t face = parent ? parent[i] : i;
		c->distance[i] = sqrt( nearest_on_face( &c->faces->face[face], to->center, NULL ) );
		least = fmin( least, c->distance[i] );
	}
	double reach = length_of( half_at( c, depth ) );
	// Far above what rounding does to distances, also to those of needles.
	double slack = 1e-9 * ( least + reach );
	to->limit = least + reach + slack;
	to->first_face = c->face_count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( c->distance[i] <= least + 2 * ( reach + slack ) )
		{
			c->face[c->face_count++] = parent ? parent[i] : i;
		}
	}
	to->face_count = c->face_count - to->first_face;
}

static void split_cell( cells* c, uint32_t index, int depth )
{
	uint32_t count = c->cell[index].face_count;
	c->cell = grown( c, c->cell, c->count + 8, &c->room, sizeof *c->cell );
	c->face = grown( c, c->face, c->face_count + 8 * count, &c->face_room, sizeof *c->face );
	if ( c->failed )
	{
		return;
	}
	cell* parent = &c->cell[index];
	bv_vec3 half = half_at( c, depth + 1 );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		cell* child = &c->cell[c->count + i];
		*child = ( cell ){ .center = parent->center };
		child->center.x += i & 1 ? half.x : -half.x;
		child->center.y += i & 2 ? half.y : -half.y;
		child->center.z += i & 4 ? half.z : -half.z;
		fill_cell( c, child, depth + 1, c->face + parent->first_face, count );
	}
	parent->first_child = c->count;
	c->count += 8;
}

static bool cells_create( const volume* from, const nearest_faces* faces, cells* c )
{
	bv_aabb b = volume_bounds( from );
	*c = ( cells ){ .faces = faces };
	c->distance = malloc( faces->count * sizeof *c->distance );
	c->cell = grown( c, NULL, 1, &c->room, sizeof *c->cell );
	c->face = grown( c, NULL, faces->count, &c->face_room, sizeof *c->face );
	if ( !c->distance || c->failed )
	{
		return false;
	}
	bv_vec3 center = { ( b.lower.x + b.upper.x ) / 2, ( b.lower.y + b.upper.y ) / 2,
		               ( b.lower.z + b.upper.z ) / 2 };
	// Samples are off by the rounding of coordinates.
	double slack = 0x1p-45 * ( fabs( center.x ) + fabs( center.y ) + fabs( center.z ) );
	double part = 0.5 + 1e-9;
	c->half = ( bv_vec3 ){ part * ( b.upper.x - b.lower.x ) + slack, part * ( b.upper.y - b.lower.y ) + slack,
		                   part * ( b.upper.z - b.lower.z ) + slack };
	c->cell[0] = ( cell ){ .center = center };
	c->count = 1;
	fill_cell( c, &c->cell[0], 0, NULL, faces->count );
	return true;
}

static void cells_free( cells* c )
{
	free( c->cell );
	free( c->face );
	free( c->distance );
}

// The distance of a point of the root cell, or -1 if it is certainly no greater than `enough`.
static double distance_above( cells* c, bv_vec3 p, double enough )
{
	uint32_t index = 0;
	for ( int depth = 0;; ++depth )
	{
		if ( c->cell[index].limit <= enough )
		{
			return -1;
		}
		if ( depth == deepest || c->cell[index].face_count <= few_faces )
		{
			break;
		}
		if ( c->cell[index].first_child == 0 )
		{
			split_cell( c, index, depth );
			if ( c->failed )
			{
				return -1;
			}
		}
		bv_vec3 m = c->cell[index].center;
		index = c->cell[index].first_child + ( p.x > m.x ) + 2 * ( p.y > m.y ) + 4 * ( p.z > m.z );
	}
	const uint32_t* face = c->face + c->cell[index].first_face;
	double squared_enough = enough < 0 ? -1 : enough * enough;
	double least = INFINITY;
	for ( uint32_t i = 0; i < c->cell[index].face_count; ++i )
	{
		least = fmin( least, nearest_on_face( &c->faces->face[face[i]], p, NULL ) );
		if ( least <= squared_enough )
		{
			return -1;
		}
	}
	return sqrt( least );
}

typedef struct search
{
	cells cells;
	const volume* from;
	const nearest_faces* faces;
	bvb_hausdorff_measure measure;
	bool everything;
	uint64_t random;
	double best; // below 0: none yet
	bv_vec3 point;
	uint64_t abandoned;
} search;

// @return whether the point is farther than all before
static bool consider( search* s, bv_vec3 p )
{
	double distance =
		s->everything ? nearest_distance( s->faces, p, NULL ) : distance_above( &s->cells, p, s->best );
	if ( distance > s->best && s->measure == bvb_hausdorff_outside && nearest_winding( s->faces, p ) >= 0.5 )
	{
		distance = 0;
	}
	if ( !( distance > s->best ) )
	{
		s->abandoned += distance < 0;
		return false;
	}
	s->best = distance;
	s->point = p;
	return true;
}

// Vigna's splitmix64, in [0, 1).
static double random_unit( search* s )
{
	uint64_t z = s->random += 0x9e3779b97f4a7c15u;
	z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
	z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
	return (double)( ( z ^ ( z >> 31 ) ) >> 11 ) * 0x1p-53;
}

// A sample and where it came from.
typedef struct origin
{
	bool surface;
	double u[4];
} origin;

static bool consider_origin( search* s, const origin* o )
{
	return consider( s, volume_point( s->from, o->surface, o->u ) );
}

// Steps to whatever is better near by, longer ones after a good one and shorter ones after others.
static void climb( search* s, origin from, uint64_t steps )
{
	double step = 0.02;
	for ( uint64_t i = 0; i < steps; ++i )
	{
		origin next = { .surface = from.surface };
		for ( int k = 0; k < 4; ++k )
		{
			next.u[k] = fmin( fmax( from.u[k] + step * ( 2 * random_unit( s ) - 1 ), 0 ), 1 );
		}
		bool better = consider_origin( s, &next );
		from = better ? next : from;
		step *= better ? 2 : 0.9;
		step = step < 1e-12 ? 0.02 : step;
	}
}

// Half of the points of a solid are of its surface, where the farthest one is unless the triangles are hollow.
static void sample( search* s, const sampling_options* options )
{
	uint32_t corners;
	const bv_vec3* corner = volume_corners( s->from, &corners );
	for ( uint32_t i = 0; i < corners; ++i )
	{
		consider( s, corner[i] );
	}
	origin best = { .surface = false };
	bool any = false;
	for ( uint64_t i = 0; i < options->samples; ++i )
	{
		origin o = { .surface = s->measure == bvb_hausdorff_surface || i % 2 };
		for ( int k = 0; k < 4; ++k )
		{
			o.u[k] = random_unit( s );
		}
		if ( consider_origin( s, &o ) )
		{
			best = o;
			any = true;
		}
	}
	if ( any )
	{
		climb( s, best, options->climb );
	}
}

sampling_options sampling_options_default( void )
{
	return ( sampling_options ){ .measure = bvb_hausdorff_solid, .samples = 10000, .climb = 400, .seed = 1 };
}

double sampling_distance( const nearest_faces* faces, bvb_hausdorff_measure measure, bv_vec3 point )
{
	bool inside = measure == bvb_hausdorff_outside && nearest_winding( faces, point ) >= 0.5;
	return inside ? 0 : nearest_distance_exact( faces, point );
}

bool sampling_farthest( const volume* from, const nearest_faces* faces, const sampling_options* options,
                        sampling_result* out )
{
	sampling_options chosen = options ? *options : sampling_options_default();
	search s = {
		.from = from,
		.faces = faces,
		.measure = chosen.measure,
		.everything = chosen.everything,
		.random = chosen.seed,
		.best = -1,
	};
	bool good = cells_create( from, faces, &s.cells );
	if ( good )
	{
		sample( &s, &chosen );
		good = !s.cells.failed;
	}
	cells_free( &s.cells );
	if ( good )
	{
		*out = ( sampling_result ){ .distance = sampling_distance( faces, chosen.measure, s.point ),
			                        .point = s.point,
			                        .abandoned = s.abandoned };
	}
	return good;
}
