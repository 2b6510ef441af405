// Local search over the rotation of a box: least rectangles along each of its axes in turn, then a simplex
// search (J. A. Nelder, R. Mead, "A simplex method for function minimization", 1965), in turns, as C.-T.
// Chang, B. Gorissen, S. Melchior combine them ("Fast oriented bounding box optimization on the rotation
// group SO(3, R)", 2011).
//
// What is to be small has kinks where edges of the hull come to lie on the box's sides, and its minima are
// there. A simplex finds their surroundings but creeps at kinks; a least rectangle jumps onto one but cannot
// turn about two axes at once.
//
// A turn is three numbers r, the vector part of the quaternion (r, 1): no angle needs a sine.

#include "offline/fit/refine.h"

#include "offline/base/arena.h"

#include <math.h>
#include <string.h>

enum
{
	max_exchanges = 12, // of points that turn out to matter
};

static const bvfit_refine_effort thorough = { .rounds = 6, .turns = 12, .evaluations = 90, .size = 0.1 };

typedef struct fit_frame
{
	bv_vec3 axis[3];
	bvfit_box_cost cost;
} fit_frame;

typedef struct refine_search
{
	const bv_vec3* points;
	uint32_t count;
	bvbase_vec2* work;
	bvfit_refine_effort effort;
	bvb_box_objective objective;
	fit_frame best;
} refine_search;

static bvfit_box_cost evaluate( const refine_search* s, const bv_vec3 axis[3] )
{
	double length[3];
	bvfit_box_lengths( s->points, s->count, axis, length );
	return bvfit_box_cost_of( length, s->objective );
}

// Whether it is worth going on for: rounding may make the same box a little less again and again.
static bool clearly_less( bvfit_box_cost a, bvfit_box_cost b )
{
	const double almost = 1 - 1e-9;
	return bvfit_box_cost_less( a,
	                            ( bvfit_box_cost ){ almost * b.first, almost * b.second, almost * b.third } );
}

// Repeated turns must not let the axes drift from being orthonormal.
static void straighten( bv_vec3 axis[3] )
{
	axis[0] = bv_scale( 1 / sqrt( bv_dot( axis[0], axis[0] ) ), axis[0] );
	axis[1] = bv_sub( axis[1], bv_scale( bv_dot( axis[0], axis[1] ), axis[0] ) );
	axis[1] = bv_scale( 1 / sqrt( bv_dot( axis[1], axis[1] ) ), axis[1] );
	axis[2] = bv_cross( axis[0], axis[1] );
}

// Least rectangles along each axis in turn.
static void turn_about_axes( refine_search* s )
{
	int unchanged = 0;
	for ( int i = 0; i < s->effort.turns && unchanged < 3; ++i )
	{
		fit_frame turned = { .axis = { [2] = s->best.axis[i % 3] } };
		turned.cost = bvfit_rectangle_turn( s->points, s->count, s->work, s->objective, turned.axis );
		bool better = clearly_less( turned.cost, s->best.cost );
		unchanged = better ? 1 : unchanged + 1;
		if ( better )
		{
			// Its third axis is the one that was kept; it goes back to its place.
			s->best.axis[( i + 1 ) % 3] = turned.axis[0];
			s->best.axis[( i + 2 ) % 3] = turned.axis[1];
			s->best.cost = turned.cost;
			straighten( s->best.axis );
		}
	}
}

typedef struct refine_corner
{
	double turn[3];
	bvfit_box_cost cost;
} refine_corner;

static void turn_frame( const bv_vec3 from[3], const double r[3], bv_vec3 to[3] )
{
	double x = r[0];
	double y = r[1];
	double z = r[2];
	double s = 2 / ( 1 + ( x * x + y * y + z * z ) );
	bv_vec3 row[3] = {
		{ 1 - s * ( y * y + z * z ), s * ( x * y - z ), s * ( x * z + y ) },
		{ s * ( x * y + z ), 1 - s * ( x * x + z * z ), s * ( y * z - x ) },
		{ s * ( x * z - y ), s * ( y * z + x ), 1 - s * ( x * x + y * y ) },
	};
	for ( int i = 0; i < 3; ++i )
	{
		to[i] =
			( bv_vec3 ){ bv_dot( row[0], from[i] ), bv_dot( row[1], from[i] ), bv_dot( row[2], from[i] ) };
	}
}

