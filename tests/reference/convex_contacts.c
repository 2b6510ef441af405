// Contact polygons in rational arithmetic. See convex_contacts.h.

#include "tests/reference/convex_contacts.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most = contact_corners_most,
	most_clipped = 2 * contact_corners_most,
	most_features = 32,
	looked_at = 32, // corners of a face, see docs/limits.md
};

typedef struct body
{
	uint32_t count;
	mpq_t corner[most][3]; // relative to a corner of the first shape
	double near[most][3];
	mpq_t flat[most][2]; // projected along the normal
	mpq_t height[most];  // along the normal
	double up[most];     // outwards
} body;

// Corners of a shape, as bits.
typedef uint64_t feature;

typedef struct features
{
	feature of[most_features];
	uint32_t count;
} features;

typedef struct polygon
{
	uint32_t count;
	mpq_t at[most_clipped][2];
} polygon;

typedef struct judge
{
	body body[2];
	double normal[3];
	mpq_t exact_normal[3];
	int axes[3]; // the last one is that of the normal's largest coordinate
	double size;
	polygon clipped[2];
	mpq_t work[8];
} judge;

static void init_all( judge* j, bool begin )
{
	mpq_t* all[] = { &j->body[0].corner[0][0], &j->body[1].corner[0][0], &j->body[0].flat[0][0],
		             &j->body[1].flat[0][0],   &j->body[0].height[0],    &j->body[1].height[0],
		             &j->clipped[0].at[0][0],  &j->clipped[1].at[0][0],  &j->work[0],
		             &j->exact_normal[0] };
	const int count[] = { 3 * most, 3 * most,         2 * most,         2 * most, most,
		                  most,     2 * most_clipped, 2 * most_clipped, 8,        3 };
	for ( size_t i = 0; i < sizeof count / sizeof *count; ++i )
	{
		for ( int k = 0; k < count[i]; ++k )
		{
			if ( begin )
			{
				mpq_init( all[i][k] );
			}
			else
			{
				mpq_clear( all[i][k] );
			}
		}
	}
}

static double component( bv_vec3 v, int k )
{
	return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static bool take_corners( judge* j, const bv_convex* shape, const bv_transform* placement, body* out )
{
	bool is_box = shape->kind == bv_convex_of_box;
	const bv_vec3* points = shape->kind == bv_convex_of_corners ? shape->corner : shape->points;
	bool is_list = shape->kind == bv_convex_of_corners || shape->kind == bv_convex_of_points ||
	               shape->kind == bv_convex_of_graph;
	out->count = is_box ? 8 : shape->count;
	if ( shape->radius != 0 || ( !is_box && !is_list ) || out->count > most )
	{
		return false;
	}
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		mpq_t* own = j->work;
		for ( int k = 0; k < 3; ++k )
		{
			mpq_set_d( own[k], is_box ? component( shape->box.center, k ) : component( points[i], k ) );
			for ( int m = 0; m < 3 && is_box; ++m )
			{
				mpq_set_d( own[3], component( shape->box.axis[m], k ) );
				mpq_set_d( own[4], i >> m & 1 ? shape->box.half_extents[m] : -shape->box.half_extents[m] );
				mpq_mul( own[3], own[3], own[4] );
				mpq_add( own[k], own[k], own[3] );
			}
		}
		for ( int k = 0; k < 3; ++k )
		{
			mpq_t* to = out->corner[i] + k;
			if ( !placement )
			{
				mpq_set( *to, own[k] );
				continue;
			}
			mpq_set_d( *to, component( placement->pose.translation, k ) );
			for ( int m = 0; m < 3; ++m )
			{
				double r = placement->pose.rotation[k][m];
				mpq_set_d( own[3], placement->mirror && m == 0 ? -r : r );
				mpq_set_d( own[4], placement->scale );
				mpq_mul( own[3], own[3], own[4] );
				mpq_mul( own[3], own[3], own[m] );
				mpq_add( *to, *to, own[3] );
			}
		}
	}
	return true;
}

