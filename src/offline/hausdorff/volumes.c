// The volumes that can be measured, each as cells to begin with. See bvbuild/hausdorff.h.

#include "offline/base/arena.h"
#include "offline/base/frame.h"
#include "offline/hausdorff/box.h"
#include "offline/hausdorff/caps.h"
#include "offline/hausdorff/strips.h"
#include "offline/hausdorff/target.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>
#include <string.h>

// Of its size: how thin a hull is no more than its surface.
static const double thin_hull = 0x1p-20;

static const bv_vec3 world[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static bool is_length( double x )
{
	return x >= 0 && x < INFINITY;
}

static bool is_point( bv_vec3 p )
{
	return bvmath_norm1( p ) < INFINITY;
}

static bool is_frame( const bv_vec3 axis[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k <= i; ++k )
		{
			if ( !( fabs( bv_dot( axis[i], axis[k] ) - ( i == k ) ) < 1e-12 ) )
			{
				return false;
			}
		}
	}
	return true;
}

static void add_box( bvhaus_search* search, bv_vec3 center, const bv_vec3 axis[3], const double half[3],
                     const bvhaus_shape* shape )
{
	bvhaus_cell_make_box( center, axis, half, bvhaus_search_new_cell( search ) );
	bvhaus_search_add( search, shape, INFINITY );
}

// A half ball or a disc, as a box round it.
static void add_part_of_ball( bvhaus_search* search, bv_vec3 center, const bv_vec3 axis[3],
                              const double half[3], const bvhaus_shape* ball )
{
	bvhaus_cell cell;
	bvhaus_cell_make_box( center, axis, half, &cell );
	bvhaus_search_add_part_of_ball( search, ball, &cell );
}

static void add_polygon( bvhaus_search* search, const bv_vec3* corner, int count )
{
	bvhaus_cell_make_polygon( corner, count, bvhaus_search_new_cell( search ) );
	bvhaus_search_add( search, NULL, INFINITY );
}

static bv_status measure_box( bvb_hausdorff_target* target, bv_vec3 center, const bv_vec3 axis[3],
                              const double half[3], const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	if ( !is_point( center ) || !is_length( half[0] ) || !is_length( half[1] ) || !is_length( half[2] ) )
	{
		return bv_error_argument;
	}
	double reach = bvmath_norm1( center ) + half[0] + half[1] + half[2];
	bv_status status = bvhaus_target_begin( target, options, axis, reach );
	if ( status != bv_ok )
	{
		return status;
	}
	bvhaus_solid_box box = {
		.center = center,
		.axis = { axis[0], axis[1], axis[2] },
		.half_extents = { half[0], half[1], half[2] },
	};
	bvb_hausdorff solid;
	bool hollow = bvhaus_wants_surface( options );
	bvhaus_search_box( target->search, &box, 0, hollow ? &solid : out, hollow ? out : NULL );
	return bv_ok;
}

bv_status bvb_hausdorff_aabb( bvb_hausdorff_target* target, const bv_aabb* box,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	bv_vec3 half = bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
	return measure_box( target, bv_add( box->lower, half ), world, ( double[3] ){ half.x, half.y, half.z },
	                    options, out );
}

bv_status bvb_hausdorff_obb( bvb_hausdorff_target* target, const bv_obb* box,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	return is_frame( box->axis )
	           ? measure_box( target, box->center, box->axis, box->half_extents, options, out )
	           : bv_error_argument;
}

bv_status bvb_hausdorff_sphere( bvb_hausdorff_target* target, const bv_sphere* ball,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	if ( !is_point( ball->center ) || !is_length( ball->radius ) )
	{
		return bv_error_argument;
	}
	double r = ball->radius;
	bv_status status = bvhaus_target_begin( target, options, world, bvmath_norm1( ball->center ) + 3 * r );
	if ( status != bv_ok )
	{
		return status;
	}
	bvhaus_shape shape = { bvhaus_shape_ball, .hollow = bvhaus_wants_surface( options ),
		                   .center = ball->center, .axis = world[0], .radius = r };
	if ( r > 0 )
	{
		bvhaus_search_add_ball( target->search, &shape );
	}
	else
	{
		add_box( target->search, ball->center, world, ( double[3] ){ 0, 0, 0 }, NULL );
	}
	*out = bvhaus_search_run( target->search );
	return bv_ok;
}

