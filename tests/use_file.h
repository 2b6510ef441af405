// All that can be read of an open .bvh file, and every query with arguments made from the mesh's extent: what golden files are
// compared by, and what files that were damaged must stand.

#pragma once

#include "bv/bv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A file in use.
typedef struct use
{
	const bv_file* file;
	FILE* out; ///< receives what was found, a line for each thing; may be null
	bool sane; ///< everything so far was in range
	bv_mesh_info mesh;
	bv_vec3 center; ///< of all vertices' box
	double extent;  ///< its longest side
} use;

// Of the finalizer of splitmix64 (Steele, Lea, Flood 2014).
static inline uint64_t use_mix( uint64_t hash, uint64_t value )
{
	uint64_t x = ( hash ^ value ) + 0x9e3779b97f4a7c15u;
	x = ( x ^ ( x >> 30 ) ) * 0xbf58476d1ce4e5b9u;
	x = ( x ^ ( x >> 27 ) ) * 0x94d049bb133111ebu;
	return x ^ ( x >> 31 );
}

static inline uint64_t use_mix_number( uint64_t hash, double value )
{
	double positive = value == 0 ? 0 : value;
	uint64_t bits;
	memcpy( &bits, &positive, sizeof bits );
	return use_mix( hash, bits );
}

static inline uint64_t use_mix_point( uint64_t hash, bv_vec3 p )
{
	return use_mix_number( use_mix_number( use_mix_number( hash, p.x ), p.y ), p.z );
}

static inline uint64_t use_mix_text( uint64_t hash, bv_text text )
{
	for ( size_t i = 0; i < text.length; ++i )
	{
		hash = use_mix( hash, (unsigned char)text.data[i] );
	}
	return use_mix( hash, text.length );
}

#define use_print( u, ... ) (void)( ( u )->out && fprintf( ( u )->out, __VA_ARGS__ ) )

static inline void use_expect( use* u, bool right )
{
	u->sane = u->sane && right;
}

static inline void use_mesh( use* u )
{
	uint64_t vertices = 0;
	uint64_t triangles = 0;
	for ( uint32_t i = 0; u->mesh.has_triangles && i < u->mesh.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( u->file, i );
		use_expect( u, isfinite( p.x ) && isfinite( p.y ) && isfinite( p.z ) );
		vertices = use_mix_point( vertices, p );
	}
	for ( uint32_t i = 0; u->mesh.has_triangles && i < u->mesh.triangles; ++i )
	{
		uint32_t c[3];
		bv_file_get_triangle( u->file, i, c );
		for ( int k = 0; k < 3; ++k )
		{
			use_expect( u, c[k] < u->mesh.vertices );
			triangles = use_mix( triangles, c[k] );
		}
	}
	use_print( u, "vertices %016" PRIx64 "\ntriangles %016" PRIx64 "\n", vertices, triangles );
}

static inline void use_edges( use* u )
{
	uint64_t kinds = 0;
	uint64_t edges = 0;
	bv_edge_kind kind;
	bv_mesh_edge edge;
	for ( uint32_t i = 0; i < u->mesh.triangles && bv_file_get_edge( u->file, i, 0, &kind ); ++i )
	{
		for ( uint32_t side = 0; side < 3; ++side )
		{
			use_expect( u, bv_file_get_edge( u->file, i, side, &kind ) && kind < bv_edge_kinds );
			kinds = use_mix( kinds, kind );
		}
	}
	for ( uint32_t i = 0; bv_file_get_mesh_edge( u->file, i, &edge ); ++i )
	{
		use_expect( u, edge.vertex[1] < u->mesh.vertices && edge.triangle[0] < u->mesh.triangles );
		edges = use_mix( use_mix( use_mix( edges, edge.vertex[0] ), edge.vertex[1] ), edge.triangle[0] );
		edges = use_mix( use_mix( edges, edge.triangle[1] ), edge.kind );
	}
	use_print( u, "edge kinds %016" PRIx64 "\nedges %016" PRIx64 "\n", kinds, edges );
}

static inline void use_sources( use* u )
{
	uint64_t sources = 0;
	bv_triangle_source source;
	for ( uint32_t i = 0; bv_file_get_source( u->file, i, &source ); ++i )
	{
		sources = use_mix( sources, source.face );
		sources = use_mix_text( use_mix_text( sources, source.object ), source.group );
		sources = use_mix_text( sources, source.material );
	}
	use_print( u, "sources %016" PRIx64 "\n", sources );
}

