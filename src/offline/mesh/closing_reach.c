// How far from caps their winding number reaches 1/2. See closing.h.
//
// The points at the distance r from the caps are on faces parallel to a cap, on cylinders around its sides and on
// spheres around its corners. Around each cap the winding number of all caps that are not near is replaced by its
// linear approximation, with a bound of the rest. For the near ones there are two tests:
//
// 1. Of a triangle of area A whose points are at least d away, the winding number is at most
//    (1 - d / sqrt( d^2 + A / pi )) / 2, because a disc straight below a point is seen at the largest solid angle
//    of all sets of its area in a plane. It is at most A / (4 pi d^2), and h / (pi d) if the triangle is not higher
//    than h above its longest side: a point of it that is x farther along that side is not nearer than x, and the
//    integral of h / max( d, x )^2 along a line is 4 h / d.
// 2. The faces, cylinders and spheres are cut into patches, until the winding number at the middle of each, and the
//    bound of its change, are below 1/2 together.

#include "offline/mesh/closing.h"
#include "offline/mesh/openings.h"
#include "offline/mesh/seen.h"

#include "offline/base/arena.h"
#include "offline/base/frame.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/gap.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// Less than 1/2, with more room than rounding needs.
static const double limit = 0.5 - 0x1p-20;

enum
{
	most_near = 128,         // of one cap, for the second test
	most_patches = 1 << 12,  // of a side
	least_patches = 1 << 16, // of all, and as many more for each cap
	more_patches = 1 << 6,
	all_patches = 1 << 17, // in any case
	most_waiting = 256,
};

// Rounding of a point's place, and more than a flat cap is high.
static const double slack = 0x1p-30;
static const double flat = 0x1p-34;

// What is not near is farther away than this part of the cap's radius, and its linear approximation is as good as
// this part of what the cap leaves.
static const double least_gap = 0.5;
static const double share_of_margin = 0x1p-7;

typedef struct reach_cap
{
	const uint32_t* vertex;
	bv_vec3 corner[3];
	bvtri_framed_triangle framed;
	bv_vec3 center;
	bv_vec3 area; // vector area
	double size;  // its length
	double height;
	double radius;
} reach_cap;

// A patch of what is at the distance from a cap: of a face, a cylinder or a sphere.
typedef struct reach_patch
{
	bv_vec3 corner
		[3]; // of a face: a triangle; of a cylinder: both ends of a piece of its axis; of a sphere: its center
	double u[2]; // of a cylinder: angles; of a sphere: a square on a side of a cube
	double v[2];
	int kind; // 0 to 5: sides of the cube around a sphere; 6 a cylinder; 7 a face
} reach_patch;

// What is looked at of a patch.
typedef struct reach_view
{
	bv_vec3 middle;
	bv_vec3 normal;
	double reach; // no point of the patch is farther from the middle
	double bend;  // nor farther behind its plane
} reach_view;

typedef struct reach_work
{
	reach_cap* caps;
	uint32_t count;
	double reach;
	uint32_t* near; // the first one is the cap itself
	uint32_t near_count;
	bvmesh_open_edge edges[3 * most_near]; // the boundary of the near ones
	uint32_t edge_count;
	double far;       // winding number of the others at the cap's center
	bv_vec3 slope;    // and its gradient
	double rest;      // what it may be more or less within the cap's radius and the distance
	uint32_t patches; // left to look at
} reach_work;

static void fill_cap( const bvmesh_closing* c, uint32_t index, reach_cap* out )
{
	out->vertex = c->mesh.triangles[c->first_cap + index].corner;
	double longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		out->corner[k] = c->mesh.positions[out->vertex[k]];
	}
	for ( int k = 0; k < 3; ++k )
	{
		longest =
			bvmath_max( longest, bvmath_length( bv_sub( out->corner[( k + 1 ) % 3], out->corner[k] ) ) );
	}
	bvtri_frame_triangle( out->corner, &out->framed );
	bv_vec3 sum = bv_add( bv_add( out->corner[0], out->corner[1] ), out->corner[2] );
	out->center = bv_scale( 1.0 / 3, sum );
	out->area = bv_scale(
		0.5, bv_cross( bv_sub( out->corner[1], out->corner[0] ), bv_sub( out->corner[2], out->corner[0] ) ) );
	out->size = bvmath_length( out->area ) + 0x1p-50 * longest;
	out->height = longest > 0 ? 2 * out->size / longest : 0;
	for ( int k = 0; k < 3; ++k )
	{
		out->radius = bvmath_max( out->radius, bvmath_length( bv_sub( out->corner[k], out->center ) ) );
	}
}

