// Distances are exact next to triangles, and carried on from point to point with the place they are measured
// to (Danielsson 1980). Where no triangle can be between two neighbors of a closed mesh both have the same
// sign, so that the winding number is needed once for each set of them. Of an open one it changes between
// triangles too, by less the farther open edges are; what is inside ends at a film over the opening, which is
// found between neighbors and counts as surface.

#include "offline/decompose/field.h"

#include "offline/base/sets.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/triangle/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What the grid is being filled with.
typedef struct field_filling
{
	bvdecomp_field* field;
	float ( *nearest )[3]; // of each grid point, the place on the surface
	uint32_t* parent;      // of each grid point, in the forest of equal signs
	uint32_t total;
} field_filling;

static bv_vec3 point_at( const bvdecomp_field* f, uint32_t x, uint32_t y, uint32_t z )
{
	return ( bv_vec3 ){ f->origin.x + f->step * x, f->origin.y + f->step * y, f->origin.z + f->step * z };
}

static bv_vec3 point_of( const bvdecomp_field* f, uint32_t index )
{
	const uint32_t* n = f->count;
	return point_at( f, index % n[0], index / n[0] % n[1], index / n[0] / n[1] );
}

static void choose_grid( const bvb_mesh* mesh, uint32_t cells, bvdecomp_field* out )
{
	bv_aabb box = bvmath_box_of_points( mesh->positions, mesh->vertex_count );
	bv_vec3 size = bv_sub( box.upper, box.lower );
	double step = 1.0 / 16;
	for ( int round = 0; round < 200; ++round )
	{
		double finer = step * 0.96;
		double total =
			( ceil( size.x / finer ) + 3 ) * ( ceil( size.y / finer ) + 3 ) * ( ceil( size.z / finer ) + 3 );
		if ( total > cells )
		{
			break;
		}
		step = finer;
	}
	out->step = step;
	for ( int k = 0; k < 3; ++k )
	{
		out->count[k] = (uint32_t)ceil( bvmath_component( size, k ) / step ) + 3;
	}
	out->origin = bv_sub(
		bv_scale( 0.5, bv_add( box.lower, box.upper ) ),
		bv_scale( 0.5 * step, ( bv_vec3 ){ out->count[0] - 1, out->count[1] - 1, out->count[2] - 1 } ) );
}

// The grid points from `low - step` to `high + step` along an axis.
static void span( const bvdecomp_field* f, int axis, double low, double high, uint32_t* first,
                  uint32_t* last )
{
	double origin = bvmath_component( f->origin, axis );
	double from = ceil( ( low - origin ) / f->step - 1 );
	double to = floor( ( high - origin ) / f->step + 1 );
	*first = from > 0 ? (uint32_t)from : 0;
	*last = to < f->count[axis] - 1 ? (uint32_t)to : f->count[axis] - 1;
}

static void put( field_filling* g, uint32_t index, bv_vec3 place, double distance, uint32_t triangle )
{
	g->field->nearest[index] = triangle;
	g->field->value[index] = (float)distance;
	g->nearest[index][0] = (float)place.x;
	g->nearest[index][1] = (float)place.y;
	g->nearest[index][2] = (float)place.z;
}

