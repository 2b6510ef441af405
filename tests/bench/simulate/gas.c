// A gas of hard spheres in a periodic cube (Leemann 2017, section on the simulation of a gas). All spheres begin with the same speed in
// random directions. In equilibrium, speeds have the distribution of Maxwell and Boltzmann.

#include "bvworld/particles.h"
#include "tests/bench/simulate/simulate.h"

enum
{
	most_snapshots = 4096,
	blocks = 16, // of which the statistical error is computed
	moments = 4,
	warm_steps = 200,
	steps_per_snapshot = 4,
};

static const double first_speed = 10;
static const double radius = 0.5;
static const double solid_fraction = 0.2;
static const double wider = 1;   // neighbors are looked for up to this separation
static const double step = 0.02; // a fifth of a diameter at the first speed

static const char* const moment_name[moments] = { "mean", "variance", "median", "skewness" };
static const double printed[moments] = { 9.2093, 15.1049, 8.8698, 0.4975 }; // with closed forms

typedef struct gas
{
	uint32_t count;
	double side;
	sim_shape shape;
	bv_vec3* position;
	bv_vec3* velocity;
	double* radii;
	void* memory;
	size_t bytes;
	bvw_neighbors lists;
	uint64_t bounces;
	uint64_t pairs;
	double difference; // of normals and depths of both methods, at most
	double* speeds;
} gas;

static gas begin_gas( uint32_t count )
{
	gas g = { .count = count, .shape = sim_sphere( radius ) };
	g.side = cbrt( count * g.shape.volume / solid_fraction );
	g.position = sim_allocate( count, sizeof *g.position );
	g.velocity = sim_allocate( count, sizeof *g.velocity );
	g.radii = sim_allocate( count, sizeof *g.radii );
	g.speeds = sim_allocate( count, sizeof *g.speeds );
	g.bytes = bvw_neighbors_bytes( count, 0, NULL );
	g.memory = sim_allocate( 1, g.bytes );
	g.lists.begin = sim_allocate( (size_t)count + 1, sizeof *g.lists.begin );
	g.lists.most = 8 * (uint64_t)count;
	g.lists.neighbors = sim_allocate( g.lists.most, sizeof *g.lists.neighbors );
	uint32_t edge = (uint32_t)ceil( cbrt( count ) );
	uint64_t random = 7;
	bv_vec3 velocity = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 cell = { i % edge, i / edge % edge, i / edge / edge };
		g.position[i] = bv_scale( g.side / edge, cell );
		// In pairs, so that the sum of momenta is 0.
		velocity = i % 2 ? bv_negate( velocity ) : bv_scale( first_speed, random_direction( &random ) );
		g.velocity[i] = velocity;
		g.radii[i] = radius;
	}
	return g;
}

static void end_gas( gas* g )
{
	void* all[] = { g->position, g->velocity,    g->radii,          g->speeds,
		            g->memory,   g->lists.begin, g->lists.neighbors };
	for ( size_t i = 0; i < sizeof all / sizeof *all; ++i )
	{
		free( all[i] );
	}
}

static double wrap( double x, double side )
{
	return x < 0 ? x + side : x >= side ? x - side : x;
}

static void move_gas( gas* g )
{
	for ( uint32_t i = 0; i < g->count; ++i )
	{
		bv_vec3 p = bv_add( g->position[i], bv_scale( step, g->velocity[i] ) );
		g->position[i] = bv_vec3_make( wrap( p.x, g->side ), wrap( p.y, g->side ), wrap( p.z, g->side ) );
	}
	bvw_particles spheres = { .positions = &g->position[0].x, .radii = g->radii, .count = g->count };
	// With cells as wide as a sphere, most are empty, and finding the next one takes most of the time.
	bvw_neighbors_options options = { .distance = wider,
		                              .half = true,
		                              .period = { g->side, g->side, g->side } };
	sim_require( bvw_neighbors_find( &spheres, NULL, &options, g->memory, g->bytes, &g->lists ) == bv_ok,
	             "neighbors cannot be found" );
}

