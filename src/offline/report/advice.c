// Advice for findings. See advice.h.

#include "offline/report/advice.h"

#include "bv/mesh.h"
#include "bvbuild/asset.h"
#include "formats/bvh/sections.h"
#include "offline/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the options allow.
enum
{
	most_parts = 4096,
	most_vertices = 255,
};

static bv_text text_of( const char* text )
{
	return ( bv_text ){ text, strlen( text ) };
}

static bool is_equal( bv_text a, bv_text b )
{
	return a.length == b.length && ( a.length == 0 || memcmp( a.data, b.data, a.length ) == 0 );
}

double bvreport_advice_parameter( const bv_file* file, const char* name, double otherwise )
{
	bv_text text;
	double value;
	bool there = bvb_find_parameter( bv_file_get_origin( file ).parameters, text_of( name ), &text ) &&
	             bvbase_read_number( text.data, text.data + text.length, &value );
	return there ? value : otherwise;
}

bool bvreport_advice_has_parameter( const bv_file* file, const char* name, const char* value )
{
	bv_text text;
	return bvb_find_parameter( bv_file_get_origin( file ).parameters, text_of( name ), &text ) &&
	       is_equal( text, text_of( value ) );
}

// Parameters that shape the hierarchy, and options of other names that have set them.
static const char* const shaping[] = {
	"splitter",  "builder",  "volume",    "hit-tests",   "improvement",    "degree",    "max-degree",
	"min-faces", "quality",  "aggregate", "cost-matrix", "search-budget",  "seed",      "node-box",
	"refit",     "optimise", "collapse",  "byte-price",  "leaf-triangles", "max-depth",
};

enum
{
	shaping_count = sizeof shaping / sizeof shaping[0],
};

static bool differs( bv_text a, bv_text b, const char* name )
{
	bv_text of_a = { NULL, 0 };
	bv_text of_b = { NULL, 0 };
	bool in_a = bvb_find_parameter( a, text_of( name ), &of_a );
	bool in_b = bvb_find_parameter( b, text_of( name ), &of_b );
	return in_a != in_b || !is_equal( of_a, of_b );
}

// Marks parameters in which a file differs from a preset. Returns how many.
static int find_differences( bv_text own, uint32_t preset, bvb_arena* arena, bool out[shaping_count] )
{
	bvb_asset_options options;
	bv_text text = { NULL, 0 };
	int count = 0;
	if ( bvb_preset_options( bvb_preset_name( preset, NULL ), &options ) )
	{
		(void)bvb_asset_parameters( &options, arena, &text );
	}
	for ( int i = 0; i < shaping_count; ++i )
	{
		out[i] = differs( own, text, shaping[i] );
		count += out[i];
	}
	return count;
}