static void measure_near( field_filling* g, const bv_vec3 corner[3], uint32_t triangle, uint32_t z_first,
                          uint32_t z_end )
{
	const bvdecomp_field* f = g->field;
	bv_vec3 low = bvmath_least( corner[0], bvmath_least( corner[1], corner[2] ) );
	bv_vec3 high = bvmath_greatest( corner[0], bvmath_greatest( corner[1], corner[2] ) );
	uint32_t x0, x1, y0, y1, z0, z1;
	span( f, 2, low.z, high.z, &z0, &z1 );
	z0 = z0 < z_first ? z_first : z0;
	z1 = z1 < z_end - 1 ? z1 : z_end - 1;
	if ( z0 > z1 || z1 == UINT32_MAX )
	{
		return;
	}
	span( f, 0, low.x, high.x, &x0, &x1 );
	span( f, 1, low.y, high.y, &y0, &y1 );
	bvtri_framed_triangle framed;
	bvtri_frame_triangle( corner, &framed );
	bv_vec3 normal = bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
	double length = sqrt( bv_dot( normal, normal ) );
	normal = length > 0 ? bv_scale( 1 / length, normal ) : ( bv_vec3 ){ 0 };
	for ( uint32_t z = z0; z <= z1; ++z )
	{
		for ( uint32_t y = y0; y <= y1; ++y )
		{
			uint32_t row = ( z * f->count[1] + y ) * f->count[0];
			for ( uint32_t x = x0; x <= x1; ++x )
			{
				bv_vec3 p = point_at( f, x, y, z );
				double height = fabs( bv_dot( normal, bv_sub( p, corner[0] ) ) );
				if ( height > 1.75 * f->step || height >= f->value[row + x] )
				{
					continue;
				}
				bvtri_nearest at;
				bvtri_nearest_in_frame( p, &framed, &at );
				double distance = sqrt( at.square );
				if ( distance < f->value[row + x] )
				{
					put( g, row + x, at.point, distance, triangle );
				}
			}
		}
	}
}

static void measure_all_near( field_filling* g, const bvb_mesh* mesh, int team )
{
	uint32_t slabs = g->field->count[2];
	(void)team;
#pragma omp parallel for num_threads( team ) schedule( dynamic )
	for ( uint32_t slab = 0; slab < ( slabs + 7 ) / 8; ++slab )
	{
		uint32_t end = 8 * slab + 8 < slabs ? 8 * slab + 8 : slabs;
		for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
		{
			const uint32_t* c = mesh->triangles[t].corner;
			bv_vec3 corner[3] = { mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] };
			measure_near( g, corner, t, 8 * slab, end );
		}
	}
}

static void put_if_nearer( field_filling* g, uint32_t to, bv_vec3 p, bv_vec3 place, uint32_t triangle )
{
	bv_vec3 d = bv_sub( p, place );
	double distance = sqrt( bv_dot( d, d ) );
	if ( distance < g->field->value[to] )
	{
		put( g, to, place, distance, triangle );
	}
}

static void carry( field_filling* g, uint32_t to, uint32_t from, bv_vec3 p )
{
	if ( g->field->value[from] < INFINITY )
	{
		bv_vec3 place = { g->nearest[from][0], g->nearest[from][1], g->nearest[from][2] };
		put_if_nearer( g, to, p, place, g->field->nearest[from] );
	}
}

// One pass over the grid, each axis forwards or backwards.
static void sweep( field_filling* g, const int forward[3] )
{
	const bvdecomp_field* f = g->field;
	uint32_t nx = f->count[0], ny = f->count[1], nz = f->count[2];
	for ( uint32_t k = 0; k < nz; ++k )
	{
		uint32_t z = forward[2] ? k : nz - 1 - k;
		for ( uint32_t j = 0; j < ny; ++j )
		{
			uint32_t y = forward[1] ? j : ny - 1 - j;
			for ( uint32_t i = 0; i < nx; ++i )
			{
				uint32_t x = forward[0] ? i : nx - 1 - i;
				uint32_t at = ( z * ny + y ) * nx + x;
				bv_vec3 p = point_at( f, x, y, z );
				if ( i > 0 )
				{
					carry( g, at, forward[0] ? at - 1 : at + 1, p );
				}
				if ( j > 0 )
				{
					carry( g, at, forward[1] ? at - nx : at + nx, p );
				}
				if ( k > 0 )
				{
					carry( g, at, forward[2] ? at - nx * ny : at + nx * ny, p );
				}
			}
		}
	}
}

static bool is_between( const field_filling* g, uint32_t a, uint32_t b )
{
	return (double)g->field->value[a] + g->field->value[b] <= g->field->step * 1.00001;
}

// Makes sets of grid points that no triangle can be between, none wider than `block`.
static void join_equal_signs( field_filling* g, uint32_t block )
{
	const uint32_t* n = g->field->count;
	uint32_t offset[3] = { 1, n[0], n[0] * n[1] };
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		g->parent[i] = i;
	}
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t next = i / offset[k] % n[k] + 1;
			if ( next < n[k] && next % block != 0 && !is_between( g, i, i + offset[k] ) )
			{
				bvbase_join_sets( g->parent, i, i + offset[k] );
			}
		}
	}
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		g->parent[i] = bvbase_set_of( g->parent, i );
	}
}