// Closed forms decide. GJK answers the same pairs.
static void collide_gas( gas* g )
{
	const bv_convex_options options[2] = { { .method = bv_convex_method_closed },
		                                   { .method = bv_convex_method_gjk } };
	for ( uint32_t i = 0; i < g->count; ++i )
	{
		for ( uint64_t k = g->lists.begin[i]; k < g->lists.begin[i + 1]; ++k )
		{
			uint32_t j = g->lists.neighbors[k];
			bv_vec3 d = bv_sub( g->position[j], g->position[i] );
			d = bv_vec3_make( d.x - g->side * round( d.x / g->side ), d.y - g->side * round( d.y / g->side ),
			                  d.z - g->side * round( d.z / g->side ) );
			if ( bv_dot( d, d ) > 4 * radius * radius )
			{
				continue;
			}
			bv_transform at = bv_transform_translation( d.x, d.y, d.z );
			bv_convex_result r;
			bv_convex_result other;
			const bv_convex* sphere = &g->shape.convex;
			sim_require( bv_convex_distance( sphere, sphere, &at, options, &r ) == bv_ok &&
			                 bv_convex_distance( sphere, sphere, &at, options + 1, &other ) == bv_ok,
			             "a pair cannot be compared" );
			g->pairs += 1;
			g->difference = fmax( g->difference, bv_length( bv_sub( r.normal, other.normal ) ) );
			g->difference = fmax( g->difference, fabs( r.upper - other.upper ) );
			// Of equal masses, an elastic impulse exchanges the velocities along the normal.
			double speed = bv_dot( r.normal, bv_sub( g->velocity[j], g->velocity[i] ) );
			if ( speed < 0 )
			{
				g->velocity[i] = bv_add( g->velocity[i], bv_scale( speed, r.normal ) );
				g->velocity[j] = bv_sub( g->velocity[j], bv_scale( speed, r.normal ) );
				++g->bounces;
			}
		}
	}
}

static void measure_speeds( gas* g, double out[moments] )
{
	double sum[4] = { 0 };
	for ( uint32_t i = 0; i < g->count; ++i )
	{
		g->speeds[i] = bv_length( g->velocity[i] );
		sum[1] += g->speeds[i];
	}
	double mean = sum[1] / g->count;
	for ( uint32_t i = 0; i < g->count; ++i )
	{
		double d = g->speeds[i] - mean;
		sum[2] += d * d;
		sum[3] += d * d * d;
	}
	qsort( g->speeds, g->count, sizeof *g->speeds, compare_numbers );
	out[0] = mean;
	out[1] = sum[2] / ( g->count - 1 );
	out[2] = 0.5 * ( g->speeds[g->count / 2 - 1] + g->speeds[g->count / 2] );
	out[3] = sum[3] / g->count / pow( sum[2] / g->count, 1.5 );
}

typedef struct gas_result
{
	double mean[moments];
	double error[moments]; // standard error, from the spread of means of blocks
	double energy;         // greatest relative change
	double momentum;       // greatest change per sphere, relative to the first momentum
	double bounces;        // of a sphere, after the warm-up
	uint64_t pairs;
	double difference;
	double seconds;
} gas_result;

