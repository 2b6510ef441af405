// How far points and regions are from what is inside of the shape, which is where the generalized winding
// number is at least 1/2 (Jacobson, Kavan, Sorkine-Hornung 2013): by balls that no triangle enters, and next
// to openings by the winding number's slope. See inside.h, and README.md for why the bounds hold.

#include "offline/hausdorff/inside.h"

#include "offline/base/frame.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// What the winding number must be above or below where rounding is not to decide.
static const double surely_inside = 0.5 + 0x1p-40;
static const double surely_outside = 0.5 - 0x1p-40;

static double largest_ball_in( const bvhaus_index* index, bvhaus_index_ref ref )
{
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		return 0;
	}
	if ( index->solid_boxes )
	{
		const double* half = index->solid_boxes[ref].half_extents;
		return bvmath_min( half[0], bvmath_min( half[1], half[2] ) );
	}
	bv_vec3 e = bv_sub( index->aligned_boxes[ref].upper, index->aligned_boxes[ref].lower );
	return 0.5 * bvmath_min( e.x, bvmath_min( e.y, e.z ) );
}

void bvhaus_inside_begin( bvhaus_inside* in, const bvb_winding* winding, const bvhaus_index* index,
                          bvhaus_index_ref root, double slack, bool ( *stop )( void* ), void* stop_context )
{
	in->stop = stop;
	in->stop_context = stop_context;
	in->winding = winding;
	in->closed = winding && bvb_winding_is_closed( winding );
	in->index = index;
	in->root = root;
	in->slack = slack;
	in->largest_ball = largest_ball_in( index, root );
	in->known_count = 0;
	in->work = 0;
	for ( int i = 0; winding && i < bvhaus_known_points; ++i )
	{
		in->point[i].most = INFINITY;
	}
}

// A single distance from an open mesh may take thousands of winding numbers.
static bool is_stopped( const bvhaus_inside* in )
{
	return !in->closed && in->stop && in->stop( in->stop_context );
}

// A bound below of a point's winding number that is known.
static double known_winding( const bvhaus_inside* in, bv_vec3 point )
{
	double most = -INFINITY;
	for ( uint32_t i = 0; i < in->known_count && i < bvhaus_known_balls; ++i )
	{
		const bvhaus_known_ball* ball = in->known + i;
		bv_vec3 d = bv_sub( point, ball->center );
		most = bv_dot( d, d ) <= ball->radius * ball->radius ? bvmath_max( most, ball->winding ) : most;
	}
	return most;
}

// A bound of a point's winding number from below, which tells whether it is what is wanted.
static double winding_number( bvhaus_inside* in, bv_vec3 point, double wanted )
{
	double known = known_winding( in, point );
	if ( known >= wanted )
	{
		return known;
	}
	return bvb_winding_bounds( in->winding, point, wanted, &in->work ).lower;
}

// The same of a region's middle.
static double winding_of_middle( bvhaus_inside* in, bvhaus_region* r, double wanted )
{
	if ( isnan( r->winding.lower ) || ( r->winding.lower < wanted && r->winding.upper >= wanted ) )
	{
		double known = known_winding( in, r->middle );
		if ( known >= wanted )
		{
			return known;
		}
		r->winding = bvb_winding_bounds( in->winding, r->middle, wanted, &in->work );
	}
	return r->winding.lower;
}

static void remember_ball( bvhaus_inside* in, bv_vec3 center, double radius, double winding )
{
	if ( !in->closed && winding >= surely_inside && radius > 0 )
	{
		in->known[in->known_count++ % bvhaus_known_balls] = ( bvhaus_known_ball ){ center, radius, winding };
	}
}

// Whether no point is inside of the shape that has a winding number of at most so much more than a point.
static bool is_outside( bvhaus_inside* in, bv_vec3 point, double rise )
{
	double wanted = surely_outside - rise;
	return rise < 1 && bvb_winding_bounds( in->winding, point, wanted, &in->work ).upper < wanted;
}

// Whether nothing is inside of the shape in a ball that no triangle enters.
static bool is_ball_outside( bvhaus_inside* in, bv_vec3 center, double radius )
{
	bvb_winding_slope slope = bvb_winding_bound_slope( in->winding, center, radius, &in->work );
	double rise = radius * bvmath_length( slope.gradient ) + slope.curvature;
	return is_outside( in, center, bvmath_min( rise, slope.change ) );
}

// A piece of a sphere: what a square on a cube around it is seen to cover from its center.
typedef struct sphere_patch
{
	int side; // of the cube: its axis, and 3 more for the opposite one
	double u; // the square's middle, -1 to 1
	double v;
	double half; // of its side
} sphere_patch;

