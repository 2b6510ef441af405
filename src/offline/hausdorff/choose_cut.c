// Where to cut a region. See choose_cut.h.

#include "offline/hausdorff/choose_cut.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_bisections = 6, // in a row
	few_rows = 4,        // any plane between two of so few is better than halving
};

static const double exact_part = 0x1p-12;

// Of the range of a difference: how far it may be from a plane.
static const double most_miss = 0.02;

// How deep a wall must cut, of a region's radius and of the bound that is wanted, which is well above
// rounding.
static const double least_share = 0.01;
static const double least_exact = 0x1p-30;
static const double least_wanted = 0x1p-8;

void bvhaus_region_halve( bvhaus_region* r, const bv_vec3 axis[3] )
{
	bvhaus_extents e = bvhaus_cell_extents( &r->cell, axis );
	int longest = 0;
	for ( int i = 1; i < 3; ++i )
	{
		longest = e.upper[i] - e.lower[i] > e.upper[longest] - e.lower[longest] ? i : longest;
	}
	r->cut = ( bvhaus_plane ){ axis[longest], 0.5 * ( e.lower[longest] + e.upper[longest] ) };
	r->bisections = 0;
}

// The corners of a cell from its middle, and second moments; 0 behind the last corner.
typedef struct moments
{
	double x[bvhaus_row];
	double y[bvhaus_row];
	double z[bvhaus_row];
	double xx, xy, yy, xz, yz, zz;
} moments;

static void take_moments( const bvhaus_region* r, moments* m )
{
	const bvhaus_points* p = &r->cell.corner;
	int count = bvhaus_whole_groups( p->count );
	for ( int i = 0; i < count; ++i )
	{
		m->x[i] = p->x[i] - r->middle.x;
		m->y[i] = p->y[i] - r->middle.y;
		m->z[i] = p->z[i] - r->middle.z;
	}
	for ( int i = p->count; i < count; ++i )
	{
		m->x[i] = m->y[i] = m->z[i] = 0;
	}
	m->xx = bvhaus_row_dot( m->x, m->x, count );
	m->xy = bvhaus_row_dot( m->x, m->y, count );
	m->yy = bvhaus_row_dot( m->y, m->y, count );
	m->xz = bvhaus_row_dot( m->x, m->z, count );
	m->yz = bvhaus_row_dot( m->y, m->z, count );
	m->zz = bvhaus_row_dot( m->z, m->z, count );
}

// The gradient of the linear function that is nearest to the values. A flat cell leaves one direction open.
static bv_vec3 fit_gradient( const moments* m, const double* value, int count )
{
	double x = bvhaus_row_dot( m->x, value, count );
	double y = bvhaus_row_dot( m->y, value, count );
	double z = bvhaus_row_dot( m->z, value, count );
	double regular = 1e-9 * ( m->xx + m->yy + m->zz );
	double inverse_x = 1 / ( m->xx + regular );
	double lxy = m->xy * inverse_x;
	double lxz = m->xz * inverse_x;
	double inverse_y = 1 / bvmath_max( m->yy + regular - lxy * m->xy, regular );
	double left_yz = m->yz - lxz * m->xy;
	double lyz = left_yz * inverse_y;
	double inverse_z = 1 / bvmath_max( m->zz + regular - lxz * m->xz - lyz * left_yz, regular );
	y -= lxy * x;
	bv_vec3 g;
	g.z = ( z - lxz * x - lyz * y ) * inverse_z;
	g.y = y * inverse_y - lyz * g.z;
	g.x = x * inverse_x - lxy * g.y - lxz * g.z;
	return g;
}

// The plane on which two rows are equal, fitted to their difference at the corners by least squares.
static bool bisect( const bvhaus_region* r, const double* f, const double* g, bvhaus_plane* out )
{
	moments m;
	double difference[bvhaus_row];
	int n = r->cell.corner.count;
	int count = bvhaus_whole_groups( n );
	double mean = 0;
	for ( int i = 0; i < count; ++i )
	{
		difference[i] = f[i] - g[i];
	}
	for ( int i = 0; i < n; ++i )
	{
		mean += difference[i];
	}
	mean /= n;
	take_moments( r, &m );
	bv_vec3 gradient = fit_gradient( &m, difference, count );
	double length = sqrt( bv_dot( gradient, gradient ) );
	if ( !( length > 0 ) || !( length < INFINITY ) )
	{
		return false;
	}
	out->normal = bv_scale( 1 / length, gradient );
	out->offset = bv_dot( out->normal, r->middle ) - mean / length;

	// A cut that leaves next to nothing on one side is no progress, and a difference that is far from a plane
	// is no reason for one where there are others.
	double below = 0;
	double above = 0;
	double miss = 0;
	for ( int i = 0; i < n; ++i )
	{
		double fitted = mean + ( ( gradient.x * m.x[i] + gradient.y * m.y[i] ) + gradient.z * m.z[i] );
		below = bvmath_max( below, -fitted );
		above = bvmath_max( above, fitted );
		miss = bvmath_max( miss, fabs( fitted - difference[i] ) );
	}
	double least = 0.05 * r->radius * length;
	return below > least && above > least && ( r->rows <= few_rows || miss <= most_miss * ( above + below ) );
}

