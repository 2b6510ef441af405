// Piles of meshes that are not convex. Contacts are those of bv_mesh_contacts_mesh.

#include "tests/bench/simulate/meshes.h"
#include "tests/bench/simulate/pour.h"

#include "bv/bv.h"

enum
{
	most_meshes = 64,
	most_triangles = 2000,
};

typedef struct mesh_pile
{
	sim_shape wall[pour_walls];
	sim_shape shape[most_meshes];
	uint32_t shapes;
	uint32_t triangles; // of the largest mesh
	bv_mesh_contacts_room room;
	uint32_t unresolved; // steps with crossing triangles that no contact leads out
	double seconds;      // processor time of contacts at the end
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

static void step( void* context, sim_world* w, bool is_end )
{
	mesh_pile* p = context;
	double start = sim_seconds();
	sim_collide( w );
	uint32_t count;
	sim_require( bvw_broadphase_pairs( w->broad, w->pairs, w->options.most_pairs, &count ) == bv_ok,
	             "too many pairs" );
	sim_begin_points( w );
	uint64_t unresolved = 0;
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
		unresolved += sim_collide_meshes( w, pair, &p->room, last );
	}
	p->seconds += is_end ? sim_seconds() - start : 0;
	p->unresolved += unresolved > 0;
	sim_solve_points( w );
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
	const pour poured = { .name = "meshes",
		                  .shapes = p->shape,
		                  .shape_count = p->shapes,
		                  .side = s->quick ? 3.2 : 4,
		                  .bodies = s->quick ? 30 : 50,
		                  .steps = s->quick ? 600 : 1200 };
	sim_body* body = sim_allocate( poured.bodies + pour_walls, sizeof *body );
	pour_begin( &poured, p->wall, body );
	p->room = ( bv_mesh_contacts_room ){ sim_allocate( sim_mesh_manifolds, sizeof( bv_mesh_manifold ) ),
		                                 sim_mesh_manifolds, sim_allocate( sim_mesh_scratch, 1 ),
		                                 sim_mesh_scratch };
	sim_options options =
		pour_options( ( sim_contacts_of ){ .elsewhere = true }, poured.bodies * poured.bodies );
	sim_world w = sim_begin( &options, body, poured.bodies + pour_walls );
	pour_result r = pour_run( s, &poured, &w, step, p );
	for ( uint32_t k = 0; k < w.point_count; ++k )
	{
		r.overlap = fmax( r.overlap, -w.points[k].separation / pour_least_size );
	}
	printf(
		"\n%u bodies of %u closed meshes, up to %u triangles, poured into a box %g wide; %d steps of 1/120. "
		"Contacts of two bodies are "
		"those of bv_mesh_contacts_mesh. The overlap is that of the deepest contact, in sizes of the "
		"smallest body. Other "
		"terms are as above.\n\n",
		poured.bodies, p->shapes, p->triangles, poured.side, poured.steps );
	pour_print_head();
	pour_print( s, &poured, &r, true );
	printf( "\n%u bodies are above the bar of jitter. In %u steps there were triangles that cross each other "
	        "and that no contact "
	        "leads out. Contacts of a step at the end: %u points, %.1f ms.\n",
	        r.jittering, p->unresolved, w.point_count, 1e3 * p->seconds / ( poured.steps / 5 ) );
	write_scene( s, "pile-meshes.scene", p->shape, p->shapes, &w );
	sim_end( &w );
	free( p->room.manifolds );
	free( p->room.scratch );
	free( body );
	free( p );
}
