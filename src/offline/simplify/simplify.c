// Simplified meshes: edges are collapsed in the order of what that costs, as long as all that is promised
// holds.

#include "bvbuild/simplify.h"

#include "bvbuild/hausdorff.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/simplify/collapse.h"
#include "offline/simplify/cross.h"
#include "offline/simplify/queue.h"
#include "offline/simplify/scale.h"
#include "runtime/math/box.h"

#include <float.h>
#include <math.h>
#include <string.h>

// How much of the tolerance is left to the width of certified intervals.
static const double reserve = 0x1p-7;

// Below this part of the diagonal distances are rounding.
static const double rounding = 0x1p-40;

bvb_simplify_options bvb_simplify_options_default( void )
{
	return ( bvb_simplify_options ){ .tolerance = 0 };
}

// The work so far.
typedef struct simplify_work
{
	bvsimplify_simplifier simplifier;
	bvsimplify_queue queue;
	uint32_t* born; // of each vertex, how often it has become another one
	const bvb_simplify_options* options;
	int team;
	double told; // how much was said to be done
} simplify_work;

// A list of edges that are to be looked at.
typedef struct edge_list
{
	bvsimplify_waiting* edges;
	uint32_t count;
} edge_list;

static double cost_of( const simplify_work* w, uint32_t a, uint32_t b )
{
	bvsimplify_star star;
	bvsimplify_place_choice places[bvsimplify_most_places];
	return bvsimplify_find_places( &w->simplifier, a, b, &star, places ) > 0 ? places[0].cost : INFINITY;
}

static bvsimplify_waiting edge_of( const simplify_work* w, uint32_t a, uint32_t b )
{
	uint32_t lesser = a < b ? a : b;
	uint32_t greater = a < b ? b : a;
	bv_vec3 way = bv_sub( w->simplifier.surface.positions[greater], w->simplifier.surface.positions[lesser] );
	return ( bvsimplify_waiting ){
		.square = bv_dot( way, way ),
		.a = lesser,
		.b = greater,
		.born_a = w->born[lesser],
		.born_b = w->born[greater],
	};
}

// Vertices that a face joins to another one, each once.
static uint32_t find_neighbors( const bvsimplify_surface* s, uint32_t vertex,
                                uint32_t out[2 * bvsimplify_star_faces] )
{
	bvsimplify_star star;
	uint32_t count = 0;
	if ( !bvsimplify_surface_star( s, vertex, BVSIMPLIFY_NONE, &star ) )
	{
		return 0;
	}
	for ( uint32_t i = 0; i < 3 * star.count; ++i )
	{
		uint32_t other = s->faces[star.face[i / 3]].corner[i % 3];
		bool known = other == vertex;
		for ( uint32_t k = 0; k < count && !known; ++k )
		{
			known = out[k] == other;
		}
		if ( !known )
		{
			out[count++] = other;
		}
	}
	return count;
}

// All edges, with what they cost, which is most of the work where little can be left out.
static bool fill_queue( simplify_work* w, bvb_arena* arena )
{
	const bvsimplify_surface* s = &w->simplifier.surface;
	bvsimplify_waiting* edges = bvb_arena_allocate( arena, 3 * (size_t)s->faces_left, sizeof *edges );
	uint32_t count = 0;
	if ( !edges )
	{
		return false;
	}
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		uint32_t neighbors[2 * bvsimplify_star_faces];
		uint32_t found = s->first[v] == BVSIMPLIFY_NONE ? 0 : find_neighbors( s, v, neighbors );
		for ( uint32_t i = 0; i < found; ++i )
		{
			if ( v < neighbors[i] )
			{
				edges[count++] = edge_of( w, v, neighbors[i] );
			}
		}
	}
