// What a .bvh file says in words: where it came from, how it was made, which can be taken apart again, and the names of objects,
// groups and materials.

#include "formats/bvh/write.h"
#include "offline/base/arena.h"
#include "offline/base/number.h"
#include "runtime/file/utf8.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// File names may hold any bytes; what is no clean UTF-8 becomes U+FFFD.
static bool clean_text( const char* source, bvb_arena* arena, bvfmt_text* out )
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t size = strlen( source );
	*out = ( bvfmt_text ){ bvb_arena_allocate( arena, 3 * size, 1 ), 0 };
	for ( size_t i = 0; out->data && i < size; )
	{
		size_t length = bvfile_utf8_character( source + i, size - i );
		bool good = length > 0 && !bvfile_utf8_is_control( source + i );
		size_t copied = good ? length : 3;
		memcpy( out->data + out->length, good ? source + i : replacement, copied );
		out->length += copied;
		i += length > 0 ? length : 1;
	}
	return out->data;
}

static void print_tolerance( char out[BVBASE_NUMBER_BYTES + 1], const bvb_tolerance* tolerance )
{
	bvbase_print_number( out, tolerance->value );
	if ( tolerance->percent && tolerance->value != 0 )
	{
		strcat( out, "%" );
	}
}

enum
{
	hierarchy_bytes = 1024,
	sections_bytes = 256,
	decompose_bytes = 512,
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

// Costs that are not the shipped ones, by their hash: of all values in the order in which NODE stores them, those of prisms
// behind the others and only where nodes may have some, binary64, little-endian.
static void print_costs( const bv_costs* costs, bool prisms, char out[64] )
{
	struct
	{
		bvfile_costs stored;
		bvfile_prism_costs prisms;
	} own, shipped;
	_Static_assert( sizeof own ==
	                    sizeof( double ) * ( bvfile_first_types * bvfile_first_types + 3 + bv_volume_types ),
	                "no gaps" );
	bv_costs standard = bvb_costs_default();
	own.stored = bvfmt_stored_costs( costs );
	shipped.stored = bvfmt_stored_costs( &standard );
	memcpy( &own.prisms, costs->volumes[bv_volume_prism], sizeof own.prisms );
	memcpy( &shipped.prisms, standard.volumes[bv_volume_prism], sizeof shipped.prisms );
	size_t bytes = prisms ? sizeof own : sizeof own.stored;
	out[0] = 0;
	if ( memcmp( &own, &shipped, bytes ) != 0 )
	{
		XXH128_hash_t hash = XXH3_128bits( &own, bytes );
		snprintf( out, 64, "cost-matrix=%016" PRIx64 "%016" PRIx64 "\n", hash.high64, hash.low64 );
	}
}

// Without what says nothing by itself: a splitter is topdown's, tests after a hit choose among several types, and bytes have a price
// where a tree is collapsed.
static void print_hierarchy( const bvb_hierarchy_options* o, char out[hierarchy_bytes] )
{
	char types[64];
	char improvement[BVBASE_NUMBER_BYTES];
	char degree[BVBASE_NUMBER_BYTES + 64];
	char splitter[64] = "";
	char hit_tests[BVBASE_NUMBER_BYTES + 16] = "";
	char price[BVBASE_NUMBER_BYTES + 16] = "";
	char refit[64] = "";
	char costs[64];
	print_types( o->volume_types, types );
	print_costs( &o->costs, o->volume_types >> bv_volume_prism & 1, costs );
	bvbase_print_number( improvement, o->improvement );
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
		char number[BVBASE_NUMBER_BYTES];
		bvbase_print_number( number, o->hit_tests );
		snprintf( hit_tests, sizeof hit_tests, "hit-tests=%s\n", number );
	}
	if ( o->collapse )
	{
		char number[BVBASE_NUMBER_BYTES];
		bvbase_print_number( number, o->byte_price );
		snprintf( price, sizeof price, "byte-price=%s\n", number );
	}
	if ( o->refit )
	{
		snprintf( refit, sizeof refit, "refit=%s\n", o->refit );
	}
	snprintf( out, hierarchy_bytes,
	          "builder=%s\n%svolume=%s\n%snode-box=%s\n%squality=%s\naggregate=%s\n%ssearch-budget=%" PRIu64
	          "\nseed=%" PRIu64 "\noptimise=%u\n%scollapse=%u\n%sleaf-triangles=%u\nmax-depth=%u\n",
	          o->builder, splitter, types, hit_tests, o->node_box, degree, bvb_quality_name( o->quality ),
	          bvb_aggregate_name( o->aggregate ), costs, o->search_budget, o->seed, o->optimize, refit,
	          o->collapse, price, o->leaf_triangles, o->max_depth );
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

// Nothing where there are no parts.
static void print_decompose( const bvb_asset_options* options, char out[decompose_bytes] )
{
	const bvb_decompose_options* o = &options->decompose;
	char tolerance[BVBASE_NUMBER_BYTES + 1];
	char thickness[BVBASE_NUMBER_BYTES];
	char radius[BVBASE_NUMBER_BYTES];
	char budget[BVBASE_NUMBER_BYTES];
	out[0] = 0;
	if ( options->sections >> bvb_section_parts & 1 )
	{
		print_tolerance( tolerance, &options->stand_off );
		bvbase_print_number( thickness, o->min_thickness );
		bvbase_print_number( radius, o->probe_radius );
		bvbase_print_number( budget, o->time_budget );
		snprintf( out, decompose_bytes,
		          "decompose=%s\nmax-parts=%u\nmax-part-vertices=%u\nmin-thickness=%s\nprobe-radius=%s\n"
		          "decompose-mode=%s\ndecomposer=%s\ndecompose-effort=%u\ntime-budget=%s\n",
		          tolerance, o->max_parts, o->max_vertices, thickness, radius,
		          bvb_decompose_mode_name( o->mode ), o->method, o->effort, budget );
	}
}

enum
{
	given_bytes = 128,
};

// What is known of the source and of what is to be made of it, where something is; a line each.
static void print_given( const bvb_asset_options* options, char placing[given_bytes], char body[given_bytes] )
{
	const bvb_record_options* record = &options->record;
	char number[BVBASE_NUMBER_BYTES];
	int length = 0;
	placing[0] = body[0] = 0;
	if ( record->up != bvb_up_y )
	{
		length = snprintf( placing, given_bytes, "up=%s\n", bvb_up_name( record->up ) );
	}
	if ( record->units != bvb_units_unsaid )
	{
		snprintf( placing + length, given_bytes - (size_t)length, "units=%s\n",
		          bvb_units_name( record->units - 1 ) );
	}
	if ( options->density != 0 || options->mass != 0 )
	{
		bvbase_print_number( number, options->mass != 0 ? options->mass : options->density );
		snprintf( body, given_bytes, "%s=%s\n", options->mass != 0 ? "mass" : "density", number );
	}
}

// Nothing where there is no proxy.
static void print_simplify( const bvb_asset_options* options, char out[BVBASE_NUMBER_BYTES + 16] )
{
	char tolerance[BVBASE_NUMBER_BYTES + 1];
	out[0] = 0;
	if ( options->sections >> bvb_section_proxy & 1 )
	{
		print_tolerance( tolerance, &options->simplify );
		snprintf( out, BVBASE_NUMBER_BYTES + 16, "simplify=%s\n", tolerance );
	}
}

// Only what shapes the content: threads and limits do not. Names are lines of their own, without line breaks.
static bool print_parameters( const bvb_asset_options* options, bvb_arena* arena, bvfmt_text* out )
{
	enum
	{
		capacity = 1024 + hierarchy_bytes + sections_bytes + decompose_bytes + 2 * given_bytes
	};
	char scale[BVBASE_NUMBER_BYTES];
	char weld[BVBASE_NUMBER_BYTES];
	char hausdorff[BVBASE_NUMBER_BYTES];
	char recognize[BVBASE_NUMBER_BYTES + 1];
	char simplify[BVBASE_NUMBER_BYTES + 16];
	char sections[sections_bytes];
	bvfmt_text objects = { NULL, 0 };
	bvbase_print_number( scale, options->record.scale );
	bvbase_print_number( weld, options->record.weld );
	bvbase_print_number( hausdorff, options->errors.relative );
	print_tolerance( recognize, &options->recognize );
	print_sections( options->sections, sections );
	if ( options->objects && !clean_text( options->objects, arena, &objects ) )
	{
		return false;
	}
	*out = ( bvfmt_text ){ bvb_arena_allocate( arena, capacity + objects.length, 1 ), 0 };
	if ( !out->data )
	{
		return false;
	}
	const bvb_record_options* record = &options->record;
	char hierarchy[hierarchy_bytes];
	char decompose[decompose_bytes];
	print_hierarchy( &options->hierarchy, hierarchy );
	print_decompose( options, decompose );
	char placing[given_bytes];
	char body[given_bytes];
	print_given( options, placing, body );
	print_simplify( options, simplify );
	int length =
		snprintf( out->data, capacity,
	              "%sscale=%s\nweld=%s\nnormalize=%d\nnon-finite=%s\npositions=%s\n%s"
	              "box=%s\nbox-objective=%s\nhausdorff=%s\nrecognise=%s\n%s%s%s"
	              "sections=%s\nproxies=%s\n",
	              placing, scale, weld, record->normalize, record->drop_non_finite ? "drop" : "refuse",
	              bvb_position_form_name( record->positions ), hierarchy, options->obb.method,
	              bvb_box_objective_name( options->obb.objective ), hausdorff, recognize, decompose, simplify,
	              body, sections, bvb_proxy_use_name( options->proxies ) );
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

bv_status bvb_asset_parameters( const bvb_asset_options* options, bvb_arena* arena, bv_text* out )
{
	bvfmt_text text;
	*out = ( bv_text ){ NULL, 0 };
	if ( !print_parameters( options, arena, &text ) )
	{
		return bv_error_memory;
	}
	*out = ( bv_text ){ text.data, text.length };
	return bv_ok;
}

bool bvb_next_parameter( bv_text* rest, bv_text* name, bv_text* value )
{
	if ( rest->length == 0 )
	{
		return false;
	}
	const char* line = rest->data;
	const char* end = memchr( line, '\n', rest->length );
	size_t length = end ? (size_t)( end - line ) : rest->length;
	const char* sign = memchr( line, '=', length );
	*name = ( bv_text ){ line, sign ? (size_t)( sign - line ) : length };
	*value = sign ? ( bv_text ){ sign + 1, length - name->length - 1 } : ( bv_text ){ line + length, 0 };
	size_t taken = end ? length + 1 : length;
	*rest = ( bv_text ){ line + taken, rest->length - taken };
	return true;
}

bool bvb_find_parameter( bv_text parameters, bv_text name, bv_text* value )
{
	bv_text own;
	bv_text found;
	while ( bvb_next_parameter( &parameters, &own, &found ) )
	{
		if ( own.length == name.length && memcmp( own.data, name.data, name.length ) == 0 )
		{
			*value = found;
			return true;
		}
	}
	return false;
}

// All that a file says of how it came to be: the options, then the side files.
static bool collect_parameters( const bvb_asset* asset, bvb_arena* arena, bvfmt_text* out )
{
	bvfmt_text options;
	bv_text files;
	if ( !print_parameters( &asset->options, arena, &options ) ||
	     bvb_side_files_text( &asset->source.side_files, arena, &files ) != bv_ok )
	{
		return false;
	}
	*out = ( bvfmt_text ){ bvb_arena_allocate( arena, options.length + files.length, 1 ), 0 };
	if ( !out->data )
	{
		return false;
	}
	memcpy( out->data, options.data, options.length );
	memcpy( out->data + options.length, files.data, files.length );
	out->length = options.length + files.length;
	return true;
}

static bool collect_names( const bvb_source_map* origin, bvb_arena* arena, bvfmt_texts* out )
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

bool bvfmt_collect_texts( const bvb_asset* asset, bvb_arena* arena, bvfmt_texts* out )
{
	return collect_names( &asset->origin, arena, out ) &&
	       clean_text( "bvbuild " BV_VERSION, arena, &out->tool ) &&
	       clean_text( asset->source.name, arena, &out->name ) &&
	       clean_text( asset->source.format, arena, &out->format ) &&
	       collect_parameters( asset, arena, &out->parameters );
}

uint64_t bvfmt_source_bytes( const bvb_asset* asset, const bvfmt_texts* t )
{
	const bvb_source_map* origin = &asset->origin;
	return sizeof( bvfile_source ) +
	       sizeof( uint32_t ) * ( origin->name_count + 3 * (uint64_t)origin->combination_count +
	                              2 * (uint64_t)asset->record.mesh.triangle_count ) +
	       t->name_bytes;
}

static char* append( char* to, bvfmt_text t )
{
	memcpy( to, t.data, t.length );
	return to + t.length;
}

void bvfmt_write_origin( const bvb_asset* asset, const bvfmt_texts* t, bvfile_origin* out )
{
	memcpy( out->source_hash, asset->source.hash, sizeof out->source_hash );
	out->tool_bytes = (uint32_t)t->tool.length;
	out->name_bytes = (uint32_t)t->name.length;
	out->format_bytes = (uint32_t)t->format.length;
	out->parameter_bytes = (uint32_t)t->parameters.length;
	char* to = (char*)( out + 1 );
	append( append( append( append( to, t->tool ), t->name ), t->format ), t->parameters );
}

void bvfmt_write_source( const bvb_asset* asset, const bvfmt_texts* t, char* out )
{
	const bvb_source_map* origin = &asset->origin;
	uint32_t triangles = asset->record.mesh.triangle_count;
	*(bvfile_source*)out =
		( bvfile_source ){ origin->name_count, origin->combination_count, (uint32_t)t->name_bytes, 0 };
	uint32_t* to = (uint32_t*)( out + sizeof( bvfile_source ) );
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

uint64_t bvfmt_origin_bytes( const bvfmt_texts* t )
{
	return sizeof( bvfile_origin ) + t->tool.length + t->name.length + t->format.length +
	       t->parameters.length;
}
