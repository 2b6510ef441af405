// What tests of whole trees share: building, checks of what every tree must be, with volumes of any type, costs, and sets
// that are hard to divide. Enclosure is recomputed in 113-bit arithmetic from the decoded numbers.

#pragma once

#include "support.h"

__extension__ typedef __float128 wide;

static inline bvb_tree* build_tree( fixture* f, bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	bvb_tree* tree;
	bvb_error error = { "" };
	if ( bvb_hierarchy_build( mesh, options, f->arena, &tree, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return tree;
}

static inline bvb_mesh copy_mesh( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh copy = *mesh;
	copy.positions = bvb_arena_allocate( f->arena, mesh->vertex_count, sizeof *mesh->positions );
	copy.triangles = bvb_arena_allocate( f->arena, mesh->triangle_count, sizeof *mesh->triangles );
	memcpy( copy.positions, mesh->positions, mesh->vertex_count * sizeof *mesh->positions );
	memcpy( copy.triangles, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles );
	return copy;
}

static inline wide along( bv_vec3 axis, bv_vec3 from, bv_vec3 p )
{
	return (wide)axis.x * ( (wide)p.x - (wide)from.x ) + (wide)axis.y * ( (wide)p.y - (wide)from.y ) +
	       (wide)axis.z * ( (wide)p.z - (wide)from.z );
}

// How far outside [-half, half].
static inline wide beyond( wide x, double half )
{
	return x > half ? x - half : -x > half ? -x - half : 0;
}

static inline bool volume_holds( const bv_volume* v, bv_vec3 p )
{
	const bv_vec3 origin = { 0, 0, 0 };
	wide square = 0;
	switch ( v->type )
	{
	case bv_volume_obb:
		for ( int i = 0; i < 3; ++i )
		{
			if ( beyond( along( v->obb.axis[i], v->obb.center, p ), v->obb.half_extents[i] ) > 0 )
			{
				return false;
			}
		}
		return true;
	case bv_volume_aabb:
		return p.x >= v->aabb.lower.x && p.y >= v->aabb.lower.y && p.z >= v->aabb.lower.z &&
		       p.x <= v->aabb.upper.x && p.y <= v->aabb.upper.y && p.z <= v->aabb.upper.z;
	case bv_volume_sphere:
	{
		bv_vec3 c = v->sphere.center;
		wide d[3] = { (wide)p.x - c.x, (wide)p.y - c.y, (wide)p.z - c.z };
		return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= (wide)v->sphere.radius * v->sphere.radius;
	}
	case bv_volume_prism:
	{
		const bv_obb* box = &v->prism.box;
		const double* h = box->half_extents;
		wide s = along( box->axis[0], box->center, p );
		wide t = along( box->axis[1], box->center, p );
		return !( beyond( t, h[1] ) > 0 ) && !( beyond( along( box->axis[2], box->center, p ), h[2] ) > 0 ) &&
		       2 * (wide)h[1] * ( s < 0 ? -s : s ) <= (wide)h[0] * ( h[1] - t );
	}
	case bv_volume_rss:
		for ( int i = 0; i < 3; ++i )
		{
			wide d = beyond( along( v->rss.axis[i], v->rss.center, p ), i < 2 ? v->rss.half_extents[i] : 0 );
			square += d * d;
		}

		// The decoded axes are orthonormal to 4e-15 only.
		return square <= (wide)v->rss.radius * v->rss.radius * ( 1 + (wide)1e-13 );
	default:
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			wide at = along( bv_kdop_direction( i ), origin, p );
			if ( bv_kdop_uses( v->kdop.k, i ) && ( at < v->kdop.lower[i] || at > v->kdop.upper[i] ) )
			{
				return false;
			}
		}
		return true;
	}
}

// Children's ranges make up their parent's, those of leaves first; leaves hold every triangle, and none is deeper than
// allowed. Children are in the order of their types.
// @return the depth
static inline uint32_t check_nodes( const bvb_mesh* mesh, const bvb_tree* tree, uint32_t max_depth )
{
	uint32_t count = bvb_tree_node_count( tree );
	uint32_t* level = calloc( count, sizeof *level );
	uint32_t depth = 0;
	uint32_t children = 1;
	uint32_t triangles = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		uint32_t end = node.first_triangle;
		depth = level[i] > depth ? level[i] : depth;
		assert_true( node.triangles >= 1 && node.children != 1 );
		for ( uint32_t k = 0; k < 2 * node.children; ++k )
		{
			uint32_t index = node.first_child + k % node.children;
			bvb_node child = bvb_tree_node( tree, index );
			assert_true( node.first_child > i );
			level[index] = level[i] + 1;
			if ( ( child.children > 0 ) == ( k >= node.children ) )
			{
				assert_int_equal( child.first_triangle, end );
				end += child.triangles;
			}
		}
		for ( uint32_t k = 1; k < node.children; ++k )
		{
			assert_true( bvb_tree_node( tree, node.first_child + k - 1 ).volume.type <=
			             bvb_tree_node( tree, node.first_child + k ).volume.type );
		}
		children += node.children;
		triangles += node.children ? 0 : node.triangles;
		assert_true( node.children == 0 || end == node.first_triangle + node.triangles );
	}
	assert_int_equal( children, count );
	assert_int_equal( triangles, mesh->triangle_count );
	assert_true( depth <= max_depth );
	free( level );
	return depth;
}

