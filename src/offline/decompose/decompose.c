// The stages: the shape, a convex one, the search, and what is made of its parts.

#include "bvbuild/decompose.h"

#include "offline/base/arena.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/decompose/closed.h"
#include "offline/decompose/convex.h"
#include "offline/decompose/decomposers.h"
#include "offline/decompose/parts.h"
#include "offline/decompose/sketch.h"
#include "runtime/math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

// One row of the table of decomposers.
typedef struct decomposer
{
	const char* name;
	const char* summary;
	bvdecomp_decomposer* search;
	bool is_improved;
} decomposer;

#define DECOMPOSER( name, function, improved, summary ) { name, summary, function, improved },
static const decomposer decomposers[] = { BVDECOMP_DECOMPOSERS( DECOMPOSER ) };
#undef DECOMPOSER

static const uint32_t decomposer_count = sizeof decomposers / sizeof *decomposers;

static const bvdecomp_search_effort efforts[BVB_MAX_DECOMPOSE_EFFORT + 1] = {
	{
		.field_cells = 1 << 15,
		.cut = { .offsets = 6, .creases = 8, .notches = 6, .finalists = 4 },
		.overcut = 1.5,
		.density = 32,
		.vertices = 800,
	},
	{
		.field_cells = 1 << 17,
		.cut = { .offsets = 6, .creases = 16, .notches = 6, .finalists = 8, .refined = 1, .refinements = 5 },
		.ahead = { .offsets = 4, .creases = 8, .notches = 6, .finalists = 1 },
		.overcut = 1.5,
		.looked_into = 5,
		.rounds = 3,
		.density = 48,
		.vertices = 3000,
	},
	{
		.field_cells = 1 << 19,
		.cut = { .offsets = 13,
	             .creases = 32,
	             .notches = 6,
	             .finalists = 24,
	             .refined = 3,
	             .refinements = 14 },
		.ahead = { .offsets = 9, .creases = 16, .notches = 6, .finalists = 4 },
		.overcut = 2,
		.looked_into = 8,
		.rounds = 7,
		.density = 64,
		.vertices = 8000,
	},
};

bvb_decompose_options bvb_decompose_options_default( void )
{
	return ( bvb_decompose_options ){
		.method = "planes",
		.max_parts = 64,
		.max_vertices = 64,
		.effort = 1,
	};
}

const char* bvb_decomposer_name( uint32_t index, const char** summary )
{
	if ( index >= decomposer_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = decomposers[index].summary;
	}
	return decomposers[index].name;
}

const char* bvb_decompose_mode_name( uint32_t mode )
{
	static const char* const names[] = { "automatic", "solid", "surface" };
	return mode < sizeof names / sizeof *names ? names[mode] : NULL;
}

static bool is_length( double x )
{
	return x >= 0 && x <= DBL_MAX;
}

static bv_status check( const bvb_decompose_options* o, const decomposer** method, bvb_error* error )
{
	*method = NULL;
	for ( uint32_t i = 0; i < decomposer_count; ++i )
	{
		*method = o->method && strcmp( o->method, decomposers[i].name ) == 0 ? decomposers + i : *method;
	}
	if ( !*method )
	{
		return bvbase_fail( error, bv_error_argument, "unknown decomposer '%s'", o->method ? o->method : "" );
	}
	if ( o->max_parts < 1 || o->max_parts > BVB_MAX_PARTS )
	{
		return bvbase_fail( error, bv_error_argument, "the limit on parts must be 1 to %d, not %u",
		                    BVB_MAX_PARTS, o->max_parts );
	}
	if ( o->max_vertices < 4 || o->max_vertices > BVB_MAX_PART_VERTICES )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the limit on vertices per part must be 4 to %d, not %u", BVB_MAX_PART_VERTICES,
		                    o->max_vertices );
	}
	if ( !is_length( o->tolerance ) || !is_length( o->min_thickness ) || !is_length( o->probe_radius ) ||
	     !is_length( o->time_budget ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "lengths and times of a decomposition must be 0 or more and finite" );
	}
	if ( o->effort > BVB_MAX_DECOMPOSE_EFFORT || !bvb_decompose_mode_name( o->mode ) || o->threads > 1024 )
	{
		return bvbase_fail( error, bv_error_argument, "an option of the decomposition is out of range" );
	}
	return bv_ok;
}

// What a part of the search became.
typedef struct made_part
{
	bvb_part part; // without corners where there is nothing to enclose
	double excess; // of bvdecomp_make_part
	double uncovered;
} made_part;