// Whether a grid point is inside.
// @param reach    of what its sign is to be the same for
// @param is_sure  whether it is: null when that need not be known
static bool is_inside( const bvdecomp_field* f, uint32_t at, double reach, bool* is_sure )
{
	bv_vec3 p = point_of( f, at );
	if ( is_sure )
	{
		*is_sure = bvdecomp_field_is_sure( f, p, reach );
	}
	return bvdecomp_field_is_inside( f, p );
}

// What a set of grid points has in common.
enum
{
	set_outside,
	set_inside,
	set_mixed, // or it may be
};

// Finds which grid points are inside.
static bv_status find_inside( field_filling* g, int team, bvb_arena* arena, bool** out )
{
	enum
	{
		block_of_open = 4,
	};
	bool closed = bvb_winding_is_closed( g->field->inside );
	uint8_t* set = bvb_arena_allocate( arena, g->total, sizeof *set );
	bool* in = *out = bvb_arena_allocate( arena, g->total, sizeof *in );
	if ( !set || !in )
	{
		return bv_error_memory;
	}
	join_equal_signs( g, closed ? UINT32_MAX : block_of_open );
	double reach = sqrt( 3 ) * ( block_of_open - 1 ) * g->field->step;
	(void)team;
#pragma omp parallel for num_threads( team ) schedule( dynamic, 256 )
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		if ( g->parent[i] == i )
		{
			bool is_sure = true;
			in[i] = is_inside( g->field, i, reach, closed ? NULL : &is_sure );
			set[i] = !is_sure ? set_mixed : in[i] ? set_inside : set_outside;
		}
	}
#pragma omp parallel for num_threads( team ) schedule( dynamic, 256 )
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		uint8_t of_set = set[g->parent[i]];
		in[i] = of_set == set_mixed ? is_inside( g->field, i, 0, NULL ) : of_set == set_inside;
	}
	return bv_ok;
}

// Where the inside ends between two neighbors.
static bv_vec3 find_film( const bvdecomp_field* f, uint32_t from, uint32_t to )
{
	bv_vec3 p = point_of( f, from );
	bv_vec3 q = point_of( f, to );
	for ( int halvings = f->is_rough ? 1 : 8; halvings > 0; --halvings )
	{
		bv_vec3 middle = bv_scale( 0.5, bv_add( p, q ) );
		bool in = bvdecomp_field_is_inside( f, middle );
		p = in ? middle : p;
		q = in ? q : middle;
	}
	return p;
}

static bool is_at_end( const bvdecomp_field* f, uint32_t index )
{
	const uint32_t* n = f->count;
	uint32_t x = index % n[0];
	uint32_t y = index / n[0] % n[1];
	uint32_t z = index / n[0] / n[1];
	return x == 0 || y == 0 || z == 0 || x + 1 == n[0] || y + 1 == n[1] || z + 1 == n[2];
}

// Marks the cells from whose points the film may be nearer than triangles that are measured to.
static void mark_near( bvdecomp_field* f, uint32_t at )
{
	enum
	{
		// Twice half a cell's diagonal and the distance of its corners (field_near.c), and the film's place.
		reach = 5,
	};
	const int32_t n[3] = { (int32_t)f->count[0], (int32_t)f->count[1], (int32_t)f->count[2] };
	const int32_t place[3] = { (int32_t)at % n[0], (int32_t)at / n[0] % n[1], (int32_t)at / n[0] / n[1] };
	for ( int32_t z = place[2] - reach; z <= place[2] + reach; ++z )
	{
		for ( int32_t y = place[1] - reach; y <= place[1] + reach && z >= 0 && z < n[2]; ++y )
		{
			for ( int32_t x = place[0] - reach; x <= place[0] + reach && y >= 0 && y < n[1]; ++x )
			{
				int32_t away = abs( x - place[0] );
				away = abs( y - place[1] ) > away ? abs( y - place[1] ) : away;
				away = abs( z - place[2] ) > away ? abs( z - place[2] ) : away;
				uint8_t* rings = f->film_rings + ( z * n[1] + y ) * n[0] + x;
				if ( x >= 0 && x < n[0] && away < *rings )
				{
					*rings = (uint8_t)away;
				}
			}
		}
	}
}

