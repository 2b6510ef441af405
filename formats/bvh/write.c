// Writing a .bvh file into memory. README.md beside this file is the specification.

#include "bvbuild/asset.h"

#include "formats/bvh/write.h"
#include "offline/base/error.h"
#include "offline/tree/tree.h"
#include "runtime/volume/packed_volume.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// What is made before the file's size is known.
typedef struct made
{
	bvfmt_texts texts;
	bvfile_mesh mesh;
	bvfmt_clusters clusters;
	bool own_hull; // its corners are positions
} made;

static bool wants( const bvb_asset* asset, bvb_section section )
{
	return asset->options.sections >> section & 1;
}

// Sections that the file does not have are of 0 bytes; all others have some.
static void measure( const bvb_asset* asset, const made* m, uint64_t bytes[bvfile_section_count] )
{
	const bvfmt_texts* t = &m->texts;
	uint64_t triangles = m->mesh.triangles;
	memset( bytes, 0, bvfile_section_count * sizeof *bytes );
	bytes[bvfile_section_origin] = bvfmt_origin_bytes( t );
	bytes[bvfile_section_mesh] = sizeof( bvfile_mesh );
	if ( wants( asset, bvb_section_mesh ) )
	{
		bytes[bvfile_section_positions] = m->mesh.vertices * (uint64_t)bvfile_position_bytes( &m->mesh );
		bytes[bvfile_section_triangles] = bvfmt_triangles_bytes( &m->clusters, m->mesh.triangles );
	}
	bytes[bvfile_section_bounds] = wants( asset, bvb_section_bounds ) ? sizeof( bvfile_bounds ) : 0;
	if ( wants( asset, bvb_section_hull ) )
	{
		bytes[bvfile_section_hull] = bvfmt_hull_bytes( &asset->hull, &m->mesh, m->own_hull );
	}
	bytes[bvfile_section_nodes] = asset->tree ? bvfmt_measure_nodes( asset->tree ) : 0;
	bytes[bvfile_section_edges] = asset->edges ? triangles * sizeof( uint16_t ) : 0;
	bytes[bvfile_section_source] = asset->origin.faces ? bvfmt_source_bytes( asset, t ) : 0;
	bytes[bvfile_section_errors] = asset->errors.nodes
	                                   ? sizeof( bvfile_errors ) +
	                                         sizeof( bv_level_errors ) * asset->errors.level_count +
	                                         2 * (uint64_t)asset->errors.node_count
	                                   : 0;
	bytes[bvfile_section_adjacency] = asset->adjacency ? sizeof( bvfile_edge ) * (uint64_t)m->mesh.edges : 0;
	bytes[bvfile_section_hull_topology] =
		asset->hull_polygons.polygon_count ? bvfmt_hull_topology_bytes( &asset->hull_polygons ) : 0;
	uint32_t nodes = asset->tree ? bvb_tree_node_count( asset->tree ) : 0;
	bytes[bvfile_section_radius] = wants( asset, bvb_section_radius ) ? sizeof( float ) * (uint64_t)nodes : 0;
	if ( wants( asset, bvb_section_node_quality ) )
	{
		bytes[bvfile_section_node_quality] = bvfmt_node_quality_bytes( nodes );
	}
	if ( wants( asset, bvb_section_node_faces ) )
	{
		bytes[bvfile_section_node_faces] = bvfmt_node_faces_bytes( nodes );
	}
	bytes[bvfile_section_primitives] = asset->primitives ? sizeof( bvfile_primitives ) : 0;
	if ( asset->decomposition.part_count > 0 )
	{
		bytes[bvfile_section_parts] = bvfmt_parts_bytes( &asset->decomposition );
		bytes[bvfile_section_part_triangles] = wants( asset, bvb_section_part_triangles )
		                                           ? bvfmt_part_triangles_bytes( &asset->decomposition )
		                                           : 0;
	}
	bytes[bvfile_section_proxy] =
		asset->simplified.mesh.triangle_count ? bvfmt_proxy_bytes( &asset->simplified ) : 0;
	bytes[bvfile_section_mass] = wants( asset, bvb_section_mass ) ? sizeof( bvfile_masses ) : 0;
	bytes[bvfile_section_body] = asset->has_body ? sizeof( bvfile_moving_body ) : 0;
}