// One decomposition.
typedef struct decompose_work
{
	const bvb_decompose_options* options;
	bvb_decompose_options stricter; // for a shape that was closed
	const decomposer* method;
	bvdecomp_shape shape;
	bvdecomp_search search;
	bvdecomp_schedule schedule;
	made_part* made;    // of each of the search's parts that is still one
	uint32_t made_room; // length of made
	bool is_sketch;     // whether the search looks at less than the mesh
	bvdecomp_convex convex;
	int team;
	bvb_arena* scratch;
	bvb_arena* arena;
	bvb_decomposition* out;
	bvb_error* error;
} decompose_work;

static bool is_convex( const decompose_work* w )
{
	return w->convex.bound < INFINITY;
}

static bv_status make_part( decompose_work* w, const bvdecomp_part_points* points, bool is_whole,
                            made_part* out )
{
	// Triangles are cut into pieces that are in parts with all their corners. Inside of the shape, next to a
	// plane, there can be a gap as wide as what counts as in the plane, and at corners of cells as much
	// again. qhull leaves points outside by as much as the other.
	double least = ( w->shape.inside && !is_whole ? 4 * BVDECOMP_ON_PLANE : 0x1p-33 ) * w->shape.frame.size;
	*out = ( made_part ){ .uncovered = least };
	bv_status status = points->count > 0
	                       ? bvdecomp_make_part( points, &w->shape, w->options,
	                                             bvdecomp_schedule_is_late( &w->schedule, points->count ),
	                                             w->arena, &out->part, &out->excess, w->error )
	                       : bv_ok;
	if ( status == bv_ok && points->count > 0 )
	{
		out->uncovered = bvmath_max( least, bvdecomp_part_uncovered( &out->part, points ) );
	}
	return status;
}

static bv_status complete( decompose_work* w )
{
	bvb_decomposition* d = w->out;
	if ( bvdecomp_arrange_parts( w->arena, d ) != bv_ok || bvdecomp_find_neighbors( w->arena, d ) != bv_ok )
	{
		return bvbase_fail_memory( w->error );
	}
	d->vertices = 0;
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		d->vertices += d->parts[i].vertex_count;
	}
	return bv_ok;
}

// The whole mesh as one part.
static bv_status make_whole( decompose_work* w )
{
	const bvb_mesh* mesh = &w->shape.mesh;
	bvdecomp_part_points all = { .points = mesh->positions,
		                         .count = mesh->vertex_count,
		                         .triangle_count = mesh->triangle_count };
	all.triangles = bvb_arena_allocate( w->scratch, all.triangle_count, sizeof *all.triangles );
	if ( !all.triangles )
	{
		return bvbase_fail_memory( w->error );
	}
	for ( uint32_t t = 0; t < all.triangle_count; ++t )
	{
		all.triangles[t] = t;
	}
	made_part made;
	bvb_decomposition* d = w->out;
	bv_status status = make_part( w, &all, true, &made );
	d->parts = bvb_arena_allocate( w->arena, 1, sizeof *d->parts );
	if ( status != bv_ok || !d->parts )
	{
		return status != bv_ok ? status : bvbase_fail_memory( w->error );
	}
	d->parts[0] = made.part;
	d->part_count = 1;
	d->uncovered = made.uncovered;
	if ( is_convex( w ) )
	{
		d->concavity = d->parts[0].concavity = bvdecomp_measure_convex( &w->shape, &w->convex, d->parts );
	}
	else
	{
		bvdecomp_schedule_begin_proof( &w->schedule, 1 );
		status = bvdecomp_certify_parts( &w->shape, 0, 0, &( bvdecomp_outlook ){ .parts = 1 }, &w->schedule,
		                                 w->team, w->arena, d, w->error );
	}
	return status == bv_ok ? complete( w ) : status;
}

