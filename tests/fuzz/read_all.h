// Every accessor of bv/file.h and bv/shape.h, with every index and some beyond.

#pragma once

#include "bv/bv.h"
#include "query_all.h"

// What is read is added up, so that it is read.
typedef struct reading
{
	const bv_file* file;
	uint64_t sum;
	uint64_t triangles; // of leaves
	uint32_t nodes;
	uint32_t most_nodes; // of a visit
	uint32_t parts;      // visited
} reading;

static inline void read_text( reading* r, bv_text text )
{
	for ( size_t i = 0; i < text.length; ++i )
	{
		r->sum += (uint8_t)text.data[i];
	}
}

static inline void read_vector( reading* r, bv_vec3 v )
{
	expect( isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z ) );
	r->sum += v.x > v.y;
}

static inline bool read_node( void* context, const bv_node_info* node )
{
	reading* r = (reading*)context;
	expect( node->level <= BV_MAX_DEPTH && node->triangles > 0 );
	expect( bv_volume_type_name( node->volume.type ) );
	r->nodes += 1;
	r->triangles += node->children ? 0 : node->triangles;
	return r->nodes < r->most_nodes;
}

static inline void read_head( reading* r )
{
	bv_file_origin origin = bv_file_get_origin( r->file );
	read_text( r, origin.tool );
	read_text( r, origin.source_name );
	read_text( r, origin.source_format );
	read_text( r, origin.parameters );
	uint32_t sections = bv_file_get_info( r->file ).section_count;
	for ( uint32_t i = 0; i < sections; ++i )
	{
		expect( bv_file_get_section( r->file, i ).name[0] );
	}
	expect( !bv_file_get_section( r->file, sections ).name[0] );
}

static inline void read_mesh( reading* r )
{
	bv_mesh_info mesh = bv_file_get_mesh( r->file );
	bv_triangle_source source;
	bv_edge_kind kind;
	for ( uint32_t i = 0; mesh.has_triangles && i < mesh.triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( r->file, i, corner );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			expect( corner[k] < mesh.vertices );
			read_vector( r, bv_file_get_vertex( r->file, corner[k] ) );
			r->sum += bv_file_get_edge( r->file, i, k, &kind ) ? kind : 0;
		}
		if ( bv_file_get_source( r->file, i, &source ) )
		{
			read_text( r, source.object );
			read_text( r, source.group );
			read_text( r, source.material );
		}
	}
	bv_file_get_triangle( r->file, mesh.triangles, ( uint32_t[3] ){ 0 } );
	read_vector( r, bv_file_get_vertex( r->file, mesh.vertices ) );
	expect( !bv_file_get_edge( r->file, mesh.triangles, 0, &kind ) &&
	        !bv_file_get_edge( r->file, 0, 3, &kind ) );
	expect( !bv_file_get_source( r->file, mesh.triangles, &source ) );
	bv_mesh_edge edge;
	uint32_t edges = 0;
	while ( bv_file_get_mesh_edge( r->file, edges, &edge ) )
	{
		expect( edge.vertex[1] < mesh.vertices && edge.triangle[0] < mesh.triangles );
		edges += 1;
	}
	expect( edges == 0 || edges == mesh.edges );
}

static inline void read_hull( reading* r )
{
	bv_hull_info hull = bv_file_get_hull( r->file );
	uint32_t vertices = bv_file_get_mesh( r->file ).vertices;
	for ( uint32_t i = 0; i <= hull.vertices; ++i )
	{
		const uint32_t* neighbor;
		uint32_t count = bv_file_get_hull_neighbors( r->file, i, &neighbor );
		expect( bv_file_get_hull_vertex( r->file, i ) < vertices );
		read_vector( r, bv_file_get_hull_position( r->file, i ) );
		for ( uint32_t k = 0; k < count; ++k )
		{
			expect( neighbor[k] < hull.vertices );
		}
	}
	for ( uint32_t i = 0; i <= hull.faces; ++i )
	{
		uint32_t corner[3];
		bv_file_get_hull_triangle( r->file, i, corner );
		expect( hull.vertices == 0 ||
		        ( corner[0] < hull.vertices && corner[1] < hull.vertices && corner[2] < hull.vertices ) );
	}
}

static inline void read_hull_topology( reading* r )
{
	bv_hull_info hull = bv_file_get_hull( r->file );
	bv_hull_topology_info topology = bv_file_get_hull_topology( r->file );
	bv_hull_facet facet;
	bv_hull_half_edge edge;
	const uint32_t* loose;
	bv_file_get_hull_loose( r->file, &loose );
	for ( uint32_t i = 0; i < topology.loose; ++i )
	{
		expect( loose[i] < hull.vertices );
	}
	for ( uint32_t i = 0; bv_file_get_hull_facet( r->file, i, &facet ); ++i )
	{
		uint32_t at = facet.first_edge;
		for ( uint32_t k = 0; k < facet.edge_count; ++k, at = edge.next )
		{
			expect( bv_file_get_hull_half_edge( r->file, at, &edge ) && edge.origin < hull.vertices &&
			        edge.polygon == i );
		}
		expect( at == facet.first_edge );
	}
	expect( !bv_file_get_hull_half_edge( r->file, topology.half_edges, &edge ) );
}

