// Commands that follow the advice of findings. See command.h.
//
// A command is the build that made the file: the nearest preset, and the options that differ from it. The advice adds
// an option: the first one that its text names, with the value in the text or one computed from the value in use. If
// the text names none, the source is to be changed; then a gate checks that the finding is gone. The file does not
// record where the source is, nor the options --object and --cost-matrix.

#include "offline/report/html/command.h"

#include "bvbuild/asset.h"
#include "offline/base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	name_bytes = 32,
	value_bytes = 96,
};

// An option with its value; without one, it is a flag.
typedef struct command_option
{
	char name[name_bytes];
	char value[value_bytes];
} command_option;

typedef struct command
{
	const bvhtml_page* page;
	const cJSON* parameters; // of the file, recorded as option names of bvbuild or earlier spellings
	command_option advised;  // the name is empty for none
	const char* gate;        // null for none
} command;

// Options that are recorded by another name than their own.
static const struct
{
	const char* recorded;
	const char* option;
} respelled[] = { { "recognise", "recognize" },
	              { "optimise", "optimize" },
	              { "non-finite", "drop-non-finite" } };

// Options that a preset sets or that belong to one: none of them is kept with an advised --preset.
static const char* const of_presets[] = {
	"builder",       "splitter",   "volume",        "hit-tests", "node-box",       "degree",
	"improvement",   "max-degree", "min-faces",     "quality",   "aggregate",      "recognize",
	"search-budget", "seed",       "optimize",      "refit",     "collapse",       "hausdorff",
	"box",           "byte-price", "box-objective", "max-depth", "leaf-triangles",
};

// What checks that a finding whose advice names no option is gone.
static const struct
{
	const char* key;
	const char* gate;
} gates[] = {
	{ "mesh.open", "mesh.closed" },
	{ "mesh.flipped", "mesh.oriented" },
	{ "mesh.non_manifold", "mesh.edges_of_kind.non_manifold == 0" },
	{ "mesh.pinched", "mesh.manifold" },
	{ "mesh.inside_out", "mesh.volume > 0" },
	{ "mesh.overlapping", "mesh.volume <= hull.volume" },
	{ "mesh.not_finite", "mesh.removed.non_finite == 0" },
	{ "mesh.dropped", "mesh.removed.degenerate + mesh.removed.duplicate == 0" },
	{ "mesh.coarse",
	  "mesh.largest_displacement * mesh.largest_displacement * mesh.triangles < 2e-4 * mesh.area" },
	{ "mesh.double_sided", "mesh.double_sided == 0" },
	{ "hierarchy.worst_leaf", "hierarchy.hausdorff.solid.max.relative.upper < 2%" },
	{ "body.hull", "mesh.closed" },
};

// Options that findings advise by other words than their names.
static const struct
{
	const char* key;
	const char* word; // in the advice; null for any
	command_option advised;
} reworded[] = {
	{ "hierarchy.overlap", "--builder", { "preset", "balanced" } },
	{ "shape.recognised", NULL, { "sections", "none,primitives" } },
	{ "hull.convex", NULL, { "sections", "none,hull" } },
};

static const char* option_of( const char* recorded )
{
	for ( size_t i = 0; i < sizeof respelled / sizeof *respelled; ++i )
	{
		if ( strcmp( recorded, respelled[i].recorded ) == 0 )
		{
			return respelled[i].option;
		}
	}
	return recorded;
}

static const char* value_of( const cJSON* parameter )
{
	return cJSON_IsString( parameter ) ? parameter->valuestring : "";
}

// @return the value of an option with which the file was built; null if it is not recorded
static const char* value_in_use( const command* c, const char* option )
{
	const cJSON* parameter;
	cJSON_ArrayForEach( parameter, c->parameters )
	{
		if ( strcmp( option_of( parameter->string ), option ) == 0 )
		{
			return value_of( parameter );
		}
	}
	return NULL;
}

static double number_in_use( const command* c, const char* name )
{
	const char* text = value_in_use( c, name );
	double value;
	return text && bvbase_read_number( text, text + strlen( text ), &value ) ? value : NAN;
}

static void set_number( command_option* o, double value )
{
	char text[BVBASE_NUMBER_BYTES];
	bvbase_print_number( text, value );
	snprintf( o->value, sizeof o->value, "%s", text );
}

