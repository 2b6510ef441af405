// What rows of options need: when an option changes anything, and values of types that only one option has. See
// option.h.

#include "offline/asset/option.h"

#include "offline/base/clean.h"
#include "runtime/file/layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool bvasset_needs_builder( const bvb_asset_options* options )
{
	return !bvasset_uses_splitter( options ); // --splitter alone means the builder topdown
}

bool bvasset_uses_splitter( const bvb_asset_options* options )
{
	return strcmp( options->hierarchy.builder, "topdown" ) == 0;
}

bool bvasset_uses_several_volumes( const bvb_asset_options* options )
{
	uint32_t types = options->hierarchy.volume_types;
	return ( types & ( types - 1 ) ) != 0;
}

bool bvasset_uses_oriented_boxes( const bvb_asset_options* options )
{
	// Those of rectangle swept spheres are their frames.
	return ( options->hierarchy.volume_types & ( 1u << bv_volume_obb | 1u << bv_volume_rss ) ) != 0;
}

bool bvasset_uses_fixed_degree( const bvb_asset_options* options )
{
	return options->hierarchy.degree != 0;
}

bool bvasset_uses_own_degrees( const bvb_asset_options* options )
{
	return options->hierarchy.degree == 0;
}

bool bvasset_uses_collapse( const bvb_asset_options* options )
{
	return options->hierarchy.collapse != 0;
}

bool bvasset_uses_parts( const bvb_asset_options* options )
{
	return options->sections >> bvb_section_parts & 1;
}

bool bvasset_uses_clip( const bvb_asset_options* options )
{
	return options->clip.name;
}

bool bvasset_uses_proxy( const bvb_asset_options* options )
{
	return options->sections >> bvb_section_proxy & 1;
}

// All values in the order in which NODE stores them, those of later types behind the others and only where
// nodes may have some.
typedef struct cost_list
{
	double values[bv_volume_types * bv_volume_types + 3];
	size_t count;
} cost_list;

// @param types  that nodes may have, a bit 1 << type each
static cost_list list_costs( const bv_costs* costs, uint32_t types )
{
	enum
	{
		first = bvfile_first_types,
	};
	cost_list out = { .count = 0 };
	for ( int i = 0; i < first; ++i )
	{
		memcpy( out.values + out.count, costs->volumes[i], first * sizeof *out.values );
		out.count += first;
	}
	out.values[out.count++] = costs->triangles;
	out.values[out.count++] = costs->opening;
	out.values[out.count++] = costs->leaf;
	for ( size_t i = first; i < bv_volume_types; ++i )
	{
		if ( types >> i & 1 )
		{
			memcpy( out.values + out.count, costs->volumes[i], ( i + 1 ) * sizeof *out.values );
			out.count += i + 1;
		}
	}
	return out;
}

bool bvasset_uses_own_costs( const bvb_asset_options* options )
{
	bv_costs standard = bvb_costs_default();
	cost_list own = list_costs( &options->hierarchy.costs, options->hierarchy.volume_types );
	cost_list shipped = list_costs( &standard, options->hierarchy.volume_types );
	return memcmp( own.values, shipped.values, own.count * sizeof *own.values ) != 0;
}

// By their hash: binary64, little-endian.
void bvasset_print_costs( const bvb_asset_options* options, char out[bvasset_option_value_bytes] )
{
	cost_list own = list_costs( &options->hierarchy.costs, options->hierarchy.volume_types );
	XXH128_hash_t hash = XXH3_128bits( own.values, own.count * sizeof *own.values );
	snprintf( out, bvasset_option_value_bytes, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64 );
}

void bvasset_print_non_finite( const bvb_asset_options* options, char out[bvasset_option_value_bytes] )
{
	strcpy( out, options->record.drop_non_finite ? "drop" : "refuse" );
}

void bvasset_print_volumes( const bvb_asset_options* options, char out[bvasset_option_value_bytes] )
{
	out[0] = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( options->hierarchy.volume_types >> i & 1 )
		{
			strcat( strcat( out, *out ? "," : "" ), bv_volume_type_name( (bv_volume_type)i ) );
		}
	}
}

// As --sections takes them: what is left out of the default, then what is added.
void bvasset_print_sections( const bvb_asset_options* options, char out[bvasset_option_value_bytes] )
{
	bvb_sections standard = bvb_sections_default();
	out[0] = 0;
	for ( int added = 0; added < 2; ++added )
	{
		bvb_sections listed = added ? options->sections & ~standard : standard & ~options->sections;
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

bool bvasset_option_get_word( const bvasset_option* o, uint32_t index, char out[bvasset_option_word_bytes] )
{
	const char* word = o->words ? o->words( index ) : o->argument;
	size_t length = 0;
	for ( uint32_t i = 0; word && !o->words && i < index; ++i )
	{
		word += strcspn( word, "|" );
		word = *word ? word + 1 : NULL;
	}
	if ( word )
	{
		length = o->words ? strlen( word ) : strcspn( word, "|" );
		length = length < bvasset_option_word_bytes ? length : bvasset_option_word_bytes - 1;
		memcpy( out, word, length );
	}
	out[length] = 0;
	return word;
}

// The name has at most BVB_MAX_CLIP_NAME bytes, each of which becomes three at most.
void bvasset_print_clip( const bvb_asset_options* options, char out[bvasset_option_value_bytes] )
{
	_Static_assert( 3 * BVB_MAX_CLIP_NAME < bvasset_option_value_bytes, "room for any name" );
	const char* name = options->clip.name ? options->clip.name : "";
	out[strlen( name ) <= BVB_MAX_CLIP_NAME ? bvbase_clean_text( name, out ) : 0] = 0;
}
