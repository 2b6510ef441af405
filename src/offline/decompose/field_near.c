// The triangles of each cell that distances are measured to. Of few triangles, and large ones, all that may
// be nearest to a point of the cell; of more those that are nearest to its corners, for which there are edges
// where these face different ways.

#include "offline/decompose/field.h"

#include "offline/base/arena.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>
#include <string.h>

enum
{
	// Of more, edges are short beside what interpolation rounds off there, and measuring takes longer than
	// cuts are worth.
	few_triangles = 1000,
};

// Triangles whose unit normals have a larger product have no edge between them.
static const double alike = 0.9;

// Half the diagonal of a cell, in steps, and a little more for rounding.
static const double cell_reach = 0.8661;

// Corners of cells with something in them, or next to them, are no farther from it, in steps.
static const double near_reach = 2;

typedef struct lister
{
	bvdecomp_field* field;
	float* distance; // of each cell's middle; infinite while that is not known
	uint32_t* count; // of each cell, the triangles listed
} lister;

static bool is_near( const bvdecomp_field* f, uint32_t at )
{
	return fabs( f->value[at] ) <= near_reach * f->step;
}

static bv_vec3 normal_of( const bv_vec3 corner[3] )
{
	bv_vec3 n = bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
	double length = sqrt( bv_dot( n, n ) );
	return length > 0 ? bv_scale( 1 / length, n ) : ( bv_vec3 ){ 0 };
}

static void put( const lister* l, uint32_t cell, uint32_t triangle )
{
	if ( l->field->near_triangles )
	{
		l->field->near_triangles[l->field->near_first[cell] + l->count[cell]] = triangle;
	}
	++l->count[cell];
}

// Nearer ones come first, equal ones in the order of their numbers.
static void put_in_order( const lister* l, uint32_t cell, uint32_t triangle, double distance )
{
	static const double below = 1 - 0x1p-20;
	const bvdecomp_field* f = l->field;
	put( l, cell, triangle );
	if ( f->near_triangles )
	{
		uint32_t* triangles = f->near_triangles + f->near_first[cell];
		float* distances = f->near_distance + f->near_first[cell];
		float least = (float)( below * distance );
		uint32_t at = l->count[cell] - 1;
		for ( ; at > 0 && distances[at - 1] > least; --at )
		{
			triangles[at] = triangles[at - 1];
			distances[at] = distances[at - 1];
		}
		triangles[at] = triangle;
		distances[at] = least;
	}
}

// The cells along an axis whose middles may be nearer than `reach` to what is between two coordinates.
static void span( const bvdecomp_field* f, int axis, double low, double high, double reach, uint32_t* first,
                  uint32_t* last )
{
	double origin = bvmath_component( f->origin, axis );
	double from = floor( ( low - reach - origin ) / f->step - 0.5 );
	double to = ceil( ( high + reach - origin ) / f->step - 0.5 );
	*first = from > 0 ? (uint32_t)from : 0;
	*last = to < 0 ? 0 : to < f->count[axis] - 2 ? (uint32_t)to : f->count[axis] - 2;
}

static bv_vec3 middle_of( const bvdecomp_field* f, uint32_t x, uint32_t y, uint32_t z )
{
	return ( bv_vec3 ){ f->origin.x + f->step * ( x + 0.5 ), f->origin.y + f->step * ( y + 0.5 ),
		                f->origin.z + f->step * ( z + 0.5 ) };
}

// What is done with a triangle that is so far from the middle of a cell.
typedef void meet( const lister* l, uint32_t cell, uint32_t triangle, double distance );

static void meet_nearest( const lister* l, uint32_t cell, uint32_t triangle, double distance )
{
	(void)triangle;
	l->distance[cell] = (float)bvmath_min( l->distance[cell], distance );
}

static void meet_candidate( const lister* l, uint32_t cell, uint32_t triangle, double distance )
{
	if ( distance <= l->distance[cell] * 1.00001 + 2 * cell_reach * l->field->step )
	{
		put_in_order( l, cell, triangle, distance );
	}
}