// The same, volumes enclose, and nothing is out of the options.
// @return the depth
static inline uint32_t check_tree_of( const bvb_mesh* mesh, const bvb_tree* tree,
                                      const bvb_hierarchy_options* options )
{
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		assert_true( options->volume_types >> node.volume.type & 1 );
		for ( uint32_t t = 0; t < 3 * node.triangles; ++t )
		{
			const uint32_t* corner = mesh->triangles[node.first_triangle + t / 3].corner;
			if ( !volume_holds( &node.volume, mesh->positions[corner[t % 3]] ) )
			{
				fail_msg( "a %s of %u triangles does not hold one of them",
				          bv_volume_type_name( node.volume.type ), node.triangles );
			}
		}
	}
	return check_nodes( mesh, tree, options->max_depth );
}

static inline uint32_t largest_leaf( const bvb_tree* tree )
{
	uint32_t largest = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		largest = node.children == 0 && node.triangles > largest ? node.triangles : largest;
	}
	return largest;
}

// The formula of expected.h, for trees of one type.
static inline double reference_cost( const bvb_tree* tree, const bvb_hierarchy_options* options )
{
	bvb_node root = bvb_tree_node( tree, 0 );
	double sum = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		int type = (int)node.volume.type;
		const bv_costs* costs = &options->costs;
		double steps = node.children ? costs->opening + node.children * costs->volumes[type][type]
		                             : costs->leaf + node.triangles * ( node.triangles * costs->triangles );
		sum += bvb_area_of( &node.volume ) / bvb_area_of( &root.volume ) * steps;
	}
	return sum;
}

// Same nodes, same volumes, same order of triangles.
static inline void assert_same_trees( const bvb_tree* a, const bvb_mesh* mesh_a, const bvb_tree* b,
                                      const bvb_mesh* mesh_b )
{
	assert_int_equal( bvb_tree_node_count( a ), bvb_tree_node_count( b ) );
	for ( uint32_t i = 0; i < bvb_tree_node_count( a ); ++i )
	{
		bvb_node m = bvb_tree_node( a, i );
		bvb_node n = bvb_tree_node( b, i );
		assert_int_equal( m.first_child, n.first_child );
		assert_int_equal( m.children, n.children );
		assert_int_equal( m.first_triangle, n.first_triangle );
		assert_int_equal( m.triangles, n.triangles );
		assert_true( bvb_area_of( &m.volume ) == bvb_area_of( &n.volume ) );
	}
	assert_memory_equal( mesh_a->positions, mesh_b->positions,
	                     mesh_a->vertex_count * sizeof *mesh_a->positions );
	assert_memory_equal( mesh_a->triangles, mesh_b->triangles,
	                     mesh_a->triangle_count * sizeof *mesh_a->triangles );
}

// Small triangles in the planes x = place[i].
static inline bvb_mesh triangles_along( fixture* f, const double* place, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * (size_t)i;
		p[0] = ( bv_vec3 ){ place[i], 0, 0 };
		p[1] = ( bv_vec3 ){ place[i], 0.5, 0 };
		p[2] = ( bv_vec3 ){ place[i], 0, 0.5 };
	}
	return mesh;
}

typedef enum hard_set
{
	identical_triangles,
	equal_midpoints,
	giant_among_tiny,
	long_slivers,
	even_line,
	shrinking_gaps,    // every triangle's nearest neighbor is the next one
	growing_triangles, // each best merges with the first ones
	doubled_distances, // the worst for means and for bins
	hard_sets,
} hard_set;

static inline bvb_mesh hard_mesh( fixture* f, hard_set set, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	double at = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 o = { 0, 0, 0 };
		double size = 1;
		double width = 1;
		switch ( set )
		{
		case identical_triangles: break;
		case equal_midpoints: size = 1 + i; break;
		case giant_among_tiny:
			o = random_point( f );
			size = i == count / 2 ? 1000 : 1e-3;
			break;
		case long_slivers:
			o = random_point( f );
			size = 1e-6;
			width = 1e6 * random_unit( f );
			break;
		case even_line: o.x = 2.0 * i; break;
		case shrinking_gaps:
			o.x = at;
			at += 3 + ( count - i ) * 1e-3;
			break;
		case growing_triangles:
			size = 1 + 1e-3 * i;
			o.x = size;
			break;
		case doubled_distances:
			o.x = ldexp( 1 + 1e-4 * ( i / 100 % 1000 ), (int)( i % 100 ) );
			size = 3e-4 * o.x;
			break;
		case hard_sets: break;
		}

		// About the origin, so that all midpoints can be equal.
		bv_vec3* p = mesh.positions + 3 * (size_t)i;
		p[0] = ( bv_vec3 ){ (float)( o.x - 3 * size * width ), (float)( o.y - size ), (float)o.z };
		p[1] = ( bv_vec3 ){ (float)( o.x + 3 * size * width ), (float)( o.y - size ), (float)o.z };
		p[2] = ( bv_vec3 ){ (float)o.x, (float)( o.y + 2 * size ), (float)o.z };
	}
	return mesh;
}
