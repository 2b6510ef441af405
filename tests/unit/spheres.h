// What tests of sphere trees share: making them, and what each of them must be.

#pragma once

#include "offline/literature/spheres/sphere_tree.h"
#include "trees.h"

static inline bvlit_sphere_options sphere_options( void )
{
	return ( bvlit_sphere_options ){ .leaf_faces = 1, .max_depth = BV_MAX_DEPTH, .seed = 1, .team = 1 };
}

static inline bvlit_sphere_tree make_spheres( fixture* f, bvlit_sphere_builder* make, const bvb_mesh* mesh,
                                              const bvlit_sphere_options* options )
{
	bvlit_sphere_tree tree;
	assert_int_equal( make( mesh, options, f->arena, &tree ), bv_ok );
	return tree;
}

static inline double reach_of_mesh( const bvb_mesh* mesh )
{
	double reach = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		const bv_vec3* p = mesh->positions + i;
		reach = fmax( reach, fmax( fabs( p->x ), fmax( fabs( p->y ), fabs( p->z ) ) ) );
	}
	return reach;
}

static inline double distance_between( bv_vec3 a, bv_vec3 b )
{
	return sqrt( ( a.x - b.x ) * ( a.x - b.x ) + ( a.y - b.y ) * ( a.y - b.y ) +
	             ( a.z - b.z ) * ( a.z - b.z ) );
}

// Whether a point is in the sphere of a leaf and in those of all nodes above.
static inline bool leads_to( const bvlit_sphere_tree* tree, const uint32_t* parent, uint32_t leaf, bv_vec3 p,
                             double slack )
{
	for ( uint32_t i = leaf;; i = parent[i] )
	{
		const bv_sphere* s = &tree->nodes[i].sphere;
		if ( distance_between( p, s->center ) > s->radius + slack )
		{
			return false;
		}
		if ( i == 0 )
		{
			return true;
		}
	}
}

// Every node but the root has one parent before it, ranges of faces are of leaves and within the list, and no leaf is deeper than
// allowed.
// @param parent  receives it of each node
// @return the depth
static inline uint32_t check_sphere_nodes( const bvb_mesh* mesh, const bvlit_sphere_tree* tree,
                                           uint32_t max_depth, uint32_t* parent )
{
	uint32_t depth = 0;
	uint32_t* level = calloc( tree->node_count, sizeof *level );
	uint32_t placed = 0;
	memset( parent, 0xff, tree->node_count * sizeof *parent );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		const bvlit_sphere_node* node = tree->nodes + i;
		assert_true( i == 0 || parent[i] < i );
		assert_true( node->children == 0 || node->faces == 0 );
		assert_true( node->first_face <= tree->face_count &&
		             node->faces <= tree->face_count - node->first_face );
		assert_true( node->sphere.radius >= 0 && isfinite( node->sphere.radius ) );
		depth = level[i] > depth ? level[i] : depth;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			uint32_t child = node->first_child + k;
			assert_true( child > i && child < tree->node_count && parent[child] == UINT32_MAX );
			parent[child] = i;
			level[child] = level[i] + 1;
			placed += 1;
		}
	}
	assert_int_equal( placed, tree->node_count - 1 );
	for ( uint32_t i = 0; i < tree->face_count; ++i )
	{
		assert_true( tree->face[i] < mesh->triangle_count );
	}
	assert_true( depth <= max_depth );
	free( level );
	return depth;
}

// The same, and points all over each face are in a leaf that lists it and in all that is above.
// @param steps  on each side of a face
// @return the depth
static inline uint32_t check_sphere_tree( const bvb_mesh* mesh, const bvlit_sphere_tree* tree,
                                          uint32_t max_depth, uint32_t steps )
{
	uint32_t* parent = calloc( tree->node_count, sizeof *parent );
	uint32_t depth = check_sphere_nodes( mesh, tree, max_depth, parent );
	double slack = 0x1p-40 * reach_of_mesh( mesh );
	uint32_t* leaf = calloc( tree->face_count, sizeof *leaf );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		for ( uint32_t k = 0; k < tree->nodes[i].faces; ++k )
		{
			leaf[tree->nodes[i].first_face + k] = i;
		}
	}
	// By face: where in the list it is.
	uint32_t* first = calloc( mesh->triangle_count + 1u, sizeof *first );
	uint32_t* places = calloc( tree->face_count, sizeof *places );
	for ( uint32_t i = 0; i < tree->face_count; ++i )
	{
		first[tree->face[i] + 1] += 1;
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		assert_true( first[i + 1] > 0 );
		first[i + 1] += first[i];
	}
	uint32_t* next = calloc( mesh->triangle_count, sizeof *next );
	for ( uint32_t i = 0; i < tree->face_count; ++i )
	{
		places[first[tree->face[i]] + next[tree->face[i]]++] = i;
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* c = mesh->triangles[t].corner;
		for ( uint32_t i = 0; i <= steps; ++i )
		{
			for ( uint32_t j = 0; i + j <= steps; ++j )
			{
				double u = (double)i / steps;
				double v = (double)j / steps;
				bv_vec3 a = mesh->positions[c[0]];
				bv_vec3 b = mesh->positions[c[1]];
				bv_vec3 d = mesh->positions[c[2]];
				bv_vec3 p = { ( 1 - u - v ) * a.x + u * b.x + v * d.x,
					          ( 1 - u - v ) * a.y + u * b.y + v * d.y,
					          ( 1 - u - v ) * a.z + u * b.z + v * d.z };
				bool held = false;
				for ( uint32_t k = first[t]; k < first[t + 1] && !held; ++k )
				{
					held = leads_to( tree, parent, leaf[places[k]], p, slack );
				}
				if ( !held )
				{
					fail_msg( "a point of face %u is in no leaf: %g %g %g", t, p.x, p.y, p.z );
				}
			}
		}
	}
	free( parent );
	free( leaf );
	free( first );
	free( places );
	free( next );
	return depth;
}