static void find_axes( judge* j )
{
	int k = fabs( j->normal[0] ) >= fabs( j->normal[1] ) ? 0 : 1;
	k = fabs( j->normal[k] ) >= fabs( j->normal[2] ) ? k : 2;
	j->axes[0] = ( k + 1 ) % 3;
	j->axes[1] = ( k + 2 ) % 3;
	j->axes[2] = k;
}

static void project( judge* j, mpq_t origin[3], int sign, body* b )
{
	double low[3] = { INFINITY, INFINITY, INFINITY };
	double high[3] = { -INFINITY, -INFINITY, -INFINITY };
	mpq_t* w = j->work;
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		mpq_set_ui( b->height[i], 0, 1 );
		for ( int k = 0; k < 3; ++k )
		{
			mpq_sub( b->corner[i][k], b->corner[i][k], origin[k] );
			b->near[i][k] = mpq_get_d( b->corner[i][k] );
			low[k] = fmin( low[k], b->near[i][k] );
			high[k] = fmax( high[k], b->near[i][k] );
			mpq_mul( w[0], b->corner[i][k], j->exact_normal[k] );
			mpq_add( b->height[i], b->height[i], w[0] );
		}
		b->up[i] = sign * mpq_get_d( b->height[i] );
		for ( int k = 0; k < 2; ++k )
		{
			int axis = j->axes[k];
			mpq_mul( w[0], b->corner[i][axis], j->exact_normal[j->axes[2]] );
			mpq_mul( w[1], b->corner[i][j->axes[2]], j->exact_normal[axis] );
			mpq_sub( b->flat[i][k], w[0], w[1] );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		j->size = fmax( j->size, high[k] - low[k] );
	}
}

static double dot( const double* a, const double* b )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross( const double* a, const double* b, double* out )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = a[( k + 1 ) % 3] * b[( k + 2 ) % 3] - a[( k + 2 ) % 3] * b[( k + 1 ) % 3];
	}
}

static double length_of( const double* a )
{
	return sqrt( dot( a, a ) );
}

static void subtract( const double* a, const double* b, double* out )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = a[k] - b[k];
	}
}

static void add( feature f, features* out )
{
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		if ( out->of[i] == f )
		{
			return;
		}
	}
	if ( out->count < most_features )
	{
		out->of[out->count++] = f;
	}
}

static double slope_from( const judge* j, const body* b, uint32_t v, uint32_t e )
{
	double way[3];
	subtract( b->near[e], b->near[v], way );
	double depth = fmax( b->up[v] - b->up[e], 0 );
	double flat = sqrt( fmax( dot( way, way ) - depth * depth, 0 ) );
	return flat > 1e-9 * j->size ? depth / flat : INFINITY;
}

static const double degree = 0.017453292519943295;

// The faces at a corner that are within 3.1 degrees. Corners next to the plane are on it.
// @return whether one is within 2.9 degrees
static bool add_faces( const judge* j, const body* b, int sign, uint32_t v, features* out )
{
	bool is_near = false;
	for ( uint32_t e = 0; e < b->count; ++e )
	{
		for ( uint32_t p = e + 1;
		      p < b->count && e != v && slope_from( j, b, v, e ) <= tan( 3.1 * degree ) * ( 1 + 1e-6 ); ++p )
		{
			if ( p == v || slope_from( j, b, v, p ) > tan( 3.1 * degree ) * ( 1 + 1e-6 ) )
			{
				continue;
			}
			double to[2][3];
			double m[3];
			subtract( b->near[e], b->near[v], to[0] );
			subtract( b->near[p], b->near[v], to[1] );
			cross( to[0], to[1], m );
			double length = length_of( m );
			if ( !( length > 1e-9 * length_of( to[0] ) * length_of( to[1] ) ) )
			{
				continue;
			}
			double cosine = sign * dot( m, j->normal ) / length;
			double scale = ( cosine < 0 ? -1 : 1 ) / length;
			if ( fabs( cosine ) < cos( 3.1 * degree ) )
			{
				continue;
			}
			bool is_above = true;
			feature on = 0;
			for ( uint32_t i = 0; i < b->count && is_above; ++i )
			{
				double way[3];
				subtract( b->near[i], b->near[v], way );
				double height = scale * dot( m, way );
				is_above = height <= 1e-9 * j->size;
				on |= (feature)( height >= -1e-8 * j->size ) << i;
			}
			if ( is_above )
			{
				add( on, out );
				is_near |= fabs( cosine ) >= cos( 2.9 * degree );
			}
		}
	}
	return is_near;
}