// What neighbors know of surface between them changes as films are put there: they are found before.
static bv_status put_films( field_filling* g, const bool* in, bvb_arena* arena )
{
	g->field->film_rings = bvb_arena_allocate( arena, g->total, sizeof *g->field->film_rings );
	const uint32_t* n = g->field->count;
	uint32_t offset[3] = { 1, n[0], n[0] * n[1] };
	uint8_t* has_film = bvb_arena_allocate( arena, g->total, sizeof *has_film );
	if ( !has_film || !g->field->film_rings )
	{
		return bv_error_memory;
	}
	memset( g->field->film_rings, BVDECOMP_NO_FILM, g->total );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bool has_next = i / offset[k] % n[k] + 1 < n[k];
			bool film = has_next && in[i] != in[i + offset[k]] && !is_between( g, i, i + offset[k] );
			has_film[i] |= (uint8_t)( film << k );
			count += film;
		}
		count += in[i] && is_at_end( g->field, i );
	}
	g->field->film = bvb_arena_allocate( arena, count, sizeof *g->field->film );
	if ( !g->field->film )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		if ( in[i] && is_at_end( g->field, i ) )
		{
			// What is inside goes on there, where several sheets cover the same directions. Parts end with
			// the grid.
			g->field->film[g->field->film_count++] = point_of( g->field, i );
			mark_near( g->field, i );
		}
		for ( int k = 0; k < 3; ++k )
		{
			if ( has_film[i] >> k & 1 )
			{
				uint32_t j = i + offset[k];
				bv_vec3 place = find_film( g->field, in[i] ? i : j, in[i] ? j : i );
				put_if_nearer( g, i, point_of( g->field, i ), place, g->field->nearest[i] );
				put_if_nearer( g, j, point_of( g->field, j ), place, g->field->nearest[j] );
				mark_near( g->field, i );
				g->field->film[g->field->film_count++] = place;
			}
		}
	}
	return bv_ok;
}

static void sweep_all( field_filling* g )
{
	for ( int direction = 0; direction < 8; ++direction )
	{
		sweep( g, ( int[3] ){ direction & 1, direction >> 1 & 1, direction >> 2 & 1 } );
	}
}

static bv_status sign( field_filling* g, int team, bvb_arena* arena )
{
	bool* in;
	bv_status status = find_inside( g, team, arena, &in );
	if ( status == bv_ok && !bvb_winding_is_closed( g->field->inside ) )
	{
		status = put_films( g, in, arena );
		sweep_all( g );
	}
	for ( uint32_t i = 0; i < g->total && status == bv_ok; ++i )
	{
		g->field->value[i] = in[i] ? -g->field->value[i] : g->field->value[i];
	}
	return status;
}

// Where the middle of a ball of that radius can be is free, and so is all that is no farther from there: what
// is left counts as the shape (its closing, as morphology says).
static bv_status close_gaps( field_filling* g, double radius, bvb_arena* arena )
{
	bvdecomp_field free_space = *g->field;
	field_filling h = *g;
	h.field = &free_space;
	free_space.value = bvb_arena_allocate( arena, g->total, sizeof *free_space.value );
	free_space.nearest = bvb_arena_allocate( arena, g->total, sizeof *free_space.nearest );
	h.nearest = bvb_arena_allocate( arena, g->total, sizeof *h.nearest );
	if ( !free_space.value || !free_space.nearest || !h.nearest )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		bool is_free = g->field->value[i] >= radius;
		free_space.value[i] = INFINITY;
		if ( is_free )
		{
			put( &h, i, point_of( &free_space, i ), 0, 0 );
		}
	}
	sweep_all( &h );
	for ( uint32_t i = 0; i < g->total; ++i )
	{
		float left = (float)( radius - free_space.value[i] );
		if ( g->field->value[i] > 0 && left < g->field->value[i] )
		{
			g->field->value[i] = left;
		}
	}
	return bv_ok;
}