static bv_vec3 point_on_sphere( bv_vec3 center, double radius, int side, double u, double v )
{
	bv_vec3 d = bvbase_point_on_cube( side, u, v );
	return bv_add( center, bv_scale( radius / bvmath_length( d ), d ) );
}

// Whether nothing is inside of the shape on a patch of a sphere that no triangle enters. As the patch bends
// back from its middle's tangent plane, only what rises along this plane, or towards the sphere's center,
// counts.
static bool is_patch_outside( bvhaus_inside* in, bv_vec3 center, double radius, bv_vec3 middle, double reach )
{
	bvb_winding_slope slope = bvb_winding_bound_slope( in->winding, middle, reach, &in->work );
	bv_vec3 outward = bv_scale( 1 / radius, bv_sub( middle, center ) );
	double rise_outward = bv_dot( slope.gradient, outward );
	bv_vec3 along = bv_sub( slope.gradient, bv_scale( rise_outward, outward ) );
	double back = reach * reach / ( 2 * radius );
	double rounding = 0x1p-40 * reach * bvmath_length( slope.gradient );
	double rise =
		reach * bvmath_length( along ) + back * bvmath_max( -rise_outward, 0 ) + slope.curvature + rounding;
	return is_outside( in, middle, bvmath_min( rise, slope.change ) );
}

// Whether nothing is inside of the shape in a ball that no triangle enters, with more patience. In it the
// winding number is a harmonic function, whose maximum is on the sphere. That is cut into patches, until each
// is shown to be outside as a whole.
static bool is_outside_by_patches( bvhaus_inside* in, bv_vec3 center, double radius )
{
	enum
	{
		most_patches = 96,
		most_waiting = 32, // six, and three more at each level
	};
	static const double least_half = 0x1p-7;
	sphere_patch waiting[most_waiting];
	int count = 0;
	for ( int side = 0; side < 6; ++side )
	{
		waiting[count++] = ( sphere_patch ){ side, 0, 0, 1 };
	}
	for ( int looked_at = 0; count > 0; ++looked_at )
	{
		sphere_patch p = waiting[--count];
		bv_vec3 middle = point_on_sphere( center, radius, p.side, p.u, p.v );
		double reach = 0;
		for ( int k = 0; k < 4; ++k )
		{
			bv_vec3 corner = point_on_sphere( center, radius, p.side, p.u + ( k & 1 ? p.half : -p.half ),
			                                  p.v + ( k & 2 ? p.half : -p.half ) );
			reach = bvmath_max( reach, bvmath_length( bv_sub( corner, middle ) ) );
		}
		if ( is_patch_outside( in, center, radius, middle, reach * ( 1 + 0x1p-40 ) + in->slack ) )
		{
			continue;
		}
		double half = 0.5 * p.half;
		if ( looked_at == most_patches || half < least_half || count + 4 > most_waiting || is_stopped( in ) ||
		     bvb_winding_is_inside( in->winding, middle ) )
		{
			return false;
		}
		for ( int k = 0; k < 4; ++k )
		{
			waiting[count++] = ( sphere_patch ){ p.side, p.u + ( k & 1 ? half : -half ),
				                                 p.v + ( k & 2 ? half : -half ), half };
		}
	}
	return true;
}

// Where to look for the shortest way to what is inside of an open mesh, after one place: at the nearest point
// of the plane where winding numbers would be as wanted if they rose evenly from there, but no farther away
// than that may be so.
static bv_vec3 next_way( bv_vec3 way, bv_vec3 gradient, double missing, double beyond, double limit )
{
	double slope = bvmath_length( gradient );
	double along = ( missing + bv_dot( gradient, way ) ) / slope + beyond;
	bv_vec3 step = bv_sub( bv_scale( along / slope, gradient ), way );
	double length = bvmath_length( step );
	return bv_add( way, length > limit ? bv_scale( limit / length, step ) : step );
}

// No less than how far a point is from what is inside of an open mesh, as far as following its winding number
// finds that, until it is enough.
static double distance_to_inside( bvhaus_inside* in, bv_vec3 point, double winding, double to_triangles,
                                  double enough )
{
	enum
	{
		most_steps = 8,
	};
	static const double beyond = 0x1p-8;
	double least = INFINITY;
	bv_vec3 moved = { 0, 0, 0 };
	for ( int step = 0; step < most_steps && least > enough; ++step )
	{
		bv_vec3 gradient =
			bvb_winding_bound_slope( in->winding, bv_add( point, moved ), 0, &in->work ).gradient;
		if ( !( bv_dot( gradient, gradient ) > 0 ) )
		{
			break;
		}
		moved = next_way( moved, gradient, 0.5 - winding, beyond * to_triangles, 0.5 * to_triangles );
		winding = bvb_winding_bounds( in->winding, bv_add( point, moved ), 0.5, &in->work ).lower;
		double length = bvmath_length( moved );
		least = winding >= 0.5 ? bvmath_min( least, length ) : least;
		if ( length > 2 * to_triangles )
		{
			break;
		}
	}
	return least;
}