static void find_features( const judge* j, const body* b, int sign, features* out )
{
	out->count = 0;
	double top = -INFINITY;
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		top = fmax( top, b->up[i] );
	}
	for ( uint32_t v = 0; v < b->count; ++v )
	{
		if ( b->up[v] < top - 1e-9 * j->size || add_faces( j, b, sign, v, out ) )
		{
			continue;
		}
		double least = INFINITY;
		for ( uint32_t e = 0; e < b->count; ++e )
		{
			least = e == v ? least : fmin( least, slope_from( j, b, v, e ) );
		}
		for ( uint32_t e = 0; e < b->count && least <= tan( 3.1 * degree ); ++e )
		{
			if ( e != v && slope_from( j, b, v, e ) <= least + 1e-6 )
			{
				add( (feature)1 << v | (feature)1 << e, out );
			}
		}
		if ( least > tan( 2.9 * degree ) )
		{
			add( (feature)1 << v, out );
		}
	}
}

// The sign of the area of a triangle.
static int side_of( judge* j, mpq_t a[2], mpq_t b[2], mpq_t c[2] )
{
	mpq_t* w = j->work;
	mpq_sub( w[0], b[0], a[0] );
	mpq_sub( w[1], c[1], a[1] );
	mpq_mul( w[0], w[0], w[1] );
	mpq_sub( w[2], b[1], a[1] );
	mpq_sub( w[3], c[0], a[0] );
	mpq_mul( w[2], w[2], w[3] );
	mpq_sub( w[0], w[0], w[2] );
	return mpq_sgn( w[0] );
}

static int compare( mpq_t a[2], mpq_t b[2] )
{
	int x = mpq_cmp( a[0], b[0] );
	return x != 0 ? x : mpq_cmp( a[1], b[1] );
}

// The convex hull of projected corners, counterclockwise. Equal corners count once.
// @return how many there are
static uint32_t order( judge* j, body* b, feature f, uint32_t* out )
{
	uint32_t sorted[most];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		if ( f >> i & 1 )
		{
			uint32_t k = count++;
			for ( ; k > 0 && compare( b->flat[i], b->flat[sorted[k - 1]] ) < 0; --k )
			{
				sorted[k] = sorted[k - 1];
			}
			sorted[k] = i;
		}
	}
	uint32_t unique = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( unique == 0 || compare( b->flat[sorted[i]], b->flat[sorted[unique - 1]] ) != 0 )
		{
			sorted[unique++] = sorted[i];
		}
	}
	if ( unique < 3 )
	{
		memcpy( out, sorted, unique * sizeof *out );
		return unique;
	}
	uint32_t chain[2 * most];
	uint32_t length = 0;
	uint32_t start = 0;
	for ( uint32_t step = 0; step < 2 * unique - 1; ++step )
	{
		uint32_t i = sorted[step < unique ? step : 2 * unique - 2 - step];
		start = step == unique ? length - 1 : start;
		while ( length >= start + 2 &&
		        side_of( j, b->flat[chain[length - 2]], b->flat[chain[length - 1]], b->flat[i] ) <= 0 )
		{
			--length;
		}
		chain[length++] = i;
	}
	memcpy( out, chain, ( length - 1 ) * sizeof *out );
	return length - 1;
}