// @return whether the option can be given: a value was computed, or it needs none
static bool compute_value( const command* c, bool raise, command_option* o )
{
	double used = number_in_use( c, o->name );
	if ( strcmp( o->name, "weld" ) == 0 )
	{
		set_number( o, used > 0 ? used / 10 : 1e-6 * c->page->diagonal );
		return used > 0 || isfinite( c->page->diagonal );
	}
	if ( strcmp( o->name, "max-depth" ) == 0 )
	{
		set_number( o, BV_MAX_DEPTH );
		return true;
	}
	if ( strcmp( o->name, "builder" ) == 0 )
	{
		const char* builder = value_in_use( c, "builder" );
		snprintf( o->value, sizeof o->value, "%s",
		          builder && strcmp( builder, "binned" ) == 0 ? "ploc" : "binned" );
		return true;
	}
	static const struct
	{
		const char* name;
		double most;
	} counts[] = { { "leaf-triangles", 1 << 20 },
		           { "max-parts", 4096 },
		           { "max-part-vertices", UINT8_MAX },
		           { "time-budget", INFINITY } };
	for ( size_t i = 0; i < sizeof counts / sizeof *counts; ++i )
	{
		if ( strcmp( o->name, counts[i].name ) == 0 && used > 0 )
		{
			double next = raise ? fmin( 2 * used, counts[i].most ) : fmax( floor( used / 2 ), 1 );
			set_number( o, next );
			return next != used;
		}
	}
	return strcmp( o->name, "decompose" ) == 0 || strcmp( o->name, "drop-non-finite" ) == 0;
}

// Copies the word at a place, of the characters of option names and values.
static size_t read_word( const char* from, char* out, size_t size )
{
	size_t length = strspn( from, "abcdefghijklmnopqrstuvwxyz0123456789-.,%_" );
	while ( length > 0 && strchr( ".,", from[length - 1] ) )
	{
		--length;
	}
	snprintf( out, size, "%.*s", (int)length, from );
	return length;
}

static bool is_value( const char* word )
{
	static const char* const joints[] = {
		"or", "and", "for", "if", "the", "to", "may", "with", "in", "a", ""
	};
	bool good = word[0] != '-' || word[1] != '-';
	for ( size_t i = 0; i < sizeof joints / sizeof *joints; ++i )
	{
		good = good && strcmp( word, joints[i] ) != 0;
	}
	return good;
}

// Whether the last such word before an option asks for more of it.
static bool is_raised( const char* advice, const char* at )
{
	static const struct
	{
		const char* word;
		bool raise;
	} words[] = { { "raise", true }, { "larger", true }, { "lower", false }, { "smaller", false } };
	bool raise = false;
	const char* last = advice;
	for ( size_t i = 0; i < sizeof words / sizeof *words; ++i )
	{
		for ( const char* found = strstr( advice, words[i].word ); found && found < at;
		      found = strstr( found + 1, words[i].word ) )
		{
			raise = found >= last ? words[i].raise : raise;
			last = found >= last ? found : last;
		}
	}
	return raise;
}

static bool is_new( const command* c, const command_option* o )
{
	const char* used = value_in_use( c, o->name );
	return !used || strcmp( used, o->value ) != 0;
}

// The first option in the text that can be given and changes something.
static bool find_option( const command* c, const char* advice, command_option* out )
{
	for ( const char* at = strstr( advice, "--" ); at; at = strstr( at, "--" ) )
	{
		bool raise = is_raised( advice, at );
		*out = ( command_option ){ .name = "" };
		at += 2;
		at += read_word( at, out->name, sizeof out->name );
		bool given = ( *at == ' ' || *at == '=' ) && read_word( at + 1, out->value, sizeof out->value ) > 0 &&
		             is_value( out->value );
		out->value[0] = given ? out->value[0] : 0;
		if ( given ? is_new( c, out ) : compute_value( c, raise, out ) )
		{
			return true;
		}
	}
	*out = ( command_option ){ .name = "" };
	return false;
}

static void follow( command* c, const cJSON* finding )
{
	const char* key = bvhtml_string( finding, "key" );
	const char* advice = bvhtml_string( finding, "advice" );
	for ( size_t i = 0; i < sizeof reworded / sizeof *reworded; ++i )
	{
		if ( strcmp( key, reworded[i].key ) == 0 &&
		     ( !reworded[i].word || strstr( advice, reworded[i].word ) ) )
		{
			c->advised = reworded[i].advised;
			return;
		}
	}
	bool found = find_option( c, advice, &c->advised );
	for ( size_t i = 0; !found && i < sizeof gates / sizeof *gates; ++i )
	{
		c->gate = strcmp( key, gates[i].key ) == 0 ? gates[i].gate : c->gate;
	}
}

// For a POSIX shell: as it is where that is safe, otherwise between single quotes.
static void put_word( const bvhtml_page* page, const char* text )
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,/:%+=@";
	if ( *text && text[strspn( text, safe )] == 0 )
	{
		bvhtml_put( page, "$s", text );
		return;
	}
	bvhtml_put( page, "$s", "'" );
	for ( size_t length; *text; text += length + ( text[length] == '\'' ) )
	{
		length = strcspn( text, "'" );
		bvhtml_escape( page->out, text, length );
		bvhtml_put( page, "$s", text[length] ? "'\\''" : "" );
	}
	bvhtml_put( page, "$s", "'" );
}