// Where a point is kept. What is of it in different words of its coordinates is mixed by multiplication.
static bvhaus_known_point* place_of( bvhaus_inside* in, bv_vec3 point )
{
	uint64_t bits[3];
	memcpy( bits, &point, sizeof bits );
	uint64_t mixed = 0;
	for ( int k = 0; k < 3; ++k )
	{
		mixed = ( mixed ^ bits[k] ) * 0x9e3779b97f4a7c15u;
		mixed ^= mixed >> 29;
	}
	return in->point + mixed % bvhaus_known_points;
}

// How far a point outside of an open mesh is from what is inside.
// @param known  receives a number that it is no farther than, if more cannot be found out
static double distance_by_patches( bvhaus_inside* in, bv_vec3 point, double to_triangles, double winding,
                                   double least, double* known )
{
	enum
	{
		most_tries = 6,
	};
	static const double precision = 0x1p-6;
	double enough = least * ( 1 + precision );
	double most = bvmath_min( to_triangles, distance_to_inside( in, point, winding, to_triangles, enough ) );
	*known = most;
	double found = 0;
	double next = most * ( 1 - precision );
	for ( int i = 0; i < most_tries && most > enough && most - found > precision * most; ++i )
	{
		bool outside = is_outside_by_patches( in, point, next );
		found = outside ? next : found;
		most = outside ? most : next;
		next = 0.5 * ( bvmath_max( found, least ) + most );
	}
	*known = *known > enough ? found : *known;
	return found;
}

double bvhaus_inside_distance( bvhaus_inside* in, bv_vec3 point, double to_triangles, double least )
{
	bvhaus_known_point* known = place_of( in, point );
	if ( memcmp( &known->point, &point, sizeof point ) == 0 && known->most <= least )
	{
		return known->distance;
	}
	if ( is_stopped( in ) )
	{
		return -1;
	}
	double winding = winding_number( in, point, 0.5 );
	double distance = -1;
	double most = -1;
	if ( winding < 0.5 )
	{
		bool far = in->closed || is_ball_outside( in, point, to_triangles );
		distance = most = to_triangles;
		if ( !far )
		{
			distance = distance_by_patches( in, point, to_triangles, winding, least, &most );
		}
	}
	*known = ( bvhaus_known_point ){ point, most, distance };
	return distance;
}

bool bvhaus_inside_holds( bvhaus_inside* in, bvhaus_region* r )
{
	if ( r->radius <= in->slack )
	{
		return winding_of_middle( in, r, 0.5 ) >= 0.5;
	}
	double change = bvb_winding_bound_slope( in->winding, r->middle, r->radius, &in->work ).change;
	double wanted = 0.5 + change;
	return change <= 1 && winding_of_middle( in, r, wanted ) >= wanted;
}

// No point of the region is farther from the ball than a corner.
static double ball_bound( const bvhaus_inside* in, const bvhaus_region* r, bv_vec3 ball, double radius )
{
	double farthest = 0;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		bv_vec3 d = bv_sub( bvhaus_cell_corner( &r->cell, i ), ball );
		farthest = bvmath_max( farthest, bv_dot( d, d ) );
	}
	return bvmath_max( sqrt( farthest ) - radius, 0 ) + in->slack;
}

// Keeps a ball if the region is nearer to it than to the one that is known.
static void take_ball( const bvhaus_inside* in, bvhaus_region* r, bv_vec3 center, double radius )
{
	double bound = ball_bound( in, r, center, radius );
	if ( r->ball_radius == 0 || bound < ball_bound( in, r, r->ball, r->ball_radius ) )
	{
		r->ball = center;
		r->ball_radius = radius;
		r->bound = bvmath_min( r->bound, bound );
	}
}

static bool is_in_ball( const bvhaus_region* r, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, r->ball );
	return r->ball_radius > 0 && bv_dot( d, d ) <= r->ball_radius * r->ball_radius;
}