static void visit( const lister* l, uint32_t triangle, meet* then )
{
	const bvdecomp_field* f = l->field;
	const bv_vec3* corner = f->framed[triangle].corner;
	bv_vec3 low = bvmath_least( corner[0], bvmath_least( corner[1], corner[2] ) );
	bv_vec3 high = bvmath_greatest( corner[0], bvmath_greatest( corner[1], corner[2] ) );
	double reach = ( near_reach + 3 * cell_reach ) * 1.0001 * f->step;
	uint32_t first[3];
	uint32_t last[3];
	for ( int k = 0; k < 3; ++k )
	{
		span( f, k, bvmath_component( low, k ), bvmath_component( high, k ), reach, &first[k], &last[k] );
	}
	for ( uint32_t z = first[2]; z <= last[2]; ++z )
	{
		for ( uint32_t y = first[1]; y <= last[1]; ++y )
		{
			for ( uint32_t x = first[0]; x <= last[0]; ++x )
			{
				uint32_t at = ( z * f->count[1] + y ) * f->count[0] + x;
				bv_vec3 middle = middle_of( f, x, y, z );
				double height = fabs( bv_dot( l->field->normal[triangle], bv_sub( middle, corner[0] ) ) );
				if ( is_near( f, at ) && height <= reach )
				{
					bvtri_nearest found;
					bvtri_nearest_in_frame( middle, &f->framed[triangle], &found );
					then( l, at, triangle, sqrt( found.square ) );
				}
			}
		}
	}
}

static void list_candidates( const lister* l )
{
	for ( uint32_t t = 0; t < l->field->mesh->triangle_count; ++t )
	{
		visit( l, t, meet_candidate );
	}
}

static void list_nearest_of_corners( const lister* l )
{
	const bvdecomp_field* f = l->field;
	uint32_t nx = f->count[0];
	uint32_t nxy = nx * f->count[1];
	for ( uint32_t at = 0; at < nxy * f->count[2]; ++at )
	{
		uint32_t listed[8];
		uint32_t count = 0;
		bool is_cell =
			at % nx + 1 < nx && at / nx % f->count[1] + 1 < f->count[1] && at / nxy + 1 < f->count[2];
		for ( uint32_t k = 0; k < 8 && is_cell && is_near( f, at ); ++k )
		{
			uint32_t triangle = f->nearest[at + ( k & 1 ) + ( k >> 1 & 1 ) * nx + ( k >> 2 ) * nxy];
			bool again = false;
			for ( uint32_t i = 0; i < count && !again; ++i )
			{
				again = listed[i] == triangle;
			}
			if ( !again )
			{
				listed[count++] = triangle;
				put( l, at, triangle );
			}
		}
	}
}

// Where a cell's triangles face the same way there is nothing to be measured, but next to a sheet distances
// have an edge everywhere.
static void drop_smooth( const lister* l, const uint32_t* triangles, const uint32_t* first, uint32_t cell )
{
	bool sharp = !l->field->solid && l->count[cell] > 0;
	for ( uint32_t i = 1; i < l->count[cell] && !sharp; ++i )
	{
		sharp = bv_dot( l->field->normal[triangles[first[cell]]],
		                l->field->normal[triangles[first[cell] + i]] ) < alike;
	}
	l->count[cell] = sharp ? l->count[cell] : 0;
}

// Cells that no triangle goes through, inside of a closed mesh: only that they are inside matters.
static bool is_deep( const lister* l, uint32_t cell )
{
	const bvdecomp_field* f = l->field;
	uint32_t nx = f->count[0];
	uint32_t nxy = nx * f->count[1];
	bool deep = f->solid && !f->film_rings && f->near_distance && l->distance[cell] > cell_reach * f->step;
	for ( uint32_t k = 0; k < 8 && deep; ++k )
	{
		deep = f->value[cell + ( k & 1 ) + ( k >> 1 & 1 ) * nx + ( k >> 2 ) * nxy] < 0;
	}
	return deep;
}

// A unit wider than the triangle on each side, up to the ends of the grid, and one more below, because points
// are rounded down.
static void box_triangle( const bvdecomp_field* f, uint32_t triangle, bvdecomp_near_group* out,
                          uint32_t lane )
{
	out->triangle[lane] = triangle;
	const bv_vec3* corner = f->framed[triangle].corner;
	for ( int k = 0; k < 3; ++k )
	{
		double a = bvmath_component( corner[0], k );
		double b = bvmath_component( corner[1], k );
		double c = bvmath_component( corner[2], k );
		double low = bvmath_min( a, bvmath_min( b, c ) ) - bvmath_component( f->origin, k );
		double high = bvmath_max( a, bvmath_max( b, c ) ) - bvmath_component( f->origin, k );
		out->low[k][lane] = (uint16_t)bvmath_max( floor( low * f->units ) - 2, 0 );
		out->high[k][lane] = (uint16_t)bvmath_min( ceil( high * f->units ) + 1, UINT16_MAX );
	}
}

