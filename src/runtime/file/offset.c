// The public accessors of what has a place: what local.h returns, moved by the offset of the file. Numbers
// that bound something are rounded so that they hold for positions as these functions return them and for the
// exact sums.

#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/math/vec.h"
#include "runtime/math/wide.h"
#include "runtime/volume/moved.h"

#include <math.h>

static const bv_vec3* find_offset( const bv_file* file )
{
	return bvfile_offset_of( (const bvfile_header*)file );
}

static bv_vec3 moved( const bv_file* file, bv_vec3 position )
{
	return bvfile_with_offset( position, find_offset( file ) );
}

bv_vec3 bv_file_get_offset( const bv_file* file )
{
	return moved( file, ( bv_vec3 ){ 0, 0, 0 } );
}

bv_vec3 bv_file_get_vertex( const bv_file* file, uint32_t index )
{
	bv_mesh_info mesh = bv_file_get_mesh( file );
	return mesh.has_triangles && index < mesh.vertices ? moved( file, bvfile_local_vertex( file, index ) )
	                                                   : ( bv_vec3 ){ 0, 0, 0 };
}

// @return how many of `count` things from the first one on there are among `all`
static uint32_t count_from( uint32_t first, uint32_t count, uint32_t all )
{
	uint32_t left = first < all ? all - first : 0;
	return count < left ? count : left;
}

uint32_t bv_file_get_vertices( const bv_file* file, uint32_t first, uint32_t count, bv_vec3* out )
{
	bvfile_view view = bvfile_view_of( file );
	uint32_t n = view.triangles.head ? count_from( first, count, view.mesh->vertices ) : 0;
	for ( uint32_t i = 0; i < n; ++i )
	{
		out[i] = bvfile_with_offset( bvfile_position( &view, first + i ), view.offset );
	}
	return n;
}

uint32_t bv_file_get_triangles( const bv_file* file, uint32_t first, uint32_t count, uint32_t ( *out )[3] )
{
	bvfile_view view = bvfile_view_of( file );
	uint32_t n = view.triangles.head ? count_from( first, count, view.mesh->triangles ) : 0;
	for ( uint32_t i = 0; i < n; ++i )
	{
		bvfile_triangle( &view, first + i, out[i] );
	}
	return n;
}

bv_vec3 bv_file_get_hull_position( const bv_file* file, uint32_t index )
{
	return index < bv_file_get_hull( file ).vertices
	           ? moved( file, bvfile_local_hull_position( file, index ) )
	           : ( bv_vec3 ){ 0, 0, 0 };
}

bv_vec3 bv_file_get_proxy_vertex( const bv_file* file, uint32_t index )
{
	bv_proxy proxy;
	return bv_file_get_proxy( file, &proxy ) && index < proxy.vertices
	           ? moved( file, bvfile_local_proxy_vertex( file, index ) )
	           : ( bv_vec3 ){ 0, 0, 0 };
}

bv_vec3 bv_file_get_part_vertex( const bv_file* file, uint32_t part, uint32_t index )
{
	bv_part p;
	return bvfile_local_part( file, part, &p ) && index < p.vertices
	           ? moved( file, bvfile_local_part_vertex( file, part, index ) )
	           : ( bv_vec3 ){ 0, 0, 0 };
}

bool bv_file_get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass )
{
	bool has = bvfile_local_mass( file, of, mass );
	if ( has )
	{
		mass->center_of_mass = moved( file, mass->center_of_mass );
	}
	return has;
}

bool bv_file_get_body( const bv_file* file, bv_body* body )
{
	bool has = bvfile_local_body( file, body );
	if ( has )
	{
		body->mass.center_of_mass = moved( file, body->mass.center_of_mass );
	}
	return has;
}

static void move_box( bv_aabb* box, bv_vec3 by )
{
	bv_volume volume = { .type = bv_volume_aabb, .aabb = *box };
	*box = bvvol_moved( &volume, by ).aabb;
}

static void move_sphere( bv_sphere* ball, bv_vec3 by )
{
	bv_volume volume = { .type = bv_volume_sphere, .sphere = *ball };
	*ball = bvvol_moved( &volume, by ).sphere;
}

static void move_obb( bv_obb* box, bv_vec3 by )
{
	bv_volume volume = { .type = bv_volume_obb, .obb = *box };
	*box = bvvol_moved( &volume, by ).obb;
}

