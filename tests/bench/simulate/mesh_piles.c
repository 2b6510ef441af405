// Piles of meshes that are not convex. Contacts are those of bv_mesh_contacts_mesh.

#include "tests/bench/simulate/simulate.h"

#include "bv/bv.h"

#include "tests/bench/simulate/meshes.h"

enum
{
	walls = 5,
	most_meshes = 64,
	most_triangles = 2000,
};

static const double least_size = 0.8; // of a body

typedef struct mesh_pile
{
	sim_shape wall[walls];
	sim_shape shape[most_meshes];
	uint32_t shapes;
	uint32_t triangles; // of the largest mesh
	sim_world world;
	sim_body* body;
	bv_mesh_contacts_room room;
	uint64_t unresolved; // pairs of triangles in the last step
	double collide;      // processor time of contacts
} mesh_pile;

// @return whether the mesh bounds a solid
static bool mesh_shape( const bv_file* file, sim_shape* out )
{
	bv_mass mass;
	if ( !bv_file_get_mesh( file ).closed || !bv_file_get_mass( file, bv_mass_of_solid, &mass ) )
	{
		return false;
	}
	*out = ( sim_shape ){ .center = mass.center_of_mass, .volume = mass.mass, .mesh = file };
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).vertices; ++i )
	{
		out->radius = fmax( out->radius, bv_length( bv_sub( bv_file_get_vertex( file, i ), out->center ) ) );
	}
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = mass.inertia[i];
		out->inertia[i] = bv_vec3_make( row[0], row[1], row[2] );
	}
	out->size = 2 * out->radius;
	return true;
}