static inline void use_hull( use* u )
{
	bv_hull_info hull = bv_file_get_hull( u->file );
	bv_hull_topology_info topology = bv_file_get_hull_topology( u->file );
	uint64_t corners = 0;
	uint64_t faces = 0;
	uint64_t parts = 0;
	for ( uint32_t i = 0; i < hull.vertices; ++i )
	{
		const uint32_t* neighbor;
		uint32_t count = bv_file_get_hull_neighbors( u->file, i, &neighbor );
		use_expect( u, bv_file_get_hull_vertex( u->file, i ) < u->mesh.vertices );
		corners = use_mix_point( corners, bv_file_get_hull_position( u->file, i ) );
		for ( uint32_t k = 0; k < count; ++k )
		{
			use_expect( u, neighbor[k] < hull.vertices );
			parts = use_mix( parts, neighbor[k] );
		}
	}
	for ( uint32_t i = 0; hull.kind == bv_hull_polyhedron && i < hull.faces; ++i )
	{
		uint32_t c[3];
		bv_file_get_hull_triangle( u->file, i, c );
		use_expect( u, c[0] < hull.vertices && c[1] < hull.vertices && c[2] < hull.vertices );
		faces = use_mix( use_mix( use_mix( faces, c[0] ), c[1] ), c[2] );
	}
	bv_hull_facet facet;
	bv_hull_half_edge edge;
	for ( uint32_t i = 0; bv_file_get_hull_facet( u->file, i, &facet ); ++i )
	{
		use_expect( u, facet.first_edge <= topology.half_edges - facet.edge_count );
		parts = use_mix_number( use_mix_point( parts, facet.normal ), facet.offset );
	}
	for ( uint32_t i = 0; bv_file_get_hull_half_edge( u->file, i, &edge ); ++i )
	{
		use_expect( u, edge.origin < hull.vertices && edge.twin < topology.half_edges &&
		                   edge.next < topology.half_edges && edge.polygon < topology.polygons );
		parts = use_mix( use_mix( use_mix( parts, edge.origin ), edge.twin ), edge.next );
	}
	const uint32_t* loose;
	bv_file_get_hull_loose( u->file, &loose );
	for ( uint32_t i = 0; i < topology.loose; ++i )
	{
		use_expect( u, loose[i] < hull.vertices );
	}
	use_print( u, "hull corners %016" PRIx64 "\nhull faces %016" PRIx64 "\n", corners, faces );
	use_print( u, "hull topology %016" PRIx64 "\n", parts );
}

static inline uint64_t use_mix_volume( uint64_t hash, const bv_volume* v )
{
	hash = use_mix( hash, v->type );
	switch ( v->type )
	{
	case bv_volume_obb:
	case bv_volume_prism: // begins as an oriented box does
		hash = use_mix_point( use_mix_point( hash, v->obb.center ), v->obb.axis[0] );
		hash = use_mix_point( use_mix_point( hash, v->obb.axis[1] ), v->obb.axis[2] );
		for ( int i = 0; i < 3; ++i )
		{
			hash = use_mix_number( hash, v->obb.half_extents[i] );
		}
		return hash;
	case bv_volume_aabb: return use_mix_point( use_mix_point( hash, v->aabb.lower ), v->aabb.upper );
	case bv_volume_sphere: return use_mix_number( use_mix_point( hash, v->sphere.center ), v->sphere.radius );
	case bv_volume_rss:
		hash = use_mix_point( use_mix_point( hash, v->rss.center ), v->rss.axis[0] );
		hash = use_mix_point( use_mix_point( hash, v->rss.axis[1] ), v->rss.axis[2] );
		hash = use_mix_number( use_mix_number( hash, v->rss.half_extents[0] ), v->rss.half_extents[1] );
		return use_mix_number( hash, v->rss.radius );
	default:
		for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			hash = use_mix_number( use_mix_number( hash, v->kdop.lower[i] ), v->kdop.upper[i] );
		}
		return hash;
	}
}

// What is made of all nodes.
typedef struct use_nodes
{
	use* u;
	uint64_t hash;
	uint64_t errors;
	uint64_t triangles; ///< in leaves
	uint32_t nodes;
} use_nodes;