static double slack_of_ends( const bv_vec3 ends[2], double radius, bv_vec3 by )
{
	return bvvol_moved_slack( ends[0], bvmath_norm1( bv_sub( ends[1], ends[0] ) ) + radius, by );
}

static void move_capsule( bv_capsule* capsule, bv_vec3 by )
{
	capsule->radius += slack_of_ends( capsule->ends, capsule->radius, by );
	capsule->ends[0] = bv_add( capsule->ends[0], by );
	capsule->ends[1] = bv_add( capsule->ends[1], by );
}

bool bv_file_get_bounds( const bv_file* file, bv_file_bounds* bounds )
{
	bool has = bvfile_local_bounds( file, bounds );
	const bv_vec3* offset = find_offset( file );
	if ( has && offset )
	{
		bv_vec3 by = *offset;
		bv_volume rss = { .type = bv_volume_rss, .rss = bounds->rss };
		bv_volume kdop = { .type = bv_volume_kdop26, .kdop = bounds->kdop };
		move_box( &bounds->aabb, by );
		move_sphere( &bounds->sphere, by );
		move_obb( &bounds->obb, by );
		move_capsule( &bounds->capsule, by );
		bounds->rss = bvvol_moved( &rss, by ).rss;
		bounds->kdop = bvvol_moved( &kdop, by ).kdop;
	}
	return has;
}

static void widen( bv_interval* distance, double by )
{
	distance->lower = bvmath_max( 0, distance->lower - by );
	distance->upper += by;
}

// A primitive is not made larger: it is fitted to the surface and need not enclose anything. Instead its
// distances allow for the rounding of its points, and of the mesh's.
bool bv_file_get_primitive( const bv_file* file, bv_primitive_kind kind, bv_primitive* primitive )
{
	bool has = bvfile_local_primitive( file, kind, primitive );
	const bv_vec3* offset = find_offset( file );
	if ( !has || !offset )
	{
		return has;
	}
	bv_vec3 by = *offset;
	double slack = 0;
	bv_vec3* ends[2] = { NULL, NULL };
	switch ( kind )
	{
	case bv_primitive_box:
	{
		const double* h = primitive->box.half_extents;
		slack = bvvol_moved_slack( primitive->box.center, ( h[0] + h[1] ) + h[2], by );
		ends[0] = &primitive->box.center;
		break;
	}
	case bv_primitive_sphere:
		slack = bvvol_moved_slack( primitive->sphere.center, primitive->sphere.radius, by );
		ends[0] = &primitive->sphere.center;
		break;
	case bv_primitive_capsule:
		slack = slack_of_ends( primitive->capsule.ends, primitive->capsule.radius, by );
		ends[0] = primitive->capsule.ends;
		ends[1] = primitive->capsule.ends + 1;
		break;
	default:
		slack = slack_of_ends( primitive->cylinder.ends, primitive->cylinder.radius, by );
		ends[0] = primitive->cylinder.ends;
		ends[1] = primitive->cylinder.ends + 1;
		break;
	}
	for ( int i = 0; i < 2 && ends[i]; ++i )
	{
		*ends[i] = bv_add( *ends[i], by );
	}
	widen( &primitive->from_surface, slack );
	widen( &primitive->from_mesh, slack );
	widen( &primitive->error, slack );
	return true;
}

bool bv_file_get_part( const bv_file* file, uint32_t index, bv_part* part )
{
	bool has = bvfile_local_part( file, index, part );
	const bv_vec3* offset = find_offset( file );
	if ( has && offset )
	{
		move_box( &part->box, *offset );
		part->mass.center_of_mass = moved( file, part->mass.center_of_mass );
	}
	return has;
}

bool bv_file_visit_parts( const bv_file* file, const bv_aabb* box, bv_part_callback* callback, void* context )
{
	const bv_vec3* offset = find_offset( file );
	bv_aabb stored;
	if ( box && offset )
	{
		bv_vec3 o = *offset;
		stored = ( bv_aabb ){ { bvmath_sum_down( box->lower.x, -o.x ), bvmath_sum_down( box->lower.y, -o.y ),
			                    bvmath_sum_down( box->lower.z, -o.z ) },
			                  { bvmath_sum_up( box->upper.x, -o.x ), bvmath_sum_up( box->upper.y, -o.y ),
			                    bvmath_sum_up( box->upper.z, -o.z ) } };
		box = &stored;
	}
	return bvfile_local_visit_parts( file, box, callback, context );
}