static void write_vec3( double out[3], bv_vec3 v )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static void write_mesh( const bvb_asset* asset, bvfile_mesh* out )
{
	out->vertices = asset->record.mesh.vertex_count;
	out->triangles = asset->record.mesh.triangle_count;
	out->edges = asset->topology.edges;
	out->components = asset->topology.components;
	out->double_sided = asset->topology.double_sided;
	out->closed = asset->topology.closed;
	out->manifold = asset->topology.manifold;
	out->oriented = asset->topology.oriented;
	memcpy( out->edges_of_kind, asset->topology.edges_of_kind, sizeof out->edges_of_kind );
	out->quantized = asset->record.form == bvb_positions_quantized;
	out->removed_degenerate = asset->record.removed_degenerate;
	out->removed_duplicate = asset->record.removed_duplicate;
	out->removed_non_finite = asset->record.removed_non_finite;
	out->unused_vertices = asset->record.unused_vertices;
	out->merged_vertices = asset->record.merged_vertices;
	out->largest_displacement = asset->record.largest_displacement;
	out->area = asset->area;
	write_vec3( out->grid_origin, asset->record.grid.origin );
	out->grid_step = asset->record.grid.step;
}

static void write_mass( const bv_mass* mass, bvfile_mass* out )
{
	out->mass = mass->mass;
	write_vec3( out->center_of_mass, mass->center_of_mass );
	memcpy( out->inertia, mass->inertia, sizeof out->inertia );
}

static void write_masses( const bvb_asset* asset, bvfile_masses* out )
{
	for ( int of = 0; of < 3; ++of )
	{
		out->has[of] = asset->has_mass[of];
		if ( asset->has_mass[of] )
		{
			write_mass( asset->mass + of, out->mass + of );
		}
	}
}

static void write_body( const bv_body* body, bvfile_moving_body* out )
{
	out->of = (uint8_t)body->of;
	out->from_mass = body->from_mass;
	out->density = body->density;
	write_mass( &body->mass, &out->mass );
}

// Exact: the position is a whole number of steps from the origin.
static uint64_t grid_number( double x, double origin, double step )
{
	return (uint64_t)( ( x - origin ) / step );
}

void bvfmt_write_position( const bvb_record* record, uint32_t vertex, void* out )
{
	const bvb_grid* grid = &record->grid;
	bv_vec3 p = record->mesh.positions[vertex];
	if ( record->form == bvb_positions_quantized )
	{
		uint64_t x = grid_number( p.x, grid->origin.x, grid->step );
		uint64_t y = grid_number( p.y, grid->origin.y, grid->step );
		uint64_t z = grid_number( p.z, grid->origin.z, grid->step );
		*(uint64_t*)out = x | y << bvfile_quantized_bits | z << ( 2 * bvfile_quantized_bits );
	}
	else
	{
		float* to = out;
		to[0] = (float)p.x;
		to[1] = (float)p.y;
		to[2] = (float)p.z;
	}
}

static void write_positions( const bvb_record* record, size_t bytes, char* out )
{
	for ( uint32_t i = 0; i < record->mesh.vertex_count; ++i )
	{
		bvfmt_write_position( record, i, out + bytes * i );
	}
}

static void write_floats( float out[3], bv_vec3 v )
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

