// What is certified: no point of a part is farther from the shape than the engine of src/offline/hausdorff
// says. The part that is thought to be farthest is measured first; the others only until they are known to be
// half as far at most, or else to a half of their own distance, and those among them that the whole depends
// on again, until its interval is narrow.

#include "offline/decompose/parts.h"

#include "bvbuild/hausdorff.h"
#include "offline/base/arena.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>

// A part that coincides with the shape except for rounding would never be done. The parts of an open mesh share
// a number of regions, so that certifying them takes no longer the more there are.
static const uint64_t most_regions = 1 << 18;
static const uint64_t most_of_open = 1 << 15;
static const uint64_t least_of_open = 1 << 10;
static const uint64_t shared_by_open = 1 << 19;

// A target serves one measurement at a time.
typedef struct certify_gauge
{
	bvb_arena* arena;
	bvb_hausdorff_target* target;
	bvb_error error;
	bv_status status;
	double deadline;       // of bvbase_clock
	double tolerance;      // as in bvb_decomposition
	uint64_t most_regions; // for one part
} certify_gauge;

// How narrow an interval is to be, as in bvb_hausdorff_options: meeting any of these is enough.
typedef struct goal
{
	double relative;
	double absolute;
	double sufficient;
} goal;

static uint64_t most_regions_of( const bvdecomp_shape* shape, uint32_t parts )
{
	bool closed = !shape->inside || bvb_winding_is_closed( shape->inside );
	uint64_t share = shared_by_open / parts;
	return closed                  ? most_regions
	       : share > most_of_open  ? most_of_open
	       : share < least_of_open ? least_of_open
	                               : share;
}

static bool is_late( void* gauge )
{
	const certify_gauge* g = gauge;
	return bvbase_clock() > g->deadline;
}

// The tolerance times a power of two, or the mesh's size.
static double first_step( const bvdecomp_shape* shape, const certify_gauge* g, const bvb_part* part )
{
	double most = bvmath_min( 0.25 * shape->frame.size, 0.75 * part->concavity.upper );
	double step = g->tolerance > 0 ? g->tolerance : shape->frame.size;
	while ( step > most )
	{
		step *= 0.5;
	}
	while ( step > 0 && 2 * step <= most )
	{
		step *= 2;
	}
	return step;
}

// No point of a part is farther from a point of the mesh than a corner is. That point is the one of all
// triangles' first corners that is next to the part's middle.
static void bound_by_vertex( const bvdecomp_shape* shape, bvb_part* part )
{
	bv_vec3 middle = { 0, 0, 0 };
	for ( uint32_t v = 0; v < part->vertex_count; ++v )
	{
		middle = bv_add( middle, bv_scale( 1.0 / part->vertex_count, part->positions[v] ) );
	}
	bv_vec3 nearest = { 0, 0, 0 };
	double least = INFINITY;
	for ( uint32_t t = 0; t < shape->mesh.triangle_count; ++t )
	{
		bv_vec3 corner = shape->mesh.positions[shape->mesh.triangles[t].corner[0]];
		bv_vec3 d = bv_sub( corner, middle );
		nearest = bv_dot( d, d ) < least ? corner : nearest;
		least = bvmath_min( least, bv_dot( d, d ) );
	}
	double farthest = 0;
	for ( uint32_t v = 0; v < part->vertex_count; ++v )
	{
		bv_vec3 d = bv_sub( part->positions[v], nearest );
		farthest = bvmath_max( farthest, sqrt( bv_dot( d, d ) ) );
	}
	part->concavity.upper = bvmath_min( part->concavity.upper, farthest * ( 1 + 0x1p-40 ) );
}

// Whether not even what all measurements need can be made in time.
static bool is_hopeless( const bvdecomp_shape* shape, const certify_gauge* g )
{
	static const double by_triangle = 2e-6; // seconds, by experiment
	return !g->target && g->deadline < INFINITY &&
	       bvbase_clock() + by_triangle * shape->mesh.triangle_count > g->deadline;
}