static inline bool use_node( void* context, const bv_node_info* node )
{
	use_nodes* n = context;
	use_expect( n->u, node->level <= BV_MAX_DEPTH && node->triangles > 0 &&
	                      node->first_triangle <= n->u->mesh.triangles - node->triangles );
	use_expect( n->u, isfinite( node->surface_upper ) && isfinite( node->solid_upper ) );
	n->hash = use_mix( use_mix( n->hash, node->index ), node->level );
	n->hash = use_mix( use_mix( n->hash, node->children ), node->first_triangle );
	n->hash = use_mix_volume( use_mix( n->hash, node->triangles ), &node->volume );
	n->errors = use_mix_number( use_mix_number( n->errors, node->surface_upper ), node->solid_upper );
	double radius;
	bool has_radius = bv_file_get_node_radius( n->u->file, node->index, &radius );
	use_expect( n->u, !has_radius || radius >= 0 );
	n->hash = use_mix_number( n->hash, has_radius ? radius : 0 );
	n->triangles += node->children ? 0 : node->triangles;
	n->nodes += 1;
	return true;
}

static inline void use_hierarchy( use* u )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( u->file );
	use_nodes n = { .u = u };
	use_expect( u, bv_file_visit_nodes( u->file, use_node, &n ) );
	use_expect( u, n.nodes == info.nodes && n.triangles == ( info.nodes ? u->mesh.triangles : 0 ) );
	use_print( u, "nodes %016" PRIx64 "\nnode errors %016" PRIx64 "\n", n.hash, n.errors );
}

static inline bool use_part( void* context, uint32_t part )
{
	uint64_t* parts = (uint64_t*)context;
	*parts = use_mix( *parts, part );
	return true;
}

// Nothing is printed of files without parts, as those of version 1.0 are.
static inline void use_parts( use* u )
{
	bv_decomposition_info info = bv_file_get_decomposition( u->file );
	uint64_t corners = 0;
	uint64_t faces = 0;
	uint64_t lists = 0;
	uint64_t visits = 0;
	for ( uint32_t i = 0; i < info.parts; ++i )
	{
		bv_part part = { 0 };
		const uint32_t* list;
		use_expect( u, bv_file_get_part( u->file, i, &part ) && part.mass.mass > 0 );
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			corners = use_mix_point( corners, bv_file_get_part_vertex( u->file, i, k ) );
		}
		for ( uint32_t k = 0; k < part.faces; ++k )
		{
			uint32_t c[3];
			bv_file_get_part_triangle( u->file, i, k, c );
			use_expect( u, c[0] < part.vertices && c[1] < part.vertices && c[2] < part.vertices );
			faces = use_mix( use_mix( use_mix( faces, c[0] ), c[1] ), c[2] );
		}
		uint32_t count = bv_file_get_part_neighbors( u->file, i, &list );
		for ( uint32_t k = 0; k < count; ++k )
		{
			use_expect( u, list[k] < info.parts );
			lists = use_mix( lists, list[k] );
		}
		count = bv_file_get_part_triangles( u->file, i, &list );
		for ( uint32_t k = 0; k < count; ++k )
		{
			use_expect( u, list[k] < u->mesh.triangles );
			lists = use_mix( lists, list[k] );
		}
		use_expect( u, bv_file_visit_parts( u->file, &part.box, use_part, &visits ) );
	}
	if ( info.parts > 0 )
	{
		use_print( u, "part corners %016" PRIx64 "\npart faces %016" PRIx64 "\n", corners, faces );
		use_print( u, "part lists %016" PRIx64 "\npart visits %016" PRIx64 "\n", lists, visits );
	}
}

static inline void use_proxy( use* u )
{
	bv_proxy proxy = { .vertices = 0 };
	uint64_t vertices = 0;
	uint64_t triangles = 0;
	use_expect( u, bv_file_get_proxy( u->file, &proxy ) == ( proxy.vertices > 0 ) );
	for ( uint32_t i = 0; i < proxy.vertices; ++i )
	{
		vertices = use_mix_point( vertices, bv_file_get_proxy_vertex( u->file, i ) );
	}
	for ( uint32_t i = 0; i < proxy.triangles; ++i )
	{
		uint32_t c[3];
		bv_file_get_proxy_triangle( u->file, i, c );
		use_expect( u, c[0] < proxy.vertices && c[1] < proxy.vertices && c[2] < proxy.vertices );
		triangles = use_mix( use_mix( use_mix( triangles, c[0] ), c[1] ), c[2] );
	}
	if ( proxy.vertices > 0 )
	{
		use_print( u, "proxy vertices %016" PRIx64 "\nproxy triangles %016" PRIx64 "\n", vertices,
		           triangles );
	}
}

