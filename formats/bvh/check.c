// Opening a .bvh file: one pass that checks everything, after which read.c only looks up.
//
// The hierarchy is checked in check_nodes.c.

#include "bv/file.h"

#include "base/core/utf8.h"
#include "formats/bvh/check.h"
#include "formats/bvh/layout.h"

#include <math.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static bool hash_matches( const void* bytes, size_t count, uint64_t hash )
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	// A fuzzer would never get past a checksum.
	(void)bytes, (void)count, (void)hash;
	return true;
#else
	return XXH3_64bits( bytes, count ) == hash;
#endif
}

// Each check below returns null when all is well, else what is wrong.

static const char* check_header( const char* base, size_t size, bv_status* status )
{
	*status = bv_error_damaged;
	if ( size < bvh_magic_bytes || memcmp( base, BVH_MAGIC, bvh_magic_bytes ) != 0 )
	{
		return "not a .bvh file";
	}
	if ( size < sizeof( bvh_header ) )
	{
		return "the file ends within its header";
	}

	const bvh_header* header = (const bvh_header*)base;
	if ( header->byte_order != bvh_byte_order )
	{
		*status = bv_error_unsupported;
		return "the file's byte order is not this machine's";
	}
	if ( header->version_major != BVH_VERSION_MAJOR || header->version_minor != BVH_VERSION_MINOR )
	{
		*status = bv_error_unsupported;
		return "the file has another format version than " BVH_VERSION_TEXT;
	}
	if ( header->file_bytes != size )
	{
		return header->file_bytes > size ? "the file is truncated"
		                                 : "the file is longer than its header says";
	}
	if ( header->section_count < bvh_section_required || header->section_count > bvh_section_count )
	{
		return "the section table has a wrong length";
	}
	size_t head = sizeof( bvh_header ) + header->section_count * sizeof( bvh_entry );
	size_t skip = offsetof( bvh_header, byte_order );
	if ( size < head )
	{
		return "the file ends within its section table";
	}
	if ( !hash_matches( base + skip, head - skip, header->hash ) )
	{
		return "the header fails its checksum";
	}
	if ( !all_zero( (const char*)header->reserved, sizeof header->reserved ) )
	{
		return "reserved bytes of the header are not zero";
	}
	return NULL;
}

// The section of that name behind `id`; only optional ones may be left out. Negative when there is none.
static int next_section( int id, const char* name )
{
	for ( ++id; id < bvh_section_count; ++id )
	{
		if ( memcmp( name, bvh_section_name( id ), 4 ) == 0 )
		{
			return id;
		}
		if ( id < bvh_section_required )
		{
			break;
		}
	}
	return -1;
}

// Sections lie in table order, each at the first multiple of 64 behind the one before, with zeros between.
static const char* check_table( const char* base, size_t size )
{
	const bvh_entry* table = (const bvh_entry*)( base + sizeof( bvh_header ) );
	uint32_t count = ( (const bvh_header*)base )->section_count;
	uint64_t end = sizeof( bvh_header ) + count * sizeof( bvh_entry );
	int id = -1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t offset = ( end + bvh_alignment - 1 ) & ~(uint64_t)( bvh_alignment - 1 );
		id = next_section( id, table[i].name );
		if ( id < 0 || table[i].version != 0 )
		{
			return "the section table has an unknown section";
		}
		if ( table[i].offset != offset || offset > size || table[i].bytes > size - offset )
		{
			return "a section lies outside of the file";
		}
		if ( !all_zero( base + end, offset - end ) )
		{
			return "bytes between sections are not zero";
		}
		if ( !hash_matches( base + offset, table[i].bytes, table[i].hash ) )
		{
			return "a section fails its checksum";
		}
		end = offset + table[i].bytes;
	}
	return end == size ? NULL : "the file is longer than its sections";
}

