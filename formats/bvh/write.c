// Writing a .bvh file into memory. README.md beside this file is the specification.

#include "bvbuild/asset.h"

#include "base/core/packed_volume.h"
#include "base/core/utf8.h"
#include "base/offline/error.h"
#include "base/offline/number.h"
#include "formats/bvh/write.h"
#include "formats/bvh/write_nodes.h"
#include "tree/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// A text on its way into the file.
typedef struct text
{
	char* data;
	size_t length;
} text;

// File names may hold any bytes; what is no clean UTF-8 becomes U+FFFD.
static bool clean_text( const char* source, bvb_arena* arena, text* out )
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t size = strlen( source );
	*out = ( text ){ bvb_arena_allocate( arena, 3 * size, 1 ), 0 };
	for ( size_t i = 0; out->data && i < size; )
	{
		size_t length = bv_utf8_character( source + i, size - i );
		bool good = length > 0 && !bv_utf8_is_control( source + i );
		size_t copied = good ? length : 3;
		memcpy( out->data + out->length, good ? source + i : replacement, copied );
		out->length += copied;
		i += length > 0 ? length : 1;
	}
	return out->data;
}

static void print_tolerance( char out[BVB_NUMBER_BYTES + 1], const bvb_tolerance* tolerance )
{
	bvb_print_number( out, tolerance->value );
	if ( tolerance->percent && tolerance->value != 0 )
	{
		strcat( out, "%" );
	}
}

enum
{
	hierarchy_bytes = 1024,
	sections_bytes = 256,
};

static void print_types( uint32_t types, char out[64] )
{
	out[0] = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( types >> i & 1 )
		{
			strcat( strcat( out, *out ? "," : "" ), bv_volume_type_name( (bv_volume_type)i ) );
		}
	}
}

// Only what the builder looks at: a splitter is topdown's, tests after a hit choose among several types, and bytes have a price
// where a tree is collapsed.
static void print_hierarchy( const bvb_hierarchy_options* o, char out[hierarchy_bytes] )
{
	static const char* const qualities[] = { "area", "volume", "diameter", "hausdorff" };
	static const char* const aggregates[] = { "mean", "max" };
	char types[64];
	char improvement[BVB_NUMBER_BYTES];
	char degree[BVB_NUMBER_BYTES + 64];
	char splitter[64] = "";
	char hit_tests[BVB_NUMBER_BYTES + 16] = "";
	char price[BVB_NUMBER_BYTES + 16] = "";
	char refit[64] = "";
	print_types( o->volume_types, types );
	bvb_print_number( improvement, o->improvement );
	if ( o->degree == 0 )
	{
		snprintf( degree, sizeof degree, "improvement=%s\nmax-degree=%u\nmin-faces=%u\n", improvement,
		          o->max_degree, o->min_faces );
	}
	else
	{
		snprintf( degree, sizeof degree, "degree=%u\n", o->degree );
	}
	if ( strcmp( o->builder, "topdown" ) == 0 )
	{
		snprintf( splitter, sizeof splitter, "splitter=%s\n", o->splitter );
	}
	if ( o->volume_types & ( o->volume_types - 1 ) )
	{
		char number[BVB_NUMBER_BYTES];
		bvb_print_number( number, o->hit_tests );
		snprintf( hit_tests, sizeof hit_tests, "hit-tests=%s\n", number );
	}
	if ( o->collapse )
	{
		char number[BVB_NUMBER_BYTES];
		bvb_print_number( number, o->byte_price );
		snprintf( price, sizeof price, "byte-price=%s\n", number );
	}
	if ( o->refit )
	{
		snprintf( refit, sizeof refit, "refit=%s\n", o->refit );
	}
	snprintf( out, hierarchy_bytes,
	          "builder=%s\n%svolume=%s\n%snode-box=%s\n%squality=%s\naggregate=%s\nsearch-budget=%" PRIu64
	          "\nseed=%" PRIu64 "\noptimise=%u\n%scollapse=%u\n%sleaf-triangles=%u\nmax-depth=%u\n",
	          o->builder, splitter, types, hit_tests, o->node_box, degree, qualities[o->quality],
	          aggregates[o->aggregate], o->search_budget, o->seed, o->optimise, refit, o->collapse, price,
	          o->leaf_triangles, o->max_depth );
}