static bv_status start_search( decompose_work* w )
{
	// What is certified is a little more than what samples find.
	static const double below = 0.95;
	double tolerance = w->options->tolerance / w->shape.frame.size;
	bvdecomp_search* s = &w->search;
	*s = ( bvdecomp_search ){
		.effort = &efforts[w->options->effort],
		.max_parts = w->options->max_parts,
		.max_vertices = w->options->max_vertices,
		.tolerance = bvmath_max( tolerance, BVDECOMP_NEAR_ENOUGH ),
		.aim = bvmath_max( below * tolerance, 0.5 * BVDECOMP_NEAR_ENOUGH ),
		.team = w->team,
		.price = 0.1,
		.lasting = w->scratch,
		.arena = w->scratch,
		.schedule = &w->schedule,
	};
	bvb_mesh sketch = { 0 };
	s->workers = bvb_arena_allocate( w->scratch, (size_t)w->team, sizeof *s->workers );
	if ( !s->workers )
	{
		return bv_error_memory;
	}
	for ( int i = 0; i < w->team; ++i )
	{
		bvdecomp_search_worker* worker = s->workers + i;
		worker->arena = bvbase_arena_create_scratch( w->scratch );
		worker->half[0].arena = worker->half[1].arena = worker->arena;
		if ( !worker->arena )
		{
			return bv_error_memory;
		}
	}
	// Gaps are seen by balls around grid points.
	static const double most_cells = 1 << 22;
	double probe = w->options->probe_radius / w->shape.frame.size;
	double cells = s->effort->field_cells;
	cells =
		probe > 0 ? bvmath_max( cells, bvmath_min( 0.25 / ( probe * probe * probe ), most_cells ) ) : cells;

	// Where many open edges are long, each grid point takes long.
	static const double most_work = 1 << 27;
	cells = bvmath_min( cells, bvmath_max( most_work / ( 1 + w->shape.work ), 1 << 12 ) );
	s->field.is_rough = bvdecomp_is_rough( &w->shape );
	bv_status status = bvdecomp_field_create( &w->shape.unit, &w->shape.frame, w->shape.inside, probe,
	                                          bvdecomp_schedule_cells( &w->schedule, (uint32_t)cells ),
	                                          w->team, w->scratch, &s->field );
	status = status == bv_ok
	             ? bvdecomp_find_creases( &w->shape.unit, w->scratch, &s->creases, &s->crease_count )
	             : status;

	// Of a convex shape the corners are what matters.
	uint32_t most = is_convex( w ) ? w->shape.unit.vertex_count : s->effort->vertices;
	status = status == bv_ok ? bvdecomp_sketch_mesh( &w->shape.unit, most, w->scratch, &sketch ) : status;

	w->is_sketch = sketch.vertex_count < w->shape.unit.vertex_count;
	s->rounds = s->effort->rounds - ( w->is_sketch && s->effort->rounds > 0 );

	// Hulls of few vertices are cheap, and their shapes exact.
	s->fine.roughness = bvmath_max( 1e-4, bvmath_min( 5e-7 * sketch.vertex_count, 1e-3 ) );
	s->fine.density = s->effort->density;
	s->coarse = ( bvdecomp_grain ){ 4 * s->fine.roughness, 0.5 * s->fine.density, true };
	return status == bv_ok ? bvdecomp_start_parts( s, &sketch ) : status;
}

// What the search saw was a sketch: the whole mesh takes its place, and what that makes worse is improved.
static bv_status go_back_to_mesh( decompose_work* w )
{
	bvdecomp_search* s = &w->search;
	bv_status status = bvdecomp_fill_leaves( s, &w->shape.unit );
	return status == bv_ok && w->is_sketch && w->method->is_improved ? bvdecomp_improve_parts( s ) : status;
}

// Makes those parts of the search that have changed since they were made.
static bv_status make_changed( decompose_work* w )
{
	bvdecomp_search* s = &w->search;
	if ( s->part_count > w->made_room )
	{
		made_part* wider = bvb_arena_allocate( w->scratch, 2 * (size_t)s->part_count, sizeof *wider );
		if ( !wider )
		{
			return bvbase_fail_memory( w->error );
		}
		if ( w->made_room > 0 )
		{
			memcpy( wider, w->made, w->made_room * sizeof *wider );
		}
		w->made = wider;
		w->made_room = 2 * s->part_count;
	}
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < s->part_count && status == bv_ok; ++i )
	{
		if ( s->parts[i].leaf != BVDECOMP_NONE && s->parts[i].certified == INFINITY )
		{
			bvb_arena* scratch = bvbase_arena_create_scratch( w->scratch );
			bvdecomp_part_points points;
			status = scratch && bvdecomp_gather_points( s, i, &w->shape, scratch, &points ) == bv_ok
			             ? make_part( w, &points, s->live == 1, w->made + i )
			             : bvbase_fail_memory( w->error );
			bvb_arena_destroy( scratch );
		}

		// Of the last one it is known only later what else it takes.
		if ( i + 1 < s->part_count )
		{
			bvdecomp_schedule_make( &w->schedule, ( i + 1.0 ) / s->part_count );
		}
	}
	return status;
}