static gas_result simulate_gas( uint32_t count, int snapshots )
{
	gas g = begin_gas( count );
	gas_result out = { .energy = 0 };
	static double of[most_snapshots][moments];
	double start = sim_seconds();
	for ( int i = 0; i < warm_steps + snapshots * steps_per_snapshot; ++i )
	{
		g.bounces = i == warm_steps ? 0 : g.bounces;
		move_gas( &g );
		collide_gas( &g );
		int after = i + 1 - warm_steps;
		if ( after > 0 && after % steps_per_snapshot == 0 )
		{
			measure_speeds( &g, of[after / steps_per_snapshot - 1] );
			double square = 0;
			bv_vec3 sum = { 0, 0, 0 };
			for ( uint32_t k = 0; k < count; ++k )
			{
				square += bv_dot( g.velocity[k], g.velocity[k] );
				sum = bv_add( sum, g.velocity[k] );
			}
			out.energy = fmax( out.energy, fabs( square / count / ( first_speed * first_speed ) - 1 ) );
			out.momentum = fmax( out.momentum, bv_length( sum ) / count / first_speed );
		}
	}
	out.seconds = sim_seconds() - start;
	out.bounces = 2.0 * (double)g.bounces / count;
	int length = snapshots / blocks;
	for ( int m = 0; m < moments; ++m )
	{
		double block[blocks] = { 0 };
		for ( int i = 0; i < length * blocks; ++i )
		{
			block[i / length] += of[i][m] / length;
		}
		double square = 0;
		for ( int i = 0; i < blocks; ++i )
		{
			out.mean[m] += block[i] / blocks;
		}
		for ( int i = 0; i < blocks; ++i )
		{
			square += ( block[i] - out.mean[m] ) * ( block[i] - out.mean[m] );
		}
		out.error[m] = sqrt( square / ( blocks - 1 ) / blocks );
	}
	out.pairs = g.pairs;
	out.difference = g.difference;
	end_gas( &g );
	return out;
}

void run_gas( simulation* s )
{
	uint32_t count = s->quick ? 8000 : 64000;
	int snapshots = s->quick ? 160 : 592;
	double a = first_speed / sqrt( 3 );
	// The median is the root of erf( x / sqrt( 2 ) ) - sqrt( 2 / pi ) x exp( -x^2 / 2 ) = 1 / 2.
	const double exact[moments] = { 2 * a * sqrt( 2 / sim_pi ), a * a * ( 3 - 8 / sim_pi ), 1.5381722545 * a,
		                            2 * sqrt( 2 ) * ( 16 - 5 * sim_pi ) / pow( 3 * sim_pi - 8, 1.5 ) };
	gas_result r = simulate_gas( count, snapshots );
	printf( "\nSpeeds of %u spheres, solid fraction %g, averages of %d times after equilibrium. *Error*: "
	        "standard error of these "
	        "averages, from %d blocks of times. *Off*: from the exact value. Bar: 0.3 %%%s.\n\n",
	        count, solid_fraction, snapshots, blocks, s->quick ? " and 3 standard errors" : "" );
	printf( "| moment | exact | Leemann 2017 | here | error, %% | off, %% | bar |\n| --- | ---: | ---: | "
	        "---: | ---: | ---: | --- |\n" );
	for ( int m = 0; m < moments; ++m )
	{
		double off = 100 * fabs( r.mean[m] / exact[m] - 1 );
		double error = 100 * r.error[m] / exact[m];
		bool met = off <= 0.3 + ( s->quick ? 3 * error : 0 );
		printf( "| %s | %.4f | %.4f | %.4f | %.3f | %.3f | %s |\n", moment_name[m], exact[m], printed[m],
		        r.mean[m], error, off, met_if( met ) );
		require( &s->v, met, "moments of a gas" );
		write_figure( &s->v, "gas", moment_name[m], count, r.mean[m] );
		write_figure( &s->v, "gas, standard error", moment_name[m], count, r.error[m] );
	}
	bool kept = r.energy < 1e-9 && r.momentum < 1e-12;
	require( &s->v, kept, "energy and momentum of a gas" );
	printf( "\nGreatest relative change of the energy: %.1e. Of the momentum per sphere: %.1e of the first "
	        "one. Impulses per sphere "
	        "after equilibrium: %.0f. Pairs that touch: %.3g million. GJK differs from the closed form of "
	        "these pairs by at most "
	        "%.1e. Processor time: %.0f s.\n",
	        r.energy, r.momentum, r.bounces, 1e-6 * (double)r.pairs, r.difference, r.seconds );
}
