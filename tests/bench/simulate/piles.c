// Piles of bodies poured into a box: convex parts of meshes, and boxes and cylinders. Contacts are those of bvw_contacts_step.

#include "tests/bench/simulate/pour.h"

#include "bv/bv.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
	most_shapes = 4096,
	pile_kinds = 4,
	few_bodies = 150,
};

static const double least_share = 0.05; // of a part's volume in the ball around it: thinner ones are left out
static const double few_side = 5.5;

typedef struct pile
{
	pour pour;
	const char* file;
	sim_shape* shapes;
	bool keeps; // points of former steps; only then are bars judged
} pile;

typedef struct pile_result
{
	pour_result poured;
	uint32_t pairs;
	uint32_t points;
	double stayed;  // share of points that are older than a tenth of the steps
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
		for ( uint32_t k = 0; k < parts && p->pour.shape_count < most_shapes; ++k )
		{
			if ( part_shape( file, k, p->shapes + p->pour.shape_count ) )
			{
				++p->pour.shape_count;
			}
			else
			{
				++thin;
			}
		}
	}
	return thin;
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
		out->poured.overlap = fmax( out->poured.overlap, -a->scale * pair->manifold.lower / size );
		out->pairs += pair->manifold.lower <= 0;
		out->points += pair->manifold.count;
		for ( uint32_t k = 0; k < pair->manifold.count; ++k )
		{
			old += pair->point_since[k] + (uint64_t)steps / 10 <= (uint64_t)steps;
		}
	}
	out->stayed = (double)old / out->points;
}

// @param context  receives the processor time of steps at the end
static void step( void* context, sim_world* w, bool is_end )
{
	double start = sim_seconds();
	sim_step( w );
	*(double*)context += is_end ? sim_seconds() - start : 0;
}

static pile_result run_pile( simulation* s, const pile* p )
{
	uint32_t bodies = p->pour.bodies;
	sim_shape wall[pour_walls];
	sim_body* body = sim_allocate( bodies + pour_walls, sizeof *body );
	pour_begin( &p->pour, wall, body );
	sim_options options =
		pour_options( ( sim_contacts_of ){ .stepped = true, .keeps = p->keeps }, 30 * bodies );
	sim_world w = sim_begin( &options, body, bodies + pour_walls );
	double seconds = 0;
	pile_result out = { .poured = pour_run( s, &p->pour, &w, step, &seconds ) };
	out.seconds = seconds / ( p->pour.steps / 5 );
	measure_end( &w, p->pour.steps, &out );
	char name[100];
	snprintf( name, sizeof name, "pile-%s.scene", p->file );
	write_scene( s, name, p->shapes, p->pour.shape_count, &w );
	sim_end( &w );
	free( body );
	return out;
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
	const uint32_t few = few_bodies;
	pile piles[pile_kinds] = {
		{ { "parts", shapes[0], 0, side, bodies, steps }, "parts", shapes[0], true },
		{ { "boxes and cylinders", shapes[1], 4, side, bodies, steps }, "boxes", shapes[1], true },
		{ { "few parts", shapes[0], 0, few_side, few, steps }, "few", shapes[0], true },
		{ { "few parts, manifolds only", shapes[0], 0, few_side, few, steps },
		  "few-manifolds",
		  shapes[0],
		  false },
	};
	uint32_t thin = part_shapes( s, piles );
	piles[2].pour.shape_count = piles[0].pour.shape_count;
	piles[3].pour.shape_count = piles[0].pour.shape_count;
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
	        bodies, side, few_bodies, few_side, steps, piles[0].pour.shape_count, s->file_count, thin,
	        least_share );
	pour_print_head();
	pile_result r[pile_kinds];
	for ( int i = 0; i < pile_kinds; ++i )
	{
		if ( piles[i].pour.shape_count > 0 )
		{
			r[i] = run_pile( s, piles + i );
			pour_print( s, &piles[i].pour, &r[i].poured, piles[i].keeps );
		}
	}
	printf(
		"\n| bodies | jitter above the bar | speed at the end, root mean square | pairs that touch | contact "
		"points | older than a tenth of the steps, %% | height | a step at the end, ms |\n"
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < pile_kinds; ++i )
	{
		if ( piles[i].pour.shape_count > 0 )
		{
			const pour_result* p = &r[i].poured;
			printf( "| %s | %u of %u | %.1e | %u | %u | %.1f | %.1f | %.1f |\n", piles[i].pour.name,
			        p->jittering, piles[i].pour.bodies, p->speed[0], r[i].pairs, r[i].points,
			        100 * r[i].stayed, p->height, 1e3 * r[i].seconds );
		}
	}
	free( shapes[0] );
	free( shapes[1] );
}