// As --sections takes them: what is left out of the default, then what is added.
static void print_sections( bvb_sections sections, char out[sections_bytes] )
{
	bvb_sections standard = bvb_sections_default();
	out[0] = 0;
	for ( int added = 0; added < 2; ++added )
	{
		bvb_sections listed = added ? sections & ~standard : standard & ~sections;
		for ( uint32_t i = 0; i < bvb_section_count; ++i )
		{
			if ( listed >> i & 1 )
			{
				strcat( strcat( out, *out ? "," : "" ), added ? "" : "-" );
				strcat( out, bvb_section_name( i, NULL ) );
			}
		}
	}
}

// Only what shapes the content: threads and limits do not. Names are lines of their own, without line breaks.
static bool print_parameters( const bvb_asset_options* options, bvb_arena* arena, text* out )
{
	static const char* const proxies[] = { "use", "ignore", "drop" };
	static const char* const objectives[] = { "volume", "area", "diameter" };
	enum
	{
		capacity = 1024 + hierarchy_bytes + sections_bytes
	};
	char scale[BVB_NUMBER_BYTES];
	char weld[BVB_NUMBER_BYTES];
	char hausdorff[BVB_NUMBER_BYTES];
	char recognise[BVB_NUMBER_BYTES + 1];
	char sections[sections_bytes];
	text objects = { NULL, 0 };
	bvb_print_number( scale, options->record.scale );
	bvb_print_number( weld, options->record.weld );
	bvb_print_number( hausdorff, options->errors.relative );
	print_tolerance( recognise, &options->recognise );
	print_sections( options->sections, sections );
	if ( options->objects && !clean_text( options->objects, arena, &objects ) )
	{
		return false;
	}
	*out = ( text ){ bvb_arena_allocate( arena, capacity + objects.length, 1 ), 0 };
	if ( !out->data )
	{
		return false;
	}
	const bvb_record_options* record = &options->record;
	char hierarchy[hierarchy_bytes];
	print_hierarchy( &options->hierarchy, hierarchy );
	int length = snprintf( out->data, capacity,
	                       "scale=%s\nweld=%s\nnormalize=%d\nnon-finite=%s\npositions=%s\n%s"
	                       "box=%s\nbox-objective=%s\nhausdorff=%s\nrecognise=%s\n"
	                       "sections=%s\nproxies=%s\n",
	                       scale, weld, record->normalize, record->drop_non_finite ? "drop" : "refuse",
	                       record->positions == bvb_positions_quantized ? "quantized" : "float", hierarchy,
	                       options->obb.method, objectives[options->obb.objective], hausdorff, recognise,
	                       sections, proxies[options->proxies] );
	out->length = (size_t)length;
	if ( objects.data )
	{
		static const char key[] = "objects=";
		memcpy( out->data + out->length, key, sizeof key - 1 );
		out->length += sizeof key - 1;
		memcpy( out->data + out->length, objects.data, objects.length );
		out->length += objects.length;
		out->data[out->length++] = '\n';
	}
	return true;
}

typedef struct texts
{
	text tool;
	text name;
	text format;
	text parameters;
	text* names;         // of the source's objects, groups and materials
	uint64_t name_bytes; // of all of them
} texts;

static bool collect_names( const bvb_source_map* origin, bvb_arena* arena, texts* out )
{
	out->name_bytes = 0;
	out->names = bvb_arena_allocate( arena, origin->name_count, sizeof *out->names );
	for ( uint32_t i = 0; out->names && i < origin->name_count; ++i )
	{
		if ( !clean_text( origin->names[i], arena, &out->names[i] ) )
		{
			return false;
		}
		out->name_bytes += out->names[i].length;
	}
	return out->names;
}