#pragma omp parallel for num_threads( w->team ) schedule( dynamic, 64 )
	for ( uint32_t i = 0; i < count; ++i )
	{
		edges[i].cost = cost_of( w, edges[i].a, edges[i].b );
	}
	bool good = true;
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		good = edges[i].cost == INFINITY || bvsimplify_queue_push( &w->queue, edges + i );
	}
	return good;
}

// The edges at a vertex that was moved.
static bool push_edges( simplify_work* w, uint32_t vertex )
{
	uint32_t neighbors[2 * bvsimplify_star_faces];
	uint32_t count = find_neighbors( &w->simplifier.surface, vertex, neighbors );
	bool good = true;
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		bvsimplify_waiting edge = edge_of( w, vertex, neighbors[i] );
		edge.cost = cost_of( w, edge.a, edge.b );
		good = edge.cost == INFINITY || bvsimplify_queue_push( &w->queue, &edge );
	}
	return good;
}

// Looks again at the edge that costs least: its faces may have changed since it was put there.
static bool take_edge( simplify_work* w, const bvsimplify_waiting* edge )
{
	const bvsimplify_surface* s = &w->simplifier.surface;
	if ( w->born[edge->a] != edge->born_a || w->born[edge->b] != edge->born_b ||
	     s->first[edge->b] == BVSIMPLIFY_NONE || s->first[edge->a] == BVSIMPLIFY_NONE )
	{
		return true;
	}
	bvsimplify_star star;
	bvsimplify_place_choice places[bvsimplify_most_places];
	int count = bvsimplify_find_places( &w->simplifier, edge->a, edge->b, &star, places );
	if ( count > 0 && w->queue.count > 0 && places[0].cost > edge->cost &&
	     places[0].cost > w->queue.heap[0].cost )
	{
		bvsimplify_waiting later = *edge;
		later.cost = places[0].cost;
		return bvsimplify_queue_push( &w->queue, &later );
	}
	for ( int i = 0; i < count; ++i )
	{
		if ( bvsimplify_try_collapse( &w->simplifier, edge->a, edge->b, &star, places[i].position ) )
		{
			w->born[edge->a] += 1;
			return push_edges( w, edge->a );
		}
	}
	return true;
}

// Nearly all is done when all edges were looked at once. Others are added meanwhile, so that this goes in
// leaps.
static void tell( simplify_work* w, size_t edges, bool first )
{
	double done = first ? 0.9 * ( 1 - (double)w->queue.count / (double)edges ) : 0.95;
	if ( w->options->progress && done > w->told + 0.005 )
	{
		w->told = done;
		w->options->progress( w->options->progress_context, done );
	}
}

// Until nothing more can be left out: what was refused may be allowed when all around it has changed.
static bool collapse_all( simplify_work* w, bvb_arena* arena )
{
	bool first = true;
	for ( uint32_t before = UINT32_MAX; w->simplifier.surface.faces_left < before; first = false )
	{
		bvb_arena* scratch = bvbase_arena_create_scratch( arena );
		before = w->simplifier.surface.faces_left;
		w->queue = ( bvsimplify_queue ){ .arena = scratch };
		bool good = scratch && fill_queue( w, scratch );
		bvsimplify_waiting edge;
		size_t edges = w->queue.count;
		while ( good && bvsimplify_queue_pop( &w->queue, &edge ) )
		{
			good = take_edge( w, &edge );
			tell( w, edges, first );
		}
		bvb_arena_destroy( scratch );
		if ( !good )
		{
			return false;
		}
	}
	return true;
}