static inline void read_whole( reading* r )
{
	bv_file_bounds bounds;
	bv_mass mass;
	bv_body body;
	bv_recognized recognized;
	bv_primitive primitive;
	if ( bv_file_get_bounds( r->file, &bounds ) )
	{
		double volumes = bv_aabb_volume( &bounds.aabb ) + bv_sphere_volume( &bounds.sphere ) +
		                 bv_obb_volume( &bounds.obb ) + bv_capsule_volume( &bounds.capsule ) +
		                 bv_rss_volume( &bounds.rss );
		expect( volumes >= 0 );
	}
	for ( int i = 0; i <= bv_mass_of_body + 1; ++i )
	{
		r->sum += bv_file_get_mass( r->file, (bv_mass_of)i, &mass );
	}
	if ( bv_file_get_body( r->file, &body ) )
	{
		expect( body.mass.mass > 0 && body.density > 0 && body.of <= bv_mass_of_hull );
	}
	bool has = bv_file_get_recognized( r->file, &recognized );
	for ( int i = 0; i <= bv_primitive_kinds; ++i )
	{
		bool there = bv_file_get_primitive( r->file, (bv_primitive_kind)i, &primitive );
		expect( there == ( has && i < bv_primitive_kinds ) );
		r->sum += there && i == bv_primitive_cylinder && bv_cylinder_volume( &primitive.cylinder ) > 0;
	}
	for ( uint32_t i = 0; i <= BV_KDOP_DIRECTIONS; ++i )
	{
		read_vector( r, bv_kdop_direction( i ) );
		r->sum += bv_kdop_uses( 6, i );
	}
	for ( int i = 0; i <= bv_error_internal + 1; ++i )
	{
		expect( bv_status_text( (bv_status)i ) );
	}
	expect( !bv_volume_type_name( bv_volume_types ) );
}

static inline void read_hierarchy( reading* r )
{
	bv_hierarchy_info hierarchy = bv_file_get_hierarchy( r->file );
	bv_file_errors errors;
	bv_level_errors level;
	bool has_errors = bv_file_get_errors( r->file, &errors );
	for ( uint32_t i = 0; i <= hierarchy.depth; ++i )
	{
		expect( bv_file_get_level_errors( r->file, i, &level ) == has_errors );
	}
	expect( !bv_file_get_level_errors( r->file, hierarchy.depth + 1, &level ) );
	double radius;
	bool has_radii = bv_file_get_node_radius( r->file, 0, &radius );
	for ( uint32_t i = 0; i < hierarchy.nodes; ++i )
	{
		expect( bv_file_get_node_radius( r->file, i, &radius ) == has_radii );
		expect( !has_radii || ( radius >= 0 && isfinite( radius ) ) );
	}
	expect( !bv_file_get_node_radius( r->file, hierarchy.nodes, &radius ) );
	bv_node_quality quality;
	bv_node_faces faces;
	bool has_quality = bv_file_get_node_quality( r->file, 0, &quality );
	bool has_faces = bv_file_get_node_faces( r->file, 0, &faces );
	for ( uint32_t i = 0; i <= hierarchy.nodes; ++i )
	{
		bool there = i < hierarchy.nodes;
		expect( bv_file_get_node_quality( r->file, i, &quality ) == ( has_quality && there ) );
		expect( bv_file_get_node_faces( r->file, i, &faces ) == ( has_faces && there ) );
		expect( !has_quality || ( quality.area >= 0 && quality.worst >= 0 && quality.cost >= 0 ) );
		r->sum += has_faces && faces.box.half_extents[2] > 0;
	}
	r->most_nodes = UINT32_MAX;
	expect( bv_file_visit_nodes( r->file, read_node, r ) );
	expect( r->nodes == hierarchy.nodes );
	expect( r->triangles == ( hierarchy.nodes ? bv_file_get_mesh( r->file ).triangles : 0 ) );
	if ( hierarchy.nodes > 1 )
	{
		r->nodes = 0;
		r->most_nodes = 1 + hierarchy.nodes / 2;
		expect( !bv_file_visit_nodes( r->file, read_node, r ) );
	}
}

static inline bool read_next_part( void* context, uint32_t part )
{
	reading* r = (reading*)context;
	expect( part == r->parts );
	r->parts += 1;
	return true;
}

// Each of which has a place in the list of the other one.
static inline void read_neighbors( reading* r, uint32_t index )
{
	const uint32_t* neighbor;
	uint32_t count = bv_file_get_part_neighbors( r->file, index, &neighbor );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* back;
		uint32_t others = bv_file_get_part_neighbors( r->file, neighbor[i], &back );
		bool mutual = false;
		for ( uint32_t k = 0; k < others; ++k )
		{
			mutual = mutual || back[k] == index;
		}
		expect( mutual );
	}
}