// @param out  receives where the line from a to b meets that from c to d
static void cross_lines( judge* j, mpq_t a[2], mpq_t b[2], mpq_t c[2], mpq_t d[2], mpq_t out[2] )
{
	mpq_t* w = j->work;
	mpq_sub( w[0], d[0], c[0] );
	mpq_sub( w[1], d[1], c[1] );
	for ( int i = 0; i < 2; ++i )
	{
		mpq_t* p = i == 0 ? a : b;
		mpq_sub( w[2], p[1], c[1] );
		mpq_mul( w[2], w[2], w[0] );
		mpq_sub( w[3], p[0], c[0] );
		mpq_mul( w[3], w[3], w[1] );
		mpq_sub( w[4 + i], w[2], w[3] ); // how far the end is to the left
	}
	mpq_sub( w[5], w[4], w[5] );
	mpq_div( w[4], w[4], w[5] );
	for ( int k = 0; k < 2; ++k )
	{
		mpq_sub( w[2], b[k], a[k] );
		mpq_mul( w[2], w[2], w[4] );
		mpq_add( out[k], a[k], w[2] );
	}
}

// Keeps what is to the left of a line.
static void cut( judge* j, polygon* from, mpq_t c[2], mpq_t d[2], polygon* to )
{
	to->count = 0;
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		uint32_t next = ( i + 1 ) % from->count;
		int here = side_of( j, c, d, from->at[i] );
		int there = side_of( j, c, d, from->at[next] );
		if ( here >= 0 && to->count < most_clipped )
		{
			mpq_set( to->at[to->count][0], from->at[i][0] );
			mpq_set( to->at[to->count++][1], from->at[i][1] );
		}
		if ( here * there < 0 && from->count > 1 && to->count < most_clipped )
		{
			cross_lines( j, from->at[i], from->at[next], c, d, to->at[to->count++] );
		}
	}
}

// Two segments on one line: what they have in common.
// @return false if they are not on one line
static bool overlap_on_line( judge* j, const uint32_t* list[2], polygon* out )
{
	mpq_t* end[4];
	for ( int i = 0; i < 4; ++i )
	{
		end[i] = j->body[i / 2].flat[list[i / 2][i % 2]];
	}
	if ( side_of( j, end[0], end[1], end[2] ) != 0 || side_of( j, end[0], end[1], end[3] ) != 0 )
	{
		return false;
	}
	for ( int i = 0; i < 4; i += 2 )
	{
		mpq_t* first = end[i];
		bool is_ordered = compare( first, end[i + 1] ) <= 0;
		end[i] = is_ordered ? first : end[i + 1];
		end[i + 1] = is_ordered ? end[i + 1] : first;
	}
	mpq_t* ends[2] = { compare( end[0], end[2] ) >= 0 ? end[0] : end[2],
		               compare( end[1], end[3] ) <= 0 ? end[1] : end[3] };
	for ( int i = 0; i < 2 && compare( ends[0], ends[1] ) <= 0; ++i )
	{
		mpq_set( out->at[out->count][0], ends[i][0] );
		mpq_set( out->at[out->count++][1], ends[i][1] );
	}
	return true;
}

// @return the polygon, whose count is 0 if the features do not face each other
static polygon* clip( judge* j, const uint32_t* list[2], const uint32_t count[2] )
{
	int by = count[1] >= 3 ? 1 : 0;
	body* cut_by = j->body + by;
	body* whole = j->body + 1 - by;
	polygon* here = j->clipped;
	polygon* other = j->clipped + 1;
	here->count = count[1 - by];
	for ( uint32_t i = 0; i < here->count; ++i )
	{
		mpq_set( here->at[i][0], whole->flat[list[1 - by][i]][0] );
		mpq_set( here->at[i][1], whole->flat[list[1 - by][i]][1] );
	}
	if ( count[by] >= 3 )
	{
		for ( uint32_t i = 0; i < count[by]; ++i )
		{
			cut( j, here, cut_by->flat[list[by][i]], cut_by->flat[list[by][( i + 1 ) % count[by]]], other );
			polygon* last = here;
			here = other;
			other = last;
		}
		return here;
	}
	here->count = 0;
	if ( count[0] == 2 && count[1] == 2 && overlap_on_line( j, list, here ) )
	{
		return here;
	}
	if ( count[0] == 2 && count[1] == 2 )
	{
		mpq_t* a = j->body[0].flat[list[0][0]];
		mpq_t* b = j->body[0].flat[list[0][1]];
		mpq_t* c = j->body[1].flat[list[1][0]];
		mpq_t* d = j->body[1].flat[list[1][1]];
		if ( side_of( j, a, b, c ) * side_of( j, a, b, d ) < 0 &&
		     side_of( j, c, d, a ) * side_of( j, c, d, b ) < 0 )
		{
			cross_lines( j, a, b, c, d, here->at[0] );
			here->count = 1;
		}
	}
	return here;
}

