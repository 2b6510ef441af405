// Boxes, spheres, capsules and cylinders found in meshes.
//
// A primitive is fitted to a few hundred points of the mesh: by least squares from several starts, then so
// that the largest distance is least. The mesh is measured against it, and where it is farther than those
// points are, its farthest points join them (E. Ya. Remez's exchange, 1934). What remains is how far the
// primitive's surface is from the mesh: a half ball is near a ball, but not the other way round.

#include "bvbuild/recognize.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/recognize/measure.h"
#include "offline/recognize/minimax.h"
#include "offline/recognize/recess.h"
#include "offline/recognize/sides.h"
#include "offline/recognize/start.h"
#include "offline/recognize/stored.h"
#include "offline/recognize/surface.h"

#include <math.h>

enum
{
	descents = 3,     // starts from which squares are made small
	first_rounds = 5, // of each
	first_step = 3,   // between the terms that count then
	more_rounds = 16, // of the best
	exchanges = 10,
	sectors = 24,
	sides_most = 1 << 16,
};

// Errors are known to this part of themselves, and the search for a better fit ends where it could gain no
// more.
static const double precision = 1.0 / 32;

// Or to this part of the tolerance.
static const double least_part = 1.0 / 256;

// Tolerances from where more rounds may lead within one.
static const double near = 3;

typedef struct recognize_search
{
	const bvb_mesh* mesh;
	const bvb_hull* hull;
	bvb_hausdorff_target* target;
	bvb_arena* scratch;
	bvrecog_edges_known edges;
	bvrecog_cloud cloud;
	double tolerance; // in units of the place
	bool ( *stop )( void* context );
	void* context;
	bool hopeless; // the mesh is certainly none of them
} recognize_search;

// A fit, and how far the mesh is from it.
typedef struct recognize_fit
{
	bv_primitive stored;
	bvrecog_shape shape; // the stored one, in the place
	bvrecog_reach reach;
} recognize_fit;

const char* bvb_primitive_name( bv_primitive_kind kind )
{
	static const char* const names[bv_primitive_kinds] = { "box", "sphere", "capsule", "cylinder" };
	return kind < bv_primitive_kinds ? names[kind] : "none";
}

// The best three starts, the best first.
static int choose_starts( const recognize_search* s, bvrecog_shape* shape, int count )
{
	double spread[bvrecog_starts_most];
	for ( int i = 0; i < count; ++i )
	{
		bvrecog_shape new = shape[i];
		double new_spread = bvrecog_cloud_spread( &s->cloud, &new );
		int place = i;
		while ( place > 0 && spread[place - 1] > new_spread )
		{
			shape[place] = shape[place - 1];
			spread[place] = spread[place - 1];
			--place;
		}
		shape[place] = new;
		spread[place] = new_spread;
	}
	return count < descents ? count : descents;
}

// Least squares from the best starts.
static bvrecog_shape fit_squares( const recognize_search* s, bv_primitive_kind kind )
{
	bvrecog_shape shape[bvrecog_starts_most];
	int count = bvrecog_start_shapes( &s->cloud, s->mesh, s->hull, kind, shape );
	count = choose_starts( s, shape, count );
	bvrecog_shape best = shape[0];
	double least = INFINITY;
	for ( int i = 0; i < count && !s->hopeless; ++i )
	{
		bvrecog_shape fitted = bvrecog_fit_squares( &s->cloud, &shape[i], first_rounds, first_step );
		double spread = bvrecog_cloud_spread( &s->cloud, &fitted );
		if ( spread < least )
		{
			least = spread;
			best = fitted;
		}
	}
	return least <= near * s->tolerance ? bvrecog_fit_squares( &s->cloud, &best, more_rounds, 1 ) : best;
}

static recognize_fit store( const recognize_search* s, const bvrecog_shape* shape )
{
	recognize_fit f = { .stored = bvrecog_shape_store( &s->cloud, shape ) };
	f.shape = bvrecog_shape_stored( &s->cloud.place, &f.stored );
	return f;
}

static void measure( const recognize_search* s, recognize_fit* f )
{
	bvrecog_measure_options options = {
		.relative = precision,
		.absolute = least_part * s->tolerance,
		.limit = s->tolerance,
		.known = bvrecog_cloud_distance( &s->cloud, &f->shape ),
	};
	f->reach = bvrecog_measure_mesh( s->mesh, &s->cloud.place, &f->shape, &options );
}