static void measure( const bvdecomp_shape* shape, const goal* to, certify_gauge* g, bvb_part* part )
{
	if ( g->status == bv_ok && is_hopeless( shape, g ) )
	{
		bound_by_vertex( shape, part );
		return;
	}
	if ( g->status == bv_ok && !g->target )
	{
		g->status = bvb_hausdorff_target_create( &shape->mesh, NULL, 0, g->arena, &g->target, &g->error );
	}
	if ( g->status != bv_ok )
	{
		return;
	}
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = shape->inside ? bvb_hausdorff_outside : bvb_hausdorff_solid;
	options.inside = shape->inside;
	options.relative = to->relative;
	options.absolute = to->absolute;
	bool open = shape->inside && !bvb_winding_is_closed( shape->inside );
	options.stop = g->deadline < INFINITY ? is_late : NULL;
	options.stop_context = g;
	uint64_t regions = g->most_regions;
	bvb_arena* scratch = bvbase_arena_create_scratch( g->arena );
	uint32_t* vertices = scratch ? bvb_arena_allocate( scratch, part->vertex_count, sizeof *vertices ) : NULL;
	for ( uint32_t v = 0; vertices && v < part->vertex_count; ++v )
	{
		vertices[v] = v;
	}
	bvb_hull hull = {
		.kind = bv_hull_polyhedron,
		.vertices = vertices,
		.vertex_count = part->vertex_count,
		.faces = part->faces,
		.face_count = part->face_count,
		.volume = part->mass.mass,
	};
	g->status = vertices ? bv_ok : bvbase_fail_memory( &g->error );

	// Regions that are cut deep may use up all there may be, before others are looked at. Where that is to be
	// feared, what is sufficient is halved again and again, by way of what is wanted.
	double step = open ? first_step( shape, g, part ) : to->sufficient;
	for ( bool more = true; more && g->status == bv_ok; step *= 0.5 )
	{
		bvb_hausdorff found;
		options.sufficient = bvmath_max( step, to->sufficient );
		options.max_regions = regions;
		g->status = bvb_hausdorff_hull( g->target, part->positions, &hull, &options, &found );
		if ( g->status == bv_ok )
		{
			// Both hold, so the tighter of old and new ends does.
			part->concavity.lower = bvmath_max( part->concavity.lower, found.lower );
			part->concavity.upper = bvmath_min( part->concavity.upper, found.upper );
			bool reached = found.upper <= step * ( 1 + 0x1p-20 );
			more = step > to->sufficient && reached && found.upper > to->absolute && found.regions < regions;
			regions -= more ? found.regions : 0;
		}
	}
	bvb_arena_destroy( scratch );
}

static void summarize( bvb_decomposition* d )
{
	d->concavity = ( bv_interval ){ 0, 0 };
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		d->concavity.lower = bvmath_max( d->concavity.lower, d->parts[i].concavity.lower );
		d->concavity.upper = bvmath_max( d->concavity.upper, d->parts[i].concavity.upper );
	}
}

// Farther off than the largest lower bound by this, a part may be the one that is farthest off.
static const double above_largest = 1.05;

static bool is_narrow( const bv_interval* i )
{
	return i->upper <= 1.08 * i->lower;
}

// A certificate while it is made.
typedef struct certification
{
	const bvdecomp_shape* shape;
	bvdecomp_schedule* schedule;
	const bvdecomp_outlook* known;
	certify_gauge* gauges;
	int team;
	bvb_decomposition* parts;
	bvb_error* error;
} certification;

// What is known to be a narrow interval, or not to be the largest stand-off, is not measured again.
static bool is_wide( const bv_interval* i, double above )
{
	return i->upper > above && !is_narrow( i );
}