// The triangle that alone settles most corners; of several the one whose largest distance is least.
static int widest_row( const bvhaus_region* r, double wanted )
{
	int best = -1;
	int most = 0;
	for ( int k = 0; k < r->rows; ++k )
	{
		int settled = 0;
		for ( int i = 0; i < r->cell.corner.count; ++i )
		{
			settled += r->row[k][i] <= wanted;
		}
		if ( settled > most && bvhaus_ref_is_triangle( r->row_ref[k] ) )
		{
			most = settled;
			best = k;
		}
	}
	return best;
}

// The wall of a triangle: the plane at right angles to it through the side beyond which a point lies
// farthest, moved out by `margin`.
static bvhaus_plane wall_of( const bvhaus_framed_triangle* t, bv_vec3 point, double margin )
{
	bvhaus_plane wall[3];
	bvhaus_triangle_walls( t, wall );
	int side = 0;
	double highest = -INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		double h = bv_dot( wall[i].normal, point ) - wall[i].offset;
		side = h > highest ? i : side;
		highest = bvmath_max( highest, h );
	}
	wall[side].offset += margin;
	return wall[side];
}

// Where two sides meet at a sharp angle a point can be near both walls and yet far from the triangle: the
// plane at right angles to the way there.
static bool bevel_of( const bvhaus_framed_triangle* t, bv_vec3 point, double margin, bvhaus_plane* out )
{
	bv_vec3 nearest = bvhaus_nearest_on_triangle( t, point );
	bv_vec3 way = bv_sub( point, nearest );
	way = bv_add( bv_scale( bv_dot( way, t->u ), t->u ), bv_scale( bv_dot( way, t->v ), t->v ) );
	double length = sqrt( bv_dot( way, way ) );
	if ( !( length > 0 ) )
	{
		return false;
	}
	out->normal = bv_scale( 1 / length, way );
	out->offset = bv_dot( out->normal, nearest ) + margin;
	return true;
}

// How far beyond its sides a triangle still settles what is in the cell.
static double reach_beyond( const bvhaus_region* r, const bvhaus_framed_triangle* t, double wanted )
{
	bv_vec3 normal = t->normal;
	double highest = 0;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		bv_vec3 d = bv_sub( bvhaus_cell_corner( &r->cell, i ), t->origin );
		highest = bvmath_max( highest, fabs( bv_dot( d, normal ) ) );
	}
	return highest < wanted ? sqrt( wanted * wanted - highest * highest ) : 0;
}

static bool parts_cell( const bvhaus_cell* cell, const bvhaus_plane* plane, double margin )
{
	double least = INFINITY;
	double most = -INFINITY;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = bv_dot( plane->normal, bvhaus_cell_corner( cell, i ) ) - plane->offset;
		least = bvmath_min( least, h );
		most = bvmath_max( most, h );
	}
	return least < -margin && most > margin;
}

// Where triangles lie side by side, along the side of one of them.
static bool cut_at_wall( bvhaus_region* r, const bvhaus_index* index, double wanted, double least )
{
	int k = wanted < 0.25 * r->radius ? widest_row( r, wanted ) : -1;
	if ( k < 0 )
	{
		return false;
	}
	int worst = 0;
	for ( int i = 1; i < r->cell.corner.count; ++i )
	{
		worst = r->row[k][i] > r->row[k][worst] ? i : worst;
	}
	const bvhaus_framed_triangle* t = bvhaus_ref_triangle( index, r->row_ref[k] );
	bv_vec3 point = bvhaus_cell_corner( &r->cell, worst );
	double margin = 0.5 * reach_beyond( r, t, wanted );
	double deep = bvmath_max( least * r->radius, least_wanted * wanted );
	bvhaus_plane wall = wall_of( t, point, margin );
	if ( !parts_cell( &r->cell, &wall, deep ) &&
	     !( bevel_of( t, point, margin, &wall ) && parts_cell( &r->cell, &wall, deep ) ) )
	{
		return false;
	}
	r->cut = wall;
	return true;
}

static bool cut_between( bvhaus_region* r )
{
	int second = bvhaus_region_second_row( r );
	return second != r->best && bisect( r, r->row[r->best], r->row[second], &r->cut );
}

void bvhaus_region_choose_cut( bvhaus_region* r, const bvhaus_index* index, const bv_vec3 axis[3],
                               double wanted )
{
	// What is fitted leaves slivers, which matter where hardly any distance is left: walls are exact.
	if ( wanted < exact_part * r->radius && cut_at_wall( r, index, wanted, least_exact ) )
	{
		return;
	}
	if ( r->bisections < most_bisections && r->rows > 1 &&
	     ( cut_between( r ) || cut_at_wall( r, index, wanted, least_share ) ) )
	{
		r->bisections += 1;
		return;
	}
	bvhaus_region_halve( r, axis );
}