// The largest ball round a point that no triangle enters is this large, less what rounding may hide.
static double free_radius( const bvhaus_inside* in, bvhaus_nearest nearest )
{
	return bvmath_max( nearest.distance * ( 1 - 0x1p-46 ) - in->slack, 0 );
}

// How winding numbers differ from that of a point in a region that is moved, where straight lines lead to
// from there that pass through no triangle.
typedef struct rise
{
	double least;     // no more above 0, or farther below
	double reach;     // of the region from the point
	double in_reach;  // as `least`, of all that is no farther
	bv_vec3 gradient; // of the winding number
} rise;

static rise rise_from( bvhaus_inside* in, const bvhaus_region* r, bv_vec3 center, bv_vec3 moved )
{
	bv_vec3 from = bv_sub( center, moved );
	double reach = bvhaus_cell_radius( &r->cell, from ) + in->slack;
	bvb_winding_slope slope = bvb_winding_bound_slope( in->winding, center, reach, &in->work );
	double least = INFINITY;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		least =
			bvmath_min( least, bv_dot( slope.gradient, bv_sub( bvhaus_cell_corner( &r->cell, i ), from ) ) );
	}
	return ( rise ){
		.least = bvmath_max( least - slope.curvature, -slope.change ),
		.reach = reach,
		.in_reach = -slope.change,
		.gradient = slope.gradient,
	};
}

// Whether a ball that no triangle enters is inside of the shape, and all of the region that straight lines
// lead to from its center without a triangle on their way. What lies behind a triangle is no farther from
// that than from the ball. In open meshes that may end elsewhere.
static bool is_ball_inside( bvhaus_inside* in, const bvhaus_region* r, bv_vec3 center, double radius )
{
	if ( in->closed )
	{
		return bvb_winding_is_inside( in->winding, center );
	}
	rise to = rise_from( in, r, center, ( bv_vec3 ){ 0 } );
	if ( to.least < -1 )
	{
		return false;
	}
	double wanted = surely_inside - to.least;
	double winding = winding_number( in, center, wanted );
	remember_ball( in, center, bvmath_min( radius, to.reach ), winding + to.in_reach );
	return winding >= wanted;
}

// The radius of the least ball that touches a plane from behind at a point and from which no point of the
// region is farther than `wanted`; infinite if none is large enough: no such ball is nearer than the plane.
static double needed_radius( const bvhaus_region* r, bv_vec3 touched, bv_vec3 behind, double wanted )
{
	double radius = 0;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		bv_vec3 d = bv_sub( bvhaus_cell_corner( &r->cell, i ), touched );
		double room = wanted + bv_dot( d, behind );
		if ( !( room > 0 ) )
		{
			return INFINITY;
		}
		radius = bvmath_max( radius, ( bv_dot( d, d ) - wanted * wanted ) / ( 2 * room ) );
	}
	return radius;
}

// A ball inside of the shape that touches the triangle next to the region's middle, just large enough: what
// it leaves of the region is near it, and what is in it is in the shape.
static void find_touching_ball( bvhaus_inside* in, bvhaus_region* r, double enough, bool inside,
                                bvhaus_nearest nearest )
{
	// The rest is for triangles that reach into the ball a little.
	static const double part = 0.875;
	bv_vec3 touched = bvhaus_nearest_on_triangle( bvhaus_ref_triangle( in->index, nearest.ref ), r->middle );
	bv_vec3 behind = bv_sub( inside ? r->middle : touched, inside ? touched : r->middle );
	double length = bvmath_length( behind );
	if ( !( length > in->slack ) )
	{
		return;
	}
	behind = bv_scale( 1 / length, behind );
	double radius = needed_radius( r, touched, behind, part * enough );
	if ( !( radius > 0 && radius <= in->largest_ball ) )
	{
		return;
	}
	bv_vec3 center = bv_add( touched, bv_scale( radius, behind ) );
	double least = radius - ( 1 - part ) * enough;
	bvhaus_nearest known = { bvhaus_index_distance( in->index, nearest.ref, center ), nearest.ref };
	radius = free_radius( in, bvhaus_index_within( in->index, in->root, center, least, known ) );
	if ( radius > least && is_ball_inside( in, r, center, radius ) )
	{
		take_ball( in, r, center, radius );
	}
}

static bvhaus_inside_rest bound_in_closed( bvhaus_inside* in, bvhaus_region* r, double enough,
                                           bvhaus_nearest nearest )
{
	bool is_far = nearest.distance > enough;
	bool inside = is_in_ball( r, r->middle ) || winding_of_middle( in, r, 0.5 ) >= 0.5;
	double radius = free_radius( in, nearest );
	if ( inside && radius > 0 )
	{
		take_ball( in, r, r->middle, radius );
	}
	if ( r->bound > enough && ( inside || !is_far ) )
	{
		find_touching_ball( in, r, enough, inside, nearest );
	}
	return inside && is_far ? bvhaus_inside_rest_parts : bvhaus_inside_rest_corners;
}