static double winding_of( const reach_cap* c, bv_vec3 p )
{
	return bvmesh_half_solid_angle( bv_sub( c->corner[0], p ), bv_sub( c->corner[1], p ),
	                                bv_sub( c->corner[2], p ) ) /
	       ( 2 * pi );
}

// The gradient of a winding number is the field of a current along the boundary (Biot and Savart).
static bv_vec3 gradient_of( const reach_cap* c, bv_vec3 p )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 a = bv_sub( c->corner[k], p );
		bv_vec3 b = bv_sub( c->corner[( k + 1 ) % 3], p );
		double from = bvmath_length( a );
		double to = bvmath_length( b );
		double far = from * to;
		sum = bv_add( sum, bv_scale( ( from + to ) / ( far * ( far + bv_dot( a, b ) ) ), bv_cross( a, b ) ) );
	}
	return bv_scale( 1 / ( 4 * pi ), sum );
}

static double bound_by_area( const reach_cap* c, double d )
{
	double disc = 0.5 * ( 1 - d / sqrt( d * d + c->size / pi ) );
	double strip = c->height / ( pi * d );
	double point = c->size / ( 4 * pi * d * d );
	return bvmath_min( disc, bvmath_min( strip, point ) );
}

// Adds what a cap does that is not near, seen from the center of the one that is looked at.
// @param y  from there to its center, `length` long
static void add_far( reach_work* w, bv_vec3 center, double room, const reach_cap* other, bv_vec3 y,
                     double length )
{
	double nearest = length - other->radius;
	double ratio = other->radius / nearest;
	if ( ratio > 0x1p-4 )
	{
		w->far += winding_of( other, center );
		w->slope = bv_add( w->slope, gradient_of( other, center ) );
		return;
	}

	// The vector area tells nearly as much. The kernel's derivatives of order k are at most (k + 1)! / d^(k + 2),
	// and first moments about the center of a triangle are 0.
	double square = length * length;
	double cube = 1 / ( 4 * pi * square * length );
	double along = bv_dot( other->area, y );
	w->far += cube * along;
	w->slope = bv_add( w->slope, bv_scale( -cube, other->area ) );
	w->slope = bv_add( w->slope, bv_scale( 3 * along / square * cube, y ) );
	double second = other->size * ratio * ratio / ( 4 * pi * nearest * nearest );
	w->rest += 3 * second + 12 * second / nearest * room;
}

// Divides the other caps into near ones and those whose linear approximation will do: their second derivatives are
// at most 6 A / (4 pi d^4).
static void look_around( reach_work* w, uint32_t index )
{
	const reach_cap* c = w->caps + index;
	double room = c->radius + w->reach;
	double allowed = share_of_margin * ( 0.5 - bound_by_area( c, w->reach ) );
	w->near[0] = index;
	w->near_count = 1;
	w->far = w->rest = 0;
	w->slope = ( bv_vec3 ){ 0, 0, 0 };
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		const reach_cap* other = w->caps + i;
		bv_vec3 y = bv_sub( other->center, c->center );
		double length = bvmath_length( y );
		double d = length - other->radius - room;
		double square = d * d;
		double rest = 3 * room * room * other->size / ( 4 * pi * square * square );
		if ( i == index )
		{
			continue;
		}
		if ( d > least_gap * room && rest <= allowed )
		{
			add_far( w, c->center, room, other, y, length );
			w->rest += rest;
			continue;
		}
		w->near[w->near_count++] = i;
	}
}

// The first test.
static bool is_small( const reach_work* w )
{
	const reach_cap* c = w->caps + w->near[0];
	double far = 0;
	for ( int k = 0; k < 3; ++k )
	{
		far = bvmath_max( far, fabs( w->far + bv_dot( w->slope, bv_sub( c->corner[k], c->center ) ) ) );
	}
	double sum = far + w->reach * bvmath_length( w->slope ) + w->rest;
	for ( uint32_t i = 0; i < w->near_count && sum < limit; ++i )
	{
		const reach_cap* other = w->caps + w->near[i];
		bvtri_gap gap = { .square = 0 };
		double d = w->reach;
		if ( i > 0 )
		{
			bool near = bvtri_triangles_gap( c->corner, other->corner, INFINITY, &gap );
			d = near ? bvmath_max( d, sqrt( gap.square ) * ( 1 - 0x1p-20 ) - w->reach ) : d;
		}
		sum += bound_by_area( other, d );
	}
	return sum < limit;
}