static bv_status measure_convex_parts( decompose_work* w )
{
	bvb_decomposition* d = w->out;
	d->concavity = ( bv_interval ){ 0, 0 };
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		bvb_part* part = d->parts + i;
		if ( part->concavity.upper == INFINITY )
		{
			part->concavity = bvdecomp_measure_convex( &w->shape, &w->convex, part );
		}
		d->concavity.lower = bvmath_max( d->concavity.lower, part->concavity.lower );
		d->concavity.upper = bvmath_max( d->concavity.upper, part->concavity.upper );
	}
	return bv_ok;
}

// What is known of the parts before they are certified. If halves of a part miss corners half as much, it takes as many
// cuts as it is farther off than it may be.
static bvdecomp_outlook outlook_of( const decompose_work* w )
{
	const bvdecomp_search* s = &w->search;
	bvdecomp_outlook out = { .parts = s->live, .room = (double)s->max_parts - s->live };
	for ( uint32_t i = 0; i < s->part_count && w->options->tolerance > 0; ++i )
	{
		bool counts = s->parts[i].leaf != BVDECOMP_NONE && w->made[i].excess > w->options->tolerance;
		out.capped += counts ? w->made[i].excess / w->options->tolerance : 0;
	}
	return out;
}

// Certifies what was made.
static bv_status certify( decompose_work* w )
{
	bvdecomp_search* s = &w->search;
	bvb_decomposition* d = w->out;
	d->parts = bvb_arena_allocate( w->arena, s->live, sizeof *d->parts );
	d->part_count = 0;
	d->uncovered = 0;
	uint32_t first = 0;
	double farthest = 0;
	for ( uint32_t i = 0; d->parts && i < s->part_count; ++i )
	{
		if ( s->parts[i].leaf != BVDECOMP_NONE && w->made[i].part.vertex_count > 0 )
		{
			first = s->parts[i].cost.farthest > farthest ? d->part_count : first;
			farthest = bvmath_max( farthest, s->parts[i].cost.farthest );
			d->uncovered = bvmath_max( d->uncovered, w->made[i].uncovered );
			d->parts[d->part_count++] = w->made[i].part;
		}
	}
	// Which parts are within the tolerance matters as long as others may be cut.
	double tolerance = s->live < s->max_parts ? w->options->tolerance : 0;
	bvdecomp_outlook known = outlook_of( w );
	bvdecomp_schedule_end_making( &w->schedule, &known );
	bv_status status = !d->parts ? bvbase_fail_memory( w->error )
	                   : is_convex( w )
	                       ? measure_convex_parts( w )
	                       : bvdecomp_certify_parts( &w->shape, first, tolerance, &known, &w->schedule,
	                                                 w->team, w->arena, d, w->error );
	for ( uint32_t i = 0, k = 0; i < s->part_count && status == bv_ok; ++i )
	{
		if ( s->parts[i].leaf != BVDECOMP_NONE )
		{
			bool is_empty = w->made[i].part.vertex_count == 0;
			w->made[i].part.concavity = is_empty ? ( bv_interval ){ 0, 0 } : d->parts[k++].concavity;
			s->parts[i].certified = w->made[i].part.concavity.upper / w->shape.frame.size;
			s->parts[i].farther = w->made[i].part.concavity.lower / w->shape.frame.size;
			s->parts[i].excess = w->made[i].excess / w->shape.frame.size;
		}
	}
	return status;
}

// Parts that turn out to stand off farther than they may are cut further, as long as there may be more. Of a
// gap that counts as filled the certificate does not know.
static bv_status make_parts( decompose_work* w )
{
	bool may_cut = w->method->is_improved && w->options->probe_radius == 0;
	bvb_decomposition before = *w->out;
	bv_status status = bv_ok;
	for ( bool again = true; again && status == bv_ok; )
	{
		bvdecomp_schedule_begin_proof( &w->schedule, w->search.live );
		status = make_changed( w );
		status = status == bv_ok ? certify( w ) : status;
		again = false;

		// What is made too late may be worse than what was there.
		if ( status == bv_ok && before.part_count > 0 && bvdecomp_schedule_is_late( &w->schedule, 0 ) &&
		     w->out->concavity.upper > before.concavity.upper )
		{
			*w->out = before;
			break;
		}
		before = *w->out;

		if ( status == bv_ok && may_cut && bvdecomp_cut_failing( &w->search, &again ) != bv_ok )
		{
			status = bvbase_fail_memory( w->error );
		}
	}
	return status == bv_ok ? complete( w ) : status;
}