static bool is_text( const char* text, size_t size, bool lines )
{
	for ( size_t i = 0; i < size; )
	{
		size_t length = bv_utf8_character( text + i, size - i );
		if ( length == 0 || ( bv_utf8_is_control( text + i ) && !( lines && text[i] == '\n' ) ) )
		{
			return false;
		}
		i += length;
	}
	return true;
}

static const char* check_origin( const char* section, uint64_t bytes )
{
	const bvh_origin* origin = (const bvh_origin*)section;
	if ( bytes < sizeof *origin || bytes != sizeof *origin + (uint64_t)origin->tool_bytes +
	                                            origin->name_bytes + origin->format_bytes +
	                                            origin->parameter_bytes )
	{
		return "the origin section has a wrong size";
	}
	uint64_t lengths = bytes - sizeof *origin - origin->parameter_bytes;
	const char* text = section + sizeof *origin;
	if ( !is_text( text, origin->tool_bytes, false ) ||
	     !is_text( text + origin->tool_bytes, origin->name_bytes, false ) ||
	     !is_text( text + origin->tool_bytes + origin->name_bytes, origin->format_bytes, false ) ||
	     !is_text( text + lengths, origin->parameter_bytes, true ) )
	{
		return "a text of the origin section is not clean UTF-8";
	}
	return NULL;
}

static const char* check_mesh( const char* section, uint64_t bytes )
{
	const bvh_mesh* mesh = (const bvh_mesh*)section;
	if ( bytes != sizeof *mesh )
	{
		return "the mesh section has a wrong size";
	}
	if ( mesh->vertices == 0 || mesh->triangles == 0 || mesh->triangles >= 1u << 31 )
	{
		return "the mesh section has impossible counts";
	}
	const uint8_t* has = mesh->has_mass;
	if ( ( mesh->closed | mesh->manifold | mesh->oriented | mesh->quantised | has[0] | has[1] | has[2] ) > 1 )
	{
		return "the mesh section has impossible flags";
	}
	for ( size_t i = 0; i < sizeof mesh->reserved; ++i )
	{
		if ( mesh->reserved[i] != 0 )
		{
			return "a reserved field of the mesh section is not zero";
		}
	}
	// From here to its end the section is binary64 numbers only.
	size_t first = offsetof( bvh_mesh, largest_displacement );
	double step = mesh->grid_step;
	bool possible =
		all_finite_double( &mesh->largest_displacement, ( sizeof *mesh - first ) / sizeof( double ) ) &&
		( mesh->quantised ? step > 0 && step <= 0x1p120 : step == 0 );
	for ( int i = 0; i < 3; ++i )
	{
		possible = possible && fabs( mesh->grid_origin[i] ) <= ( mesh->quantised ? 0x1p121 : 0 );
	}
	return possible ? NULL : "the mesh section has an impossible number";
}

static const char* check_positions( const char* section, uint64_t bytes, const bvh_mesh* mesh )
{
	if ( bytes != mesh->vertices * ( mesh->quantised ? sizeof( uint64_t ) : 3 * sizeof( float ) ) )
	{
		return "the position section has a wrong size";
	}
	if ( mesh->quantised )
	{
		const uint64_t* code = (const uint64_t*)section;
		uint64_t all = 0;
		for ( uint32_t i = 0; i < mesh->vertices; ++i )
		{
			all |= code[i];
		}
		return all >> ( 3 * bvh_quantised_bits ) ? "a quantised position is out of range" : NULL;
	}
	return all_finite( (const float*)section, 3 * (size_t)mesh->vertices ) ? NULL
	                                                                       : "a position is not finite";
}

static bool all_below( const uint32_t* index, uint64_t count, uint32_t limit )
{
	uint32_t largest = 0;
	for ( uint64_t i = 0; i < count; ++i )
	{
		largest = index[i] > largest ? index[i] : largest;
	}
	return count == 0 || largest < limit;
}