// Where the mesh reaches behind itself nothing forbids the surface to do so.
static bool reaches_behind( const bvsimplify_simplifier* s, bvhaus_index_ref ref, const bv_vec3 t[3],
                            const bv_aabb* box, const bvb_mesh* mesh, uint32_t component )
{
	const bvhaus_index* index = s->near.index;
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		const bvhaus_placed_triangle* q = index->placed + ( ref & ~BVHAUS_REF_TRIANGLE );
		return s->surface.component[mesh->triangles[q->number].corner[0]] == component &&
		       bvsimplify_reaches_behind( t, q->corner );
	}
	const bv_aabb* other = index->aligned_boxes + ref;
	if ( box->lower.x > other->upper.x || other->lower.x > box->upper.x || box->lower.y > other->upper.y ||
	     other->lower.y > box->upper.y || box->lower.z > other->upper.z || other->lower.z > box->upper.z )
	{
		return false;
	}
	const bvhaus_index_node* node = bvhaus_index_opened( index, ref );
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		if ( reaches_behind( s, index->children[node->first_child + i], t, box, mesh, component ) )
		{
			return true;
		}
	}
	return false;
}

static void find_homes( bvsimplify_simplifier* s, const bvb_mesh* mesh, bvb_arena* arena, bool* good )
{
	bool* is_open = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *is_open );
	s->home = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *s->home );
	*good = *good && is_open && s->home;
	for ( uint32_t v = 0; *good && v < mesh->vertex_count; ++v )
	{
		is_open[s->surface.component[v]] |= s->surface.open[v];
	}
	for ( uint32_t i = 0; *good && i < mesh->triangle_count; ++i )
	{
		bv_vec3 t[3];
		for ( int k = 0; k < 3; ++k )
		{
			t[k] = mesh->positions[mesh->triangles[i].corner[k]];
		}
		uint32_t component = s->surface.component[mesh->triangles[i].corner[0]];
		bv_aabb box = bvmath_box_of_points( t, 3 );
		bool free = is_open[component] || bvsimplify_surface_has_twin( &s->surface, i ) ||
		            reaches_behind( s, s->near.index->root, t, &box, mesh, component );
		s->home[i] = free ? BVSIMPLIFY_NONE : component;
	}
}

static double diagonal_of( const bvb_mesh* mesh )
{
	bv_aabb box = bvmath_box_of_points( mesh->positions, mesh->vertex_count );
	bv_vec3 e = bv_sub( box.upper, box.lower );
	return sqrt( bv_dot( e, e ) );
}

double bvb_simplify_rounding( const bvb_mesh* mesh )
{
	return 0x1p-35 * diagonal_of( mesh ) + 0x1p-32 * bvsimplify_largest_coordinate( mesh );
}

// New vertices are binary32 numbers where those of the mesh are; else on its grid, whose step divides all
// coordinates.
static double lattice_of( const bvb_mesh* mesh )
{
	double lattice = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		double x[3] = { mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			volatile float rounded = (float)x[k];
			if ( (double)rounded != x[k] )
			{
				int exponent;
				frexp( x[k], &exponent );
				lattice = bvmath_max( lattice, ldexp( 1, exponent - 40 ) );
			}
		}
	}
	return lattice;
}

static bool begin( simplify_work* w, const bvb_mesh* mesh, const bvb_mesh* scaled, int exponent,
                   bvb_arena* arena )
{
	bvsimplify_simplifier* s = &w->simplifier;
	double diagonal = diagonal_of( scaled );
	double tolerance = ldexp( w->options->tolerance, -exponent ) * ( 1 - reserve );
	tolerance = bvmath_max( tolerance, rounding * diagonal );
	s->exponent = exponent;
	s->lattice = ldexp( lattice_of( mesh ), -exponent );
	s->near = ( bvsimplify_near ){
		.index = bvhaus_index_of_triangles( scaled, NULL, scaled->triangle_count, true, arena ),
		.tolerance = tolerance,
		.least = tolerance / 8,
	};
	w->born = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *w->born );
	bool good = s->near.index && w->born && bvsimplify_surface_create( scaled, arena, &s->surface ) &&
	            bvsimplify_pieces_create( scaled, tolerance, arena, &s->pieces );
	if ( good )
	{
		find_homes( s, scaled, arena, &good );
	}
	return good;
}