// Looks for the shortest way that moves the region to where it is inside of an open mesh: as far as its
// winding numbers are too small, in the direction they rise in. What is behind a triangle there is no farther
// from that than from a ball about the middle. Returns whether one was found.
static bool find_way_inside( bvhaus_inside* in, bvhaus_region* r, double enough, bvhaus_nearest nearest )
{
	enum
	{
		most_steps = 8,
	};
	static const double beyond =
		0x1p-6; // of what is enough: what is too small otherwise approaches what is wanted from below
	static const double small = 0.125; // of what is enough: parts of a larger region find a shorter way
	bv_vec3 moved = { 0, 0, 0 };
	bool found = false;
	for ( int step = 0; step < most_steps && !( found && r->bound <= enough ); ++step )
	{
		bv_vec3 middle = bv_add( r->middle, moved );
		double radius = free_radius( in, nearest );
		double bound = bvmath_length( moved ) + bvmath_max( r->radius - radius, 0 ) + 2 * in->slack;
		bool is_no_use = step > 0 && bound > enough && r->radius > small * enough;
		if ( bound >= r->bound || is_no_use )
		{
			break;
		}
		rise to = rise_from( in, r, middle, moved );
		if ( to.least < -1 )
		{
			// Winding numbers take longest. Nearly all of them are below 3/2.
			break;
		}
		double wanted = surely_inside - to.least;
		double winding =
			step == 0 ? winding_of_middle( in, r, wanted ) : winding_number( in, middle, wanted );
		remember_ball( in, middle, bvmath_min( radius, to.reach ), winding + to.in_reach );
		if ( winding >= wanted )
		{
			r->bound = bound;
			found = true;
		}
		if ( !( bv_dot( to.gradient, to.gradient ) > 0 ) )
		{
			break;
		}
		moved = next_way( moved, to.gradient, wanted - winding, beyond * enough,
		                  bvmath_max( 0.5 * nearest.distance, beyond * enough ) );
		middle = bv_add( r->middle, moved );
		nearest.distance = bvhaus_index_distance( in->index, nearest.ref, middle );
		nearest = bvhaus_index_nearest( in->index, in->root, middle, nearest );
	}
	return found;
}

static bvhaus_inside_rest bound_in_open( bvhaus_inside* in, bvhaus_region* r, double enough,
                                         bvhaus_nearest nearest )
{
	bool is_far = nearest.distance > enough;
	if ( find_way_inside( in, r, enough, nearest ) && r->radius < 0x1p-7 * r->bound )
	{
		return bvhaus_inside_rest_none;
	}
	if ( r->bound > enough && !is_far )
	{
		find_touching_ball( in, r, enough, winding_of_middle( in, r, 0.5 ) >= 0.5, nearest );
	}
	return is_far && !( r->winding.lower < 0.5 ) ? bvhaus_inside_rest_parts : bvhaus_inside_rest_corners;
}

// The nearest triangle of the region's middle. That of what the region is a part of is near it.
static bvhaus_nearest find_nearest_of_middle( const bvhaus_inside* in, bvhaus_region* r )
{
	bvhaus_nearest known = { INFINITY, r->near };
	if ( r->near != BVHAUS_NO_REF )
	{
		known.distance = bvhaus_index_distance( in->index, r->near, r->middle );
	}
	known = bvhaus_index_nearest( in->index, in->root, r->middle, known );
	r->near = known.ref;
	return known;
}

bvhaus_inside_rest bvhaus_inside_bound( bvhaus_inside* in, bvhaus_region* r, double enough )
{
	if ( r->ball_radius > 0 )
	{
		r->bound = bvmath_min( r->bound, ball_bound( in, r, r->ball, r->ball_radius ) );
	}
	if ( r->bound <= enough )
	{
		return bvhaus_inside_rest_none;
	}
	bvhaus_nearest nearest = find_nearest_of_middle( in, r );

	// Whatever is inside, no point is farther from the triangles. Without it a region that no row bounds yet
	// would be cut on and on.
	r->bound = bvmath_min( r->bound, nearest.distance * ( 1 + 0x1p-46 ) + r->radius + in->slack );
	return in->closed ? bound_in_closed( in, r, enough, nearest ) : bound_in_open( in, r, enough, nearest );
}