static const char* check_triangles( const char* section, uint64_t bytes, const bvh_mesh* mesh )
{
	if ( bytes != mesh->triangles * 3 * sizeof( uint32_t ) )
	{
		return "the triangle section has a wrong size";
	}
	return all_below( (const uint32_t*)section, 3 * (uint64_t)mesh->triangles, mesh->vertices )
	           ? NULL
	           : "a triangle refers to a vertex that does not exist";
}

static const char* check_bounds( const char* section, uint64_t bytes )
{
	const bvh_bounds* bounds = (const bvh_bounds*)section;
	if ( bytes != sizeof *bounds )
	{
		return "the bounds section has a wrong size";
	}
	bool ordered = all_finite( bounds->aabb_lower, 10 ) && bounds->sphere_radius >= 0 &&
	               is_box( &bounds->obb ) && all_finite( bounds->kdop_lower, 2 * BV_KDOP_DIRECTIONS ) &&
	               all_finite( bounds->capsule_ends[0], 7 ) && bounds->capsule_radius >= 0 &&
	               is_box( &bounds->rss ) && bounds->reserved == 0;
	for ( int i = 0; i < 3; ++i )
	{
		ordered = ordered && bounds->aabb_lower[i] <= bounds->aabb_upper[i];
	}
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		ordered = ordered && bounds->kdop_lower[i] <= bounds->kdop_upper[i];
	}
	return ordered ? NULL : "a bound is not a volume";
}

static const char* check_hull( const char* section, uint64_t bytes, const bvh_mesh* mesh )
{
	const bvh_hull* hull = (const bvh_hull*)section;
	if ( bytes < sizeof *hull || bytes != sizeof *hull + sizeof( uint32_t ) * ( (uint64_t)hull->vertices +
	                                                                            3 * (uint64_t)hull->faces ) )
	{
		return "the hull section has a wrong size";
	}
	const uint32_t* vertex = (const uint32_t*)( hull + 1 );
	bool fits = hull->kind == bv_hull_point        ? hull->vertices == 1 && hull->faces == 0
	            : hull->kind == bv_hull_segment    ? hull->vertices == 2 && hull->faces == 0
	            : hull->kind == bv_hull_polygon    ? hull->vertices >= 3 && hull->faces == 0
	            : hull->kind == bv_hull_polyhedron ? hull->vertices >= 4 && hull->faces >= 4
	                                               : false;
	if ( !fits || hull->reserved || !all_finite_double( &hull->volume, 1 ) )
	{
		return "the hull section has impossible counts";
	}
	if ( !all_below( vertex, hull->vertices, mesh->vertices ) ||
	     !all_below( vertex + hull->vertices, 3 * (uint64_t)hull->faces, hull->vertices ) )
	{
		return "the hull refers to a vertex that does not exist";
	}
	return NULL;
}

static const char* check_edges( const char* section, uint64_t bytes, const bvh_mesh* mesh )
{
	const uint16_t* edges = (const uint16_t*)section;
	if ( bytes != mesh->triangles * sizeof *edges )
	{
		return "the edge section has a wrong size";
	}
	for ( uint32_t i = 0; i < mesh->triangles; ++i )
	{
		uint32_t sides = edges[i];
		for ( int k = 0; k < 3; ++k, sides >>= bvh_edge_bits )
		{
			if ( ( sides & ( ( 1u << bvh_edge_bits ) - 1 ) ) >= bv_edge_kinds )
			{
				return "an edge is of no known kind";
			}
		}
		if ( sides )
		{
			return "an edge is of no known kind";
		}
	}
	return NULL;
}

static const char* check_names( const bvh_source_view* v )
{
	uint32_t first = 0;
	for ( uint32_t i = 0; i < v->head->names; ++i )
	{
		uint32_t end = v->name_ends[i];
		if ( end < first || end > v->head->text_bytes || !is_text( v->text + first, end - first, false ) )
		{
			return "a name of the source section is not clean UTF-8";
		}
		first = end;
	}
	return first == v->head->text_bytes ? NULL : "a name of the source section is not clean UTF-8";
}