// What is left, with vertices numbered by first use.
static bool collect( const bvsimplify_simplifier* s, bvb_arena* arena, bvb_arena* scratch, bvb_mesh* out )
{
	const bvsimplify_surface* surface = &s->surface;
	uint32_t* number = bvb_arena_allocate( scratch, surface->vertex_count, sizeof *number );
	uint32_t vertices = 0;
	for ( uint32_t v = 0; v < surface->vertex_count; ++v )
	{
		vertices += surface->first[v] != BVSIMPLIFY_NONE;
	}
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, vertices, sizeof *out->positions ),
		.triangles = bvb_arena_allocate( arena, surface->faces_left, sizeof *out->triangles ),
	};
	if ( !number || !out->positions || !out->triangles )
	{
		return false;
	}
	memset( number, 0xff, surface->vertex_count * sizeof *number );
	for ( uint32_t f = 0; f < surface->face_count; ++f )
	{
		const uint32_t* c = surface->faces[f].corner;
		for ( int k = 0; k < 3 && c[0] != BVSIMPLIFY_NONE; ++k )
		{
			if ( number[c[k]] == BVSIMPLIFY_NONE )
			{
				number[c[k]] = out->vertex_count;
				out->positions[out->vertex_count++] =
					bvsimplify_shifted( surface->positions[c[k]], s->exponent );
			}
			out->triangles[out->triangle_count].corner[k] = number[c[k]];
		}
		out->triangle_count += c[0] != BVSIMPLIFY_NONE;
	}
	return true;
}

static bv_status measure( const bvb_mesh* from, const bvb_mesh* to, double absolute, bvb_arena* scratch,
                          bv_interval* out, bvb_error* error )
{
	bvb_hausdorff_target* target;
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	bvb_hausdorff found;
	options.relative = 0;
	options.absolute = absolute;
	bv_status status = bvb_hausdorff_target_create( to, NULL, 0, scratch, &target, error );
	status = status == bv_ok ? bvb_hausdorff_mesh( target, from, &options, &found ) : status;
	if ( status == bv_ok )
	{
		*out = ( bv_interval ){ found.lower, found.upper };
	}
	return status;
}

static bv_status certify( const bvb_mesh* mesh, const bvb_simplify_options* options, bvb_arena* scratch,
                          bvb_simplified* out, bvb_error* error )
{
	double absolute = bvmath_max( options->tolerance * ( reserve / 2 ), 0x1p-37 * diagonal_of( mesh ) );
	bv_status status = measure( &out->mesh, mesh, absolute, scratch, &out->from_proxy, error );
	status =
		status == bv_ok ? measure( mesh, &out->mesh, absolute, scratch, &out->from_mesh, error ) : status;
	return status == bv_ok
	           ? bvb_count_enclosed( mesh, &out->mesh, options->threads, scratch, &out->enclosed, error )
	           : status;
}

bv_status bvb_simplify( const bvb_mesh* mesh, const bvb_simplify_options* options, bvb_arena* arena,
                        bvb_simplified* out, bvb_error* error )
{
	*out = ( bvb_simplified ){ .tolerance = options->tolerance };
	if ( !( options->tolerance >= 0 && options->tolerance <= DBL_MAX ) )
	{
		return bvbase_fail( error, bv_error_argument, "the tolerance of the proxy mesh, %g, is out of range",
		                    options->tolerance );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	simplify_work w = { .options = options,
		                .team =
		                    bvbase_thread_team_for( arena, options->threads, mesh->triangle_count, 1000 ) };
	int exponent = bvsimplify_exponent_of( mesh ) + 3;
	bvb_mesh scaled;
	bool good = bvsimplify_copy_scaled( mesh, -exponent, scratch, &scaled ) &&
	            begin( &w, mesh, &scaled, exponent, scratch ) && collapse_all( &w, scratch ) &&
	            collect( &w.simplifier, arena, scratch, &out->mesh );
	bv_status status = good ? certify( mesh, options, scratch, out, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	return status;
}
