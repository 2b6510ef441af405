// Piles of bodies poured into a box: convex parts of meshes, and boxes and cylinders. Contacts are those of bvw_contacts_step.

#include "tests/bench/simulate/simulate.h"

#include "bv/bv.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
	walls = 5,
	most_shapes = 4096,
	pile_kinds = 4,
	few_bodies = 150,
	energy_steps = 10, // between two samples of the energy
};

static const double least_share = 0.05; // of a part's volume in the ball around it: thinner ones are left out
static const double few_side = 5.5;
static const double bar = 0.01; // of a body's size

typedef struct pile
{
	const char* name;
	const char* file;
	sim_shape* shapes;
	uint32_t shape_count;
	double side;
	uint32_t bodies;
	bool keeps; // points of former steps; only then are bars judged
} pile;

typedef struct pile_result
{
	double outside;     // how far a center was outside of the box, in sizes
	double overlap;     // of two bodies or of a body and a wall at the end, in sizes
	double jitter;      // greatest way of a point of a body in the last fifth of the steps, in sizes
	uint32_t jittering; // bodies above the bar
	double speed[2];    // root mean square and greatest at the end
	double growth;      // of the energy above an earlier value, of what was lost in all
	uint32_t pairs;
	uint32_t points;
	double stayed; // share of points that are older than a tenth of the steps
	double height;
	double seconds; // of a step at the end
} pile_result;

const bv_file* open_file( const char* path )
{
	int descriptor = open( path, O_RDONLY );
	struct stat status;
	sim_require( descriptor >= 0 && fstat( descriptor, &status ) == 0, "a file cannot be read" );
	void* memory = mmap( NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0 );
	close( descriptor );
	const bv_file* file;
	sim_require( memory != MAP_FAILED && bv_file_open( memory, (size_t)status.st_size, &file ) == bv_ok,
	             "a file is no .bvh file" );
	return file;
}

static bool part_shape( const bv_file* file, uint32_t index, sim_shape* out )
{
	bv_part part;
	sim_require( bv_file_get_part( file, index, &part ), "a part is missing" );
	*out = ( sim_shape ){ .convex = bv_convex_part( file, index ),
		                  .center = part.mass.center_of_mass,
		                  .volume = part.mass.mass };
	for ( uint32_t k = 0; k < part.vertices; ++k )
	{
		double length = bv_length( bv_sub( bv_file_get_part_vertex( file, index, k ), out->center ) );
		out->radius = fmax( out->radius, length );
	}
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = part.mass.inertia[i];
		out->inertia[i] = bv_vec3_make( row[0], row[1], row[2] );
	}
	out->size = 2 * out->radius;
	return out->volume >= least_share * 4 * sim_pi / 3 * pow( out->radius, 3 );
}

// @return the number of parts that were left out
static uint32_t part_shapes( const simulation* s, pile* p )
{
	uint32_t thin = 0;
	for ( int i = 0; i < s->file_count; ++i )
	{
		const bv_file* file = open_file( s->files[i] );
		uint32_t parts = bv_file_get_decomposition( file ).parts;
		for ( uint32_t k = 0; k < parts && p->shape_count < most_shapes; ++k )
		{
			if ( part_shape( file, k, p->shapes + p->shape_count ) )
			{
				++p->shape_count;
			}
			else
			{
				++thin;
			}
		}
	}
	return thin;
}