// What lifts points of the plane to a feature: its three corners that span the largest triangle, or two, or one.
typedef struct lift
{
	uint32_t count;
	uint32_t corner[3];
} lift;

static lift lift_of( const body* b, const uint32_t* list, uint32_t count )
{
	lift out = { .count = 1, .corner = { list[0] } };
	double largest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = i + 1; k < count; ++k )
		{
			double way[2][3];
			subtract( b->near[list[k]], b->near[list[i]], way[0] );
			if ( count == 2 )
			{
				return ( lift ){ 2, { list[0], list[1] } };
			}
			for ( uint32_t m = k + 1; m < count; ++m )
			{
				double normal[3];
				subtract( b->near[list[m]], b->near[list[i]], way[1] );
				cross( way[0], way[1], normal );
				if ( length_of( normal ) > largest )
				{
					largest = length_of( normal );
					out = ( lift ){ 3, { list[i], list[k], list[m] } };
				}
			}
		}
	}
	return out;
}

static void area_in( judge* j, mpq_t a[2], mpq_t b[2], mpq_t c[2], mpq_t out )
{
	side_of( j, a, b, c );
	mpq_set( out, j->work[0] );
}

// The height of a feature above a point of the plane, by its barycentric coordinates.
static double height_at( judge* j, body* b, const lift* l, mpq_t at[2] )
{
	mpq_t* w = j->work;
	if ( l->count == 1 )
	{
		return mpq_get_d( b->height[l->corner[0]] );
	}
	mpq_t* p = b->flat[l->corner[0]];
	mpq_t* q = b->flat[l->corner[1]];
	if ( l->count == 2 )
	{
		mpq_sub( w[0], q[0], p[0] );
		mpq_sub( w[1], q[1], p[1] );
		int k = fabs( mpq_get_d( w[0] ) ) >= fabs( mpq_get_d( w[1] ) ) ? 0 : 1;
		mpq_sub( w[2], at[k], p[k] );
		mpq_div( w[2], w[2], w[k] );
		mpq_sub( w[3], b->height[l->corner[1]], b->height[l->corner[0]] );
		mpq_mul( w[2], w[2], w[3] );
		mpq_add( w[2], w[2], b->height[l->corner[0]] );
		return mpq_get_d( w[2] );
	}
	mpq_t* r = b->flat[l->corner[2]];
	area_in( j, q, r, at, w[4] );
	area_in( j, r, p, at, w[5] );
	area_in( j, p, q, at, w[6] );
	area_in( j, p, q, r, w[7] );
	mpq_set_ui( w[3], 0, 1 );
	for ( int i = 0; i < 3; ++i )
	{
		mpq_div( w[0], w[4 + i], w[7] );
		mpq_mul( w[0], w[0], b->height[l->corner[i]] );
		mpq_add( w[3], w[3], w[0] );
	}
	return mpq_get_d( w[3] );
}

// A corner of the contact polygon.
typedef struct exact_contact
{
	double flat[2];
	double middle[3]; // relative to the origin
	double separation;
} exact_contact;

static void lift_corner( judge* j, mpq_t at[2], const lift lifts[2], exact_contact* out )
{
	double height[2] = { height_at( j, j->body, lifts, at ), height_at( j, j->body + 1, lifts + 1, at ) };
	double large = j->normal[j->axes[2]];
	double base[3] = { 0, 0, 0 };
	for ( int k = 0; k < 2; ++k )
	{
		out->flat[k] = mpq_get_d( at[k] );
		base[j->axes[k]] = out->flat[k] / large;
	}
	double square = dot( j->normal, j->normal );
	double up = ( 0.5 * ( height[0] + height[1] ) - dot( base, j->normal ) ) / square;
	for ( int k = 0; k < 3; ++k )
	{
		out->middle[k] = base[k] + up * j->normal[k];
	}
	out->separation = ( height[1] - height[0] ) / sqrt( square );
}