static bv_status search( decompose_work* w )
{
	bvdecomp_search* s = &w->search;
	bv_status status = start_search( w );
	bvdecomp_schedule_begin_search( &w->schedule, is_convex( w ) );
	if ( status == bv_ok && !is_convex( w ) )
	{
		status = w->method->search( s );
		status = status == bv_ok ? go_back_to_mesh( w ) : status;
	}
	status = status == bv_ok ? make_parts( w ) : bvbase_fail_memory( w->error );
	for ( int i = 0; s->workers && i < w->team; ++i )
	{
		bvb_arena_destroy( s->workers[i].arena );
	}
	w->out->steps = s->steps;
	w->out->out_of_time = s->stopped || w->schedule.stopped;
	return status;
}

// A convex shape is cut only if its hull has too few corners to keep to the tolerance.
static bool is_enough( const decompose_work* w )
{
	double tolerance = bvmath_max( w->options->tolerance, BVDECOMP_NEAR_ENOUGH * w->shape.frame.size );
	return w->options->max_parts == 1 || w->options->tolerance == 0 || !w->method->is_improved ||
	       w->out->concavity.upper <= tolerance;
}

// Closes an open shape if possible. The tolerance becomes less by how far that may move it.
static bv_status close_shape( decompose_work* w )
{
	static const double most_of_budget = 0.1;
	double deadline = bvbase_clock() + most_of_budget * w->schedule.budget;
	bv_status status =
		bvdecomp_close_shape( &w->shape, w->options->tolerance, deadline, w->scratch, w->error );
	w->stricter = *w->options;
	w->stricter.tolerance = bvmath_max( w->options->tolerance - w->shape.moved.added, 0 );
	w->options = &w->stricter;
	return status;
}

static bv_interval widened( const bv_interval* interval, const bvdecomp_moved* moved )
{
	return ( bv_interval ){ bvmath_max( interval->lower - moved->removed, 0 ),
		                    interval->upper + moved->added };
}

// What is certified of the closed shape is true of the open one to within how far both are apart.
static void widen_certificates( decompose_work* w )
{
	bvb_decomposition* d = w->out;
	if ( w->shape.moved.added > 0 )
	{
		for ( uint32_t i = 0; i < d->part_count; ++i )
		{
			d->parts[i].concavity = widened( &d->parts[i].concavity, &w->shape.moved );
		}
		d->concavity = widened( &d->concavity, &w->shape.moved );
	}
}

static bv_status decompose( decompose_work* w, const bvb_mesh* mesh )
{
	double tolerance = w->options->tolerance;
	uint64_t most_work = bvdecomp_schedule_work( &w->schedule, BVDECOMP_SHAPE_WORK );
	bv_status status =
		bvdecomp_shape_create( mesh, w->options->mode, most_work, w->scratch, &w->shape, w->error );
	bvdecomp_schedule_time_samples( &w->schedule, w->shape.samples );
	status = status == bv_ok ? close_shape( w ) : status;
	if ( status == bv_ok )
	{
		bvdecomp_schedule_divide( &w->schedule, &w->shape );
	}
	w->convex.bound = INFINITY;
	if ( status == bv_ok && !bvdecomp_schedule_hurry( &w->schedule, mesh, false ) )
	{
		status = bvdecomp_find_convex( &w->shape, w->scratch, &w->convex, w->error );
		bvdecomp_schedule_hurry( &w->schedule, mesh, is_convex( w ) );
	}
	bool is_whole = w->options->max_parts == 1 || is_convex( w );
	status = status == bv_ok && ( is_whole || w->schedule.hurried ) ? make_whole( w ) : status;
	bool is_done = is_whole && is_enough( w );
	w->out->out_of_time = w->schedule.hurried && !is_done;
	if ( status == bv_ok && !is_done && !w->schedule.hurried )
	{
		status = search( w );
	}
	widen_certificates( w );
	w->out->solid = w->shape.inside;
	w->out->tolerance = tolerance;
	return status;
}

bv_status bvb_decompose( const bvb_mesh* mesh, const bvb_decompose_options* options, bvb_arena* arena,
                         bvb_decomposition* out, bvb_error* error )
{
	*out = ( bvb_decomposition ){ 0 };
	decompose_work w = { .options = options, .arena = arena, .out = out, .error = error };
	bv_status status = check( options, &w.method, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvdecomp_schedule_begin( options, &w.schedule );
	w.team = bvbase_thread_team_in( arena, options->threads );
	w.scratch = bvbase_arena_create_scratch( arena );
	status = w.scratch ? decompose( &w, mesh ) : bvbase_fail_memory( error );
	bvb_arena_destroy( w.scratch );
	if ( status != bv_ok )
	{
		*out = ( bvb_decomposition ){ 0 };
	}
	else if ( options->progress && !out->out_of_time )
	{
		options->progress( options->progress_context, 1 );
	}
	return status;
}