static refine_corner try_turn( const refine_search* s, const double turn[3] )
{
	bv_vec3 axis[3];
	turn_frame( s->best.axis, turn, axis );
	refine_corner c = { .cost = evaluate( s, axis ) };
	memcpy( c.turn, turn, sizeof c.turn );
	return c;
}

// center + t * (center - from)
static refine_corner try_beyond( const refine_search* s, const double center[3], const double from[3],
                                 double t )
{
	double turn[3];
	for ( int i = 0; i < 3; ++i )
	{
		turn[i] = center[i] + t * ( center[i] - from[i] );
	}
	return try_turn( s, turn );
}

// Best first; equal ones stay in their order.
static void sort_corners( refine_corner simplex[4] )
{
	for ( int i = 1; i < 4; ++i )
	{
		refine_corner c = simplex[i];
		int k = i;
		for ( ; k > 0 && bvfit_box_cost_less( c.cost, simplex[k - 1].cost ); --k )
		{
			simplex[k] = simplex[k - 1];
		}
		simplex[k] = c;
	}
}

static double spread( const refine_corner simplex[4] )
{
	double most = 0;
	for ( int i = 1; i < 4; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			most = fmax( most, fabs( simplex[i].turn[k] - simplex[0].turn[k] ) );
		}
	}
	return most;
}

// One step with the customary coefficients.
// @return the number of evaluations
static int step_simplex( const refine_search* s, refine_corner simplex[4] )
{
	double center[3];
	for ( int k = 0; k < 3; ++k )
	{
		center[k] = ( simplex[0].turn[k] + simplex[1].turn[k] + simplex[2].turn[k] ) / 3;
	}
	refine_corner mirrored = try_beyond( s, center, simplex[3].turn, 1 );
	if ( bvfit_box_cost_less( mirrored.cost, simplex[0].cost ) )
	{
		refine_corner farther = try_beyond( s, center, simplex[3].turn, 2 );
		simplex[3] = bvfit_box_cost_less( farther.cost, mirrored.cost ) ? farther : mirrored;
		return 2;
	}
	if ( bvfit_box_cost_less( mirrored.cost, simplex[2].cost ) )
	{
		simplex[3] = mirrored;
		return 1;
	}
	bool outside = bvfit_box_cost_less( mirrored.cost, simplex[3].cost );
	refine_corner nearer = try_beyond( s, center, simplex[3].turn, outside ? 0.5 : -0.5 );
	if ( bvfit_box_cost_less( nearer.cost, outside ? mirrored.cost : simplex[3].cost ) )
	{
		simplex[3] = nearer;
		return 2;
	}
	for ( int i = 1; i < 4; ++i )
	{
		simplex[i] = try_beyond( s, simplex[0].turn, simplex[i].turn, -0.5 );
	}
	return 5;
}

static void search_simplex( refine_search* s, double size )
{
	refine_corner simplex[4] = { { .cost = s->best.cost } };
	for ( int i = 0; i < 3; ++i )
	{
		double turn[3] = { 0, 0, 0 };
		turn[i] = size;
		simplex[i + 1] = try_turn( s, turn );
	}
	int evaluations = 3;
	sort_corners( simplex );
	while ( evaluations < s->effort.evaluations && spread( simplex ) > 1e-6 * fabs( size ) )
	{
		evaluations += step_simplex( s, simplex );
		sort_corners( simplex );
	}
	if ( bvfit_box_cost_less( simplex[0].cost, s->best.cost ) )
	{
		fit_frame from = s->best;
		turn_frame( from.axis, simplex[0].turn, s->best.axis );
		straighten( s->best.axis );
		s->best.cost = simplex[0].cost;
	}
}

