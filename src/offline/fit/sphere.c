// The least enclosing ball, rounded outwards to binary32.
//
// Welzl 1991, "Smallest enclosing disks (balls and ellipsoids)": the ball is that of at most four of the
// points, its support, and a point outside of it belongs to the support of the larger set. The next such
// point is the farthest (Gärtner 1999, "Fast and robust smallest enclosing balls", section 3). Of the support
// and that point, at most five, the ball is found by trying all their subsets, which is what Welzl's
// recursion does in another order: here the best candidate is the center whose farthest point is nearest.
// That needs no test for degenerate sets, since a center spoilt by rounding only loses.
//
// A large set is read few times: the ball of a sample is the first guess, and each pass finds the farthest
// point outside of it in every octant, which together with the support are the next small set.

#include "offline/fit/sphere.h"

#include "bvbuild/fit.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>

enum
{
	support_most = 4,
	octants = 8,
	small_most = 192,   // points of a small set
	sparse = 64,        // of a large set, every 64th point, then every 8th, then all
	patience = 8,       // rounds without progress, which only rounding causes
	most_rounds = 1000, // far beyond what occurs; stopping early costs size, not enclosure
};

// Of the squared radius. A ball of some points that all lie within it but for this is the least to half as
// much.
static const double negligible = 0x1p-46;

// Points relative to the origin of the whole set.
typedef struct small_set
{
	bv_vec3 point[small_most];
	uint32_t index[small_most]; // of each in the whole set
	uint32_t count;
} small_set;

// A ball and its support.
typedef struct sphere_candidate
{
	bv_vec3 support[support_most];
	uint32_t index[support_most];
	int count;
	bv_vec3 center;
	double squared; // radius
} sphere_candidate;

static double squared_length( bv_vec3 a )
{
	return bv_dot( a, a );
}

// The search for the least ball of a support and one more point, the pivot, which is on it. All is relative
// to the pivot.
typedef struct sphere_trial
{
	bv_vec3 edge[support_most]; // to the support
	double squared_edge[support_most];
	int count;
	unsigned best_subset; // of the support
	bv_vec3 best_center;
	double best_squared;
} sphere_trial;

static void consider( sphere_trial* t, bv_vec3 center, unsigned subset )
{
	double squared = squared_length( center );
	for ( int i = 0; i < t->count; ++i )
	{
		squared = bvmath_max( squared, squared_length( bv_sub( t->edge[i], center ) ) );
	}

	// Not less either where the points are not independent and the center is not finite.
	if ( squared < t->best_squared )
	{
		t->best_subset = subset;
		t->best_center = center;
		t->best_squared = squared;
	}
}

// The point that is equally far from the pivot and a subset of the support, and in their affine hull: the
// solution of dot( e_i, x ) = |e_i|^2 / 2 by Cramer's rule. Five points are one too many: the ball of some
// four of them is the least one of all.
static void consider_all( sphere_trial* t )
{
	const bv_vec3* e = t->edge;
	const double* ee = t->squared_edge;
	consider( t, ( bv_vec3 ){ 0, 0, 0 }, 0 );
	for ( int i = 0; i < t->count; ++i )
	{
		consider( t, bv_scale( 0.5, e[i] ), 1u << i );
		for ( int j = 0; j < i; ++j )
		{
			bv_vec3 n = bv_cross( e[i], e[j] );
			bv_vec3 sum =
				bv_add( bv_scale( ee[i], bv_cross( e[j], n ) ), bv_scale( ee[j], bv_cross( n, e[i] ) ) );
			consider( t, bv_scale( 0.5 / squared_length( n ), sum ), 1u << i | 1u << j );
			for ( int k = 0; k < j; ++k )
			{
				sum = bv_add( bv_add( bv_scale( ee[i], bv_cross( e[j], e[k] ) ),
				                      bv_scale( ee[j], bv_cross( e[k], e[i] ) ) ),
				              bv_scale( ee[k], n ) );
				consider( t, bv_scale( 0.5 / bv_dot( n, e[k] ), sum ), 1u << i | 1u << j | 1u << k );
			}
		}
	}
}

// The least ball of a support and one point outside of it.
static sphere_candidate grow( const sphere_candidate* old, bv_vec3 pivot, uint32_t index )
{
	sphere_trial t = { .count = old->count, .best_squared = INFINITY };
	for ( int i = 0; i < old->count; ++i )
	{
		t.edge[i] = bv_sub( old->support[i], pivot );
		t.squared_edge[i] = squared_length( t.edge[i] );
	}
	consider_all( &t );
	sphere_candidate next = {
		.support = { pivot }, .index = { index }, .count = 1, .squared = t.best_squared
	};
	next.center = bv_add( pivot, t.best_center );
	for ( int i = 0; i < old->count; ++i )
	{
		if ( t.best_subset >> i & 1 )
		{
			next.support[next.count] = old->support[i];
			next.index[next.count++] = old->index[i];
		}
	}
	return next;
}

