// Bodies poured into a box without a lid, and whether they come to rest: what piles of convex shapes and of meshes have in common.

#pragma once

#include "tests/bench/simulate/simulate.h"

enum
{
	pour_walls = 5,
	pour_energy_steps = 10, // between two samples of the energy that are written
};

static const double pour_least_size = 0.8; // of a body
static const double pour_bar = 0.01;       // of a body's size

// What is poured, and where.
typedef struct pour
{
	const char* name;
	const sim_shape* shapes;
	uint32_t shape_count;
	double side; // of the box
	uint32_t bodies;
	int steps;
} pour;

typedef struct pour_result
{
	double outside;     // how far a center was outside of the box, in sizes
	double jitter;      // greatest way of a point of a body in the last fifth of the steps, in sizes
	uint32_t jittering; // bodies above the bar
	double speed[2];    // root mean square and greatest at the end
	double growth;      // of the energy above an earlier value, of what was lost in all
	double height;      // of the highest center at the end
	double overlap;     // of two bodies or of a body and a wall at the end, in sizes; found by the caller
} pour_result;

// Makes a step. `is_end` is set in the last fifth of the steps.
typedef void pour_step( void* context, sim_world* w, bool is_end );

static inline double size_of( const sim_body* b )
{
	return 2 * b->scale * b->shape->radius;
}

// @param wall  shapes of the walls, which bodies refer to
// @param body  receives walls and bodies
static inline void pour_begin( const pour* p, sim_shape wall[pour_walls], sim_body* body )
{
	const bv_vec3 normal[pour_walls] = { { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
	for ( int i = 0; i < pour_walls; ++i )
	{
		wall[i] = sim_half_space( normal[i], i > 0 ? -p->side / 2 : 0 );
		body[i] = sim_make_body( wall + i, 1, bv_vec3_make( 0, 0, 0 ), bv_quaternion_identity() );
	}
	uint64_t random = 5;
	uint32_t columns = (uint32_t)( p->side / 1.3 );
	double cell = p->side / columns;
	for ( uint32_t i = 0; i < p->bodies; ++i )
	{
		const sim_shape* shape = p->shapes + i % p->shape_count;
		bv_vec3 at = { ( i % columns + 0.5 ) * cell - p->side / 2,
			           ( i / columns % columns + 0.5 ) * cell - p->side / 2,
			           1 + 1.3 * ( i / columns / columns ) };
		double size = pour_least_size + 0.4 * sim_draw( &random );
		sim_body* b = body + pour_walls + i;
		*b = sim_make_body( shape, size / ( 2 * shape->radius ), at, sim_draw_turn( &random ) );
		b->velocity = random_direction( &random );
	}
}

static inline sim_options pour_options( sim_contacts_of contacts, uint32_t most_pairs )
{
	return ( sim_options ){ .contacts = contacts,
		                    .time = 1.0 / 120,
		                    .substeps = 4,
		                    .gravity = { 0, 0, -9.81 },
		                    .friction = 0.5,
		                    .fastest = 6,
		                    .damping = 0.5,
		                    .speculative = 0.03,
		                    .most_pairs = most_pairs };
}

// @param before  bodies at the beginning of the last fifth of the steps; null until then
// @param ways    of each body, the greatest so far, in sizes
static inline void pour_watch( const sim_world* w, double side, const sim_body* before, double* ways,
                               pour_result* out )
{
	for ( uint32_t i = pour_walls; i < w->count; ++i )
	{
		const sim_body* b = w->body + i;
		double most = fmax( -b->position.z, fmax( fabs( b->position.x ), fabs( b->position.y ) ) - side / 2 );
		out->outside = fmax( out->outside, most / size_of( b ) );
		if ( before )
		{
			double way = bv_length( bv_sub( b->position, before[i].position ) );
			bv_quaternion q = bv_quaternion_multiply( b->turn, bv_quaternion_conjugate( before[i].turn ) );
			double turn = 2 * sqrt( q.x * q.x + q.y * q.y + q.z * q.z );
			ways[i] = fmax( ways[i], ( way + turn * b->scale * b->shape->radius ) / size_of( b ) );
		}
	}
}

static inline pour_result pour_run( simulation* s, const pour* p, sim_world* w, pour_step* step,
                                    void* context )
{
	sim_body* before = sim_allocate( w->count, sizeof *before );
	double* ways = sim_allocate( w->count, sizeof *ways );
	pour_result out = { .outside = -INFINITY };
	double first = sim_energy( w );
	double least = first;
	int watched = p->steps - p->steps / 5;
	for ( int i = 0; i < p->steps; ++i )
	{
		if ( i == watched )
		{
			memcpy( before, w->body, w->count * sizeof *before );
		}
		step( context, w, i >= watched );
		pour_watch( w, p->side, i >= watched ? before : NULL, ways, &out );
		double energy = sim_energy( w );
		out.growth = fmax( out.growth, energy - least );
		least = fmin( least, energy );
		if ( i % pour_energy_steps == 0 )
		{
			write_figure( &s->v, p->name, "energy", i, energy );
		}
	}
	out.growth /= first - least;
	for ( uint32_t i = pour_walls; i < w->count; ++i )
	{
		double speed = bv_length( w->body[i].velocity );
		out.speed[0] += speed * speed / ( w->count - pour_walls );
		out.speed[1] = fmax( out.speed[1], speed );
		out.height = fmax( out.height, w->body[i].position.z );
		out.jitter = fmax( out.jitter, ways[i] );
		out.jittering += ways[i] > pour_bar;
	}
	out.speed[0] = sqrt( out.speed[0] );
	free( before );
	free( ways );
	return out;
}

static inline void pour_print_head( void )
{
	printf( "| bodies | what | here | bar | met |\n| --- | --- | ---: | ---: | --- |\n" );
}

static inline void pour_print_row( simulation* s, const pour* p, const char* what, double value, double most,
                                   bool is_judged )
{
	bool met = value <= most;
	printf( "| %s | %s | %.2g | %g | %s |\n", p->name, what, value, most,
	        is_judged ? met_if( met )
	        : met     ? ""
	                  : "above" );
	require( &s->v, met || s->quick || !is_judged, what );
	write_figure( &s->v, p->name, what, 0, value );
}

static inline void pour_print( simulation* s, const pour* p, const pour_result* r, bool is_judged )
{
	pour_print_row( s, p, "center outside of the box, sizes", fmax( r->outside, 0 ), 0, is_judged );
	pour_print_row( s, p, "greatest overlap at the end, sizes", r->overlap, pour_bar, is_judged );
	pour_print_row( s, p, "jitter, sizes", r->jitter, pour_bar, is_judged );
	pour_print_row( s, p, "greatest speed at the end", r->speed[1], 0.01, is_judged );
	pour_print_row( s, p, "growth of energy", r->growth, 1e-3, is_judged );
	fflush( stdout );
}