// A right-handed frame whose first axis leads from one point to another. Returns the distance.
static double frame_between( bv_vec3 from, bv_vec3 to, bv_vec3 axis[3] )
{
	bv_vec3 d = bv_sub( to, from );
	double length = sqrt( bv_dot( d, d ) );
	axis[0] = length > 0 ? bv_scale( 1 / length, d ) : world[0];
	axis[1] = bvbase_perpendicular( axis[0] );
	axis[2] = bv_cross( axis[0], axis[1] );
	return length;
}

static bv_vec3 middle_of( bv_vec3 a, bv_vec3 b )
{
	return bv_add( a, bv_scale( 0.5, bv_sub( b, a ) ) );
}

// Two half balls and the cylinder between them.
bv_status bvb_hausdorff_capsule( bvb_hausdorff_target* target, const bv_capsule* capsule,
                                 const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	double r = capsule->radius;
	const bv_vec3* end = capsule->ends;
	if ( !is_point( end[0] ) || !is_point( end[1] ) || !is_length( r ) )
	{
		return bv_error_argument;
	}
	bv_vec3 axis[3];
	double length = frame_between( end[0], end[1], axis );
	double reach = bvmath_max( bvmath_norm1( end[0] ), bvmath_norm1( end[1] ) ) + 3 * r;
	bv_status status = bvhaus_target_begin( target, options, axis, reach );
	if ( status != bv_ok )
	{
		return status;
	}
	bool hollow = bvhaus_wants_surface( options );
	bvhaus_shape side = { bvhaus_shape_cylinder, hollow, .center = end[0], .axis = axis[0], .radius = r };
	bvhaus_shape ball[2];
	bv_vec3 middle = middle_of( end[0], end[1] );
	bool round = r > 0;
	for ( int i = 0; i < 2 && round; ++i )
	{
		ball[i] = ( bvhaus_shape ){ bvhaus_shape_ball, hollow, .center = end[i],
			                        .axis = i ? axis[0] : bv_negate( axis[0] ), .radius = r };
		bv_vec3 center = bv_add( end[i], bv_scale( i ? 0.5 * r : -0.5 * r, axis[0] ) );
		add_part_of_ball( target->search, center, axis, ( double[3] ){ 0.5 * r, r, r }, &ball[i] );
	}
	if ( round && hollow && length > 0 )
	{
		bvhaus_search_add_side( target->search, &side, axis, length );
	}
	else if ( !hollow || !round )
	{
		add_box( target->search, middle, axis, ( double[3] ){ 0.5 * length, r, r }, round ? &side : NULL );
	}
	*out = bvhaus_search_run( target->search );
	return bv_ok;
}

bv_status bvb_hausdorff_cylinder( bvb_hausdorff_target* target, const bv_cylinder* cylinder,
                                  const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	double r = cylinder->radius;
	const bv_vec3* end = cylinder->ends;
	bv_vec3 axis[3];
	double length = frame_between( end[0], end[1], axis );
	if ( !is_point( end[0] ) || !is_point( end[1] ) || !( r > 0 && r < INFINITY ) || !( length > 0 ) )
	{
		return bv_error_argument;
	}
	double reach = bvmath_max( bvmath_norm1( end[0] ), bvmath_norm1( end[1] ) ) + 3 * r;
	bv_status status = bvhaus_target_begin( target, options, axis, reach );
	if ( status != bv_ok )
	{
		return status;
	}
	bool hollow = bvhaus_wants_surface( options );
	bvhaus_shape side = { bvhaus_shape_cylinder, hollow, .center = end[0], .axis = axis[0], .radius = r };
	bvhaus_shape disc[2];
	double half[3] = { 0.5 * length, r, r };
	for ( int i = 0; i < 2 && hollow; ++i )
	{
		disc[i] = ( bvhaus_shape ){ bvhaus_shape_ball, .center = end[i], .axis = axis[1], .radius = r };
		add_part_of_ball( target->search, end[i], axis, ( double[3] ){ 0, r, r }, &disc[i] );
	}
	if ( hollow )
	{
		bvhaus_search_add_side( target->search, &side, axis, length );
	}
	else
	{
		add_box( target->search, middle_of( end[0], end[1] ), axis, half, &side );
	}
	*out = bvhaus_search_run( target->search );
	return bv_ok;
}