// Keeps the best ball met, and says when to stop: the radius grows from round to round, except where the
// growth is below rounding, since a point that is outside by a share e of the radius makes it grow by as
// little as e^2 / 2.
typedef struct sphere_search
{
	sphere_candidate best;
	double farthest; // squared distance from its center
	double largest;  // squared radius met
	int stalled;
} sphere_search;

static const sphere_search search_begin = { .farthest = INFINITY, .largest = -1 };

// @param farthest  squared distance of a point from the ball's center
// @return whether to go on
static bool search_goes_on( sphere_search* s, const sphere_candidate* current, double farthest )
{
	bool progress = farthest < s->farthest || current->squared > s->largest;
	s->stalled = progress ? 0 : s->stalled + 1;
	s->largest = bvmath_max( s->largest, current->squared );
	if ( farthest < s->farthest )
	{
		s->farthest = farthest;
		s->best = *current;
	}
	return farthest > current->squared * ( 1 + negligible ) && s->stalled < patience;
}

// The least ball of a small set that contains the support of `start`.
static sphere_candidate solve( const small_set* set, const sphere_candidate* start, double* farthest )
{
	sphere_search s = search_begin;
	sphere_candidate current = *start;
	for ( int round = 0; round < most_rounds; ++round )
	{
		uint32_t pivot = 0;
		double squared = -1;
		for ( uint32_t i = 0; i < set->count; ++i )
		{
			double here = squared_length( bv_sub( set->point[i], current.center ) );
			pivot = here > squared ? i : pivot;
			squared = here > squared ? here : squared;
		}
		if ( !search_goes_on( &s, &current, squared ) )
		{
			break;
		}
		current = grow( &current, set->point[pivot], set->index[pivot] );
	}
	*farthest = s.farthest;
	return s.best;
}

static void add( small_set* set, bv_vec3 point, uint32_t index )
{
	set->point[set->count] = point;
	set->index[set->count++] = index;
}

// Every `stride`th point.
// @return the squared distance of the farthest of those outside; 0 when none is
static double add_outside( small_set* set, const bv_vec3* points, uint32_t count, uint32_t stride,
                           bv_vec3 origin, const sphere_candidate* ball )
{
	// Most points are so far inside that the rounded center tells.
	bv_vec3 center = bv_add( origin, ball->center );
	double inner =
		bvmath_max( sqrt( ball->squared ) * ( 1 - 0x1p-50 ) - 0x1p-50 * bvmath_norm1( center ), 0 );
	double inner_squared = inner * inner;

	double farthest[octants] = { 0 };
	uint32_t index[octants] = { 0 };
	for ( size_t i = 0; i < count; i += stride )
	{
		if ( squared_length( bv_sub( points[i], center ) ) < inner_squared )
		{
			continue;
		}
		bv_vec3 d = bv_sub( bv_sub( points[i], origin ), ball->center );
		double squared = squared_length( d );
		int octant = ( d.x < 0 ) + 2 * ( d.y < 0 ) + 4 * ( d.z < 0 );
		if ( squared > bvmath_max( farthest[octant], ball->squared ) )
		{
			farthest[octant] = squared;
			index[octant] = (uint32_t)i;
		}
	}
	double most = 0;
	for ( int i = 0; i < octants; ++i )
	{
		if ( farthest[i] > 0 )
		{
			add( set, bv_sub( points[index[i]], origin ), index[i] );
		}
		most = bvmath_max( most, farthest[i] );
	}
	return most;
}

// The ball to start from: that of the support that is given, or of the first point.
static sphere_candidate first_ball( const bv_vec3* points, const bvfit_ball* given )
{
	small_set set;
	set.count = 0;
	for ( uint32_t i = 0; i < given->support_count; ++i )
	{
		add( &set, bv_sub( points[given->support[i]], given->origin ), given->support[i] );
	}
	if ( set.count == 0 )
	{
		add( &set, ( bv_vec3 ){ 0, 0, 0 }, 0 );
	}
	sphere_candidate start = { .support = { set.point[0] }, .index = { set.index[0] }, .count = 1 };
	start.center = start.support[0];
	double farthest;
	return solve( &set, &start, &farthest );
}

// The least ball of every `stride`th point and the support of `start`.
static sphere_candidate improve( const bv_vec3* points, uint32_t count, uint32_t stride, bv_vec3 origin,
                                 const sphere_candidate* start, double* farthest )
{
	sphere_search s = search_begin;
	sphere_candidate current = *start;
	for ( int round = 0; round < most_rounds; ++round )
	{
		small_set set;
		set.count = 0;
		for ( int i = 0; i < current.count; ++i )
		{
			add( &set, current.support[i], current.index[i] );
		}
		double outside = add_outside( &set, points, count, stride, origin, &current );
		if ( !search_goes_on( &s, &current, bvmath_max( outside, current.squared ) ) )
		{
			break;
		}
		double ignored;
		current = solve( &set, &current, &ignored );
	}
	*farthest = s.farthest;
	return s.best;
}