static inline void use_clip( use* u )
{
	bv_clip clip;
	bv_clip_box box;
	bv_clip_sample sample;
	bv_clip_candidate candidate;
	bv_vec3 p;
	uint64_t boxes = 0;
	uint64_t points = 0;
	if ( !bv_file_get_clip( u->file, &clip ) )
	{
		use_expect( u, !bv_file_get_clip_box( u->file, 0, BV_CLIP_WHOLE, &box ) );
		return;
	}
	for ( uint32_t i = 0; bv_file_get_clip_box( u->file, i, BV_CLIP_WHOLE, &box ); ++i )
	{
		for ( uint32_t s = 0; s < clip.segments; ++s )
		{
			use_expect( u, bv_file_get_clip_box( u->file, i, s, &box ) && box.error >= 0 );
			boxes = use_mix_point( use_mix_point( boxes, box.box.lower ), box.box.upper );
		}
	}
	for ( uint32_t s = 0; s < clip.samples; ++s )
	{
		use_expect( u, bv_file_get_clip_sample( u->file, s, &sample ) && sample.time <= clip.end );
		for ( uint32_t v = 0; bv_file_get_clip_position( u->file, s, v, &p ); ++v )
		{
			points = use_mix_point( points, p );
		}
	}
	use_expect( u, bv_file_get_clip_candidate( u->file, clip.chosen, &candidate ) );
	use_print( u, "clip boxes %016" PRIx64 "\nclip points %016" PRIx64 "\n", boxes, points );
}

// What is in the report as well, and therefore not printed.
static inline void use_summaries( use* u )
{
	bv_file_bounds bounds;
	bv_mass mass;
	bv_body body;
	bv_file_errors errors;
	bv_level_errors level;
	bv_recognized recognized;
	bv_primitive primitive;
	bv_file_get_origin( u->file );
	use_expect( u, !bv_file_get_bounds( u->file, &bounds ) || bounds.sphere.radius >= 0 );
	for ( int i = 0; i <= bv_mass_of_body; ++i )
	{
		use_expect( u, !bv_file_get_mass( u->file, (bv_mass_of)i, &mass ) || isfinite( mass.mass ) );
	}
	use_expect( u, !bv_file_get_body( u->file, &body ) || body.mass.mass > 0 );
	bool measured = bv_file_get_errors( u->file, &errors );
	for ( uint32_t i = 0; measured && i <= bv_file_get_hierarchy( u->file ).depth; ++i )
	{
		use_expect( u,
		            bv_file_get_level_errors( u->file, i, &level ) && isfinite( level.cut.solid.max.upper ) );
	}
	bool compared = bv_file_get_recognized( u->file, &recognized );
	for ( int i = 0; compared && i < bv_primitive_kinds; ++i )
	{
		use_expect( u, bv_file_get_primitive( u->file, (bv_primitive_kind)i, &primitive ) &&
		                   isfinite( primitive.error.upper ) );
	}
	for ( uint32_t i = 0; i < bv_file_get_info( u->file ).section_count; ++i )
	{
		use_expect( u, bv_file_get_section( u->file, i ).version > 0 );
	}
}

// A sum does not depend on the order in which things are found.
typedef struct use_set
{
	uint64_t sum;
	uint64_t count;
	uint64_t most;
	uint32_t triangles; ///< each number is below
	bool sane;
} use_set;

static inline bool use_pair( void* context, uint32_t a, uint32_t b )
{
	use_set* set = context;
	set->sane = set->sane && a < set->triangles && b < set->triangles;
	set->sum += use_mix( use_mix( 0, a ), b );
	return ++set->count < set->most;
}

static inline bool use_triangle( void* context, uint32_t triangle )
{
	return use_pair( context, triangle, 0 );
}