enum
{
	most_polygon = bvhaus_cell_corners,
};

// A flat polygon that is being cut.
typedef struct volumes_polygon
{
	bv_vec3 corner[most_polygon];
	int count;
} volumes_polygon;

// Leaves what is below the plane, or within `near` of it (Sutherland and Hodgman 1974).
static void clip( volumes_polygon* p, const bvhaus_plane* plane, double near )
{
	volumes_polygon out = { .count = 0 };
	for ( int i = 0; i < p->count; ++i )
	{
		bv_vec3 a = p->corner[i];
		bv_vec3 b = p->corner[( i + 1 ) % p->count];
		double ha = bv_dot( plane->normal, a ) - plane->offset - near;
		double hb = bv_dot( plane->normal, b ) - plane->offset - near;
		if ( ha <= 0 && out.count < most_polygon )
		{
			out.corner[out.count++] = a;
		}
		if ( ( ha < 0 ) != ( hb < 0 ) && ha != 0 && hb != 0 && out.count < most_polygon )
		{
			out.corner[out.count++] = bv_add( a, bv_scale( ha / ( ha - hb ), bv_sub( b, a ) ) );
		}
	}
	*p = out;
}

// The planes of a k-DOP, two of opposite normals for each direction.
static uint32_t make_planes( const bv_kdop* kdop, bvhaus_plane* planes )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kdop->k, i ) )
		{
			bv_vec3 d = bv_kdop_direction( i );
			double scale = 1 / sqrt( bv_dot( d, d ) );
			bv_vec3 normal = bv_scale( scale, d );
			planes[count++] = ( bvhaus_plane ){ normal, scale * kdop->upper[i] };
			planes[count++] = ( bvhaus_plane ){ bv_negate( normal ), -scale * kdop->lower[i] };
		}
	}
	return count;
}

// The side of a polytope that lies on one of its planes.
static volumes_polygon find_side( const bvhaus_plane* planes, uint32_t count, uint32_t which, double size,
                                  double near )
{
	bv_vec3 normal = planes[which].normal;
	bv_vec3 u = bvbase_perpendicular( normal );
	bv_vec3 v = bv_cross( normal, u );
	bv_vec3 center = bv_scale( planes[which].offset, normal );
	volumes_polygon p = { .count = 4 };
	for ( int i = 0; i < 4; ++i )
	{
		bv_vec3 across =
			bv_add( bv_scale( i == 0 || i == 3 ? size : -size, u ), bv_scale( i < 2 ? size : -size, v ) );
		p.corner[i] = bv_add( center, across );
	}
	for ( uint32_t i = 0; i < count && p.count > 0; ++i )
	{
		if ( i != which )
		{
			clip( &p, planes + i, near );
		}
	}
	return p;
}

static bool is_kdop( const bv_kdop* kdop )
{
	bool valid = kdop->k == 6 || kdop->k == 14 || kdop->k == 18 || kdop->k == 26;
	for ( uint32_t i = 0; valid && i < BV_KDOP_DIRECTIONS; ++i )
	{
		valid = !bv_kdop_uses( kdop->k, i ) ||
		        ( fabs( kdop->lower[i] ) < INFINITY && fabs( kdop->upper[i] ) < INFINITY &&
		          kdop->lower[i] <= kdop->upper[i] );
	}
	return valid;
}