bv_status bvdecomp_field_create( const bvb_mesh* mesh, const bvdecomp_unit_frame* frame,
                                 const bvb_winding* inside, double probe, uint32_t cells, int team,
                                 bvb_arena* arena, bvdecomp_field* out )
{
	choose_grid( mesh, cells, out );
	field_filling g = { .field = out, .total = out->count[0] * out->count[1] * out->count[2] };
	out->value = bvb_arena_allocate( arena, g.total, sizeof *out->value );
	out->mesh = mesh;
	out->solid = inside;
	out->inside = inside;
	out->frame = *frame;
	out->nearest = bvb_arena_allocate( arena, g.total, sizeof *out->nearest );
	g.nearest = bvb_arena_allocate( arena, g.total, sizeof *g.nearest );
	g.parent = bvb_arena_allocate( arena, g.total, sizeof *g.parent );
	if ( !out->value || !out->nearest || !g.nearest || !g.parent )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < g.total; ++i )
	{
		out->value[i] = INFINITY;
	}
	measure_all_near( &g, mesh, team );
	sweep_all( &g );
	bv_status status = inside ? sign( &g, team, arena ) : bv_ok;
	if ( status != bv_ok )
	{
		return status;
	}
	return probe > 0       ? close_gaps( &g, probe, arena )
	       : out->is_rough ? bv_ok
	                       : bvdecomp_field_find_near( out, arena );
}

// Whether a point is inside, which the middle of its cell tells if no triangle can be on the line to it.
// @param distance  of the point from the nearest triangle
// @param beside    how far the point is from the middle of the cell
static bool is_inside_in_cell( const bvdecomp_field* f, uint32_t cell, double distance, double beside,
                               bv_vec3 point )
{
	bvdecomp_cell_side side = f->side ? f->side[cell] : bvdecomp_cell_unknown;
	if ( side != bvdecomp_cell_unknown &&
	     beside * 1.0001 < bvmath_max( distance, f->near_distance[f->near_first[cell]] ) )
	{
		return side == bvdecomp_cell_inside;
	}
	return bvdecomp_field_is_inside( f, point );
}

// In front of the nearest triangle a point is outside, unless that is inside of what others bound; behind it
// is inside. Next to an edge it is in front of all or none of those that meet there. Where a film may be nearer
// neither needs to be so.
// @param film    no film is nearer
// @param beside  how far the point is from the middle of the cell
static double measure( const bvdecomp_field* f, uint32_t cell, double film, double beside, bv_vec3 point )
{
	uint32_t first = f->near_first[cell];
	uint32_t count = f->near_first[cell + 1] - first;
	const uint32_t* triangles = f->near_triangles + first;
	const float* from_middle = f->near_distance ? f->near_distance + first : NULL;
	double reach = INFINITY;
	double least = INFINITY;
	double facing = 0;
	bool hidden = false;
	for ( uint32_t i = 0; i < count && ( !from_middle || from_middle[i] <= reach ); ++i )
	{
		const bvtri_framed_triangle* triangle = f->framed + triangles[i];
		bv_vec3 normal = f->normal[triangles[i]];
		double height = bv_dot( normal, bv_sub( point, triangle->corner[0] ) );
		if ( height * height > least * 1.0002 )
		{
			continue;
		}
		bvtri_nearest found;
		bvtri_nearest_in_frame( point, triangle, &found );
		double in_front = bv_dot( normal, bv_sub( point, found.point ) );
		bool tie = found.square <= least * 1.0001 && found.square >= least * 0.9999;
		if ( tie ? fabs( in_front ) > fabs( facing ) : found.square < least )
		{
			facing = in_front;
		}
		bool may_be_hidden = f->hidden && f->hidden[triangles[i]];
		hidden = tie ? hidden || may_be_hidden : found.square < least ? may_be_hidden : hidden;
		if ( found.square < least )
		{
			least = found.square;
			reach = sqrt( least ) * 1.0001 + beside;
		}
	}
	double distance = sqrt( least );
	bool inside = distance >= film
	                  ? is_inside_in_cell( f, cell, distance, beside, point )
	                  : f->solid && ( facing < 0 ||
	                                  ( hidden && is_inside_in_cell( f, cell, distance, beside, point ) ) );
	return inside ? -distance : distance;
}