// The same nodes, to the bit.
static inline void assert_same_spheres( const bvlit_sphere_tree* a, const bvlit_sphere_tree* b )
{
	assert_int_equal( a->node_count, b->node_count );
	assert_int_equal( a->face_count, b->face_count );
	for ( uint32_t i = 0; i < a->node_count; ++i )
	{
		const bvlit_sphere_node* m = a->nodes + i;
		const bvlit_sphere_node* n = b->nodes + i;
		assert_memory_equal( &m->sphere, &n->sphere, sizeof m->sphere );
		assert_int_equal( m->children, n->children );
		assert_int_equal( m->children ? m->first_child : 0, n->children ? n->first_child : 0 );
		assert_int_equal( m->faces, n->faces );
		assert_int_equal( m->faces ? m->first_face : 0, n->faces ? n->first_face : 0 );
	}
	assert_memory_equal( a->face, b->face, a->face_count * sizeof *a->face );
}

// What every builder of sphere trees must stand: soups, flat and open meshes, one triangle, twins, far from the origin, tiny and huge,
// sets that are hard to divide, and depths that can hold little. The settled trees are what files must hold.
// @param deepest  for builders whose deep trees take long
static inline void check_hard_meshes( fixture* f, bvlit_sphere_builder* make, const char* name,
                                      uint32_t count, uint32_t deepest )
{
	for ( int set = 0; set < hard_sets + 6; ++set )
	{
		bvb_mesh mesh = set < hard_sets ? hard_mesh( f, (hard_set)set, count ) : bumpy_ball( f, 6 );
		if ( set == hard_sets )
		{
			mesh.triangle_count = 1;
		}
		else if ( set == hard_sets + 1 )
		{
			mesh.triangle_count /= 3;
		}
		else if ( set == hard_sets + 2 )
		{
			mesh = box_mesh( f, 4, 1, 0x1p-10 );
		}
		for ( uint32_t i = 0; i < mesh.vertex_count && set >= hard_sets + 3; ++i )
		{
			double scale = set == hard_sets + 3 ? 0x1p-66 : set == hard_sets + 4 ? 0x1p66 : 1;
			double far = set == hard_sets + 5 ? 0x1p20 : 0;
			bv_vec3* p = mesh.positions + i;
			*p = ( bv_vec3 ){ (float)( p->x * scale + far ), (float)( p->y * scale + far ),
				              (float)( p->z * scale - far ) };
		}
		const uint32_t depths[] = { deepest, 2, 0 };
		for ( int d = 0; d < 3; ++d )
		{
			bvlit_sphere_options spheres = sphere_options();
			spheres.max_depth = depths[d];
			bvlit_sphere_tree tree = make_spheres( f, make, &mesh, &spheres );
			check_sphere_tree( &mesh, &tree, depths[d], 4 );
			bvb_hierarchy_options options = bvb_hierarchy_options_default();
			options.builder = name;
			options.volume_types = 1u << bv_volume_sphere;
			options.max_depth = depths[d];
			bvb_mesh copy = copy_mesh( f, &mesh );
			check_tree_of( &copy, build_tree( f, &copy, &options ), &options );
		}
	}
}

// Any number of threads makes the same tree: three, and in `make thorough` also one, which repeats the call, and five.
static inline void check_threads( fixture* f, bvlit_sphere_builder* make )
{
	bvb_mesh mesh = bumpy_ball( f, 20 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree one = make_spheres( f, make, &mesh, &options );
	static const int teams[] = { 3, 1, 5 };
	for ( int i = 0; i < ( is_thorough() ? 3 : 1 ); ++i )
	{
		options.team = teams[i];
		bvlit_sphere_tree other = make_spheres( f, make, &mesh, &options );
		assert_same_spheres( &one, &other );
	}
}