static bool collect_texts( const bvb_asset* asset, bvb_arena* arena, texts* out )
{
	return collect_names( &asset->origin, arena, out ) &&
	       clean_text( "bvbuild " BV_VERSION, arena, &out->tool ) &&
	       clean_text( asset->source.name, arena, &out->name ) &&
	       clean_text( asset->source.format, arena, &out->format ) &&
	       print_parameters( &asset->options, arena, &out->parameters );
}

static uint64_t source_bytes( const bvb_asset* asset, const texts* t )
{
	const bvb_source_map* origin = &asset->origin;
	return sizeof( bvh_source ) +
	       sizeof( uint32_t ) * ( origin->name_count + 3 * (uint64_t)origin->combination_count +
	                              2 * (uint64_t)asset->record.mesh.triangle_count ) +
	       t->name_bytes;
}

// What is made before the file's size is known.
typedef struct made
{
	texts texts;
	bvh_mesh mesh;
	bvh_clusters clusters;
	bool own_hull; // its corners are positions
} made;

static bool wants( const bvb_asset* asset, bvb_section section )
{
	return asset->options.sections >> section & 1;
}

// Sections that the file does not have are of 0 bytes; all others have some.
static void measure( const bvb_asset* asset, const made* m, uint64_t bytes[bvh_section_count] )
{
	const texts* t = &m->texts;
	uint64_t triangles = m->mesh.triangles;
	memset( bytes, 0, bvh_section_count * sizeof *bytes );
	bytes[bvh_section_origin] =
		sizeof( bvh_origin ) + t->tool.length + t->name.length + t->format.length + t->parameters.length;
	bytes[bvh_section_mesh] = sizeof( bvh_mesh );
	if ( wants( asset, bvb_section_mesh ) )
	{
		bytes[bvh_section_positions] = m->mesh.vertices * (uint64_t)bvh_position_bytes( &m->mesh );
		bytes[bvh_section_triangles] = bvh_triangles_bytes( &m->clusters, m->mesh.triangles );
	}
	bytes[bvh_section_bounds] = wants( asset, bvb_section_bounds ) ? sizeof( bvh_bounds ) : 0;
	if ( wants( asset, bvb_section_hull ) )
	{
		bytes[bvh_section_hull] = bvh_hull_bytes( &asset->hull, &m->mesh, m->own_hull );
	}
	bytes[bvh_section_nodes] = asset->tree ? bvh_measure_nodes( asset->tree ) : 0;
	bytes[bvh_section_edges] = asset->edges ? triangles * sizeof( uint16_t ) : 0;
	bytes[bvh_section_source] = asset->origin.faces ? source_bytes( asset, t ) : 0;
	bytes[bvh_section_errors] =
		asset->errors.nodes ? sizeof( bvh_errors ) + sizeof( bv_level_errors ) * asset->errors.level_count +
								  2 * (uint64_t)asset->errors.node_count
							: 0;
	bytes[bvh_section_adjacency] = asset->adjacency ? sizeof( bvh_edge ) * (uint64_t)m->mesh.edges : 0;
	bytes[bvh_section_hull_topology] =
		asset->hull_polygons.polygon_count ? bvh_hull_topology_bytes( &asset->hull_polygons ) : 0;
	uint32_t nodes = asset->tree ? bvb_tree_node_count( asset->tree ) : 0;
	bytes[bvh_section_radius] = wants( asset, bvb_section_radius ) ? sizeof( float ) * (uint64_t)nodes : 0;
	if ( wants( asset, bvb_section_node_quality ) )
	{
		bytes[bvh_section_node_quality] = bvh_node_quality_bytes( nodes );
	}
	if ( wants( asset, bvb_section_node_faces ) )
	{
		bytes[bvh_section_node_faces] = bvh_node_faces_bytes( nodes );
	}
	bytes[bvh_section_primitives] = asset->primitives ? sizeof( bvh_primitives ) : 0;
	bytes[bvh_section_mass] = wants( asset, bvb_section_mass ) ? sizeof( bvh_masses ) : 0;
}

static char* append( char* to, text t )
{
	memcpy( to, t.data, t.length );
	return to + t.length;
}