// Turns a frame until neither a small turn nor a turn about one of its axes makes the box of the points less.
// @param work  room for 2 * count + 1
// @param axis  the frame to start from and the result, never worse
// @return the box's cost
static bvfit_box_cost refine_frame( const bv_vec3* points, uint32_t count, bvbase_vec2* work,
                                    bvfit_refine_effort effort, bvb_box_objective objective, bv_vec3 axis[3] )
{
	refine_search s = { points, count, work, effort, objective, { .cost = { 0, 0, 0 } } };
	memcpy( s.best.axis, axis, sizeof s.best.axis );
	s.best.cost = evaluate( &s, s.best.axis );
	double size = effort.size;
	for ( int i = 0; i < effort.rounds; ++i )
	{
		bvfit_box_cost before = s.best.cost;
		turn_about_axes( &s );
		search_simplex( &s, size );
		if ( !clearly_less( s.best.cost, before ) )
		{
			break;
		}
		size = -0.5 * size;
	}
	turn_about_axes( &s );
	memcpy( axis, s.best.axis, sizeof s.best.axis );
	return s.best.cost;
}

static uint32_t hash_of( bv_vec3 p )
{
	uint64_t bits[3];
	memcpy( bits, &p, sizeof bits );
	uint64_t h = ( bits[0] * 0x9e3779b97f4a7c15 ^ bits[1] ) * 0xbf58476d1ce4e5b9 ^ bits[2];
	return (uint32_t)( h * 0x94d049bb133111eb >> 32 );
}

void bvfit_few_begin( bvfit_few* few )
{
	few->count = 0;
	memset( few->slot, 0, sizeof few->slot );
}

bool bvfit_few_add( bvfit_few* few, bv_vec3 p )
{
	const uint32_t slots = 2 * bvfit_few_points;
	uint32_t i = hash_of( p ) % slots;
	for ( ; few->slot[i]; i = ( i + 1 ) % slots )
	{
		const bv_vec3* other = few->point + ( few->slot[i] - 1 );
		if ( other->x == p.x && other->y == p.y && other->z == p.z )
		{
			return true;
		}
	}
	if ( few->count == bvfit_few_points )
	{
		return false;
	}
	few->point[few->count++] = p;
	few->slot[i] = (uint16_t)few->count;
	return true;
}

void bvfit_few_add_extremes( bvfit_few* few, const bvfit_extremes* extremes )
{
	for ( int i = 0; i < bvfit_extreme_directions; ++i )
	{
		bvfit_few_add( few, extremes->lowest[i] );
		bvfit_few_add( few, extremes->highest[i] );
	}
}

void bvfit_refine_few( const bvfit_few* few, bvfit_refine_effort effort, bvb_box_objective objective,
                       bv_vec3 axis[3] )
{
	bvbase_vec2 work[2 * bvfit_few_points + 1];
	refine_frame( few->point, few->count, work, effort, objective, axis );
}

// The six points that touch a box's sides.
static void add_touching( bvfit_few* few, const bv_vec3* points, uint32_t count, const bv_vec3 axis[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t lowest = 0;
		uint32_t highest = 0;
		double lower = 0;
		double upper = 0;
		for ( uint32_t i = 1; i < count; ++i )
		{
			double p = bv_dot( axis[k], bv_sub( points[i], points[0] ) );
			lowest = p < lower ? i : lowest;
			highest = p > upper ? i : highest;
			lower = bvmath_min( lower, p );
			upper = bvmath_max( upper, p );
		}
		bvfit_few_add( few, points[lowest] );
		bvfit_few_add( few, points[highest] );
	}
}