// Measures those parts that may be farther off than `above`, and those of which nothing is known.
// @param wide  share of the parts that are measured again; negative while that is not known
static bv_status measure_all( const certification* c, const goal* to, double above, double wide )
{
	bvb_decomposition* d = c->parts;
	uint32_t measured = 0;
	uint32_t again = 0;
	double lower = 0;
#pragma omp parallel for num_threads( c->team ) schedule( dynamic )
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		certify_gauge* g = c->gauges + omp_get_thread_num();
		const bv_interval* known = &d->parts[i].concavity;
		if ( known->upper == INFINITY || is_wide( known, above ) )
		{
			measure( c->shape, to, g, d->parts + i );
		}
#pragma omp critical( bvdecomp_certify )
		{
			double share = (double)++measured / d->part_count;
			lower = bvmath_max( lower, known->lower );
			again += is_wide( known, above_largest * lower );
			double done =
				wide < 0 ? share / ( 1 + (double)again / measured ) : ( 1 + share * wide ) / ( 1 + wide );
			bool goes_on = bvdecomp_schedule_proof( c->schedule, done );
			g->deadline = goes_on ? g->deadline : -INFINITY;
		}
	}
	for ( int i = 0; i < c->team; ++i )
	{
		if ( c->gauges[i].status != bv_ok )
		{
			return bvbase_fail( c->error, c->gauges[i].status, "%s", c->gauges[i].error.message );
		}
	}
	summarize( d );
	return bv_ok;
}

// Of what is given up, more cuts would not make more known.
static bool is_unsure( const bv_interval* i, double tolerance )
{
	return i->lower <= tolerance && i->upper > BVDECOMP_WIDE * i->lower;
}

// Corrects the forecast of the progress between the two passes.
// @return share of the parts that are measured again
static double halve_schedule( const certification* c, double tolerance )
{
	bvdecomp_outlook known = *c->known;
	double wide = 0;
	for ( uint32_t i = 0; i < c->parts->part_count; ++i )
	{
		const bv_interval* part = &c->parts->parts[i].concavity;
		wide += is_wide( part, above_largest * c->parts->concavity.lower );
		known.failing += tolerance > 0 && part->upper > tolerance && !is_unsure( part, tolerance );
	}
	wide /= bvmath_max( c->parts->part_count, 1 );
	known.failing = bvmath_max( known.failing - known.capped, 0 );
	bvdecomp_schedule_halve_proof( c->schedule, wide, &known );
	return wide;
}

static bv_status certify( const certification* c, uint32_t first, double tolerance )
{
	bvb_decomposition* d = c->parts;
	double near = BVDECOMP_NEAR_ENOUGH * c->shape->frame.size;
	if ( d->parts[first].concavity.upper == INFINITY )
	{
		measure( c->shape, &( goal ){ 0.05, 0.5 * near, 0 }, c->gauges, d->parts + first );
	}
	double known = c->gauges->status == bv_ok ? d->parts[first].concavity.lower : 0;

	// What is within the tolerance is not to look as if it were not.
	double half = tolerance > 0 ? bvmath_min( 0.5 * known, tolerance ) : 0.5 * known;

	bv_status status = measure_all( c, &( goal ){ 0.5, 0.5 * near, half }, INFINITY, -1 );
	double wide = halve_schedule( c, tolerance );
	if ( status == bv_ok && !is_narrow( &d->concavity ) )
	{
		double lower = d->concavity.lower;
		goal narrow = { 0.05, bvmath_max( 0.25 * near, 0.02 * lower ), above_largest * lower };
		status = measure_all( c, &narrow, above_largest * lower, wide );
	}
	return status;
}

bv_status bvdecomp_certify_parts( const bvdecomp_shape* shape, uint32_t first, double tolerance,
                                  const bvdecomp_outlook* known, bvdecomp_schedule* schedule, int team,
                                  bvb_arena* arena, bvb_decomposition* d, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	certify_gauge* gauges = scratch ? bvb_arena_allocate( scratch, (size_t)team, sizeof *gauges ) : NULL;
	bv_status status = gauges ? bv_ok : bvbase_fail_memory( error );
	for ( int i = 0; gauges && i < team; ++i )
	{
		gauges[i].deadline = schedule->end_of_proof;
		gauges[i].tolerance = tolerance;
		gauges[i].most_regions = most_regions_of( shape, d->part_count );
		gauges[i].arena = bvbase_arena_create_scratch( scratch );
		gauges[i].status = gauges[i].arena ? bv_ok : bvbase_fail_memory( &gauges[i].error );
	}
	certification c = { shape, schedule, known, gauges, team, d, error };
	status = status == bv_ok ? certify( &c, first, tolerance ) : status;
	for ( int i = 0; gauges && i < team; ++i )
	{
		bvb_arena_destroy( gauges[i].arena );
	}
	bvb_arena_destroy( scratch );
	return status;
}