static void write_origin( const bvb_asset* asset, const texts* t, bvh_origin* out )
{
	memcpy( out->source_hash, asset->source.hash, sizeof out->source_hash );
	out->tool_bytes = (uint32_t)t->tool.length;
	out->name_bytes = (uint32_t)t->name.length;
	out->format_bytes = (uint32_t)t->format.length;
	out->parameter_bytes = (uint32_t)t->parameters.length;
	char* to = (char*)( out + 1 );
	append( append( append( append( to, t->tool ), t->name ), t->format ), t->parameters );
}

static void write_vec3( double out[3], bv_vec3 v )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static void write_mesh( const bvb_asset* asset, bvh_mesh* out )
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
	out->quantised = asset->record.form == bvb_positions_quantized;
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

static void write_mass( const bvb_asset* asset, bvh_masses* out )
{
	for ( int of = 0; of < 3; ++of )
	{
		out->has[of] = asset->has_mass[of];
		if ( asset->has_mass[of] )
		{
			out->mass[of].mass = asset->mass[of].mass;
			write_vec3( out->mass[of].center_of_mass, asset->mass[of].center_of_mass );
			memcpy( out->mass[of].inertia, asset->mass[of].inertia, sizeof out->mass[of].inertia );
		}
	}
}

// Exact: the position is a whole number of steps from the origin.
static uint64_t grid_number( double x, double origin, double step )
{
	return (uint64_t)( ( x - origin ) / step );
}

void bvh_write_position( const bvb_record* record, uint32_t vertex, void* out )
{
	const bvb_grid* grid = &record->grid;
	bv_vec3 p = record->mesh.positions[vertex];
	if ( record->form == bvb_positions_quantized )
	{
		uint64_t x = grid_number( p.x, grid->origin.x, grid->step );
		uint64_t y = grid_number( p.y, grid->origin.y, grid->step );
		uint64_t z = grid_number( p.z, grid->origin.z, grid->step );
		*(uint64_t*)out = x | y << bvh_quantised_bits | z << ( 2 * bvh_quantised_bits );
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
		bvh_write_position( record, i, out + bytes * i );
	}
}

static void write_floats( float out[3], bv_vec3 v )
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

static void write_bounds( const bv_file_bounds* bounds, bvh_bounds* out )
{
	write_floats( out->aabb_lower, bounds->aabb.lower );
	write_floats( out->aabb_upper, bounds->aabb.upper );
	write_floats( out->sphere_center, bounds->sphere.center );
	out->sphere_radius = (float)bounds->sphere.radius;
	out->obb = bv_obb_pack( &bounds->obb );
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		out->kdop_lower[i] = (float)bounds->kdop.lower[i];
		out->kdop_upper[i] = (float)bounds->kdop.upper[i];
	}
	write_floats( out->capsule_ends[0], bounds->capsule.ends[0] );
	write_floats( out->capsule_ends[1], bounds->capsule.ends[1] );
	out->capsule_radius = (float)bounds->capsule.radius;
	out->rss = bv_rss_pack( &bounds->rss );
	out->reserved = 0;
}

static void write_source( const bvb_asset* asset, const texts* t, char* out )
{
	const bvb_source_map* origin = &asset->origin;
	uint32_t triangles = asset->record.mesh.triangle_count;
	*(bvh_source*)out =
		( bvh_source ){ origin->name_count, origin->combination_count, (uint32_t)t->name_bytes, 0 };
	uint32_t* to = (uint32_t*)( out + sizeof( bvh_source ) );
	uint32_t end = 0;
	for ( uint32_t i = 0; i < origin->name_count; ++i )
	{
		end += (uint32_t)t->names[i].length;
		*to++ = end;
	}
	memcpy( to, origin->combinations, origin->combination_count * sizeof *origin->combinations );
	to += 3 * (size_t)origin->combination_count;
	memcpy( to, origin->faces, triangles * sizeof *to );
	to += triangles;
	memcpy( to, origin->combination, triangles * sizeof *to );
	char* names = (char*)( to + triangles );
	for ( uint32_t i = 0; i < origin->name_count; ++i )
	{
		names = append( names, t->names[i] );
	}
}