// Whether what little was looked at rules it out.
static bool is_beyond( const recognize_search* s, const recognize_fit* f )
{
	double known = bvrecog_cloud_distance( &s->cloud, &f->shape );
	known = bvmath_max( known, bvrecog_cloud_excess( &s->cloud, &f->shape ) );
	return known > s->tolerance + bvrecog_shape_grain( &f->shape );
}

static bool add_witnesses( recognize_search* s, const bvrecog_reach* reach, double beyond )
{
	bool added = false;
	for ( int i = 0; i < bvrecog_witnesses; ++i )
	{
		if ( reach->distance[i] > beyond )
		{
			bvrecog_cloud_add( &s->cloud, reach->witness[i] );
			added = true;
		}
	}
	return added;
}

static int sector_of( bv_vec3 v )
{
	double x = fabs( v.x );
	double y = fabs( v.y );
	double z = fabs( v.z );
	int longest = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	return ( v.x < 0 ) + 2 * ( v.y < 0 ) + 4 * ( v.z < 0 ) + 8 * longest;
}

// Over the middle of a flat side a shape may reach farther beyond the hull than in the directions that were
// tried.
static bool add_sides( recognize_search* s, const bvrecog_shape* shape, double beyond )
{
	const bv_vec3* points = s->mesh->positions;
	bv_vec3 direction[sectors];
	double excess[sectors] = { 0 };
	uint32_t count = bvrecog_side_count( s->hull );
	bool all = count <= sides_most;

	// The normals of slivers are wrong by as much as binary32 rounds their corners, divided by their width.
	double narrow = 0x1p-19 / beyond;
	for ( uint32_t i = 0; i < ( all ? count : sides_most ); ++i )
	{
		bvrecog_side side;
		uint32_t index = all ? i : bvrecog_spread( i, count );
		if ( bvrecog_side_at( &s->cloud.place, points, s->hull, index, &side ) && side.width > narrow )
		{
			bv_vec3 n = side.normal;
			double farther = bvrecog_shape_support( shape, n ) - bv_dot( n, side.point );
			int sector = sector_of( n );
			direction[sector] = farther > excess[sector] ? n : direction[sector];
			excess[sector] = bvmath_max( farther, excess[sector] );
		}
	}
	bool added = false;
	for ( int i = 0; i < sectors; ++i )
	{
		// Then others may lie beyond them.
		if ( excess[i] > beyond )
		{
			double reach = bvrecog_hull_reach( &s->cloud.place, s->mesh, s->hull, direction[i] );
			if ( bvrecog_shape_support( shape, direction[i] ) - reach > beyond )
			{
				bvrecog_cloud_add_direction( &s->cloud, direction[i], reach );
				added = true;
			}
		}
	}
	return added;
}

// Exchange. @return whether the mesh may be within the tolerance of the result, which then is measured
static bool exchange( recognize_search* s, bvrecog_shape shape, recognize_fit* best )
{
	bool found = false;
	bvrecog_cloud_find_support( &s->cloud, s->mesh, s->hull );
	for ( int round = 0; round < exchanges; ++round )
	{
		shape = bvrecog_fit_largest( &s->cloud, &shape, s->tolerance );
		recognize_fit f = store( s, &shape );
		double known = bvrecog_cloud_error( &s->cloud, &f.shape );
		double enough = known + bvmath_max( precision * known, least_part * s->tolerance );
		bool last = round + 1 == exchanges;
		if ( is_beyond( s, &f ) )
		{
			*best = found ? *best : f;
			break;
		}
		if ( !last && add_sides( s, &f.shape, enough ) )
		{
			continue;
		}
		measure( s, &f );
		bool possible = f.reach.lower <= s->tolerance;
		if ( !found || ( possible && f.reach.upper < best->reach.upper ) )
		{
			*best = f;
		}
		found = found || possible;
		if ( !add_witnesses( s, &f.reach, enough ) )
		{
			break;
		}
	}
	return found;
}

static bv_interval greater( bv_interval a, bv_interval b )
{
	return ( bv_interval ){ bvmath_max( a.lower, b.lower ), bvmath_max( a.upper, b.upper ) };
}

static bv_status certify( recognize_search* s, const recognize_fit* f, bv_primitive* out )
{
	double unit = s->cloud.place.unit;
	double excess = bvrecog_cloud_excess( &s->cloud, &f->shape ) - bvrecog_shape_grain( &f->shape );
	bvrecog_surface_question question = {
		.mesh = s->mesh,
		.target = &s->target,
		.place = &s->cloud.place,
		.edges = &s->edges,
		.scratch = s->scratch,
		.tolerance = s->tolerance,
		.stop = s->stop,
		.context = s->context,
		.to_surface_lower = f->reach.lower,
		.to_surface_upper = f->reach.upper,
		.lower = bvmath_max( excess, 0 ),
	};
	*out = f->stored;
	out->from_mesh = ( bv_interval ){ unit * f->reach.lower, unit * f->reach.upper };
	bv_status status = bvrecog_measure_surface( &question, &f->stored, &f->shape, &out->from_surface );
	out->error = greater( out->from_mesh, out->from_surface );
	return status;
}