// The boundary of the near caps, without the sides that two of them share.
static void find_edges( reach_work* w )
{
	uint32_t ends[3 * most_near][2];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < w->near_count; ++i )
	{
		const reach_cap* c = w->caps + w->near[i];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t from = c->vertex[k];
			uint32_t to = c->vertex[( k + 1 ) % 3];
			uint32_t at = 0;
			while ( at < count && ( ends[at][0] != to || ends[at][1] != from ) )
			{
				++at;
			}
			if ( at < count )
			{
				--count;
				ends[at][0] = ends[count][0];
				ends[at][1] = ends[count][1];
				w->edges[at] = w->edges[count];
				continue;
			}
			ends[count][0] = from;
			ends[count][1] = to;
			w->edges[count++] = ( bvmesh_open_edge ){ c->corner[k], c->corner[( k + 1 ) % 3], 1 };
		}
	}
	w->edge_count = count;
}

// Unit vectors at right angles to a given one and to each other.
static void frame_around( bv_vec3 along, bv_vec3 out[2] )
{
	out[0] = bvbase_perpendicular( along );
	out[1] = bv_cross( along, out[0] );
}

static reach_view view_sphere( const reach_patch* p, double radius )
{
	bv_vec3 normal = bvbase_unit(
		bvbase_point_on_cube( p->kind, 0.5 * ( p->u[0] + p->u[1] ), 0.5 * ( p->v[0] + p->v[1] ) ) );
	double reach = 0;
	for ( int k = 0; k < 4; ++k )
	{
		bv_vec3 corner = bvbase_unit( bvbase_point_on_cube( p->kind, p->u[k & 1], p->v[k >> 1] ) );
		reach = bvmath_max( reach, bvmath_length( bv_sub( corner, normal ) ) );
	}
	reach *= radius;
	return ( reach_view ){ bv_add( p->corner[0], bv_scale( radius, normal ) ), normal, reach,
		                   reach * reach / ( 2 * radius ) };
}

// Directions are given by rational coordinates of a square, of which u is along its sides: 4 of them.
static bv_vec3 direction_of( const bv_vec3 frame[2], double u )
{
	int side = (int)floor( u );
	double x = 2 * ( u - side ) - 1;
	double a = side == 0 ? 1 : side == 1 ? -x : side == 2 ? -1 : x;
	double b = side == 0 ? x : side == 1 ? 1 : side == 2 ? -x : -1;
	return bvbase_unit( bv_add( bv_scale( a, frame[0] ), bv_scale( b, frame[1] ) ) );
}

static reach_view view_cylinder( const reach_patch* p, double radius )
{
	bv_vec3 frame[2];
	bv_vec3 axis = bv_sub( p->corner[1], p->corner[0] );
	frame_around( bvbase_unit( axis ), frame );
	bv_vec3 normal = direction_of( frame, 0.5 * ( p->u[0] + p->u[1] ) );

	// The end of the last side is the beginning of the first.
	double last = p->u[1] >= 4 ? 0 : p->u[1];
	double side = bvmath_max( bvmath_length( bv_sub( direction_of( frame, p->u[0] ), normal ) ),
	                          bvmath_length( bv_sub( direction_of( frame, last ), normal ) ) );
	double half = 0.5 * bvmath_length( axis );
	double across = radius * side;
	bv_vec3 middle = bv_scale( 0.5, bv_add( p->corner[0], p->corner[1] ) );
	return ( reach_view ){ bv_add( middle, bv_scale( radius, normal ) ), normal,
		                   sqrt( half * half + across * across ), across * across / ( 2 * radius ) };
}

static reach_view view_face( const reach_patch* p )
{
	bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( bv_add( p->corner[0], p->corner[1] ), p->corner[2] ) );
	double reach = 0;
	for ( int k = 0; k < 3; ++k )
	{
		reach = bvmath_max( reach, bvmath_length( bv_sub( p->corner[k], middle ) ) );
	}
	bv_vec3 normal = { p->u[0], p->u[1], p->v[0] };
	return ( reach_view ){ middle, normal, reach, 0 };
}