// The solid is the box of its first three directions, cut by the other planes as cells get smaller; the
// surface is its sides.
bv_status bvb_hausdorff_kdop( bvb_hausdorff_target* target, const bv_kdop* kdop,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	if ( !is_kdop( kdop ) )
	{
		return bv_error_argument;
	}
	bvhaus_plane planes[2 * BV_KDOP_DIRECTIONS];
	uint32_t count = make_planes( kdop, planes );
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		size += bvmath_max( fabs( kdop->lower[i] ), fabs( kdop->upper[i] ) );
	}
	volumes_polygon sides[2 * BV_KDOP_DIRECTIONS];
	bv_vec3 sum = { 0, 0, 0 };
	int corners = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		sides[i] = find_side( planes, count, i, 4 * size, 0x1p-50 * size );
		for ( int k = 0; k < sides[i].count; ++k, ++corners )
		{
			sum = bv_add( sum, sides[i].corner[k] );
		}
	}
	// Flat ones would be empty for rounding.
	for ( uint32_t i = 0; i < count; ++i )
	{
		planes[i].offset += 0x1p-51 * size;
	}
	bv_status status = corners > 0 ? bvhaus_target_begin( target, options, world, size ) : bv_error_argument;
	if ( status != bv_ok )
	{
		return status;
	}
	bvhaus_shape shape = { bvhaus_shape_polytope, .planes = planes, .plane_count = count };
	shape.center = bv_scale( 1.0 / corners, sum );
	if ( bvhaus_wants_surface( options ) )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			if ( sides[i].count > 0 )
			{
				add_polygon( target->search, sides[i].corner, sides[i].count );
			}
		}
	}
	else
	{
		double half[3];
		for ( int i = 0; i < 3; ++i )
		{
			half[i] = 0.5 * ( kdop->upper[i] - kdop->lower[i] );
		}
		bv_vec3 center = { kdop->lower[0] + half[0], kdop->lower[1] + half[1], kdop->lower[2] + half[2] };
		add_box( target->search, center, world, half, &shape );
	}
	*out = bvhaus_search_run( target->search );
	return bv_ok;
}

// From the base round the triangle, at one end and at the other.
static void corners_of_prism( const bv_obb* box, bv_vec3 out[6] )
{
	const double* h = box->half_extents;
	for ( int i = 0; i < 6; ++i )
	{
		const double side[3] = { -h[0], h[0], 0 };
		bv_vec3 p = bv_add( box->center, bv_scale( i < 3 ? -h[2] : h[2], box->axis[2] ) );
		p = bv_add( p, bv_scale( side[i % 3], box->axis[0] ) );
		out[i] = bv_add( p, bv_scale( i % 3 == 2 ? h[1] : -h[1], box->axis[1] ) );
	}
}

static void add_sides_of_prism( bvhaus_search* search, const bv_obb* box )
{
	bv_vec3 c[6];
	corners_of_prism( box, c );
	add_polygon( search, c, 3 );
	add_polygon( search, c + 3, 3 );
	for ( int i = 0; i < 3; ++i )
	{
		int k = ( i + 1 ) % 3;
		add_polygon( search, ( const bv_vec3[4] ){ c[i], c[k], c[3 + k], c[3 + i] }, 4 );
	}
}

// The solid is the box round it, cut by the slanted sides' planes as cells get smaller.
bv_status bvb_hausdorff_prism( bvb_hausdorff_target* target, const bv_prism* prism,
                               const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	const bv_obb* box = &prism->box;
	const double* h = box->half_extents;
	if ( !is_frame( box->axis ) || !is_point( box->center ) || !is_length( h[0] ) || !is_length( h[1] ) ||
	     !is_length( h[2] ) )
	{
		return bv_error_argument;
	}
	double size = bvmath_norm1( box->center ) + ( h[0] + h[1] + h[2] );
	bv_status status = bvhaus_target_begin( target, options, box->axis, size );
	if ( status != bv_ok )
	{
		return status;
	}
	double slant = sqrt( h[0] * h[0] + 4 * ( h[1] * h[1] ) );
	bvhaus_plane planes[2];
	bv_vec3 tip = bv_add( box->center, bv_scale( h[1], box->axis[1] ) );
	for ( int i = 0; i < 2 && slant > 0; ++i )
	{
		bv_vec3 aside = bv_scale( ( i ? -2 : 2 ) * h[1] / slant, box->axis[0] );
		bv_vec3 normal = bv_add( aside, bv_scale( h[0] / slant, box->axis[1] ) );
		planes[i] = ( bvhaus_plane ){ normal, bv_dot( normal, tip ) + 0x1p-50 * size };
	}
	bvhaus_shape shape = { bvhaus_shape_polytope, .planes = planes, .plane_count = 2 };
	shape.center = bv_sub( box->center, bv_scale( h[1] / 3, box->axis[1] ) );
	if ( bvhaus_wants_surface( options ) )
	{
		add_sides_of_prism( target->search, box );
	}
	else
	{
		add_box( target->search, box->center, box->axis, h, slant > 0 ? &shape : NULL );
	}
	*out = bvhaus_search_run( target->search );
	return bv_ok;
}