// The least code whose value is not below the error.
static uint8_t error_code( double error, double size )
{
	int low = 0;
	int high = bvh_error_codes - 1;
	while ( low < high )
	{
		int middle = ( low + high ) / 2;
		bool enough = bvh_error_value( (uint8_t)middle, size ) >= error;
		low = enough ? low : middle + 1;
		high = enough ? middle : high;
	}
	return (uint8_t)low;
}

static void write_errors( const bvb_tree* tree, const bvb_tree_errors* errors, bvh_errors* out )
{
	*out = ( bvh_errors ){
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
		double size = bvh_size_of( &node.volume );
		*code++ = error_code( errors->nodes[i].surface_upper, size );
		*code++ = error_code( errors->nodes[i].solid_upper, size );
	}
}

static void write_primitives( const bv_primitive* primitives, const bv_recognised* recognised,
                              bvh_primitives* out )
{
	const bv_sphere* sphere = &primitives[bv_primitive_sphere].sphere;
	const bv_capsule* capsule = &primitives[bv_primitive_capsule].capsule;
	const bv_cylinder* cylinder = &primitives[bv_primitive_cylinder].cylinder;
	out->tolerance = recognised->tolerance;
	out->best = recognised->best;
	out->box = bv_obb_pack( &primitives[bv_primitive_box].box );
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

// All but the hashes.
static void write_header( char* base, size_t size, const uint64_t bytes[bvh_section_count],
                          const uint64_t offset[bvh_section_count] )
{
	bvh_header* header = (bvh_header*)base;
	bvh_entry* table = (bvh_entry*)( header + 1 );
	uint32_t count = 0;
	for ( int i = 0; i < bvh_section_count; ++i )
	{
		if ( bytes[i] > 0 )
		{
			bvh_entry* entry = &table[count++];
			const bvh_section_rule* rule = bvh_rule_of( i );
			memcpy( entry->name, rule->name, sizeof entry->name );
			entry->version = rule->version;
			entry->flags = rule->flags;
			entry->offset = offset[i];
			entry->bytes = bytes[i];
		}
	}
	memcpy( header->magic, BVH_MAGIC, bvh_magic_bytes );
	header->byte_order = bvh_byte_order;
	header->version_major = BVH_VERSION_MAJOR;
	header->version_minor = BVH_VERSION_MINOR;
	header->file_bytes = size;
	header->section_count = count;
}

static void write_hashes( char* base )
{
	bvh_header* header = (bvh_header*)base;
	bvh_entry* entry = (bvh_entry*)( header + 1 );
	for ( uint32_t i = 0; i < header->section_count; ++i, ++entry )
	{
		entry->hash = XXH3_64bits( base + entry->offset, entry->bytes );
	}
	size_t skip = offsetof( bvh_header, byte_order );
	header->hash = XXH3_64bits( base + skip, (size_t)( (char*)entry - base ) - skip );
}

static bv_status make( const bvb_asset* asset, bvb_arena* arena, made* out, bvb_error* error )
{
	*out = ( made ){ .own_hull = !wants( asset, bvb_section_mesh ) };
	if ( !collect_texts( asset, arena, &out->texts ) )
	{
		return bvb_fail_memory( error );
	}
	if ( out->texts.name_bytes > UINT32_MAX )
	{
		return bvb_fail( error, bv_error_limit, "the names of objects, groups and materials are too long" );
	}
	if ( asset->tree && !asset->tree->frames )
	{
		return bvb_fail( error, bv_error_argument, "the hierarchy's volumes are not snapped" );
	}
	write_mesh( asset, &out->mesh );
	return wants( asset, bvb_section_mesh )
	           ? bvh_cluster_triangles_of( &asset->record.mesh, arena, &out->clusters, error )
	           : bv_ok;
}

// Where each section begins, at the next multiple of 64.
// @return where the last one ends
static uint64_t place( const uint64_t bytes[bvh_section_count], uint64_t offset[bvh_section_count] )
{
	uint64_t end = sizeof( bvh_header );
	for ( int i = 0; i < bvh_section_count; ++i )
	{
		end += bytes[i] > 0 ? sizeof( bvh_entry ) : 0;
	}
	for ( int i = 0; i < bvh_section_count; ++i )
	{
		offset[i] = 0;
		if ( bytes[i] > 0 )
		{
			offset[i] = ( end + bvh_alignment - 1 ) & ~(uint64_t)( bvh_alignment - 1 );
			end = offset[i] + bytes[i];
		}
	}
	return end;
}

static void write_sections( const bvb_asset* asset, const made* m, char* base,
                            const uint64_t offset[bvh_section_count] )
{
	write_origin( asset, &m->texts, (bvh_origin*)( base + offset[bvh_section_origin] ) );
	memcpy( base + offset[bvh_section_mesh], &m->mesh, sizeof m->mesh );
	if ( offset[bvh_section_positions] )
	{
		write_positions( &asset->record, bvh_position_bytes( &m->mesh ),
		                 base + offset[bvh_section_positions] );
		bvh_write_triangles( &m->clusters, m->mesh.triangles, base + offset[bvh_section_triangles] );
	}
	if ( offset[bvh_section_bounds] )
	{
		write_bounds( &asset->bounds, (bvh_bounds*)( base + offset[bvh_section_bounds] ) );
	}
	if ( offset[bvh_section_hull] )
	{
		bvh_write_hull( &asset->hull, &asset->record, &m->mesh, m->own_hull,
		                base + offset[bvh_section_hull] );
	}
	if ( offset[bvh_section_nodes] )
	{
		bvh_write_nodes( asset->tree, &asset->options.hierarchy.costs,
		                 (bvh_hierarchy*)( base + offset[bvh_section_nodes] ) );
	}
	if ( offset[bvh_section_edges] )
	{
		memcpy( base + offset[bvh_section_edges], asset->edges, m->mesh.triangles * sizeof *asset->edges );
	}
	if ( offset[bvh_section_source] )
	{
		write_source( asset, &m->texts, base + offset[bvh_section_source] );
	}
	if ( offset[bvh_section_errors] )
	{
		write_errors( asset->tree, &asset->errors, (bvh_errors*)( base + offset[bvh_section_errors] ) );
	}
	if ( offset[bvh_section_primitives] )
	{
		write_primitives( asset->primitives, &asset->recognised,
		                  (bvh_primitives*)( base + offset[bvh_section_primitives] ) );
	}
	if ( offset[bvh_section_adjacency] )
	{
		bvh_write_adjacency( asset->adjacency, m->mesh.edges, base + offset[bvh_section_adjacency] );
	}
	if ( offset[bvh_section_hull_topology] )
	{
		bvh_write_hull_topology( &asset->hull_polygons, base + offset[bvh_section_hull_topology] );
	}
	if ( offset[bvh_section_mass] )
	{
		write_mass( asset, (bvh_masses*)( base + offset[bvh_section_mass] ) );
	}
}

// Of the volumes as they are decoded: the rest is there by now.
static bv_status write_node_sections( const bvb_asset* asset, bvb_arena* arena, char* base,
                                      const uint64_t offset[bvh_section_count], bvb_error* error )
{
	const bv_file* file = (const bv_file*)base;
	if ( offset[bvh_section_radius] )
	{
		bvh_write_radius( file, (float*)( base + offset[bvh_section_radius] ) );
	}
	if ( offset[bvh_section_node_quality] )
	{
		bvh_write_node_quality( file, base + offset[bvh_section_node_quality] );
	}
	return offset[bvh_section_node_faces]
	           ? bvh_write_node_faces( file, &asset->record.mesh, arena,
	                                   base + offset[bvh_section_node_faces], error )
	           : bv_ok;
}

bv_status bvb_asset_encode( const bvb_asset* asset, bvb_arena* arena, bvb_bytes* out, bvb_error* error )
{
	made m;
	uint64_t bytes[bvh_section_count];
	uint64_t offset[bvh_section_count];
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
		return bvb_fail_memory( error );
	}
	write_header( base, end, bytes, offset );
	write_sections( asset, &m, base, offset );
	status = write_node_sections( asset, arena, base, offset, error );
	if ( status == bv_ok )
	{
		write_hashes( base );
		*out = ( bvb_bytes ){ base, end };
	}
	return status;
}