static reach_view view_of( const reach_patch* p, double radius )
{
	reach_view view = p->kind == 7   ? view_face( p )
	                  : p->kind == 6 ? view_cylinder( p, radius )
	                                 : view_sphere( p, radius );
	view.reach += 0x1p-40;
	view.bend += 0x1p-40;
	return view;
}

typedef enum reach_answer
{
	reach_answer_good, // below 1/2 on the whole patch, or nearer to a cap
	reach_answer_bad,
	reach_answer_cut,
} reach_answer;

// Whether straight lines from the middle lead to all of the patch without meeting a near cap. Also finds whether
// the patch, or its middle, is nearer to one of them than the distance.
static bool is_free( const reach_work* w, const reach_view* v, bool* hidden, bool* middle_hidden )
{
	bool free = true;
	*hidden = *middle_hidden = false;
	for ( uint32_t i = 0; i < w->near_count && !*hidden; ++i )
	{
		const reach_cap* c = w->caps + w->near[i];
		bv_vec3 away = bv_sub( v->middle, c->center );
		double far = bvmath_max( w->reach, v->reach ) + c->radius + slack;
		if ( bv_dot( away, away ) > far * far )
		{
			continue;
		}
		bvtri_nearest nearest;
		bvtri_nearest_in_frame( v->middle, &c->framed, &nearest );
		double d = sqrt( nearest.square );
		*middle_hidden |= d < w->reach - slack;
		*hidden = d + v->reach < w->reach - slack;
		double highest = -INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			highest = bvmath_max( highest, bv_dot( bv_sub( c->corner[k], v->middle ), v->normal ) );
		}
		free = free && ( d > v->reach || highest < -v->bend );
	}
	return free;
}

static reach_answer look_at( const reach_work* w, const reach_view* v )
{
	bool hidden;
	bool middle_hidden;
	bool free = is_free( w, v, &hidden, &middle_hidden );
	if ( hidden )
	{
		return reach_answer_good;
	}
	const reach_cap* c = w->caps + w->near[0];
	double winding = w->far + bv_dot( w->slope, bv_sub( v->middle, c->center ) );
	for ( uint32_t i = 0; i < w->near_count; ++i )
	{
		winding += winding_of( w->caps + w->near[i], v->middle );
	}
	winding = fabs( winding ) + w->rest;
	if ( winding >= limit && !middle_hidden )
	{
		return reach_answer_bad;
	}
	if ( !free )
	{
		return reach_answer_cut;
	}
	bvb_winding_slope sum = { .gradient = bv_scale( 4 * pi, w->slope ) };
	for ( uint32_t i = 0; i < w->edge_count; ++i )
	{
		const bvmesh_open_edge* e = w->edges + i;
		bvb_winding_slope slope =
			bvmesh_slope_by_edge( bv_sub( e->from, v->middle ), bv_sub( e->to, v->middle ), v->reach );
		sum.curvature += slope.curvature;
		sum.gradient = bv_add( sum.gradient, slope.gradient );
	}
	if ( !( sum.curvature < INFINITY ) )
	{
		return reach_answer_cut;
	}
	double outward = bv_dot( sum.gradient, v->normal );
	double along = bvmath_length( bv_sub( sum.gradient, bv_scale( outward, v->normal ) ) );
	double rise = ( v->reach * along + v->bend * fabs( outward ) + sum.curvature ) / ( 4 * pi );
	return winding + rise < limit ? reach_answer_good : reach_answer_cut;
}

static uint32_t cut_patch( const reach_patch* p, double radius, reach_patch out[4] )
{
	if ( p->kind == 7 )
	{
		bv_vec3 half[3];
		for ( int k = 0; k < 3; ++k )
		{
			half[k] = bv_scale( 0.5, bv_add( p->corner[k], p->corner[( k + 1 ) % 3] ) );
		}
		for ( int k = 0; k < 4; ++k )
		{
			out[k] = *p;
			out[k].corner[0] = k < 3 ? p->corner[k] : half[0];
			out[k].corner[1] = k < 3 ? half[k] : half[1];
			out[k].corner[2] = k < 3 ? half[( k + 2 ) % 3] : half[2];
		}
		return 4;
	}
	double u = 0.5 * ( p->u[0] + p->u[1] );
	if ( p->kind == 6 )
	{
		// A side is half pi of the radius.
		double width = 1.5 * radius * ( p->u[1] - p->u[0] );
		bool by_length = bvmath_length( bv_sub( p->corner[1], p->corner[0] ) ) > width;
		out[0] = out[1] = *p;
		if ( by_length )
		{
			out[0].corner[1] = out[1].corner[0] = bv_scale( 0.5, bv_add( p->corner[0], p->corner[1] ) );
		}
		else
		{
			out[0].u[1] = out[1].u[0] = u;
		}
		return 2;
	}
	double v = 0.5 * ( p->v[0] + p->v[1] );
	for ( int k = 0; k < 4; ++k )
	{
		out[k] = *p;
		out[k].u[( k & 1 ) ^ 1] = u;
		out[k].v[( k >> 1 ) ^ 1] = v;
	}
	return 4;
}

