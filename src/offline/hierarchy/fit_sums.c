// Sums over faces. See fit_sums.h.

#include "offline/hierarchy/fit_sums.h"

#include "runtime/math/vec.h"

double bvhier_fit_size( const bvhier_fit_sums* s )
{
	return bvmath_max( s->upper[0] - s->lower[0],
	                   bvmath_max( s->upper[1] - s->lower[1], s->upper[2] - s->lower[2] ) );
}

// How far a point is along a direction, as bvvol_project has it.
static inline double along( bv_vec3 p, int direction )
{
	switch ( direction )
	{
	case 0: return p.x;
	case 1: return p.y;
	case 2: return p.z;
	case 3: return ( p.x + p.y ) + p.z;
	case 4: return ( p.x + p.y ) - p.z;
	case 5: return ( p.x - p.y ) + p.z;
	default: return ( p.x - p.y ) - p.z;
	}
}

void bvhier_fit_sums_get( const bvfit_box_sums* from, int lane, const bvhier_fit_lane* of,
                          const bvb_mesh* mesh, bvhier_fit_sums* to )
{
	for ( int i = 0; i < bvfit_box_directions; ++i )
	{
		to->lowest[i] = of->vertex[(int)from->lowest_point[i][lane]];
		to->highest[i] = of->vertex[(int)from->highest_point[i][lane]];
		to->lower[i] = along( mesh->positions[to->lowest[i]], i );
		to->upper[i] = along( mesh->positions[to->highest[i]], i );
	}
	const bvhier_fit_units* u = &of->units;
	double area = u->back * u->back;
	to->origin = u->origin;
	to->area = from->area[lane] * area;
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i] = from->first[i][lane] * ( area * u->back );
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->second[i] = from->second[i][lane] * ( area * area );
	}
}

// Moments about another origin: d is where theirs is, seen from it.
static void add_moments( const bvhier_fit_sums* from, bv_vec3 origin, double* area, double first[3],
                         double second[6] )
{
	bv_vec3 v = bv_sub( from->origin, origin );
	const double d[3] = { v.x, v.y, v.z };
	const double* s = from->first;
	double a = from->area;
	second[0] += from->second[0] + ( ( d[0] * s[0] + d[0] * s[0] ) + a * ( d[0] * d[0] ) );
	second[1] += from->second[1] + ( ( d[0] * s[1] + d[1] * s[0] ) + a * ( d[0] * d[1] ) );
	second[2] += from->second[2] + ( ( d[0] * s[2] + d[2] * s[0] ) + a * ( d[0] * d[2] ) );
	second[3] += from->second[3] + ( ( d[1] * s[1] + d[1] * s[1] ) + a * ( d[1] * d[1] ) );
	second[4] += from->second[4] + ( ( d[1] * s[2] + d[2] * s[1] ) + a * ( d[1] * d[2] ) );
	second[5] += from->second[5] + ( ( d[2] * s[2] + d[2] * s[2] ) + a * ( d[2] * d[2] ) );
	for ( int i = 0; i < 3; ++i )
	{
		first[i] += s[i] + a * d[i];
	}
	*area += a;
}

void bvhier_fit_sums_put( const bvhier_fit_sums* from, const bvhier_fit_units* u, const bvb_mesh* mesh,
                          bvfit_box_sums* to, int lane )
{
	for ( int i = 0; i < bvfit_box_directions; ++i )
	{
		bvhier_fit_put( mesh->positions[from->lowest[i]], u, to->lowest[i], lane );
		bvhier_fit_put( mesh->positions[from->highest[i]], u, to->highest[i], lane );
	}
	double moved = 0;
	double first[3] = { 0, 0, 0 };
	double second[6] = { 0, 0, 0, 0, 0, 0 };
	add_moments( from, u->origin, &moved, first, second );
	double area = u->scale * u->scale;
	to->area[lane] = (float)( moved * area );
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i][lane] = (float)( first[i] * ( area * u->scale ) );
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->second[i][lane] = (float)( second[i] * ( area * area ) );
	}
}

// Takes the lower one of two ends. Without a branch: none would be foreseen.
static inline void keep_lower( double along, uint32_t vertex, double* least, uint32_t* where )
{
	uint32_t mask = 0 - (uint32_t)( along < *least );
	*least = along < *least ? along : *least;
	*where = ( vertex & mask ) | ( *where & ~mask );
}

static inline void keep_upper( double along, uint32_t vertex, double* most, uint32_t* where )
{
	uint32_t mask = 0 - (uint32_t)( along > *most );
	*most = along > *most ? along : *most;
	*where = ( vertex & mask ) | ( *where & ~mask );
}

void bvhier_fit_sums_join( const bvhier_fit_sums* from, uint32_t count, bvhier_fit_sums* to )
{
	*to = from[0];
	for ( uint32_t k = 1; k < count; ++k )
	{
		for ( int i = 0; i < bvfit_box_directions; ++i )
		{
			keep_lower( from[k].lower[i], from[k].lowest[i], to->lower + i, to->lowest + i );
			keep_upper( from[k].upper[i], from[k].highest[i], to->upper + i, to->highest + i );
		}
	}
	double first[3] = { 0, 0, 0 };
	double second[6] = { 0, 0, 0, 0, 0, 0 };
	to->area = 0;
	for ( uint32_t k = 0; k < count; ++k )
	{
		add_moments( from + k, to->origin, &to->area, first, second );
	}
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i] = first[i];
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->second[i] = second[i];
	}
}