static void put_option( const bvhtml_page* page, const char* name, const char* value )
{
	bool flag = strcmp( name, "normalize" ) == 0 || strcmp( name, "drop-non-finite" ) == 0 ||
	            strcmp( name, "clip-frames" ) == 0;
	bvhtml_put( page, " --$s", name );
	if ( *value && !flag )
	{
		bvhtml_put( page, strcmp( name, "decompose" ) == 0 ? "=" : " " );
		put_word( page, value );
	}
}

static bool is_same( bv_text text, const char* other )
{
	return text.length == strlen( other ) && memcmp( text.data, other, text.length ) == 0;
}

// A preset as this file's sections would have recorded it.
static bv_text record_preset( const command* c, const char* name )
{
	bvb_asset_options options;
	bv_text text = { NULL, 0 };
	if ( bvb_preset_options( name, &options ) )
	{
		options.sections |= value_in_use( c, "decompose" ) ? 1u << bvb_section_parts : 0;
		options.sections |= value_in_use( c, "simplify" ) ? 1u << bvb_section_proxy : 0;
		bvb_asset_parameters( &options, c->page->arena, &text );
	}
	return text;
}

// Whether an option belongs into the command of a file that a preset would have recorded like this.
static bool is_given( const command* c, bv_text preset, const cJSON* parameter )
{
	const char* name = option_of( parameter->string );
	bool requested = strcmp( name, "decompose" ) == 0 || strcmp( name, "simplify" ) == 0;
	if ( strcmp( name, c->advised.name ) == 0 || strcmp( name, "cost-matrix" ) == 0 )
	{
		return false;
	}
	// Sections without the hierarchy have no clip.
	bool of_clip = strcmp( name, "samples" ) == 0 || strncmp( name, "clip", 4 ) == 0;
	if ( of_clip && strcmp( c->advised.name, "sections" ) == 0 )
	{
		return false;
	}
	for ( size_t i = 0; i < sizeof of_presets / sizeof *of_presets; ++i )
	{
		if ( strcmp( c->advised.name, "preset" ) == 0 && strcmp( name, of_presets[i] ) == 0 )
		{
			return false;
		}
	}
	bv_text recorded = { parameter->string, strlen( parameter->string ) };
	bv_text other;
	bool same = bvb_find_parameter( preset, recorded, &other ) && is_same( other, value_of( parameter ) );
	return requested ? strcmp( c->advised.name, "sections" ) != 0 : !same;
}

static int count_given( const command* c, bv_text preset )
{
	int count = 0;
	const cJSON* parameter;
	cJSON_ArrayForEach( parameter, c->parameters )
	{
		count += is_given( c, preset, parameter );
	}
	return count;
}

static void put_given( const command* c, const char* preset )
{
	bv_text recorded = record_preset( c, preset );
	if ( strcmp( c->advised.name, "preset" ) != 0 && strcmp( preset, "balanced" ) != 0 )
	{
		put_option( c->page, "preset", preset );
	}
	const cJSON* parameter;
	cJSON_ArrayForEach( parameter, c->parameters )
	{
		if ( is_given( c, recorded, parameter ) )
		{
			put_option( c->page, option_of( parameter->string ), value_of( parameter ) );
		}
	}
}

static void put_build( const command* c )
{
	const char* nearest = "balanced";
	int least = count_given( c, record_preset( c, nearest ) );
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		int count = count_given( c, record_preset( c, bvb_preset_name( i, NULL ) ) );
		if ( count < least )
		{
			least = count;
			nearest = bvb_preset_name( i, NULL );
		}
	}
	const char* source = bvhtml_string( c->page->report, "source.name" );
	const char* dot = strrchr( source, '.' );
	char stem[1024];
	snprintf( stem, sizeof stem, "%s%.*s.bvh", *source == '-' ? "./" : "",
	          (int)( dot && dot > source ? dot - source : (ptrdiff_t)strlen( source ) ), source );
	char path[1024];
	snprintf( path, sizeof path, "%s%s", *source == '-' ? "./" : "", source );
	bvhtml_put( c->page, "bvbuild " );
	put_word( c->page, path );
	bvhtml_put( c->page, " -o " );
	put_word( c->page, stem );
	put_given( c, nearest );
}

void bvhtml_put_command( const bvhtml_page* page, const cJSON* finding )
{
	command c = { .page = page, .parameters = bvhtml_at( page->report, "tool.parameters" ) };
	follow( &c, finding );
	bvhtml_put( page, "<div class=\"command\"><code>" );
	put_build( &c );
	if ( c.advised.name[0] )
	{
		put_option( page, c.advised.name, c.advised.value );
	}
	if ( c.gate )
	{
		put_option( page, "gate", c.gate );
	}
	bvhtml_put( page,
	            "</code><button type=\"button\" class=\"copy\" hidden=\"hidden\">Copy</button></div>\n" );
	if ( !c.advised.name[0] )
	{
		bvhtml_put( page, "<p class=\"advice\">Run it after the change in the source$r.</p>\n",
		            c.gate ? ": it fails if the problem is still there" : "" );
	}
}