static bool are_patches_good( reach_work* w, const reach_patch* whole )
{
	reach_patch waiting[most_waiting];
	uint32_t count = 1;
	waiting[0] = *whole;
	for ( uint32_t looked_at = 0; count > 0; ++looked_at )
	{
		reach_patch p = waiting[--count];
		reach_view view = view_of( &p, w->reach );
		reach_answer answer = look_at( w, &view );
		bool may_cut = looked_at < most_patches && w->patches > 0 && count + 4 <= most_waiting &&
		               view.reach > 0x1p-8 * w->reach;
		if ( answer == reach_answer_bad || ( answer == reach_answer_cut && !may_cut ) )
		{
			return false;
		}
		w->patches -= w->patches > 0;
		count += answer == reach_answer_cut ? cut_patch( &p, w->reach, waiting + count ) : 0;
	}
	return true;
}

// The second test. Whatever the direction of a thin cap's normal is computed to be, the space between its faces is
// closed by the cylinders around its sides. Those hold a flat one.
static bool is_small_on_patches( reach_work* w )
{
	const reach_cap* c = w->caps + w->near[0];
	bool good = w->near_count <= most_near;
	if ( good )
	{
		find_edges( w );
	}
	double area = bvmath_length( c->area );
	for ( int side = 0; side < 2 && good && c->height > flat; ++side )
	{
		bv_vec3 normal = bv_scale( ( side ? -1 : 1 ) / area, c->area );
		bv_vec3 away = bv_scale( w->reach, normal );
		reach_patch face = { .kind = 7, .u = { normal.x, normal.y }, .v = { normal.z, 0 } };
		for ( int k = 0; k < 3; ++k )
		{
			face.corner[k] = bv_add( c->corner[k], away );
		}
		good = are_patches_good( w, &face );
	}
	for ( int k = 0; k < 3 && good; ++k )
	{
		for ( int side = 0; side < 4 && good; ++side )
		{
			reach_patch part = { .kind = 6,
				                 .corner = { c->corner[k], c->corner[( k + 1 ) % 3] },
				                 .u = { side, side + 1 } };
			good = are_patches_good( w, &part );
		}
		for ( int side = 0; side < 6 && good; ++side )
		{
			reach_patch part = { .kind = side, .corner = { c->corner[k] }, .u = { -1, 1 }, .v = { -1, 1 } };
			good = are_patches_good( w, &part );
		}
	}
	return good;
}

bv_status bvmesh_caps_reach_within( const bvmesh_closing* closing, double reach,
                                    bool ( *stop )( void* context ), void* context, const bvb_arena* arena,
                                    bool* within )
{
	*within = false;
	uint32_t count = closing->mesh.triangle_count - closing->first_cap;
	if ( count > bvmesh_most_caps )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	reach_work* w = scratch ? bvb_arena_allocate( scratch, 1, sizeof *w ) : NULL;
	reach_cap* caps = w ? bvb_arena_allocate( scratch, count, sizeof *caps ) : NULL;
	uint32_t* near = caps ? bvb_arena_allocate( scratch, count, sizeof *near ) : NULL;
	if ( !near )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	uint32_t patches = least_patches + more_patches * count;
	patches = patches < all_patches ? patches : all_patches;
	*w = ( reach_work ){ .caps = caps, .near = near, .count = count, .reach = reach, .patches = patches };
	for ( uint32_t i = 0; i < count; ++i )
	{
		fill_cap( closing, i, caps + i );
	}
	bool good = true;
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		look_around( w, i );
		good = !( stop && stop( context ) ) && ( is_small( w ) || is_small_on_patches( w ) );
	}
	*within = good;
	bvb_arena_destroy( scratch );
	return bv_ok;
}