// Few points stand for all. Where that makes a box look better than it is, those that it leaves out are
// added.
static void refine_many( const bv_vec3* points, uint32_t count, bvb_box_objective objective, fit_frame* best )
{
	bvfit_extremes extremes;
	bvfit_extremes_begin( &extremes, points[0] );
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvfit_extremes_add( &extremes, points[i] );
	}
	bvfit_few few;
	bvfit_few_begin( &few );
	bvfit_few_add_extremes( &few, &extremes );

	fit_frame f = *best;
	uint32_t before = 0;
	for ( int i = 0; i < max_exchanges && few.count > before; ++i )
	{
		before = few.count;
		add_touching( &few, points, count, f.axis );
		if ( i > 0 && few.count == before )
		{
			break;
		}
		bvfit_refine_few( &few, thorough, objective, f.axis );
		double length[3];
		bvfit_box_lengths( points, count, f.axis, length );
		f.cost = bvfit_box_cost_of( length, objective );
		*best = bvfit_box_cost_less( f.cost, best->cost ) ? f : *best;
	}
}

void bvfit_obb_refine( const bv_vec3* points, uint32_t count, bvb_box_objective objective, bv_vec3 axis[3] )
{
	if ( count <= bvfit_few_points )
	{
		bvbase_vec2 work[2 * bvfit_few_points + 1];
		refine_frame( points, count, work, thorough, objective, axis );
		return;
	}
	fit_frame best;
	double length[3];
	memcpy( best.axis, axis, sizeof best.axis );
	bvfit_box_lengths( points, count, axis, length );
	best.cost = bvfit_box_cost_of( length, objective );
	refine_many( points, count, objective, &best );
	memcpy( axis, best.axis, sizeof best.axis );
}

enum
{
	upright_starts = 5,
	starts = upright_starts + 3,
};

// The upright frame, and turned by half a right angle about each of its axes and by more about the diagonal:
// whichever of several minima is the least, one of these is near enough as a rule.
static void upright_frames( bv_vec3 out[upright_starts][3] )
{
	static const double half = 0.41421356237309503; // the tangent of a quarter of a right angle
	static const double turn[upright_starts][3] = {
		{ 0, 0, 0 }, { half, 0, 0 }, { 0, half, 0 }, { 0, 0, half }, { half, half, half }
	};
	static const bv_vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int i = 0; i < upright_starts; ++i )
	{
		turn_frame( upright, turn[i], out[i] );
	}
}

static bv_status find_starts( const bvfit_box_problem* problem, bv_vec3 out[starts][3] )
{
	upright_frames( out );
	bv_status status = bvfit_obb_dito( problem, out[upright_starts] );
	status = status == bv_ok ? bvfit_obb_pca_hull( problem, out[upright_starts + 1] ) : status;
	return status == bv_ok ? bvfit_obb_pca_all( problem, out[upright_starts + 2] ) : status;
}

bv_status bvfit_obb_refined( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	static const bvfit_refine_effort last_digits = {
		.rounds = 4, .turns = 6, .evaluations = 120, .size = 1e-3
	};
	const bvb_hull* hull = problem->hull;
	uint32_t count = hull->vertex_count;
	bv_vec3* corners = bvb_arena_allocate( problem->scratch, count, sizeof *corners );
	bvbase_vec2* work = bvb_arena_allocate( problem->scratch, 2 * (size_t)count + 1, sizeof *work );
	bv_vec3 start[starts][3];
	bv_status status = corners && work ? find_starts( problem, start ) : bv_error_memory;
	if ( status != bv_ok )
	{
		return status;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		corners[i] = problem->points[hull->vertices[i]];
	}

	bvfit_box_cost least = { 0, 0, 0 };
	for ( int i = 0; i < starts; ++i )
	{
		double length[3];
		bvfit_obb_refine( corners, count, problem->objective, start[i] );
		bvfit_box_lengths( corners, count, start[i], length );
		bvfit_box_cost cost = bvfit_box_cost_of( length, problem->objective );
		if ( i == 0 || bvfit_box_cost_less( cost, least ) )
		{
			least = cost;
			memcpy( axis, start[i], sizeof start[i] );
		}
	}
	refine_frame( corners, count, work, last_digits, problem->objective, axis );
	return bv_ok;
}
