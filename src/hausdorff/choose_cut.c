// Where to cut a region. See choose_cut.h.

#include "hausdorff/choose_cut.h"

#include "base/core/vec.h"

#include <math.h>

enum
{
	most_bisections = 6, // in a row
};

static const double exact_part = 0x1p-12;

// Of a region's radius: how deep a wall must cut.
static const double least_share = 0.01;
static const double least_exact = 0x1p-30;

void bvb_region_halve( bvb_region* r, const bv_vec3 axis[3] )
{
	bvb_extents e = bvb_cell_extents( &r->cell, axis );
	int longest = 0;
	for ( int i = 1; i < 3; ++i )
	{
		longest = e.upper[i] - e.lower[i] > e.upper[longest] - e.lower[longest] ? i : longest;
	}
	r->cut = ( bvb_plane ){ axis[longest], 0.5 * ( e.lower[longest] + e.upper[longest] ) };
	r->bisections = 0;
}

// The plane on which two rows are equal, fitted to their difference at the corners by least squares.
static bool bisect( const bvb_region* r, const double* f, const double* g, bvb_plane* out )
{
	double a00 = 0, a10 = 0, a11 = 0, a20 = 0, a21 = 0, a22 = 0;
	bv_vec3 b = { 0, 0, 0 };
	double mean = 0;
	int n = r->cell.corner.count;
	for ( int i = 0; i < n; ++i )
	{
		bv_vec3 p = bv_sub( bvb_cell_corner( &r->cell, i ), r->middle );
		double d = f[i] - g[i];
		mean += d;
		b = bv_add( b, bv_scale( d, p ) );
		a00 += p.x * p.x;
		a10 += p.y * p.x;
		a11 += p.y * p.y;
		a20 += p.z * p.x;
		a21 += p.z * p.y;
		a22 += p.z * p.z;
	}
	mean /= n;

	// A flat cell leaves one direction open.
	double regular = 1e-9 * ( a00 + a11 + a22 );
	double l00 = sqrt( a00 + regular );
	double l10 = a10 / l00;
	double l20 = a20 / l00;
	double l11 = sqrt( bv_max( a11 + regular - l10 * l10, regular ) );
	double l21 = ( a21 - l20 * l10 ) / l11;
	double l22 = sqrt( bv_max( a22 + regular - l20 * l20 - l21 * l21, regular ) );
	double y0 = b.x / l00;
	double y1 = ( b.y - l10 * y0 ) / l11;
	double y2 = ( b.z - l20 * y0 - l21 * y1 ) / l22;
	bv_vec3 normal;
	normal.z = y2 / l22;
	normal.y = ( y1 - l21 * normal.z ) / l11;
	normal.x = ( y0 - l10 * normal.y - l20 * normal.z ) / l00;
	double length = sqrt( bv_dot( normal, normal ) );
	if ( !( length > 0 ) || !( length < INFINITY ) )
	{
		return false;
	}
	out->normal = bv_scale( 1 / length, normal );
	out->offset = bv_dot( out->normal, r->middle ) - mean / length;

	// A cut that leaves next to nothing on one side is no progress, and a difference that is far from a plane is no
	// reason for one.
	double least = INFINITY;
	double most = -INFINITY;
	double miss = 0;
	for ( int i = 0; i < n; ++i )
	{
		double h = bv_dot( out->normal, bvb_cell_corner( &r->cell, i ) ) - out->offset;
		least = bv_min( least, h );
		most = bv_max( most, h );
		miss = bv_max( miss, fabs( h * length - ( f[i] - g[i] ) ) );
	}
	return least < -0.01 * r->radius && most > 0.01 * r->radius && miss <= 0.03 * length * ( most - least );
}

// The triangle that alone settles most corners; of several the one whose largest distance is least.
static int widest_row( const bvb_region* r, double wanted )
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
		if ( settled > most && bvb_ref_is_triangle( r->row_ref[k] ) )
		{
			most = settled;
			best = k;
		}
	}
	return best;
}

// The wall of a triangle: the plane at right angles to it through the side beyond which a point lies farthest, moved out
// by `margin`.
static bvb_plane wall_of( const bvb_framed_triangle* t, bv_vec3 point, double margin )
{
	bvb_plane wall[3];
	bvb_triangle_walls( t, wall );
	int side = 0;
	double highest = -INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		double h = bv_dot( wall[i].normal, point ) - wall[i].offset;
		side = h > highest ? i : side;
		highest = bv_max( highest, h );
	}
	wall[side].offset += margin;
	return wall[side];
}

// Where two sides meet at a sharp angle a point can be near both walls and yet far from the triangle: the plane at right
// angles to the way there.
static bool bevel_of( const bvb_framed_triangle* t, bv_vec3 point, double margin, bvb_plane* out )
{
	bv_vec3 nearest = bvb_nearest_on_triangle( t, point );
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
static double reach_beyond( const bvb_region* r, const bvb_framed_triangle* t, double wanted )
{
	bv_vec3 normal = bv_cross( t->u, t->v );
	double highest = 0;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		bv_vec3 d = bv_sub( bvb_cell_corner( &r->cell, i ), t->origin );
		highest = bv_max( highest, fabs( bv_dot( d, normal ) ) );
	}
	return highest < wanted ? sqrt( wanted * wanted - highest * highest ) : 0;
}

static bool parts_cell( const bvb_cell* cell, const bvb_plane* plane, double margin )
{
	double least = INFINITY;
	double most = -INFINITY;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = bv_dot( plane->normal, bvb_cell_corner( cell, i ) ) - plane->offset;
		least = bv_min( least, h );
		most = bv_max( most, h );
	}
	return least < -margin && most > margin;
}

// Where triangles lie side by side, along the side of one of them.
static bool cut_at_wall( bvb_region* r, const bvb_index* index, double wanted, double least )
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
	const bvb_framed_triangle* t = bvb_ref_triangle( index, r->row_ref[k] );
	bv_vec3 point = bvb_cell_corner( &r->cell, worst );
	double margin = 0.5 * reach_beyond( r, t, wanted );
	bvb_plane wall = wall_of( t, point, margin );
	if ( !parts_cell( &r->cell, &wall, least * r->radius ) &&
	     !( bevel_of( t, point, margin, &wall ) && parts_cell( &r->cell, &wall, least * r->radius ) ) )
	{
		return false;
	}
	r->cut = wall;
	return true;
}

static bool cut_between( bvb_region* r )
{
	int second = bvb_region_second_row( r );
	return second != r->best && bisect( r, r->row[r->best], r->row[second], &r->cut );
}

void bvb_region_choose_cut( bvb_region* r, const bvb_index* index, const bv_vec3 axis[3], double wanted )
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
	bvb_region_halve( r, axis );
}