static double triangle( const exact_contact* a, const exact_contact* b, const exact_contact* c )
{
	return 0.5 * ( ( b->flat[0] - a->flat[0] ) * ( c->flat[1] - a->flat[1] ) -
	               ( c->flat[0] - a->flat[0] ) * ( b->flat[1] - a->flat[1] ) );
}

// Twice by four loops: all quadruples of corners in their order around the polygon.
static void best_areas( const exact_contact* c, uint32_t count, double deep, double* with_deepest,
                        double* of_any )
{
	*with_deepest = *of_any = 0;
	for ( uint32_t p = 0; p < count; ++p )
	{
		for ( uint32_t q = p + 1; q < count; ++q )
		{
			for ( uint32_t r = q + 1; r < count; ++r )
			{
				for ( uint32_t s = r; s < count; ++s )
				{
					double area = fabs( triangle( c + p, c + q, c + r ) + triangle( c + p, c + r, c + s ) );
					bool has = c[p].separation <= deep || c[q].separation <= deep ||
					           c[r].separation <= deep || c[s].separation <= deep;
					*of_any = fmax( *of_any, area );
					*with_deepest = has ? fmax( *with_deepest, area ) : *with_deepest;
				}
			}
		}
	}
}

static double distance_between( const double* a, const double* b )
{
	double way[3];
	subtract( a, b, way );
	return length_of( way );
}

// @return whether a corner is beside the line through those before and after it, and not on it to rounding
static bool is_sharp( const exact_contact* c, uint32_t count, uint32_t i, double bar )
{
	const exact_contact* before = c + ( i + count - 1 ) % count;
	const exact_contact* after = c + ( i + 1 ) % count;
	double length = hypot( after->flat[0] - before->flat[0], after->flat[1] - before->flat[1] );
	return count < 3 || 2 * fabs( triangle( before, c + i, after ) ) > bar * length;
}