static void add_bodies( const pile* p, sim_shape wall[walls], sim_body* body, uint32_t bodies )
{
	const bv_vec3 normal[walls] = { { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
	for ( int i = 0; i < walls; ++i )
	{
		wall[i] = sim_half_space( normal[i], i > 0 ? -p->side / 2 : 0 );
		body[i] = sim_make_body( wall + i, 1, bv_vec3_make( 0, 0, 0 ), bv_quaternion_identity() );
	}
	uint64_t random = 5;
	uint32_t columns = (uint32_t)( p->side / 1.3 );
	double cell = p->side / columns;
	for ( uint32_t i = 0; i < bodies; ++i )
	{
		const sim_shape* shape = p->shapes + i % p->shape_count;
		bv_vec3 at = { ( i % columns + 0.5 ) * cell - p->side / 2,
			           ( i / columns % columns + 0.5 ) * cell - p->side / 2,
			           1 + 1.3 * ( i / columns / columns ) };
		double size = 0.8 + 0.4 * sim_draw( &random );
		body[walls + i] = sim_make_body( shape, size / ( 2 * shape->radius ), at, sim_draw_turn( &random ) );
		body[walls + i].velocity = random_direction( &random );
	}
}

static double size_of( const sim_body* b )
{
	return 2 * b->scale * b->shape->radius;
}

static void watch_walls( const sim_world* w, double side, pile_result* out )
{
	for ( uint32_t i = walls; i < w->count; ++i )
	{
		const sim_body* b = w->body + i;
		double most = fmax( -b->position.z, fmax( fabs( b->position.x ), fabs( b->position.y ) ) - side / 2 );
		out->outside = fmax( out->outside, most / size_of( b ) );
	}
}

// @param ways  of each body, the greatest so far, in sizes
static void watch_jitter( const sim_world* w, const sim_body* before, double* ways )
{
	for ( uint32_t i = walls; i < w->count; ++i )
	{
		const sim_body* b = w->body + i;
		double way = bv_length( bv_sub( b->position, before[i].position ) );
		bv_quaternion q = bv_quaternion_multiply( b->turn, bv_quaternion_conjugate( before[i].turn ) );
		double turn = 2 * sqrt( q.x * q.x + q.y * q.y + q.z * q.z );
		ways[i] = fmax( ways[i], ( way + turn * b->scale * b->shape->radius ) / size_of( b ) );
	}
}

static void measure_end( sim_world* w, int steps, pile_result* out )
{
	sim_collide( w );
	uint64_t old = 0;
	for ( uint32_t i = 0; i < w->touching_count; ++i )
	{
		const bvw_contact_pair* pair = bvw_contacts_at( w->contacts, w->touching[i] );
		const sim_body* a = w->body + pair->key.a;
		const sim_body* b = w->body + pair->key.b;
		double size = a->inverse_mass > 0 ? fmin( size_of( a ), size_of( b ) ) : size_of( b );
		out->overlap = fmax( out->overlap, -a->scale * pair->manifold.lower / size );
		out->pairs += pair->manifold.lower <= 0;
		out->points += pair->manifold.count;
		for ( uint32_t k = 0; k < pair->manifold.count; ++k )
		{
			old += pair->point_since[k] + (uint64_t)steps / 10 <= (uint64_t)steps;
		}
	}
	out->stayed = (double)old / out->points;
	for ( uint32_t i = walls; i < w->count; ++i )
	{
		double speed = bv_length( w->body[i].velocity );
		out->speed[0] += speed * speed / ( w->count - walls );
		out->speed[1] = fmax( out->speed[1], speed );
		out->height = fmax( out->height, w->body[i].position.z );
	}
	out->speed[0] = sqrt( out->speed[0] );
}

static pile_result run_pile( simulation* s, const pile* p, int steps )
{
	uint32_t bodies = p->bodies;
	sim_shape wall[walls];
	sim_body* body = sim_allocate( bodies + walls, sizeof *body );
	sim_body* before = sim_allocate( bodies + walls, sizeof *body );
	double* ways = sim_allocate( bodies + walls, sizeof *ways );
	add_bodies( p, wall, body, bodies );
	sim_options options = { .contacts = { .stepped = true, .keeps = p->keeps },
		                    .time = 1.0 / 120,
		                    .substeps = 4,
		                    .gravity = { 0, 0, -9.81 },
		                    .friction = 0.5,
		                    .fastest = 6,
		                    .damping = 0.5,
		                    .speculative = 0.03,
		                    .most_pairs = 30 * bodies };
	sim_world w = sim_begin( &options, body, bodies + walls );
	pile_result out = { .outside = -INFINITY };
	double first = sim_energy( &w );
	double least = first;
	double start = 0;
	for ( int i = 0; i < steps; ++i )
	{
		if ( i == steps - steps / 5 )
		{
			memcpy( before, body, ( bodies + walls ) * sizeof *body );
			start = sim_seconds();
		}
		sim_step( &w );
		watch_walls( &w, p->side, &out );
		if ( i >= steps - steps / 5 )
		{
			watch_jitter( &w, before, ways );
		}
		if ( i % energy_steps == 0 )
		{
			double energy = sim_energy( &w );
			out.growth = fmax( out.growth, energy - least );
			least = fmin( least, energy );
			write_figure( &s->v, p->name, "energy", i, energy );
		}
	}
	out.growth /= first - least;
	for ( uint32_t i = walls; i < w.count; ++i )
	{
		out.jitter = fmax( out.jitter, ways[i] );
		out.jittering += ways[i] > bar;
	}
	out.seconds = ( sim_seconds() - start ) / ( steps / 5 );
	measure_end( &w, steps, &out );
	char name[100];
	snprintf( name, sizeof name, "pile-%s.scene", p->file );
	write_scene( s, name, p->shapes, p->shape_count, &w );
	sim_end( &w );
	free( body );
	free( before );
	free( ways );
	return out;
}

static void print_row( simulation* s, const pile* p, const char* what, double value, double most )
{
	bool met = value <= most;
	printf( "| %s | %s | %.2g | %g | %s |\n", p->name, what, value, most,
	        p->keeps ? met_if( met )
	        : met    ? ""
	                 : "above" );
	require( &s->v, met || s->quick || !p->keeps, what );
	write_figure( &s->v, p->name, what, 0, value );
}

void run_piles( simulation* s )
{
	uint32_t bodies = s->quick ? few_bodies : 1000;
	int steps = s->quick ? 1000 : 2000;
	double side = s->quick ? few_side : 10;
	sim_shape* shapes[2];
	for ( int i = 0; i < 2; ++i )
	{
		shapes[i] = sim_allocate( most_shapes, sizeof( sim_shape ) );
	}
	pile piles[pile_kinds] = {
		{ "parts", "parts", shapes[0], 0, side, bodies, true },
		{ "boxes and cylinders", "boxes", shapes[1], 4, side, bodies, true },
		{ "few parts", "few", shapes[0], 0, few_side, few_bodies, true },
		{ "few parts, manifolds only", "few-manifolds", shapes[0], 0, few_side, few_bodies, false },
	};
	uint32_t thin = part_shapes( s, piles );
	piles[2].shape_count = piles[0].shape_count;
	piles[3].shape_count = piles[0].shape_count;
	shapes[1][0] = sim_box( bv_vec3_make( 0.5, 0.5, 0.5 ) );
	shapes[1][1] = sim_cylinder( 0.5, 0.5 );
	shapes[1][2] = sim_box( bv_vec3_make( 0.5, 0.3, 0.2 ) );
	shapes[1][3] = sim_cylinder( 0.25, 0.7 );
	printf( "\n%u bodies poured into a box %g wide, and few, %d, into one %g wide; %d steps of 1/120. Sizes "
	        "are the diameters of balls "
	        "around the bodies, 0.8 to 1.2. "
	        "*Parts* are %u convex parts of %d files; %u thinner ones, with less than %g of the volume of "
	        "that ball, are left out. "
	        "*Manifolds only*: the solver has no points of former steps; not judged. *Jitter*: the greatest "
	        "way of a point of a body "
	        "from its place at the beginning of the last fifth of the steps. *Growth*: of the energy above "
	        "an earlier value, divided by "
	        "all that was lost.\n\n",
	        bodies, side, few_bodies, few_side, steps, piles[0].shape_count, s->file_count, thin,
	        least_share );
	printf( "| bodies | what | here | bar | met |\n| --- | --- | ---: | ---: | --- |\n" );
	pile_result r[pile_kinds];
	for ( int i = 0; i < pile_kinds; ++i )
	{
		if ( piles[i].shape_count > 0 )
		{
			r[i] = run_pile( s, piles + i, steps );
			print_row( s, piles + i, "center outside of the box, sizes", fmax( r[i].outside, 0 ), 0 );
			print_row( s, piles + i, "greatest overlap at the end, sizes", r[i].overlap, bar );
			print_row( s, piles + i, "jitter, sizes", r[i].jitter, bar );
			print_row( s, piles + i, "greatest speed at the end", r[i].speed[1], 0.01 );
			print_row( s, piles + i, "growth of energy", r[i].growth, 1e-3 );
			fflush( stdout );
		}
	}
	printf(
		"\n| bodies | jitter above the bar | speed at the end, root mean square | pairs that touch | contact "
		"points | older than a tenth of the steps, %% | height | a step at the end, ms |\n"
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < pile_kinds; ++i )
	{
		if ( piles[i].shape_count > 0 )
		{
			printf( "| %s | %u of %u | %.1e | %u | %u | %.1f | %.1f | %.1f |\n", piles[i].name,
			        r[i].jittering, piles[i].bodies, r[i].speed[0], r[i].pairs, r[i].points,
			        100 * r[i].stayed, r[i].height, 1e3 * r[i].seconds );
		}
	}
	free( shapes[0] );
	free( shapes[1] );
}
