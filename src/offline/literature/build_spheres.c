// From a sphere tree as its paper makes it to a hierarchy of faces that have one place each.
//
// In sphere trees that follow cells a face that crosses several cells is in a leaf of each, and who queries
// them keeps lists so that no two faces are tested twice (Palmer, Grimsdale 1995, as J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, section 3.2.1, describes it). In a file each face has one
// place. Here it gets that of the leaf, among those that list it, whose sphere grows least when it is to hold
// all of the face. Leaves that are left without faces are dropped, and a node with one child left makes room
// for that child. Spheres grow as far as the faces below want, around their own centers, and never shrink.
//
// So much for trees of spheres; volumes of other types are fitted to the faces below.

#include "offline/literature/build_spheres.h"

#include "offline/fit/sphere.h"
#include "offline/hierarchy/binary.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"

#include <math.h>

typedef struct settling
{
	const bvhier_build* build;
	bvlit_sphere_tree spheres;
	uint32_t* leaf;  // of each face: the node whose face it becomes
	uint32_t* below; // of each node: how many faces are below
	uint32_t* from;  // of each node of build->tree: the one it was
} settling;

// How far a sphere is from holding a whole face.
static double lack_of( const bv_sphere* sphere, const bvfit_face* face )
{
	double farthest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 d = bv_sub( face->corner[i], sphere->center );
		farthest = bvmath_max( farthest, bv_dot( d, d ) );
	}
	return bvmath_max( sqrt( farthest ) - sphere->radius, 0 );
}

// Of leaves that lack equally much the one with the least sphere, then the first.
static void choose_leaves( settling* s, double* lack )
{
	for ( uint32_t f = 0; f < s->build->count; ++f )
	{
		s->leaf[f] = BVHIER_NO_NODE;
		lack[f] = INFINITY;
	}
	for ( uint32_t i = 0; i < s->spheres.node_count; ++i )
	{
		const bvlit_sphere_node* node = s->spheres.nodes + i;
		for ( uint32_t k = 0; k < node->faces; ++k )
		{
			uint32_t f = s->spheres.face[node->first_face + k];
			double here = lack_of( &node->sphere, s->build->faces + f );
			bool first = s->leaf[f] == BVHIER_NO_NODE;
			bool smaller =
				!first && here == lack[f] && node->sphere.radius < s->spheres.nodes[s->leaf[f]].sphere.radius;
			if ( first || here < lack[f] || smaller )
			{
				s->leaf[f] = i;
				lack[f] = here;
			}
		}
	}
}

static void count_below( settling* s )
{
	for ( uint32_t f = 0; f < s->build->count; ++f )
	{
		s->below[s->leaf[f]] += 1;
	}
	for ( uint32_t i = s->spheres.node_count; i-- > 0; )
	{
		const bvlit_sphere_node* node = s->spheres.nodes + i;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			s->below[i] += s->below[node->first_child + k];
		}
	}
}

// The first node at or below this one that has several children with faces, or none.
static uint32_t skip( const settling* s, uint32_t index )
{
	for ( ;; )
	{
		const bvlit_sphere_node* node = s->spheres.nodes + index;
		uint32_t alive = 0;
		uint32_t last = index;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			if ( s->below[node->first_child + k] > 0 )
			{
				alive += 1;
				last = node->first_child + k;
			}
		}
		if ( alive != 1 )
		{
			return index;
		}
		index = last;
	}
}

// Nodes in the order of their levels. `begin` receives for each leaf where its faces go.
static void store_nodes( const settling* s, uint32_t* begin )
{
	bvorder_stored_node* nodes = s->build->tree->nodes;
	nodes[0] = ( bvorder_stored_node ){ .triangles = s->build->count };
	s->from[0] = skip( s, 0 );
	uint32_t placed = 1;
	for ( uint32_t i = 0; i < placed; ++i )
	{
		const bvlit_sphere_node* from = s->spheres.nodes + s->from[i];
		uint32_t first = nodes[i].first_triangle;
		begin[s->from[i]] = first;
		nodes[i].first_child = placed;
		for ( uint32_t k = 0; k < from->children; ++k )
		{
			uint32_t child = from->first_child + k;
			if ( s->below[child] > 0 )
			{
				s->from[placed] = skip( s, child );
				nodes[placed++] =
					( bvorder_stored_node ){ .first_triangle = first, .triangles = s->below[child] };
				first += s->below[child];
			}
		}
		nodes[i].children = placed - nodes[i].first_child;
		nodes[i].first_child = nodes[i].children ? nodes[i].first_child : 0;
	}
	s->build->tree->node_count = placed;
}

static void store_faces( const settling* s, uint32_t* begin )
{
	const bvhier_build* build = s->build;
	for ( uint32_t f = 0; f < build->count; ++f )
	{
		build->order[begin[s->leaf[f]]++] = f;
	}
	for ( uint32_t i = 0; i < build->count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			build->corners[3 * (size_t)i + k] = build->faces[build->order[i]].corner[k];
		}
	}
}

static void store_spheres( const settling* s )
{
	const bvhier_build* build = s->build;
	int64_t count = build->tree->node_count;
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( build->team ) if ( build->team > 1 )
	for ( int64_t i = 0; i < count; ++i )
	{
		const bvorder_stored_node* node = build->tree->nodes + i;
		const bv_sphere* own = &s->spheres.nodes[s->from[i]].sphere;
		bv_sphere grown = bvfit_sphere_around( build->corners + 3 * (size_t)node->first_triangle,
		                                       3 * node->triangles, own->center );
		grown.radius = bvmath_max( grown.radius, bvmath_float_up( own->radius ) );
		bv_volume volume = { .type = bv_volume_sphere, .sphere = grown };
		bvorder_set_volume( build->tree, (uint32_t)i, &volume );
	}
}

bv_status bvlit_build_spheres( const bvhier_build* build )
{
	const bvb_hierarchy_options* o = build->options;
	bvb_arena* scratch = build->scratch;
	settling s = { .build = build };
	bvlit_sphere_options options = { o->leaf_triangles, o->max_depth, o->seed, build->team };
	const bvlit_spheres_how* how = build->builder->how;
	bv_status status = how->make( build->mesh, &options, scratch, &s.spheres );
	if ( status != bv_ok )
	{
		return status;
	}
	s.leaf = bvb_arena_allocate( scratch, build->count, sizeof *s.leaf );
	s.below = bvb_arena_allocate( scratch, s.spheres.node_count, sizeof *s.below );
	s.from = bvb_arena_allocate( scratch, 2 * (size_t)build->count - 1, sizeof *s.from );
	uint32_t* begin = bvb_arena_allocate( scratch, s.spheres.node_count, sizeof *begin );
	double* lack = bvb_arena_allocate( scratch, build->count, sizeof *lack );
	if ( !s.leaf || !s.below || !s.from || !begin || !lack )
	{
		return bv_error_memory;
	}
	choose_leaves( &s, lack );
	count_below( &s );
	store_nodes( &s, begin );
	store_faces( &s, begin );
	if ( o->volume_types == 1u << bv_volume_sphere )
	{
		store_spheres( &s );
	}
	else
	{
		bvhier_fit_nodes( build );
	}
	return bv_ok;
}