// A cell's boxes are next to each other in memory. Its triangles, which take much more of it, are not.
static bool make_groups( bvdecomp_field* f, uint32_t cells, bvb_arena* arena )
{
	uint32_t longest = f->count[0] > f->count[1] ? f->count[0] : f->count[1];
	longest = f->count[2] > longest ? f->count[2] : longest;
	uint32_t groups = 0;
	for ( uint32_t i = 0; i < cells; ++i )
	{
		groups += f->near_first[i] < f->near_first[i + 1];
	}
	f->units = UINT16_MAX / ( f->step * ( longest - 1 ) );
	f->group_of = bvb_arena_allocate( arena, cells, sizeof *f->group_of );
	f->near_groups =
		f->group_of ? bvb_arena_allocate( arena, (size_t)groups + 1, sizeof *f->near_groups ) : NULL;
	groups = 0;
	for ( uint32_t i = 0; i < cells && f->near_groups; ++i )
	{
		uint32_t count = f->near_first[i + 1] - f->near_first[i];
		if ( count == 0 )
		{
			continue;
		}
		bvdecomp_near_group* group = f->near_groups + groups;
		memset( group->low, UINT8_MAX, sizeof group->low );
		for ( uint32_t lane = 0; lane < count; ++lane )
		{
			box_triangle( f, f->near_triangles[f->near_first[i] + lane], group, lane );
		}
		f->group_of[i] = ++groups;
	}
	return f->near_groups;
}

static bool make_lists( lister* l, uint32_t cells, bool sorted, void ( *list )( const lister* ),
                        bvb_arena* arena )
{
	bvdecomp_field* f = l->field;
	list( l );
	f->near_first = bvb_arena_allocate( arena, (size_t)cells + 1, sizeof *f->near_first );
	for ( uint32_t i = 0; f->near_first && i < cells; ++i )
	{
		f->near_first[i + 1] = f->near_first[i] + l->count[i];
		l->count[i] = 0;
	}
	f->near_triangles = f->near_first ? bvb_arena_allocate( arena, (size_t)f->near_first[cells] + 1,
	                                                        sizeof *f->near_triangles )
	                                  : NULL;
	f->near_distance =
		f->near_triangles && sorted
			? bvb_arena_allocate( arena, (size_t)f->near_first[cells] + 1, sizeof *f->near_distance )
			: NULL;
	if ( !f->near_triangles || ( sorted && !f->near_distance ) )
	{
		return false;
	}
	list( l );
	uint32_t end = 0;
	for ( uint32_t i = 0; i < cells; ++i )
	{
		uint32_t from = f->near_first[i];
		drop_smooth( l, f->near_triangles, f->near_first, i );
		l->count[i] = l->count[i] > 0 && is_deep( l, i ) ? 0 : l->count[i];
		memmove( f->near_triangles + end, f->near_triangles + from, l->count[i] * sizeof *f->near_triangles );
		if ( sorted )
		{
			memmove( f->near_distance + end, f->near_distance + from,
			         l->count[i] * sizeof *f->near_distance );
		}
		f->near_first[i] = end;
		end += l->count[i];
	}
	f->near_first[cells] = end;
	return f->solid || sorted || make_groups( f, cells, arena );
}

bool bvdecomp_field_is_inside( const bvdecomp_field* f, bv_vec3 point )
{
	bv_vec3 p = bv_add( bv_scale( f->frame.size, point ), f->frame.center );
	double estimate = bvb_winding_estimate( f->inside, p, NULL );
	return f->is_rough || fabs( estimate - 0.5 ) > BVDECOMP_WINDING_ERROR
	           ? estimate > 0.5
	           : bvb_winding_is_inside( f->inside, p );
}

bool bvdecomp_field_is_sure( const bvdecomp_field* f, bv_vec3 point, double reach )
{
	bv_vec3 p = bv_add( bv_scale( f->frame.size, point ), f->frame.center );
	double unsure =
		bvb_winding_bound_slope( f->inside, p, f->frame.size * reach, NULL ).change + BVDECOMP_WINDING_ERROR;
	return unsure < 0.5 && fabs( bvb_winding_estimate( f->inside, p, NULL ) - 0.5 ) > unsure;
}

// Whether points of a cell may be looked at one by one, more than a few of them. Next to a triangle its middle tells
// little.
static bool is_side_needed( const bvdecomp_field* f, uint32_t cell )
{
	static const double least_distance = 0.125; // in steps
	uint32_t first = f->near_first[cell];
	uint32_t end = f->near_first[cell + 1];
	if ( first == end || f->near_distance[first] < least_distance * f->step )
	{
		return false;
	}
	bool needed = f->film_rings[cell] != BVDECOMP_NO_FILM;
	for ( uint32_t i = first; i < end && !needed; ++i )
	{
		needed = f->hidden && f->hidden[f->near_triangles[i]];
	}
	return needed;
}