static void write_bounds( const bv_file_bounds* bounds, bvfile_bounds* out )
{
	write_floats( out->aabb_lower, bounds->aabb.lower );
	write_floats( out->aabb_upper, bounds->aabb.upper );
	write_floats( out->sphere_center, bounds->sphere.center );
	out->sphere_radius = (float)bounds->sphere.radius;
	out->obb = bvvol_obb_pack( &bounds->obb );
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		out->kdop_lower[i] = (float)bounds->kdop.lower[i];
		out->kdop_upper[i] = (float)bounds->kdop.upper[i];
	}
	write_floats( out->capsule_ends[0], bounds->capsule.ends[0] );
	write_floats( out->capsule_ends[1], bounds->capsule.ends[1] );
	out->capsule_radius = (float)bounds->capsule.radius;
	out->rss = bvvol_rss_pack( &bounds->rss );
	out->reserved = 0;
}

// The least code whose value is not below the error.
static uint8_t error_code( double error, double size )
{
	int low = 0;
	int high = bvfile_error_codes - 1;
	while ( low < high )
	{
		int middle = ( low + high ) / 2;
		bool enough = bvfile_error_value( (uint8_t)middle, size ) >= error;
		low = enough ? low : middle + 1;
		high = enough ? middle : high;
	}
	return (uint8_t)low;
}

static void write_errors( const bvb_tree* tree, const bvb_tree_errors* errors, bvfile_errors* out )
{
	*out = ( bvfile_errors ){
		.relative = errors->relative,
		.floor = errors->floor,
		.surface = errors->surface,
		.solid = errors->solid,
		.all = errors->all,
		.levels = errors->level_count,
		.nodes = errors->node_count,
	};
	bv_level_errors* levels = (bv_level_errors*)( out + 1 );
	memcpy( levels, errors->levels, errors->level_count * sizeof *levels );
	uint8_t* code = (uint8_t*)( levels + errors->level_count );
	for ( uint32_t i = 0; i < errors->node_count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		double size = bvfile_size_of( &node.volume );
		*code++ = error_code( errors->nodes[i].surface_upper, size );
		*code++ = error_code( errors->nodes[i].solid_upper, size );
	}
}

static void write_primitives( const bv_primitive* primitives, const bv_recognized* recognized,
                              bvfile_primitives* out )
{
	const bv_sphere* sphere = &primitives[bv_primitive_sphere].sphere;
	const bv_capsule* capsule = &primitives[bv_primitive_capsule].capsule;
	const bv_cylinder* cylinder = &primitives[bv_primitive_cylinder].cylinder;
	out->tolerance = recognized->tolerance;
	out->best = recognized->best;
	out->box = bvvol_obb_pack( &primitives[bv_primitive_box].box );
	write_floats( out->sphere_center, sphere->center );
	out->sphere_radius = (float)sphere->radius;
	out->capsule_radius = (float)capsule->radius;
	out->cylinder_radius = (float)cylinder->radius;
	for ( int i = 0; i < 2; ++i )
	{
		write_floats( out->capsule_ends[i], capsule->ends[i] );
		write_floats( out->cylinder_ends[i], cylinder->ends[i] );
	}
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		out->intervals[i][0] = primitives[i].from_surface;
		out->intervals[i][1] = primitives[i].from_mesh;
		out->intervals[i][2] = primitives[i].error;
	}
}

// All but the hashes. The minor version is the first that has all of the sections, so that newer programs write older files as they
// ever were.
static void write_header( char* base, size_t size, bool prisms, const uint64_t bytes[bvfile_section_count],
                          const uint64_t offset[bvfile_section_count] )
{
	bvfile_header* header = (bvfile_header*)base;
	bvfile_entry* table = (bvfile_entry*)( header + 1 );
	uint32_t count = 0;
	uint16_t minor = 0;
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( bytes[i] > 0 )
		{
			bvfile_entry* entry = &table[count++];
			const bvfile_section_rule* rule = bvfile_rule_of( i );
			memcpy( entry->name, rule->name, sizeof entry->name );
			bool later = i == bvfile_section_nodes && prisms;
			entry->version = later ? 2 : 1;
			entry->flags = rule->flags;
			entry->offset = offset[i];
			entry->bytes = bytes[i];
			uint16_t first = later ? bvfile_minor_of_prisms : rule->minor;
			minor = first > minor ? first : minor;
		}
	}
	memcpy( header->magic, BVFILE_MAGIC, bvfile_magic_bytes );
	header->byte_order = bvfile_byte_order;
	header->version_major = BVFILE_VERSION_MAJOR;
	header->version_minor = minor;
	header->file_bytes = size;
	header->section_count = count;
}