// Squared lower bounds of the distances to a cell's triangles, in units of its boxes.
typedef struct box_squares
{
	float of[BVDECOMP_CELL_TRIANGLES];
	uint32_t least; // which is
} box_squares;

static inline float between( uint16_t low, uint16_t high, uint16_t at )
{
	uint16_t before = low > at ? (uint16_t)( low - at ) : 0;
	uint16_t behind = at > high ? (uint16_t)( at - high ) : 0;
	return (uint16_t)( before + behind );
}

static box_squares measure_boxes( const bvdecomp_field* f, const bvdecomp_near_group* group, bv_vec3 point )
{
	bv_vec3 d = bv_scale( f->units, bv_sub( point, f->origin ) );
	uint16_t at[3] = { (uint16_t)d.x, (uint16_t)d.y, (uint16_t)d.z };
	box_squares squares;
	for ( int i = 0; i < BVDECOMP_CELL_TRIANGLES; ++i )
	{
		float x = between( group->low[0][i], group->high[0][i], at[0] );
		float y = between( group->low[1][i], group->high[1][i], at[1] );
		float z = between( group->low[2][i], group->high[2][i], at[2] );
		squares.of[i] = x * x + y * y + z * z;
	}
	squares.least = 0;
	for ( uint32_t i = 1; i < BVDECOMP_CELL_TRIANGLES; ++i )
	{
		squares.least = squares.of[i] < squares.of[squares.least] ? i : squares.least;
	}
	return squares;
}

static double square_to( const bvdecomp_field* f, uint32_t triangle, bv_vec3 point )
{
	bvtri_nearest found;
	bvtri_nearest_in_frame( point, f->framed + triangle, &found );
	return found.square;
}

// Where nothing is inside only the distance matters, and the order of triangles does not. Boxes are wider than
// triangles by more than what is rounded here.
static double measure_sheets( const bvdecomp_field* f, const bvdecomp_near_group* group,
                              const box_squares* squares, bv_vec3 point )
{
	double least = square_to( f, group->triangle[squares->least], point );
	float most = (float)( least * ( f->units * f->units ) );
	for ( uint32_t i = 0; i < BVDECOMP_CELL_TRIANGLES; ++i )
	{
		if ( i != squares->least && squares->of[i] < most )
		{
			least = bvmath_min( least, square_to( f, group->triangle[i], point ) );
			most = (float)( least * ( f->units * f->units ) );
		}
	}
	return sqrt( least );
}

static double interpolate( const bvdecomp_field* f, uint32_t cell, const double at[3] )
{
	uint32_t nx = f->count[0];
	uint32_t nxy = nx * f->count[1];
	const float* v = f->value + cell;
	double a = v[0] + at[0] * ( v[1] - v[0] );
	double b = v[nx] + at[0] * ( v[nx + 1] - v[nx] );
	double c = v[nxy] + at[0] * ( v[nxy + 1] - v[nxy] );
	double d = v[nxy + nx] + at[0] * ( v[nxy + nx + 1] - v[nxy + nx] );
	double e = a + at[1] * ( b - a );
	double g = c + at[1] * ( d - c );
	return e + at[2] * ( g - e );
}

// Finds the cell a point is in, and where in it. Returns false beyond the grid, with the nearest place in it.
static bool find_cell( const bvdecomp_field* f, bv_vec3 point, uint32_t* cell, double at[3] )
{
	bv_vec3 d = bv_sub( point, f->origin );
	uint32_t low[3];
	bool beyond = false;
	for ( int k = 0; k < 3; ++k )
	{
		double most = f->count[k] - 1.000001;
		at[k] = bvmath_component( d, k ) / f->step;
		beyond = beyond || at[k] < 0 || at[k] > most;
		at[k] = at[k] > 0 ? at[k] < most ? at[k] : most : 0;
		low[k] = (uint32_t)at[k];
		at[k] -= low[k];
	}
	*cell = ( low[2] * f->count[1] + low[1] ) * f->count[0] + low[0];
	return !beyond;
}