void bvfit_least_ball( const bv_vec3* points, uint32_t count, bvfit_ball* ball )
{
	bool fresh = ball->support_count == 0;
	ball->origin = points[0];
	sphere_candidate current = first_ball( points, ball );
	double farthest = 0;
	if ( count <= small_most || fresh )
	{
		small_set set;
		set.count = 0;
		uint32_t stride = count <= small_most ? 1 : count / small_most;
		for ( uint32_t i = 0; i < count && set.count < small_most; i += stride )
		{
			add( &set, bv_sub( points[i], ball->origin ), i );
		}
		current = solve( &set, &current, &farthest );
	}
	if ( count > small_most )
	{
		for ( uint32_t stride = fresh ? sparse : 1; stride > 0; stride /= 8 )
		{
			current = improve( points, count, stride, ball->origin, &current, &farthest );
		}
	}
	ball->center = current.center;
	ball->radius = sqrt( farthest );
	ball->support_count = (uint32_t)current.count;
	for ( int i = 0; i < current.count; ++i )
	{
		ball->support[i] = current.index[i];
	}
}

// Weights of points whose sum, times the weights, is nearest to `center`: by Cramer's rule for the normal
// equations. The points are relative to another one, which has the rest of the weights.
static void weigh( const bv_vec3* e, int count, bv_vec3 center, double weight[3] )
{
	bv_vec3 none = { 0, 0, 0 };
	bv_vec3 a = count > 0 ? e[0] : none;
	bv_vec3 b = count > 1 ? e[1] : none;
	bv_vec3 c = count > 2 ? e[2] : none;
	bv_vec3 n = bv_cross( a, b );
	if ( count == 3 )
	{
		double whole = bv_dot( n, c );
		weight[0] = bv_dot( bv_cross( b, c ), center ) / whole;
		weight[1] = bv_dot( bv_cross( c, a ), center ) / whole;
		weight[2] = bv_dot( n, center ) / whole;
	}
	else if ( count == 2 )
	{
		weight[0] = bv_dot( bv_cross( b, n ), center ) / squared_length( n );
		weight[1] = bv_dot( bv_cross( n, a ), center ) / squared_length( n );
	}
	else if ( count == 1 )
	{
		weight[0] = 0.5;
	}
}

// For weights w that are not negative and have the sum 1, the sum of w |p|^2 less the square of the sum of w p
// is at most the squared radius of any ball around the points p, and equal for the least one's: the dual
// problem. Whatever the weights' errors, that holds; those of the sum itself are taken off.
double bvfit_least_ball_bound( const bv_vec3* points, const bvfit_ball* ball )
{
	const double error = 0x1p-46; // of the sum of the terms' absolute values
	int count = (int)ball->support_count - 1;
	bv_vec3 edge[support_most - 1];
	double weight[support_most - 1] = { 0 };
	if ( count < 1 )
	{
		return 0;
	}
	const bv_vec3 base = points[ball->support[0]];
	for ( int i = 0; i < count; ++i )
	{
		edge[i] = bv_sub( points[ball->support[i + 1]], base );
	}
	weigh( edge, count, bv_sub( ball->center, bv_sub( base, ball->origin ) ), weight );
	double total = 0;
	for ( int i = 0; i < count; ++i )
	{
		weight[i] = weight[i] > 0 && weight[i] < 1 ? weight[i] : 0;
		total += weight[i];
	}
	double squares = 0;
	bv_vec3 sum = { 0, 0, 0 };
	for ( int i = 0; i < count; ++i )
	{
		double w = total > 1 ? weight[i] / ( total * ( 1 + 0x1p-50 ) ) : weight[i];
		squares += w * squared_length( edge[i] );
		sum = bv_add( sum, bv_scale( w, edge[i] ) );
	}
	double squared = squares - squared_length( sum ) - error * squares;
	return squared > 0 ? sqrt( squared ) * ( 1 - 0x1p-50 ) : 0;
}

bv_sphere bvfit_sphere_around( const bv_vec3* points, uint32_t count, bv_vec3 center )
{
	bv_sphere ball = { .center = { (float)center.x + 0.0f, (float)center.y + 0.0f, (float)center.z + 0.0f } };
	double farthest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		farthest = bvmath_max( farthest, squared_length( bv_sub( points[i], ball.center ) ) );
	}

	// One root will do where it is what the bound of the farthest point comes from.
	double radius = 0;
	if ( farthest > 0x1p-880 )
	{
		radius = sqrt( farthest ) * ( 1 + 0x1p-50 );
	}
	else
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			radius = bvmath_max( radius, bvvol_distance_bound( points[i], ball.center ) );
		}
	}
	ball.radius = bvmath_float_up( radius );
	return ball;
}

bv_status bvb_fit_sphere( const bv_vec3* points, uint32_t count, bv_sphere* out )
{
	*out = ( bv_sphere ){ 0 };
	if ( count == 0 )
	{
		return bv_error_argument;
	}
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( points, count, &ball );
	*out = bvfit_sphere_around( points, count, bv_add( ball.origin, ball.center ) );
	return bv_ok;
}