// The sum of the magnitudes of a corner's coordinates, over the corner where it is largest.
static double reach_of_hull( const bv_file* file )
{
	bv_file_bounds bounds;
	if ( bvfile_local_bounds( file, &bounds ) )
	{
		bv_vec3 l = bounds.aabb.lower;
		bv_vec3 u = bounds.aabb.upper;
		return ( bvmath_max( fabs( l.x ), fabs( u.x ) ) + bvmath_max( fabs( l.y ), fabs( u.y ) ) ) +
		       bvmath_max( fabs( l.z ), fabs( u.z ) );
	}
	double reach = 0;
	uint32_t count = bv_file_get_hull( file ).vertices;
	for ( uint32_t i = 0; i < count; ++i )
	{
		reach = bvmath_max( reach, bvmath_norm1( bvfile_local_hull_position( file, i ) ) );
	}
	return reach;
}

// Sums of positions, products and their sums err by less than 8 units of 2^-53 of the magnitudes.
bool bv_file_get_hull_facet( const bv_file* file, uint32_t index, bv_hull_facet* facet )
{
	bool has = bvfile_local_hull_facet( file, index, facet );
	const bv_vec3* offset = find_offset( file );
	if ( has && offset )
	{
		bv_vec3 by = *offset;
		double slack = 0x1p-49 * ( bvmath_norm1( by ) + ( reach_of_hull( file ) + fabs( facet->offset ) ) );
		facet->offset = ( facet->offset + bv_dot( facet->normal, by ) ) + slack;
	}
	return has;
}

bool bv_file_get_node_radius( const bv_file* file, uint32_t node, double* radius )
{
	bool has = bvfile_local_node_radius( file, node, radius );
	const bv_vec3* offset = find_offset( file );
	if ( has && offset )
	{
		bv_vec3 by = *offset;
		*radius = ( *radius + bv_length( by ) ) * ( 1 + 0x1p-50 );
	}
	return has;
}

bool bv_file_get_node_faces( const bv_file* file, uint32_t node, bv_node_faces* faces )
{
	bool has = bvfile_local_node_faces( file, node, faces );
	const bv_vec3* offset = find_offset( file );
	if ( has && offset )
	{
		move_obb( &faces->box, *offset );
	}
	return has;
}

// The callback of the caller.
typedef struct nodes_visitor
{
	bv_node_callback* callback;
	void* context;
	bv_vec3 offset;
} nodes_visitor;

static bool visit_moved( void* context, const bv_node_info* node )
{
	const nodes_visitor* v = context;
	bv_node_info info = *node;
	info.volume = bvvol_moved( &node->volume, v->offset );
	return v->callback( v->context, &info );
}

bool bv_file_visit_nodes( const bv_file* file, bv_node_callback* callback, void* context )
{
	const bv_vec3* offset = find_offset( file );
	if ( !offset )
	{
		return bvfile_local_visit_nodes( file, callback, context );
	}
	nodes_visitor v = { callback, context, *offset };
	return bvfile_local_visit_nodes( file, visit_moved, &v );
}

bool bv_file_get_clip_box( const bv_file* file, uint32_t node, uint32_t segment, bv_clip_box* box )
{
	bool has = bvfile_local_clip_box( file, node, segment, box );
	const bv_vec3* offset = find_offset( file );
	if ( has && offset )
	{
		bv_aabb stored = box->box;
		move_box( &box->box, *offset );

		// Points of the moved box are at most so much farther, and sums round.
		bv_vec3 lower = bv_sub( bv_add( stored.lower, *offset ), box->box.lower );
		bv_vec3 upper = bv_sub( box->box.upper, bv_add( stored.upper, *offset ) );
		box->error +=
			4 * ( bvmath_norm1( lower ) + bvmath_norm1( upper ) ) + 0x1p-50 * bvmath_norm1( *offset );
	}
	return has;
}

bool bv_file_get_clip_position( const bv_file* file, uint32_t sample, uint32_t vertex, bv_vec3* out )
{
	bool has = bvfile_local_clip_position( file, sample, vertex, out );
	*out = has ? moved( file, *out ) : *out;
	return has;
}