// What is certainly farther from the mesh than the tolerance need not be known better. @return whether it is
static bool reject( recognize_search* s, const recognize_fit* f, bv_primitive* out )
{
	double unit = s->cloud.place.unit;
	double grain = bvrecog_shape_grain( &f->shape );
	bvrecog_reach reach = bvrecog_measure_cloud( &s->cloud, s->mesh, s->hull, &f->shape );
	double lower = bvmath_max( reach.lower, bvrecog_cloud_shortfall( &s->cloud, &f->shape ) - grain );
	if ( lower <= s->tolerance )
	{
		bvrecog_cloud_find_support( &s->cloud, s->mesh, s->hull );
	}
	double excess = bvrecog_cloud_excess( &s->cloud, &f->shape ) - grain;
	*out = f->stored;
	out->from_mesh = ( bv_interval ){ unit * bvmath_max( lower, f->reach.lower ), unit * reach.upper };
	out->from_surface.lower = unit * bvmath_max( excess, 0 );
	out->from_surface.upper = unit * bvrecog_farthest_from_cloud( &s->cloud, &f->shape );
	out->error = greater( out->from_mesh, out->from_surface );
	return out->error.lower > unit * s->tolerance;
}

static bv_status find( recognize_search* s, bv_primitive_kind kind, bv_primitive* out )
{
	bvrecog_shape shape = fit_squares( s, kind );

	// The least mean of squares is below the square of the least largest term.
	if ( s->hopeless || bvrecog_cloud_spread( &s->cloud, &shape ) > s->tolerance )
	{
		recognize_fit first = store( s, &shape );
		if ( reject( s, &first, out ) )
		{
			return bv_ok;
		}
	}
	recognize_fit f;
	if ( !exchange( s, shape, &f ) && reject( s, &f, out ) )
	{
		return bv_ok;
	}
	return certify( s, &f, out );
}

// Errors are known to some hundredths of the tolerance: of those that are as small as the least but for a
// tenth of it, the first kind is the simplest or the most natural.
static bv_primitive_kind choose( const bv_primitive* p, double tolerance )
{
	double least = INFINITY;
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		least = bvmath_min( least, p[i].error.upper );
	}
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		if ( p[i].error.upper <= tolerance && p[i].error.upper <= least + tolerance / 10 )
		{
			return (bv_primitive_kind)i;
		}
	}
	return bv_primitive_kinds;
}

bv_status bvb_recognize( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bool ( *stop )( void* context ), void* context, bvb_arena* scratch,
                         bv_primitive out[bv_primitive_kinds], bv_primitive_kind* best, bvb_error* error )
{
	*best = bv_primitive_kinds;
	recognize_search* s = bvb_arena_allocate( scratch, 1, sizeof *s );
	if ( !s )
	{
		return bvbase_fail_memory( error );
	}
	*s = ( recognize_search ){
		.mesh = mesh, .hull = hull, .target = target, .stop = stop, .context = context, .scratch = scratch
	};
	if ( !( tolerance > 0 ) || !isfinite( tolerance ) )
	{
		return bvbase_fail( error, bv_error_argument, "the tolerance of primitives must be above 0" );
	}
	if ( !bvrecog_cloud_create( mesh, hull, &s->cloud ) )
	{
		return bvbase_fail( error, bv_error_argument, "cannot fit primitives to a mesh without extent" );
	}
	s->tolerance = tolerance * s->cloud.place.inverse;
	s->hopeless = bvrecog_has_recess( &s->cloud, mesh, hull, s->tolerance );
	uint32_t points = s->cloud.count;
	uint32_t directions = s->cloud.directions;
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		s->cloud.count = points;
		s->cloud.directions = directions;
		bv_status status = find( s, (bv_primitive_kind)i, &out[i] );
		if ( status != bv_ok )
		{
			return status == bv_error_memory
			           ? bvbase_fail_memory( error )
			           : bvbase_fail( error, status, "cannot measure the distance to the %s",
			                          bvb_primitive_name( (bv_primitive_kind)i ) );
		}
	}
	*best = choose( out, tolerance );
	return bv_ok;
}