static void add_bodies( mesh_pile* p, double side, uint32_t bodies )
{
	const bv_vec3 normal[walls] = { { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
	for ( int i = 0; i < walls; ++i )
	{
		p->wall[i] = sim_half_space( normal[i], i > 0 ? -side / 2 : 0 );
		p->body[i] = sim_make_body( p->wall + i, 1, bv_vec3_make( 0, 0, 0 ), bv_quaternion_identity() );
	}
	uint64_t random = 5;
	uint32_t columns = (uint32_t)( side / 1.3 );
	double cell = side / columns;
	for ( uint32_t i = 0; i < bodies; ++i )
	{
		const sim_shape* shape = p->shape + i % p->shapes;
		bv_vec3 at = { ( i % columns + 0.5 ) * cell - side / 2,
			           ( i / columns % columns + 0.5 ) * cell - side / 2,
			           1 + 1.3 * ( i / columns / columns ) };
		double size = least_size + 0.4 * sim_draw( &random );
		sim_body* b = p->body + walls + i;
		*b = sim_make_body( shape, size / ( 2 * shape->radius ), at, sim_draw_turn( &random ) );
		b->velocity = random_direction( &random );
	}
}

static void step( mesh_pile* p )
{
	sim_world* w = &p->world;
	double start = sim_seconds();
	sim_collide( w );
	uint32_t count;
	sim_require( bvw_broadphase_pairs( w->broad, w->pairs, w->options.most_pairs, &count ) == bv_ok,
	             "too many pairs" );
	sim_begin_points( w );
	p->unresolved = 0;
	uint32_t last[2] = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_pair pair = w->pairs[i];
		uint64_t number = (uint64_t)pair.a << 32 | pair.b;
		for ( last[0] = last[1]; last[0] < w->last_count; ++last[0] )
		{
			const uint32_t* b = w->last_points[last[0]].body;
			if ( ( (uint64_t)b[0] << 32 | b[1] ) >= number )
			{
				break;
			}
		}
		for ( last[1] = last[0]; last[1] < w->last_count; ++last[1] )
		{
			const uint32_t* b = w->last_points[last[1]].body;
			if ( ( (uint64_t)b[0] << 32 | b[1] ) != number )
			{
				break;
			}
		}
		p->unresolved += sim_collide_meshes( w, pair, &p->room, last );
	}
	p->collide += sim_seconds() - start;
	sim_solve_points( w );
}

// What a pile did.
typedef struct mesh_pile_result
{
	double outside;      // how far a center was outside of the box, in sizes
	double jitter;       // greatest way of a point of a body in the last fifth of the steps, in sizes
	uint32_t jittering;  // bodies above the bar
	double speed;        // greatest at the end
	double overlap;      // deepest contact at the end, in sizes of the smallest body
	double growth;       // of the energy above an earlier value, of what was lost in all
	uint32_t unresolved; // steps with crossing triangles that no contact resolves
	double seconds;      // of contacts of a step at the end
} mesh_pile_result;

static void watch( const mesh_pile* p, double side, const sim_body* before, double* ways,
                   mesh_pile_result* out )
{
	for ( uint32_t k = walls; k < p->world.count; ++k )
	{
		const sim_body* b = p->body + k;
		double size = 2 * b->scale * b->shape->radius;
		double most = fmax( -b->position.z, fmax( fabs( b->position.x ), fabs( b->position.y ) ) - side / 2 );
		out->outside = fmax( out->outside, most / size );
		if ( before )
		{
			bv_quaternion q = bv_quaternion_multiply( b->turn, bv_quaternion_conjugate( before[k].turn ) );
			double turn = 2 * sqrt( q.x * q.x + q.y * q.y + q.z * q.z );
			double way = bv_length( bv_sub( b->position, before[k].position ) );
			ways[k] = fmax( ways[k], ( way + turn * size / 2 ) / size );
		}
	}
}

static mesh_pile_result run( mesh_pile* p, double side, int steps )
{
	sim_world* w = &p->world;
	sim_body* before = sim_allocate( w->count, sizeof *before );
	double* ways = sim_allocate( w->count, sizeof *ways );
	mesh_pile_result out = { .outside = -INFINITY };
	double first = sim_energy( w );
	double least = first;
	double start = 0;
	int watched = steps - steps / 5;
	for ( int i = 0; i < steps; ++i )
	{
		if ( i == watched )
		{
			memcpy( before, p->body, w->count * sizeof *before );
			start = p->collide;
		}
		step( p );
		watch( p, side, i >= watched ? before : NULL, ways, &out );
		out.unresolved += p->unresolved > 0;
		double energy = sim_energy( w );
		out.growth = fmax( out.growth, energy - least );
		least = fmin( least, energy );
	}
	out.growth /= first - least;
	out.seconds = ( p->collide - start ) / ( steps - watched );
	for ( uint32_t k = walls; k < w->count; ++k )
	{
		out.jitter = fmax( out.jitter, ways[k] );
		out.jittering += ways[k] > 0.01;
		out.speed = fmax( out.speed, bv_length( p->body[k].velocity ) );
	}
	for ( uint32_t k = 0; k < w->point_count; ++k )
	{
		out.overlap = fmax( out.overlap, -w->points[k].separation / least_size );
	}
	free( before );
	free( ways );
	return out;
}

static void print_row( simulation* s, const char* what, double value, double most )
{
	bool met = value <= most;
	printf( "| %s | %.2g | %g | %s |\n", what, value, most, met_if( met ) );
	require( &s->v, met || s->quick, what );
	write_figure( &s->v, "meshes", what, 0, value );
}

void run_mesh_piles( simulation* s )
{
	mesh_pile* p = sim_allocate( 1, sizeof *p );
	for ( int i = 0; i < s->file_count && p->shapes < most_meshes; ++i )
	{
		const bv_file* file = open_file( s->files[i] );
		uint32_t triangles = bv_file_get_mesh( file ).triangles;
		if ( triangles <= most_triangles && mesh_shape( file, p->shape + p->shapes ) )
		{
			p->shapes += 1;
			p->triangles = triangles > p->triangles ? triangles : p->triangles;
		}
	}
	if ( p->shapes == 0 )
	{
		free( p );
		return;
	}
	uint32_t bodies = s->quick ? 30 : 50;
	int steps = s->quick ? 600 : 1200;
	double side = s->quick ? 3.2 : 4;
	p->body = sim_allocate( bodies + walls, sizeof *p->body );
	add_bodies( p, side, bodies );
	p->room = ( bv_mesh_contacts_room ){ sim_allocate( sim_mesh_manifolds, sizeof( bv_mesh_manifold ) ),
		                                 sim_mesh_manifolds, sim_allocate( sim_mesh_scratch, 1 ),
		                                 sim_mesh_scratch };
	sim_options options = { .contacts = { .elsewhere = true },
		                    .time = 1.0 / 120,
		                    .substeps = 4,
		                    .gravity = { 0, 0, -9.81 },
		                    .friction = 0.5,
		                    .fastest = 6,
		                    .damping = 0.5,
		                    .speculative = 0.03,
		                    .most_pairs = bodies * bodies };
	p->world = sim_begin( &options, p->body, bodies + walls );
	mesh_pile_result r = run( p, side, steps );
	printf( "\n%u bodies of %u closed meshes, up to %u triangles, poured into a box %g wide; %d steps of "
	        "1/120. Contacts of two bodies are "
	        "those of bv_mesh_contacts_mesh. Terms are as above.\n\n",
	        bodies, p->shapes, p->triangles, side, steps );
	printf( "| what | here | bar | met |\n| --- | ---: | ---: | --- |\n" );
	print_row( s, "center outside of the box, sizes", fmax( r.outside, 0 ), 0 );
	print_row( s, "deepest contact at the end, sizes", r.overlap, 0.01 );
	print_row( s, "jitter, sizes", r.jitter, 0.01 );
	print_row( s, "greatest speed at the end", r.speed, 0.01 );
	print_row( s, "growth of energy", r.growth, 1e-3 );
	printf( "\n%u bodies are above the bar of jitter. In %u steps there were triangles that cross each other "
	        "without a contact. Contacts of "
	        "a step at the end: %u points, %.1f ms.\n",
	        r.jittering, r.unresolved, p->world.point_count, 1e3 * r.seconds );
	write_scene( s, "pile-meshes.scene", p->shape, p->shapes, &p->world );
	sim_end( &p->world );
	free( p->room.manifolds );
	free( p->room.scratch );
	free( p->body );
	free( p );
}