// Turned about (1, 2, 3) by angles that grow with `step`, moved by parts of the extent; one of them mirrored and one larger. A
// rotation of a quaternion of whole numbers is exact up to rounding, on every machine.
static inline bv_transform use_place( const use* u, int step )
{
	double x = step, y = 2 * step, z = 3 * step, w = 7;
	double s = 2 / ( x * x + y * y + z * z + w * w );
	double move = u->extent * step / 7;
	bv_transform t = bv_transform_identity();
	bv_pose pose = {
		{ { 1 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		  { s * ( x * y + w * z ), 1 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		  { s * ( x * z - w * y ), s * ( y * z + w * x ), 1 - s * ( x * x + y * y ) } },
		{ u->center.x / 3 + move, u->center.y / 5 + move / 3, u->center.z / 7 - move / 2 },
	};
	t.pose = pose;
	t.mirror = step == 3;
	t.scale = step == 4 ? 1.25 : 1;
	return t;
}

static inline void use_pairs( use* u, int step, const bv_transform* place, uint64_t most )
{
	use_set set = { .most = most, .triangles = u->mesh.triangles, .sane = true };
	bv_collide_options options = bv_collide_options_default();
	options.expansion = (bv_expansion)( step % bv_expansions );
	options.callback = use_pair;
	options.context = &set;
	bv_collide_result result = { 0 };
	bv_status status = bv_mesh_collide( u->file, u->file, place, &options, &result );
	use_expect( u, set.sane && ( status != bv_ok || result.pairs == set.count ) );
	use_print( u, "collide %d: %s, %" PRIu64 " pairs %016" PRIx64 "\n", step, bv_status_text( status ),
	           result.pairs, set.sum );
}

static inline void use_distances( use* u, int step, const bv_transform* place )
{
	bv_transform away = *place;
	away.pose.translation.x += step % 2 * 2 * u->extent;
	away.pose.translation.y += u->extent / 2;
	bv_distance_result apart = { 0 };
	bv_status status = bv_mesh_distance( u->file, u->file, &away, NULL, &apart );
	use_expect( u, !apart.found ||
	                   ( apart.a.triangle < u->mesh.triangles && apart.b.triangle < u->mesh.triangles ) );
	use_print( u, "distance %d: %s, %d %#.12g\n", step, bv_status_text( status ), apart.found,
	           apart.found ? apart.distance : -1 );

	bv_closest_result nearest = { 0 };
	bv_vec3 point = place->pose.translation;
	status = bv_mesh_closest_point( u->file, NULL, point, NULL, &nearest );
	use_expect( u, !nearest.found || nearest.at.triangle < u->mesh.triangles );
	use_print( u, "closest %d: %s, %d %#.12g of triangle %" PRIu32 " feature %d back %d\n", step,
	           bv_status_text( status ), nearest.found, nearest.found ? nearest.distance : -1,
	           nearest.at.triangle, nearest.at.feature, nearest.back );
}

static inline void use_casts( use* u, int step, const bv_transform* place )
{
	double e = u->extent;
	bv_vec3 from = { u->center.x + e * ( 2 - step ), u->center.y + e * 1.5,
		             u->center.z + e * ( step - 1.3 ) };
	bv_vec3 to = { u->center.x * 1.01 + e / 13, u->center.y - e / 17, u->center.z + e / 19 };
	bv_vec3 way = { to.x - from.x, to.y - from.y, to.z - from.z };
	bv_ray ray = { from, way, 0, INFINITY };
	bv_ray_result hit = { 0 };
	bv_status status = bv_mesh_cast_ray( u->file, NULL, &ray, NULL, &hit );
	use_expect( u, !hit.found || hit.at.triangle < u->mesh.triangles );
	use_print( u, "ray %d: %s, %d %#.12g at triangle %" PRIu32 " back %d\n", step, bv_status_text( status ),
	           hit.found, hit.found ? hit.time : -1, hit.at.triangle, hit.back );

	bv_vec3 ends[2] = { from, { from.x + e / 9, from.y, from.z - e / 11 } };
	bv_convex capsule = bv_convex_points( ends, 2, e / 23 );
	bv_cast_result touch = { 0 };
	status = bv_mesh_cast_convex( u->file, place, &capsule, way, NULL, &touch );
	use_expect( u, !touch.found || touch.at.triangle < u->mesh.triangles );
	use_print( u, "cast %d: %s, %d %#.8g start %d\n", step, bv_status_text( status ), touch.found,
	           touch.found ? touch.time : -1, touch.at_start );
}

static inline void use_overlaps( use* u, int step, const bv_transform* place, uint64_t most )
{
	static const char* const names[] = { "sphere", "aabb", "obb", "shape" };
	double e = u->extent * ( 0.5 + step / 13.0 );
	const bv_pose* pose = &place->pose;
	bv_vec3 c = pose->translation; // where the mesh's center is, but for a reflection, and a little beside it
	double* to[3] = { &c.x, &c.y, &c.z };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = pose->rotation[i];
		*to[i] += place->scale * ( row[0] * u->center.x + row[1] * u->center.y + row[2] * u->center.z ) +
		          e / ( 7 + i );
	}
	bv_sphere ball = { c, e };
	bv_aabb box = { { c.x - e, c.y - e / 2, c.z - e / 3 }, { c.x + e / 1.5, c.y + e, c.z + e / 5 } };
	bv_obb turned = { .center = c, .half_extents = { e, e / 2, e / 3 } };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = pose->rotation[i];
		turned.axis[i] = ( bv_vec3 ){ row[0], row[1], row[2] };
	}
	bv_vec3 points[4] = { c, { c.x + e, c.y, c.z }, { c.x, c.y + e, c.z }, { c.x, c.y, c.z - e } };
	bv_convex shape = bv_convex_points( points, 4, e / 8 );
	for ( int i = 0; i < 4; ++i )
	{
		use_set set = { .most = most, .triangles = u->mesh.triangles, .sane = true };
		bv_overlap_options options = bv_overlap_options_default();
		bv_overlap_result result = { 0 };
		options.callback = use_triangle;
		options.context = &set;
		bv_status status = i == 0   ? bv_mesh_overlap_sphere( u->file, place, &ball, &options, &result )
		                   : i == 1 ? bv_mesh_overlap_aabb( u->file, place, &box, &options, &result )
		                   : i == 2 ? bv_mesh_overlap_obb( u->file, place, &turned, &options, &result )
		                            : bv_mesh_overlap_convex( u->file, place, &shape, &options, &result );
		use_expect( u, set.sane && ( status != bv_ok || result.triangles == set.count ) );
		use_print( u, "overlap %d %s: %s, %" PRIu64 " triangles %016" PRIx64 "\n", step, names[i],
		           bv_status_text( status ), result.triangles, set.sum );
	}
}