static void write_hashes( char* base )
{
	bvfile_header* header = (bvfile_header*)base;
	bvfile_entry* entry = (bvfile_entry*)( header + 1 );
	for ( uint32_t i = 0; i < header->section_count; ++i, ++entry )
	{
		entry->hash = XXH3_64bits( base + entry->offset, entry->bytes );
	}
	size_t skip = offsetof( bvfile_header, byte_order );
	header->hash = XXH3_64bits( base + skip, (size_t)( (char*)entry - base ) - skip );
}

static bv_status make( const bvb_asset* asset, bvb_arena* arena, made* out, bvb_error* error )
{
	*out = ( made ){ .own_hull = !wants( asset, bvb_section_mesh ) };
	if ( !bvfmt_collect_texts( asset, arena, &out->texts ) )
	{
		return bvbase_fail_memory( error );
	}
	if ( out->texts.name_bytes > UINT32_MAX )
	{
		return bvbase_fail( error, bv_error_limit,
		                    "the names of objects, groups and materials are too long" );
	}
	if ( asset->tree && !asset->tree->frames )
	{
		return bvbase_fail( error, bv_error_argument, "the hierarchy's volumes are not snapped" );
	}
	bv_status status = asset->decomposition.part_count > 0
	                       ? bvfmt_check_decomposition( &asset->decomposition, error )
	                       : bv_ok;
	status = status == bv_ok
	             ? bvfmt_check_simplified( &asset->simplified, asset->record.mesh.triangle_count, error )
	             : status;
	if ( status != bv_ok )
	{
		return status;
	}
	write_mesh( asset, &out->mesh );
	return wants( asset, bvb_section_mesh )
	           ? bvfmt_cluster_triangles_of( &asset->record.mesh, arena, &out->clusters, error )
	           : bv_ok;
}

// Where each section begins, at the next multiple of 64.
// @return where the last one ends
static uint64_t place( const uint64_t bytes[bvfile_section_count], uint64_t offset[bvfile_section_count] )
{
	uint64_t end = sizeof( bvfile_header );
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		end += bytes[i] > 0 ? sizeof( bvfile_entry ) : 0;
	}
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		offset[i] = 0;
		if ( bytes[i] > 0 )
		{
			offset[i] = ( end + bvfile_alignment - 1 ) & ~(uint64_t)( bvfile_alignment - 1 );
			end = offset[i] + bytes[i];
		}
	}
	return end;
}