static bv_vec3 hull_point( const bv_vec3* points, const bvb_hull* hull, uint32_t index )
{
	return points[hull->vertices[index]];
}

// Flat hulls: all of a point, a segment or a polygon counts.
static void add_flat_hull( bvhaus_search* search, const bv_vec3* points, const bvb_hull* hull )
{
	bv_vec3 first = hull_point( points, hull, 0 );
	if ( hull->kind == bv_hull_point )
	{
		add_box( search, first, world, ( double[3] ){ 0, 0, 0 }, NULL );
		return;
	}
	if ( hull->kind == bv_hull_segment )
	{
		bv_vec3 axis[3];
		bv_vec3 last = hull_point( points, hull, 1 );
		double length = frame_between( first, last, axis );
		add_box( search, middle_of( first, last ), axis, ( double[3] ){ 0.5 * length, 0, 0 }, NULL );
		return;
	}
	for ( uint32_t i = 2; i < hull->vertex_count; ++i )
	{
		bv_vec3 corner[3] = { first, hull_point( points, hull, i - 1 ), hull_point( points, hull, i ) };
		add_polygon( search, corner, 3 );
	}
}

static void add_hull_faces( bvhaus_search* search, const bv_vec3* points, const bvb_hull* hull )
{
	for ( uint32_t i = 0; i < hull->face_count; ++i )
	{
		const uint32_t* c = hull->faces[i].corner;
		bv_vec3 corner[3];
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = hull_point( points, hull, c[k] );
		}
		add_polygon( search, corner, 3 );
	}
}

// How far a hull reaches along a direction. The normals of slivers are not worth much: a plane must not cut
// off what lies elsewhere.
static void reach_along( const bv_vec3* points, const bvb_hull* hull, bv_vec3 normal, double* nearest,
                         double* farthest )
{
	*nearest = INFINITY;
	*farthest = -INFINITY;
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		double along = bv_dot( normal, hull_point( points, hull, i ) );
		*nearest = bvmath_min( *nearest, along );
		*farthest = bvmath_max( *farthest, along );
	}
}

// The planes of a polyhedron's triangles. Returns how many.
// @param width  receives how wide the hull is where it is thinnest between such a plane and its opposite
static uint32_t make_hull_planes( const bv_vec3* points, const bvb_hull* hull, bvhaus_plane* planes,
                                  double* inner, double* width )
{
	uint32_t count = 0;
	*width = INFINITY;
	for ( uint32_t i = 0; i < hull->face_count; ++i )
	{
		const uint32_t* c = hull->faces[i].corner;
		bv_vec3 a = hull_point( points, hull, c[0] );
		bv_vec3 b = hull_point( points, hull, c[1] );
		bv_vec3 d = hull_point( points, hull, c[2] );
		bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( d, a ) );
		double length = sqrt( bv_dot( normal, normal ) );
		if ( length > 0 )
		{
			normal = bv_scale( 1 / length, normal );
			inner[count] =
				bvmath_min( bvmath_min( bv_dot( normal, a ), bv_dot( normal, b ) ), bv_dot( normal, d ) );
			double nearest;
			double farthest;
			reach_along( points, hull, normal, &nearest, &farthest );
			planes[count++] = ( bvhaus_plane ){ normal, farthest };
			*width = bvmath_min( *width, farthest - nearest );
		}
	}
	return count;
}