static const char* check_source( const char* section, uint64_t bytes, const bvh_mesh* mesh )
{
	const bvh_source* head = (const bvh_source*)section;
	if ( bytes < sizeof *head || head->reserved ||
	     bytes != sizeof *head +
	                  sizeof( uint32_t ) *
	                      ( head->names + 3 * (uint64_t)head->combinations + 2 * (uint64_t)mesh->triangles ) +
	                  head->text_bytes )
	{
		return "the source section has a wrong size";
	}
	bvh_source_view v = bvh_source_view_of( section, mesh->triangles );
	for ( uint32_t i = 0; i < head->combinations; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t name = v.combinations[i][k];
			if ( name >= head->names && name != BVH_NO_NAME )
			{
				return "the source section refers to a name that does not exist";
			}
		}
	}
	if ( !all_below( v.combination, mesh->triangles, head->combinations ) )
	{
		return "the source section refers to a combination that does not exist";
	}
	return check_names( &v );
}

static bool are_intervals( const bv_interval* interval, size_t count )
{
	bool good = all_finite_double( &interval->lower, 2 * count );
	for ( size_t i = 0; i < count; ++i )
	{
		good = good && interval[i].lower >= 0 && interval[i].lower <= interval[i].upper;
	}
	return good;
}

static const char* check_errors( const char* section, uint64_t bytes, const bvh_hierarchy* hierarchy )
{
	const bvh_errors* head = (const bvh_errors*)section;
	if ( bytes < sizeof *head || head->nodes != hierarchy->nodes || head->levels != hierarchy->depth + 1 ||
	     bytes != sizeof *head + sizeof( bv_level_errors ) * (uint64_t)head->levels +
	                  2 * (uint64_t)head->nodes )
	{
		return "the error section has a wrong size";
	}
	if ( !( head->relative >= 1e-6 && head->relative <= 1 && head->floor >= 1e-9 && head->floor <= 1 ) )
	{
		return "a tolerance of the error section is out of range";
	}
	bvh_errors_view v = bvh_errors_view_of( section );
	size_t first = offsetof( bvh_errors, surface );
	size_t end = offsetof( bvh_errors, levels );
	size_t of_level = sizeof( bv_level_errors ) / sizeof( bv_interval );
	if ( !are_intervals( &head->surface, ( end - first ) / sizeof( bv_interval ) ) ||
	     !are_intervals( (const bv_interval*)v.levels, of_level * head->levels ) )
	{
		return "an interval of the error section is none";
	}
	return NULL;
}

static bool are_primitives( const bvh_primitives* p )
{
	const float( *ends )[3] = p->cylinder_ends;
	size_t first = offsetof( bvh_primitives, sphere_center );
	size_t end = offsetof( bvh_primitives, intervals );
	return is_box( &p->box ) && all_finite( p->sphere_center, ( end - first ) / sizeof( float ) ) &&
	       p->sphere_radius >= 0 && p->capsule_radius >= 0 && p->cylinder_radius > 0 &&
	       ( ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2] );
}

// The third of each kind's intervals is the greater of the first two.
static bool are_errors( const bv_interval interval[3] )
{
	const bv_interval* a = interval;
	const bv_interval* b = interval + 1;
	return interval[2].lower == ( a->lower > b->lower ? a->lower : b->lower ) &&
	       interval[2].upper == ( a->upper > b->upper ? a->upper : b->upper );
}