// Compares contacts with one polygon.
// @param is_cut  it is of a face of more corners than a manifold looks at: contacts can be where the border is cut off
static void compare_with( const judge* j, double contact[][3], const bv_manifold* m, exact_contact* c,
                          uint32_t count, bool is_cut, double speculative, contact_faults* out )
{
	double bar = CONTACT_BAR * j->size;
	out->corners = count;
	uint32_t chosen[BV_MANIFOLD_CONTACTS];
	uint32_t found = 0;
	uint32_t witnesses = 0;
	double deepest = INFINITY;
	double whole = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		deepest = fmin( deepest, c[i].separation );
		whole += i < 2 ? 0 : triangle( c, c + i - 1, c + i );
	}
	// Sides that are parallel to rounding have ends that are no corners, or none in exact arithmetic.
	bool is_flat = fabs( whole ) < bar * j->size;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		double nearest = INFINITY;
		uint32_t best = 0;
		for ( uint32_t k = 0; k < count; ++k )
		{
			double off = fmax( distance_between( contact[i], c[k].middle ),
			                   fabs( m->contact[i].separation - c[k].separation ) );
			best = off < nearest ? k : best;
			nearest = fmin( off, nearest );
		}
		if ( nearest <= bar )
		{
			chosen[found++] = best;
			out->place = fmax( out->place, nearest / j->size );
		}
		else
		{
			bool is_deep = m->contact[i].separation <= m->upper + bar;
			bool may_be = is_flat || is_cut || ( is_deep && witnesses == 0 );
			out->wrong = may_be ? out->wrong : "a contact that is no corner";
			++witnesses;
		}
	}
	out->is_witness = witnesses > 0 && !is_flat && !is_cut;
	// Those that have to be there, and those that may be there.
	exact_contact kept[most_clipped];
	uint32_t must = 0;
	uint32_t reachable = 0;
	bool is_missing = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool is_new = true;
		reachable += c[i].separation <= speculative + bar;
		for ( uint32_t k = 0; k < must; ++k )
		{
			is_new &= distance_between( c[i].middle, kept[k].middle ) > 4 * bar;
		}
		if ( c[i].separation <= speculative - bar && is_new )
		{
			kept[must++] = c[i];
			bool is_there = false;
			for ( uint32_t k = 0; k < m->count; ++k )
			{
				is_there |= distance_between( contact[k], c[i].middle ) <= 8 * bar;
			}
			is_missing |= !is_there && is_sharp( c, count, i, 0.1 * bar );
		}
	}
	if ( reachable <= BV_MANIFOLD_CONTACTS - witnesses && is_missing && !is_flat && !is_cut )
	{
		out->wrong = "a corner is missing";
	}
	double with_deepest;
	double of_any;
	best_areas( kept, must, deepest + 1e-9 * j->size, &with_deepest, &of_any );
	for ( uint32_t i = 1; i < found; ++i )
	{
		uint32_t moved = chosen[i];
		uint32_t k = i;
		for ( ; k > 0 && moved < chosen[k - 1]; --k )
		{
			chosen[k] = chosen[k - 1];
		}
		chosen[k] = moved;
	}
	double area = 0;
	for ( uint32_t i = 2; i < found; ++i )
	{
		area += triangle( c + chosen[0], c + chosen[i - 1], c + chosen[i] );
	}
	double longest = 0;
	double length = 0;
	for ( uint32_t i = 0; i < must * must; ++i )
	{
		longest = fmax( longest, distance_between( kept[i / must].middle, kept[i % must].middle ) );
	}
	for ( uint32_t i = 0; i < m->count * m->count; ++i )
	{
		length = fmax( length, distance_between( contact[i / m->count], contact[i % m->count] ) );
	}
	if ( is_flat && length < 0.95 * longest - 8 * bar && fabs( area ) < 0.95 * with_deepest )
	{
		out->wrong = "the end of a needle is missing";
	}
	out->area = with_deepest > 1e-7 * j->size * j->size ? fabs( area ) / with_deepest : 1;
	out->free_area = of_any > 1e-7 * j->size * j->size ? fabs( area ) / of_any : 1;
	if ( out->area < 0.95 && witnesses == 0 )
	{
		out->wrong = "the area is too small";
	}
}

static double point_error( convex_exact* memory, const bv_convex* shape, const bv_transform* placement,
                           bv_vec3 at )
{
	bv_convex point = bv_convex_point( at );
	convex_exact_result r;
	return convex_exact_compare( memory, &point, NULL, shape, placement, &r )
	           ? fmax( fabs( r.lower ), fabs( r.upper ) )
	           : INFINITY;
}