static bool is_marked( const bool marks[shaping_count], const char* name )
{
	for ( int i = 0; i < shaping_count; ++i )
	{
		if ( marks[i] && strcmp( shaping[i], name ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Options that another option implied are not named.
static bool is_implied( const bv_file* file, const bool marks[shaping_count], const char* name )
{
	bool single = bvreport_advice_parameter( file, "leaf-triangles", 0 ) == 1;
	bool degrees = is_marked( marks, "degree" ) || is_marked( marks, "improvement" );
	return ( strcmp( name, "builder" ) == 0 && is_marked( marks, "splitter" ) ) ||
	       ( strcmp( name, "leaf-triangles" ) == 0 && is_marked( marks, "collapse" ) && single ) ||
	       ( strcmp( name, "byte-price" ) == 0 && is_marked( marks, "collapse" ) ) ||
	       ( strcmp( name, "collapse" ) == 0 && degrees ) ||
	       ( strcmp( name, "degree" ) == 0 && is_marked( marks, "improvement" ) );
}

bvreport_advice bvreport_advise_preset( const bv_file* file, const char* preset, bvb_arena* arena )
{
	bvreport_advice out = { "" };
	bv_text own = bv_file_get_origin( file ).parameters;
	bool marks[shaping_count];
	bool nearest[shaping_count] = { false };
	const char* name = NULL;
	int least = shaping_count + 1;
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		int count = find_differences( own, i, arena, marks );
		if ( count < least )
		{
			least = count;
			name = bvb_preset_name( i, NULL );
			memcpy( nearest, marks, sizeof nearest );
		}
	}
	if ( least == 0 && strcmp( name, preset ) == 0 )
	{
		return out;
	}
	size_t length = (size_t)snprintf( out.text, sizeof out.text, "build with --preset %s", preset );
	const char* before = " and without";
	for ( int i = 0; i < shaping_count && length < sizeof out.text; ++i )
	{
		if ( nearest[i] && !is_implied( file, nearest, shaping[i] ) )
		{
			length += (size_t)snprintf( out.text + length, sizeof out.text - length, "%s --%s", before,
			                            strcmp( shaping[i], "optimise" ) == 0 ? "optimize" : shaping[i] );
			before = ",";
		}
	}
	return out;
}

bvreport_part_limits bvreport_find_part_limits( const bv_file* file, uint32_t index )
{
	static const double share = 0.5; // of the stand-off, that is too much for rounding and thickening
	bv_decomposition_info d = bv_file_get_decomposition( file );
	bv_part part;
	bv_file_get_part( file, index, &part );
	double parts = bvreport_advice_parameter( file, "max-parts", most_parts );
	double vertices = bvreport_advice_parameter( file, "max-part-vertices", most_vertices );
	bvreport_part_limits out = { .max_parts = d.parts >= parts ? (uint32_t)parts : 0, .sure = true };

	// Simplified hulls may have somewhat fewer corners than allowed. Those of thickened parts stand off, too.
	bool is_thickened = bvreport_advice_parameter( file, "min-thickness", 0 ) > 0;
	bool is_simplified = part.vertices >= vertices || ( !is_thickened && 2 * part.vertices > vertices );
	for ( uint32_t v = 0; v < part.vertices && is_simplified; ++v )
	{
		bv_contains_result at;
		bv_vec3 corner = bv_file_get_part_vertex( file, index, v );
		bv_status status = bv_mesh_contains( file, NULL, corner, NULL, &at );
		bool is_off = status == bv_ok && at.distance > share * part.concavity.lower &&
		              !( d.solid && at.side == bv_side_inside );
		out.sure = out.sure && status == bv_ok && !( is_off && d.solid && at.side == bv_side_unknown );
		out.max_vertices = is_off || status != bv_ok ? (uint32_t)vertices : out.max_vertices;
	}
	return out;
}

// A power of two times a limit, not below `wanted`. Beyond what options allow it does not matter how far. 0 for
// what is no limit.
static double double_until( double limit, double wanted )
{
	double enough = 2 * limit;
	while ( enough > 0 && enough < wanted && enough <= most_parts )
	{
		enough *= 2;
	}
	return enough;
}

// A smooth surface is missed in inverse proportion to the facets or parts that approximate it. The first cuts
// gain less, because halves have faces where they are cut. Parts that are not needed are not made.
static double enough_parts( double limit, double times )
{
	return double_until( limit, 2 * times * ( limit + 3 ) );
}

static double enough_vertices( double limit, double times )
{
	return double_until( limit, 1.25 * times * limit );
}

bvreport_advice bvreport_advise_parts( const bv_file* file, uint32_t index, bvreport_part_limits limits )
{
	bvreport_advice out;
	bv_decomposition_info d = bv_file_get_decomposition( file );
	bv_part part;
	bv_file_get_part( file, index, &part );
	double times = d.tolerance > 0 ? part.concavity.upper / d.tolerance : 1;
	double parts = enough_parts( limits.max_parts, times );
	double vertices = enough_vertices( limits.max_vertices, times );
	bool more_parts = limits.max_parts > 0 && limits.max_parts < most_parts;
	bool more_vertices = limits.max_vertices > 0 && limits.max_vertices < most_vertices;
	bool either = more_parts && more_vertices && limits.sure;
	bool by_parts = more_parts && !( either && parts > most_parts && vertices <= most_vertices );
	bool by_vertices = more_vertices && !( either && vertices > most_vertices && parts <= most_parts );
	either = either && parts <= most_parts && vertices <= most_vertices;
	char more[80] = "";
	if ( by_parts )
	{
		snprintf( more, sizeof more, "--max-parts %d", (int)fmin( parts, most_parts ) );
	}
	if ( by_vertices )
	{
		size_t length = strlen( more );
		const char* between = either ? " or " : by_parts ? " " : "";
		snprintf( more + length, sizeof more - length, "%s--max-part-vertices %d", between,
		          (int)fmin( vertices, most_vertices ) );
	}
	if ( d.out_of_time )
	{
		strcpy( more, "--time-budget 0, which is no limit" );
	}
	snprintf( out.text, sizeof out.text, "%s%s", *more ? "use " : "allow a larger tolerance", more );
	return out;
}

bvreport_advice bvreport_advise_section( const bv_file* file, const char* name )
{
	bvreport_advice out = { "" };
	bv_text list = { NULL, 0 };
	bvb_find_parameter( bv_file_get_origin( file ).parameters, text_of( "sections" ), &list );
	size_t length = 0;
	const char* end = list.data + list.length;
	for ( const char* item = list.data; item && item < end && length < sizeof out.text; )
	{
		const char* comma = memchr( item, ',', (size_t)( end - item ) );
		const char* item_end = comma ? comma : end;
		bv_text own = { item + ( *item == '-' ), (size_t)( item_end - item ) - ( *item == '-' ) };
		if ( !is_equal( own, text_of( name ) ) )
		{
			length += (size_t)snprintf( out.text + length, sizeof out.text - length, "%s%.*s",
			                            length ? "," : "--sections=", (int)( item_end - item ), item );
		}
		item = item_end + 1;
	}
	if ( length == 0 )
	{
		strcpy( out.text, "leave out --sections" );
	}
	return out;
}

// The option that a section is there by, and whether that is so by default; null for none.
static const char* find_section_option( const char* section, bool* by_default )
{
	static const char names[bvfile_section_count][5] = {
#define BVFILE_ROW( section, tag, ... ) [bvfile_section_##section] = tag,
		BVFILE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW
	};
	static const struct
	{
		bool wanted;
		const char* option;
	} rows[bvfile_section_count] = {
#define BVFILE_ROW( section, index, wanted, option, ... ) [bvfile_section_##section] = { wanted, option },
		BVFMT_OFFLINE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW
	};
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( strcmp( names[i], section ) == 0 )
		{
			*by_default = rows[i].wanted;
			return rows[i].option;
		}
	}
	*by_default = true;
	return NULL;
}

bvreport_advice bvreport_advise_size( const bv_file* file, const bv_section_info* largest )
{
	bvreport_advice out;
	bool by_default;
	const char* option = find_section_option( largest->name, &by_default );
	bool quantized = bvreport_advice_has_parameter( file, "positions", "quantized" );
	if ( strcmp( largest->name, "NODE" ) == 0 )
	{
		bool collapsed = bvreport_advice_parameter( file, "collapse", 0 ) > 0;
		strcpy( out.text,
		        collapsed ? "use fewer nodes: --byte-price 1000" : "use fewer nodes: --collapse 8" );
	}
	else if ( option && !by_default )
	{
		bvreport_advice rest = bvreport_advise_section( file, option );
		snprintf( out.text, sizeof out.text, "if %s is not used, %s%.200s", option,
		          strncmp( rest.text, "--", 2 ) == 0 ? "use " : "", rest.text );
	}
	else
	{
		strcpy( out.text,
		        quantized ? "remove sections that are not used by --sections" : "use --positions quantized" );
	}
	return out;
}