bv_status bvb_hausdorff_hull( bvb_hausdorff_target* target, const bv_vec3* points, const bvb_hull* hull,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	if ( hull->vertex_count == 0 )
	{
		return bv_error_argument;
	}
	bv_vec3 lower = hull_point( points, hull, 0 );
	bv_vec3 upper = lower;
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		bv_vec3 p = hull_point( points, hull, i );
		lower = bvmath_least( lower, p );
		upper = bvmath_greatest( upper, p );
		sum = bv_add( sum, p );
	}
	double reach = bvmath_norm1( lower ) + bvmath_norm1( upper );
	double size = bvmath_norm1( bv_sub( upper, lower ) );
	bool solid = hull->kind == bv_hull_polyhedron && !bvhaus_wants_surface( options );
	bvb_arena* scratch = bvbase_arena_create_scratch( target->arena );
	bvhaus_plane* planes =
		solid && scratch ? bvb_arena_allocate( scratch, hull->face_count, sizeof *planes ) : NULL;
	double* inner = solid && scratch ? bvb_arena_allocate( scratch, hull->face_count, sizeof *inner ) : NULL;
	if ( !scratch || ( solid && ( !planes || !inner ) ) )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	bvhaus_shape shape = { bvhaus_shape_polytope, .center = bv_scale( 1.0 / hull->vertex_count, sum ),
		                   .planes = planes, .inner = inner };
	double width = 0;
	if ( solid )
	{
		shape.plane_count = make_hull_planes( points, hull, planes, inner, &width );
	}

	// The normals of a thin hull's sides are mostly rounding. Every point of it is within its width of its
	// surface.
	bool thin = solid && width <= thin_hull * size;
	bool by_planes = solid && !thin;

	// qhull's faces may cut off what rounding makes of vertices, in proportion to the hull's size, and
	// normals turn by rounding over width.
	reach += by_planes ? bvmath_max( 0x1p10, 0x1p-2 * size / width ) * size : 0;
	bv_status status = bvhaus_target_begin( target, options, world, reach );
	if ( status == bv_ok )
	{
		if ( by_planes )
		{
			bv_vec3 half = bv_scale( 0.5, bv_sub( upper, lower ) );
			add_box( target->search, bv_add( lower, half ), world, ( double[3] ){ half.x, half.y, half.z },
			         &shape );
		}
		else if ( hull->kind == bv_hull_polyhedron )
		{
			add_hull_faces( target->search, points, hull );
		}
		else
		{
			add_flat_hull( target->search, points, hull );
		}
		*out = bvhaus_search_run( target->search );
		out->upper += thin ? width : 0;
	}
	bvb_arena_destroy( scratch );
	return status;
}

// What a rectangle swept sphere is made of, besides a box or two rectangles: half cylinders along the sides
// and quarter balls at the corners.
typedef struct rims
{
	bvhaus_shape side[4];
	bvhaus_shape ball[4];
} rims;

// Along the side of the rectangle that lies towards `outward`, and round the end of it that is in the
// direction of `along`.
static void add_rim( bvhaus_search* search, const bv_rss* rss, bv_vec3 outward, bv_vec3 along, double away,
                     double half_length, bool hollow, bvhaus_shape* side, bvhaus_shape* ball )
{
	double r = rss->radius;
	bv_vec3 axis[3] = { along, outward, rss->axis[2] };
	bv_vec3 middle = bv_add( rss->center, bv_scale( away, outward ) );
	*side = ( bvhaus_shape ){ bvhaus_shape_cylinder, hollow,     .center = middle, .axis = along,
		                      .across = outward,     .radius = r };
	bvhaus_cell_make_box( bv_add( middle, bv_scale( 0.5 * r, outward ) ), axis,
	                      ( double[3] ){ half_length, 0.5 * r, r }, bvhaus_search_new_cell( search ) );
	bvhaus_search_add( search, side, INFINITY );

	bv_vec3 corner = bv_add( middle, bv_scale( half_length, along ) );
	bv_vec3 diagonal = bv_add( along, outward );
	*ball = ( bvhaus_shape ){ bvhaus_shape_ball, hollow, .center = corner,
		                      .axis = bv_scale( sqrt( 0.5 ), diagonal ), .radius = r };
	add_part_of_ball( search, bv_add( corner, bv_scale( 0.5 * r, diagonal ) ), axis,
	                  ( double[3] ){ 0.5 * r, 0.5 * r, r }, ball );
}