bool bvdecomp_field_is_near_film( const bvdecomp_field* f, bv_vec3 point )
{
	uint32_t cell;
	double at[3];
	return f->film_rings && find_cell( f, point, &cell, at ) && f->film_rings[cell] != BVDECOMP_NO_FILM;
}

double bvdecomp_field_at( const bvdecomp_field* f, bv_vec3 point )
{
	uint32_t cell;
	double at[3];
	if ( !find_cell( f, point, &cell, at ) )
	{
		// Nothing is inside there.
		return bvmath_max( f->value[cell], f->step );
	}
	if ( !f->near_first || f->near_first[cell] == f->near_first[cell + 1] )
	{
		return interpolate( f, cell, at );
	}
	if ( f->near_groups )
	{
		const bvdecomp_near_group* group = f->near_groups + f->group_of[cell] - 1;
		box_squares squares = measure_boxes( f, group, point );
		return measure_sheets( f, group, &squares, point );
	}
	double off[3] = { at[0] - 0.5, at[1] - 0.5, at[2] - 0.5 };
	double beside = f->step * sqrt( off[0] * off[0] + off[1] * off[1] + off[2] * off[2] );
	uint8_t rings = f->film_rings ? f->film_rings[cell] : BVDECOMP_NO_FILM;
	if ( rings == BVDECOMP_NO_FILM )
	{
		return measure( f, cell, INFINITY, beside, point );
	}
	// Far from all surface the grid points around have the sign of the point.
	static const double far = 1.5;
	double carried = interpolate( f, cell, at );
	bool is_far = fabs( carried ) > far * f->step;
	double film = is_far ? INFINITY : bvmath_max( rings - 1.0, 0 ) * f->step;
	double measured = measure( f, cell, film, beside, point );
	measured = is_far ? copysign( measured, carried ) : measured;
	double to_film = fabs( carried );
	return fabs( measured ) <= to_film ? measured : copysign( to_film, measured );
}

enum
{
	batch = 16,
};

// What is waited for is memory: that of all points is asked for before any is needed.
static void measure_batch( const bvdecomp_field* f, const bv_vec3* points, uint32_t count, double* out )
{
	uint32_t cell[batch];
	const bvdecomp_near_group* group[batch];
	box_squares squares[batch];
	double at[batch][3];
	bool in[batch];
	for ( uint32_t i = 0; i < count; ++i )
	{
		in[i] = find_cell( f, points[i], &cell[i], at[i] );
		bvsimd_prefetch( f->group_of + cell[i] );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t number = in[i] ? f->group_of[cell[i]] : 0;
		group[i] = number > 0 ? f->near_groups + number - 1 : NULL;
		bvsimd_prefetch( group[i] ? (const char*)group[i] : (const char*)( f->value + cell[i] ) );
		if ( group[i] )
		{
			bvsimd_prefetch( (const char*)group[i] + 64 );
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( group[i] )
		{
			squares[i] = measure_boxes( f, group[i], points[i] );
			const char* nearest = (const char*)( f->framed + group[i]->triangle[squares[i].least] );
			bvsimd_prefetch( nearest );
			bvsimd_prefetch( nearest + 64 );
			bvsimd_prefetch( nearest + 128 );
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = group[i] ? measure_sheets( f, group[i], &squares[i], points[i] )
		         : in[i]  ? interpolate( f, cell[i], at[i] )
		                  : bvmath_max( f->value[cell[i]], f->step );
	}
}

void bvdecomp_field_at_all( const bvdecomp_field* f, const bv_vec3* points, uint32_t count, double* out )
{
	for ( uint32_t i = 0; i < count && f->near_groups; i += batch )
	{
		measure_batch( f, points + i, count - i < batch ? count - i : batch, out + i );
	}
	for ( uint32_t i = 0; i < count && !f->near_groups; ++i )
	{
		out[i] = bvdecomp_field_at( f, points[i] );
	}
}