static void judge_manifold( judge* j, convex_exact* memory, const bv_convex* const shape[2],
                            const bv_transform* placement, double speculative, const bv_manifold* m,
                            contact_faults* out )
{
	convex_exact_result exact;
	if ( !convex_exact_compare( memory, shape[0], NULL, shape[1], placement, &exact ) )
	{
		out->wrong = "no polytopes";
		return;
	}
	j->size = j->size > 0 ? j->size : exact.size; // two points
	double top[2] = { -INFINITY, -INFINITY };
	for ( int which = 0; which < 2; ++which )
	{
		for ( uint32_t i = 0; i < j->body[which].count; ++i )
		{
			top[which] = fmax( top[which], j->body[which].up[i] );
		}
	}
	double slab = -( top[0] + top[1] ) / length_of( j->normal );
	// Coordinates far from the origin are rounded more coarsely.
	double coarse = 64 * 0x1p-52 * exact.size;
	double bar = CONTACT_BAR * j->size + coarse;
	out->slab = fmax( 0, exact.lower - slab - coarse ) / j->size;
	if ( exact.lower - slab > bar )
	{
		out->wrong = "the normal";
	}
	if ( m->lower > exact.upper || m->upper < exact.lower )
	{
		out->wrong = "the interval";
	}
	if ( m->count == 0 )
	{
		out->wrong = exact.lower > speculative - bar ? out->wrong : "no contacts";
		return;
	}
	double least = INFINITY;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bv_contact* c = m->contact + i;
		least = fmin( least, c->separation );
		for ( int which = 0; which < 2; ++which )
		{
			double error =
				point_error( memory, shape[which], which == 0 ? NULL : placement, c->point[which] );
			out->surface = fmax( out->surface, ( error - coarse ) / j->size );
			out->wrong = error > bar ? "a point that is not on the surface" : out->wrong;
		}
		bool is_dropped = c->separation > fmax( speculative, exact.upper ) + bar;
		out->wrong = is_dropped ? "a contact that is too far apart" : out->wrong;
	}
	out->deepest = fmax( 0, fabs( least - exact.lower ) - coarse ) / j->size;
	out->wrong = fabs( least - exact.lower ) > bar ? "the deepest point" : out->wrong;
	if ( out->wrong )
	{
		return;
	}
	// Relative to the origin, in binary64.
	double contact[BV_MANIFOLD_CONTACTS][3];
	double origin[3];
	for ( int k = 0; k < 3; ++k )
	{
		origin[k] = mpq_get_d( j->work[k] );
	}
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			contact[i][k] = component( m->contact[i].position, k ) - origin[k];
		}
	}
	features f[2];
	find_features( j, j->body, 1, f );
	find_features( j, j->body + 1, -1, f + 1 );
	contact_faults best = { .wrong = "no features" };
	for ( uint32_t i = 0; i < f[0].count * f[1].count; ++i )
	{
		uint32_t list[2][most];
		uint32_t count[2];
		lift lifts[2];
		for ( int which = 0; which < 2; ++which )
		{
			feature of = f[which].of[which == 0 ? i / f[1].count : i % f[1].count];
			count[which] = order( j, j->body + which, of, list[which] );
			lifts[which] = lift_of( j->body + which, list[which], count[which] );
		}
		const uint32_t* lists[2] = { list[0], list[1] };
		polygon* p = clip( j, lists, count );
		exact_contact corners[most_clipped];
		for ( uint32_t k = 0; k < p->count; ++k )
		{
			lift_corner( j, p->at[k], lifts, corners + k );
		}
		contact_faults with = *out;
		compare_with( j, contact, m, corners, p->count, fmax( count[0], count[1] ) > looked_at, speculative,
		              &with );
		bool is_better =
			best.wrong ? !with.wrong || with.area > best.area : !with.wrong && with.area > best.area;
		best = is_better || i == 0 ? with : best;
	}
	*out = best;
}

bool contact_faults_find( convex_exact* memory, const bv_convex* a, const bv_convex* b,
                          const bv_transform* placement, double speculative, const bv_manifold* manifold,
                          contact_faults* out )
{
	*out = ( contact_faults ){ .area = 1, .free_area = 1 };
	judge* j = calloc( 1, sizeof *j );
	if ( !j )
	{
		return false;
	}
	init_all( j, true );
	for ( int k = 0; k < 3; ++k )
	{
		j->normal[k] = component( manifold->normal, k );
		mpq_set_d( j->exact_normal[k], j->normal[k] );
	}
	bool good = take_corners( j, a, NULL, j->body ) && take_corners( j, b, placement, j->body + 1 );
	if ( good )
	{
		mpq_t origin[3];
		for ( int k = 0; k < 3; ++k )
		{
			mpq_init( origin[k] );
			mpq_set( origin[k], j->body[0].corner[0][k] );
		}
		find_axes( j );
		project( j, origin, 1, j->body );
		project( j, origin, -1, j->body + 1 );
		for ( int k = 0; k < 3; ++k )
		{
			mpq_set( j->work[k], origin[k] );
			mpq_clear( origin[k] );
		}
		const bv_convex* shapes[2] = { a, b };
		judge_manifold( j, memory, shapes, placement, speculative, manifold, out );
		out->size = j->size;
	}
	init_all( j, false );
	free( j );
	return good;
}