static void write_sections( const bvb_asset* asset, const made* m, char* base,
                            const uint64_t offset[bvfile_section_count] )
{
	bvfmt_write_origin( asset, &m->texts, (bvfile_origin*)( base + offset[bvfile_section_origin] ) );
	memcpy( base + offset[bvfile_section_mesh], &m->mesh, sizeof m->mesh );
	if ( offset[bvfile_section_positions] )
	{
		write_positions( &asset->record, bvfile_position_bytes( &m->mesh ),
		                 base + offset[bvfile_section_positions] );
		bvfmt_write_triangles( &m->clusters, m->mesh.triangles, base + offset[bvfile_section_triangles] );
	}
	if ( offset[bvfile_section_bounds] )
	{
		write_bounds( &asset->bounds, (bvfile_bounds*)( base + offset[bvfile_section_bounds] ) );
	}
	if ( offset[bvfile_section_hull] )
	{
		bvfmt_write_hull( &asset->hull, &asset->record, &m->mesh, m->own_hull,
		                  base + offset[bvfile_section_hull] );
	}
	if ( offset[bvfile_section_nodes] )
	{
		bvfmt_write_nodes( asset->tree, &asset->options.hierarchy.costs,
		                   (bvfile_hierarchy*)( base + offset[bvfile_section_nodes] ) );
	}
	if ( offset[bvfile_section_edges] )
	{
		memcpy( base + offset[bvfile_section_edges], asset->edges, m->mesh.triangles * sizeof *asset->edges );
	}
	if ( offset[bvfile_section_source] )
	{
		bvfmt_write_source( asset, &m->texts, base + offset[bvfile_section_source] );
	}
	if ( offset[bvfile_section_errors] )
	{
		write_errors( asset->tree, &asset->errors, (bvfile_errors*)( base + offset[bvfile_section_errors] ) );
	}
	if ( offset[bvfile_section_primitives] )
	{
		write_primitives( asset->primitives, &asset->recognized,
		                  (bvfile_primitives*)( base + offset[bvfile_section_primitives] ) );
	}
	if ( offset[bvfile_section_adjacency] )
	{
		bvfmt_write_adjacency( asset->adjacency, m->mesh.edges, base + offset[bvfile_section_adjacency] );
	}
	if ( offset[bvfile_section_hull_topology] )
	{
		bvfmt_write_hull_topology( &asset->hull_polygons, base + offset[bvfile_section_hull_topology] );
	}
	if ( offset[bvfile_section_parts] )
	{
		bvfmt_write_parts( &asset->decomposition, base + offset[bvfile_section_parts] );
	}
	if ( offset[bvfile_section_part_triangles] )
	{
		bvfmt_write_part_triangles( &asset->decomposition, base + offset[bvfile_section_part_triangles] );
	}
	if ( offset[bvfile_section_proxy] )
	{
		bvfmt_write_proxy( &asset->simplified, base + offset[bvfile_section_proxy] );
	}
	if ( offset[bvfile_section_mass] )
	{
		write_masses( asset, (bvfile_masses*)( base + offset[bvfile_section_mass] ) );
	}
	if ( offset[bvfile_section_body] )
	{
		write_body( &asset->body, (bvfile_moving_body*)( base + offset[bvfile_section_body] ) );
	}
}

// Of the volumes as they are decoded: the rest is there by now.
static bv_status write_node_sections( const bvb_asset* asset, bvb_arena* arena, char* base,
                                      const uint64_t offset[bvfile_section_count], bvb_error* error )
{
	const bv_file* file = (const bv_file*)base;
	if ( offset[bvfile_section_radius] )
	{
		bvfmt_write_radius( file, (float*)( base + offset[bvfile_section_radius] ) );
	}
	if ( offset[bvfile_section_node_quality] )
	{
		bvfmt_write_node_quality( file, base + offset[bvfile_section_node_quality] );
	}
	return offset[bvfile_section_node_faces]
	           ? bvfmt_write_node_faces( file, &asset->record.mesh, arena,
	                                     base + offset[bvfile_section_node_faces], error )
	           : bv_ok;
}

bv_status bvb_asset_encode( const bvb_asset* asset, bvb_arena* arena, bvb_bytes* out, bvb_error* error )
{
	made m;
	uint64_t bytes[bvfile_section_count];
	uint64_t offset[bvfile_section_count];
	bv_status status = make( asset, arena, &m, error );
	if ( status != bv_ok )
	{
		return status;
	}
	measure( asset, &m, bytes );
	uint64_t end = place( bytes, offset );
	char* base = bvb_arena_allocate( arena, end, 1 );
	if ( !base )
	{
		return bvbase_fail_memory( error );
	}
	write_header( base, end, asset->tree && bvfmt_has_prisms( asset->tree ), bytes, offset );
	write_sections( asset, &m, base, offset );
	status = write_node_sections( asset, arena, base, offset, error );
	if ( status == bv_ok )
	{
		write_hashes( base );
		*out = ( bvb_bytes ){ base, end };
	}
	return status;
}