// Finds what the middles of an open mesh's cells tell of the points around them.
static bool find_sides( bvdecomp_field* f, uint32_t cells, bvb_arena* arena )
{
	f->side = bvb_arena_allocate( arena, cells, sizeof *f->side );
	for ( uint32_t i = 0; i < cells && f->side; ++i )
	{
		bv_vec3 middle =
			middle_of( f, i % f->count[0], i / f->count[0] % f->count[1], i / f->count[0] / f->count[1] );
		if ( is_side_needed( f, i ) && bvdecomp_field_is_sure( f, middle, cell_reach * f->step ) )
		{
			f->side[i] = bvdecomp_field_is_inside( f, middle ) ? bvdecomp_cell_inside : bvdecomp_cell_outside;
		}
	}
	return f->side;
}

// Looks in front of a triangle in sixteen places.
static bool is_inside_of_others( const bvdecomp_field* f, uint32_t triangle )
{
	static const double beside = 0x1p-16;
	enum
	{
		rows = 4,
	};
	const bv_vec3* corner = f->framed[triangle].corner;
	bv_vec3 from = bv_add( corner[0], bv_scale( beside, f->normal[triangle] ) );
	bv_vec3 u = bv_sub( corner[1], corner[0] );
	bv_vec3 v = bv_sub( corner[2], corner[0] );
	bool found = false;
	for ( int i = 0; i < rows && !found; ++i )
	{
		for ( int k = 0; k < 2 * ( rows - i ) - 1 && !found; ++k )
		{
			double p = ( i + ( k % 2 ? 2 : 1 ) / 3.0 ) / rows;
			double q = ( k / 2 + ( k % 2 ? 2 : 1 ) / 3.0 ) / rows;
			found =
				bvdecomp_field_is_inside( f, bv_add( from, bv_add( bv_scale( p, u ), bv_scale( q, v ) ) ) );
		}
	}
	return found;
}

static bv_aabb box_of( const bvtri_framed_triangle* triangle )
{
	const bv_vec3* c = triangle->corner;
	return ( bv_aabb ){ bvmath_least( c[0], bvmath_least( c[1], c[2] ) ),
		                bvmath_greatest( c[0], bvmath_greatest( c[1], c[2] ) ) };
}

// Of triangles that are in front of others only here and there the places looked at may miss all of that:
// what may meet one that is known to be hidden counts as such.
static bool find_hidden( bvdecomp_field* f, bvb_arena* arena, bvb_arena* scratch )
{
	uint32_t triangles = f->mesh->triangle_count;
	uint32_t* known = bvb_arena_allocate( scratch, triangles, sizeof *known );
	f->hidden = bvb_arena_allocate( arena, triangles, sizeof *f->hidden );
	if ( !known || !f->hidden )
	{
		return false;
	}
	uint32_t count = 0;
	for ( uint32_t t = 0; t < triangles; ++t )
	{
		if ( is_inside_of_others( f, t ) )
		{
			known[count++] = t;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_aabb box = box_of( f->framed + known[i] );
		for ( uint32_t t = 0; t < triangles; ++t )
		{
			bv_aabb other = box_of( f->framed + t );
			f->hidden[t] = f->hidden[t] || bvmath_boxes_meet( &box, &other );
		}
	}
	return true;
}

bv_status bvdecomp_field_find_near( bvdecomp_field* f, bvb_arena* arena )
{
	bool few = f->mesh->triangle_count <= few_triangles;
	if ( !few && f->solid )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	uint32_t cells = f->count[0] * f->count[1] * f->count[2];
	uint32_t triangles = f->mesh->triangle_count;
	lister l = { .field = f };
	f->framed = bvb_arena_allocate( arena, triangles, sizeof *f->framed );
	f->normal = bvb_arena_allocate( arena, triangles, sizeof *f->normal );
	l.distance = scratch ? bvb_arena_allocate( scratch, cells, sizeof *l.distance ) : NULL;
	l.count = scratch ? bvb_arena_allocate( scratch, cells, sizeof *l.count ) : NULL;
	bool good = f->framed && f->normal && l.distance && l.count;
	for ( uint32_t t = 0; good && t < triangles; ++t )
	{
		const uint32_t* c = f->mesh->triangles[t].corner;
		bv_vec3 corner[3] = { f->mesh->positions[c[0]], f->mesh->positions[c[1]], f->mesh->positions[c[2]] };
		bvtri_frame_triangle( corner, f->framed + t );
		f->normal[t] = normal_of( corner );
	}
	for ( uint32_t i = 0; good && i < cells; ++i )
	{
		l.distance[i] = INFINITY;
	}
	for ( uint32_t t = 0; good && few && t < triangles; ++t )
	{
		visit( &l, t, meet_nearest );
	}
	good = good && ( !few || !f->solid || find_hidden( f, arena, scratch ) );
	good = good && make_lists( &l, cells, few, few ? list_candidates : list_nearest_of_corners, arena );
	good = good && ( !f->film_rings || !f->near_distance || find_sides( f, cells, arena ) );
	bvb_arena_destroy( scratch );
	return good ? bv_ok : bv_error_memory;
}