static void add_rims( bvhaus_search* search, const bv_rss* rss, bool hollow, rims* out )
{
	for ( int i = 0; i < 4; ++i )
	{
		int k = i % 2;
		bv_vec3 outward = i < 2 ? rss->axis[k] : bv_negate( rss->axis[k] );
		// Each side with the next corner, counter-clockwise.
		bv_vec3 along = i == 0 || i == 3 ? rss->axis[1 - k] : bv_negate( rss->axis[1 - k] );
		add_rim( search, rss, outward, along, rss->half_extents[k], rss->half_extents[1 - k], hollow,
		         &out->side[i], &out->ball[i] );
	}
}

static void add_plates( bvhaus_search* search, const bv_rss* rss, bool hollow )
{
	const double* h = rss->half_extents;
	if ( !hollow )
	{
		add_box( search, rss->center, rss->axis, ( double[3] ){ h[0], h[1], rss->radius }, NULL );
		return;
	}
	for ( int i = 0; i < 2; ++i )
	{
		bv_vec3 center = bv_add( rss->center, bv_scale( i ? rss->radius : -rss->radius, rss->axis[2] ) );
		add_box( search, center, rss->axis, ( double[3] ){ h[0], h[1], 0 }, NULL );
	}
}

// Where the rectangle is a segment or a point, it is a capsule.
static bv_status measure_capsule( bvb_hausdorff_target* target, const bv_rss* rss,
                                  const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	const double* h = rss->half_extents;
	bv_vec3 half = bv_add( bv_scale( h[0], rss->axis[0] ), bv_scale( h[1], rss->axis[1] ) );
	bv_capsule capsule = { { bv_sub( rss->center, half ), bv_add( rss->center, half ) }, rss->radius };
	return bvb_hausdorff_capsule( target, &capsule, options, out );
}

bv_status bvb_hausdorff_rss( bvb_hausdorff_target* target, const bv_rss* rss,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	const double* h = rss->half_extents;
	double r = rss->radius;
	if ( !is_frame( rss->axis ) || !is_point( rss->center ) || !is_length( h[0] ) || !is_length( h[1] ) ||
	     !is_length( r ) )
	{
		return bv_error_argument;
	}
	if ( !( h[0] > 0 && h[1] > 0 ) )
	{
		return measure_capsule( target, rss, options, out );
	}
	bv_status status =
		bvhaus_target_begin( target, options, rss->axis, bvmath_norm1( rss->center ) + h[0] + h[1] + 3 * r );
	if ( status != bv_ok )
	{
		return status;
	}
	bool hollow = bvhaus_wants_surface( options ) && r > 0;
	rims rim;
	add_plates( target->search, rss, hollow );
	if ( r > 0 )
	{
		add_rims( target->search, rss, hollow, &rim );
	}
	*out = bvhaus_search_run( target->search );
	return bv_ok;
}

static bv_status measure_rounded( bvb_hausdorff_target* target, const bv_volume* volume,
                                  const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	bvvol_rounded v = bvvol_volume_rounded( volume );
	bv_rss rss = {
		.center = v.center,
		.axis = { v.axis[0], v.axis[1], v.axis[2] },
		.half_extents = { v.half_extents[0], v.half_extents[1] },
		.radius = v.radius,
	};
	return bvb_hausdorff_rss( target, &rss, options, out );
}

bv_status bvb_hausdorff_volume( bvb_hausdorff_target* target, const bv_volume* volume,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	if ( (uint32_t)volume->type >= bv_volume_types )
	{
		return bv_error_argument;
	}
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	switch ( kind->form )
	{
	case bvvol_form_box: return bvb_hausdorff_obb( target, &volume->obb, options, out );
	case bvvol_form_upright: return bvb_hausdorff_aabb( target, &volume->aabb, options, out );
	case bvvol_form_ball: return bvb_hausdorff_sphere( target, &volume->sphere, options, out );
	case bvvol_form_slabs: return bvb_hausdorff_kdop( target, &volume->kdop, options, out );
	default:
		return kind->tapered ? bvb_hausdorff_prism( target, &volume->prism, options, out )
		                     : measure_rounded( target, volume, options, out );
	}
}