static const char* check_primitives( const char* section, uint64_t bytes )
{
	const bvh_primitives* p = (const bvh_primitives*)section;
	if ( bytes != sizeof *p || p->reserved )
	{
		return "the primitive section has a wrong size";
	}
	if ( !are_primitives( p ) )
	{
		return "a primitive is not a volume";
	}
	if ( !are_intervals( p->intervals[0], 3 * bv_primitive_kinds ) )
	{
		return "an interval of the primitive section is none";
	}
	bool within = false;
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		if ( !are_errors( p->intervals[i] ) )
		{
			return "a primitive's error is not the greater of two";
		}
		within = within || p->intervals[i][2].upper <= p->tolerance;
	}
	bool good = p->tolerance > 0 && all_finite_double( &p->tolerance, 1 ) &&
	            ( p->best < bv_primitive_kinds ? p->intervals[p->best][2].upper <= p->tolerance
	                                           : p->best == bv_primitive_kinds && !within );
	return good ? NULL : "the best primitive is not within the tolerance";
}

static const char* check_optional( const char* base, const bvh_mesh* mesh )
{
	bvh_view view = bvh_view_of( (const bv_file*)base );
	uint64_t bytes;
	const char* edges = bvh_optional( &view, bvh_section_edges, &bytes );
	const char* wrong = edges ? check_edges( edges, bytes, mesh ) : NULL;
	const char* source = bvh_optional( &view, bvh_section_source, &bytes );
	wrong = wrong || !source ? wrong : check_source( source, bytes, mesh );
	const char* errors = bvh_optional( &view, bvh_section_errors, &bytes );
	wrong = wrong || !errors ? wrong : check_errors( errors, bytes, view.hierarchy );
	const char* primitives = bvh_optional( &view, bvh_section_primitives, &bytes );
	return wrong || !primitives ? wrong : check_primitives( primitives, bytes );
}

static const char* check_content( const char* base )
{
	const bvh_entry* table = (const bvh_entry*)( base + sizeof( bvh_header ) );
	const char* section[bvh_section_required];
	uint64_t bytes[bvh_section_required];
	for ( int i = 0; i < bvh_section_required; ++i )
	{
		section[i] = base + table[i].offset;
		bytes[i] = table[i].bytes;
	}
	const bvh_mesh* mesh = (const bvh_mesh*)section[bvh_section_mesh];

	// The first two come before those that rely on the mesh's counts.
	const char* wrong = check_origin( section[bvh_section_origin], bytes[bvh_section_origin] );
	wrong = wrong ? wrong : check_mesh( section[bvh_section_mesh], bytes[bvh_section_mesh] );
	wrong =
		wrong ? wrong : check_positions( section[bvh_section_positions], bytes[bvh_section_positions], mesh );
	wrong =
		wrong ? wrong : check_triangles( section[bvh_section_triangles], bytes[bvh_section_triangles], mesh );
	wrong = wrong ? wrong : check_bounds( section[bvh_section_bounds], bytes[bvh_section_bounds] );
	wrong = wrong ? wrong : check_hull( section[bvh_section_hull], bytes[bvh_section_hull], mesh );
	wrong = wrong ? wrong : bvh_check_nodes( section[bvh_section_nodes], bytes[bvh_section_nodes], mesh->triangles );
	return wrong ? wrong : check_optional( base, mesh );
}

bv_status bv_file_open_explained( const void* memory, size_t size, const bv_file** file, const char** reason )
{
	if ( !memory || !file || !reason || (uintptr_t)memory % 8 != 0 )
	{
		if ( file )
		{
			*file = NULL;
		}
		if ( reason )
		{
			*reason = "a pointer is null or misaligned";
		}
		return bv_error_argument;
	}

	bv_status status;
	*file = NULL;
	*reason = check_header( memory, size, &status );
	*reason = *reason ? *reason : check_table( memory, size );
	*reason = *reason ? *reason : check_content( memory );
	if ( *reason )
	{
		return status;
	}
	*file = memory;
	return bv_ok;
}

bv_status bv_file_open( const void* memory, size_t size, const bv_file** file )
{
	const char* reason;
	return bv_file_open_explained( memory, size, file, &reason );
}