// Where the mesh is: of what is in the file its own vertices, or else those of its hull.
static inline void use_measure( use* u )
{
	bv_hull_info hull = bv_file_get_hull( u->file );
	uint32_t count = u->mesh.has_triangles ? u->mesh.vertices : hull.vertices;
	bv_aabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = u->mesh.has_triangles ? bv_file_get_vertex( u->file, i )
		                                  : bv_file_get_hull_position( u->file, i );
		box.lower =
			( bv_vec3 ){ fmin( box.lower.x, p.x ), fmin( box.lower.y, p.y ), fmin( box.lower.z, p.z ) };
		box.upper =
			( bv_vec3 ){ fmax( box.upper.x, p.x ), fmax( box.upper.y, p.y ), fmax( box.upper.z, p.z ) };
	}
	if ( count > 0 )
	{
		u->center = ( bv_vec3 ){ ( box.lower.x + box.upper.x ) / 2, ( box.lower.y + box.upper.y ) / 2,
			                     ( box.lower.z + box.upper.z ) / 2 };
		u->extent =
			fmax( box.upper.x - box.lower.x, fmax( box.upper.y - box.lower.y, box.upper.z - box.lower.z ) );
	}
}

enum
{
	use_steps = 5, // each query has so many sets of arguments
};

static inline void use_queries( use* u, int step, uint64_t most )
{
	bv_transform place = use_place( u, step );
	use_pairs( u, step, &place, most );
	use_distances( u, step, &place );
	use_casts( u, step, &place );
	use_overlaps( u, step, &place, most );
}

/// Reads all that there is and runs every query.
/// @param most  so many answers of a query are enough; UINT64_MAX for all
/// @param step  with which arguments: 1 to use_steps; 0 for all of them in turn
/// @param out   receives what was found, a line for each thing; may be null
/// @return whether everything was in range
static inline bool use_file( const bv_file* file, uint64_t most, int step, FILE* out )
{
	use u = { .file = file, .out = out, .sane = true, .mesh = bv_file_get_mesh( file ) };
	use_measure( &u );
	use_summaries( &u );
	use_mesh( &u );
	use_edges( &u );
	use_sources( &u );
	use_hull( &u );
	use_hierarchy( &u );
	use_parts( &u );
	use_proxy( &u );
	use_clip( &u );
	for ( int i = step ? step : 1; i <= ( step ? step : use_steps ); ++i )
	{
		use_queries( &u, i, most );
	}
	return u.sane;
}