static inline void read_part( reading* r, uint32_t index, const bv_part* part )
{
	const uint32_t* triangle;
	uint32_t count = bv_file_get_part_triangles( r->file, index, &triangle );
	uint32_t triangles = bv_file_get_mesh( r->file ).triangles;
	expect( part->faces == 2 * part->vertices - 4 && part->mass.mass > 0 );
	expect( part->concavity.lower >= 0 && part->concavity.lower <= part->concavity.upper );
	for ( uint32_t i = 0; i < part->vertices; ++i )
	{
		bv_vec3 p = bv_file_get_part_vertex( r->file, index, i );
		read_vector( r, p );
		expect( part->box.lower.x <= p.x && part->box.lower.y <= p.y && part->box.lower.z <= p.z );
		expect( p.x <= part->box.upper.x && p.y <= part->box.upper.y && p.z <= part->box.upper.z );
	}
	for ( uint32_t i = 0; i <= part->faces; ++i )
	{
		uint32_t corner[3];
		bv_file_get_part_triangle( r->file, index, i, corner );
		expect( corner[0] < part->vertices && corner[1] < part->vertices && corner[2] < part->vertices );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		expect( triangle[i] < triangles && ( i == 0 || triangle[i - 1] < triangle[i] ) );
	}
	read_neighbors( r, index );
}

static inline bool find_this_part( void* context, uint32_t part )
{
	return part != *(const uint32_t*)context;
}

static inline void read_parts( reading* r )
{
	bv_decomposition_info info = bv_file_get_decomposition( r->file );
	bv_part part;
	uint32_t count = 0;
	for ( ; bv_file_get_part( r->file, count, &part ); ++count )
	{
		read_part( r, count, &part );
		expect( !bv_file_visit_parts( r->file, &part.box, find_this_part, &count ) );
	}
	expect( count == info.parts && bv_file_visit_parts( r->file, NULL, read_next_part, r ) );
	expect( r->parts == count );
	read_vector( r, bv_file_get_part_vertex( r->file, count, 0 ) );
}

static inline void read_proxy( reading* r )
{
	bv_proxy proxy = { 0 };
	uint32_t triangles = bv_file_get_mesh( r->file ).triangles;
	bool there = bv_file_get_proxy( r->file, &proxy );
	expect( there == ( proxy.triangles > 0 ) && proxy.triangles <= triangles && proxy.enclosed <= triangles );
	expect( proxy.from_proxy.lower <= proxy.from_proxy.upper &&
	        proxy.from_mesh.lower <= proxy.from_mesh.upper );
	for ( uint32_t i = 0; i <= proxy.vertices; ++i )
	{
		read_vector( r, bv_file_get_proxy_vertex( r->file, i ) );
	}
	for ( uint32_t i = 0; i <= proxy.triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_proxy_triangle( r->file, i, corner );
		expect( i == proxy.triangles || ( corner[0] < proxy.vertices && corner[1] < proxy.vertices &&
		                                  corner[2] < proxy.vertices && corner[0] != corner[1] ) );
	}
}

static inline void read_clip( reading* r )
{
	bv_clip clip = { .samples = 0 };
	bv_clip_box box;
	bv_clip_sample sample;
	bv_clip_candidate candidate;
	bv_vec3 point = { 0, 0, 0 };
	uint32_t nodes = bv_file_get_hierarchy( r->file ).nodes;
	bool there = bv_file_get_clip( r->file, &clip );
	expect( there == ( clip.samples > 0 ) && clip.record <= clip.samples && clip.chosen <= clip.candidates );
	for ( uint32_t i = 0; i <= nodes; ++i )
	{
		expect( bv_file_get_clip_box( r->file, i, BV_CLIP_WHOLE, &box ) == ( there && i < nodes ) );
		for ( uint32_t s = 0; there && s <= clip.segments; ++s )
		{
			bool known = bv_file_get_clip_box( r->file, i, s, &box );
			expect( known == ( i < nodes && s < clip.segments ) );
			expect( !known || ( box.box.lower.x <= box.box.upper.x && box.error >= 0 ) );
		}
	}
	for ( uint32_t i = 0; i <= clip.samples; ++i )
	{
		expect( bv_file_get_clip_sample( r->file, i, &sample ) == ( i < clip.samples ) );
		bv_file_get_clip_position( r->file, i, 0, &point );
		read_vector( r, point );
	}
	expect( bv_file_get_clip_candidate( r->file, clip.chosen, &candidate ) == there );
	expect( !bv_file_get_clip_candidate( r->file, clip.candidates + ( there ? 0 : 1 ), &candidate ) );
}

static inline void read_all( const bv_file* file )
{
	reading r = { .file = file };
	read_head( &r );
	read_mesh( &r );
	read_hull( &r );
	read_hull_topology( &r );
	read_whole( &r );
	read_hierarchy( &r );
	read_parts( &r );
	read_proxy( &r );
	read_clip( &r );
	expect( r.sum != UINT64_MAX );
}
