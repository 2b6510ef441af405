// Collects Assimp's warnings during an import. Assimp does not treat a file that it repairs or reads in part
// as an error, so its log is the only sign of omitted faces.

#include "formats/assimp/transport.h"

#include <stdio.h>
#include <string.h>

enum
{
	line_limit = 512, // more of a line is not looked at
};

// A line tells of lost geometry if it has a word of each of the first two lists and none of the third. What
// that sorts is the texts of Assimp 5.2: most warnings are about materials, animations and unknown tags.
static const char* const things[] = {
	"face",      "facet",   "vertex",   "vertices",
	"triangle",  "polygon", "polymesh", "mesh",
	"primitive", "indices", "index",    "type is unsupported", // of an object of Blender
};
static const char* const losses[] = {
	"drop",       "out of range", "out-of-range", "outside the allowed",
	"skip",       "ignor",        "invalid",      "incorrect",
	"not enough", "too many",     "overflow",     "unable",
	"failed",     "empty",        "unexpected",   "corrupt",
	"missing",    "no ear found", "deleting",     "error during",
};
static const char* const other_things[] = {
	"material", "texture", "uv",    "bone",   "weight",   "anim",       "normal",
	"color",    "tangent", "light", "camera", "keyframe", "lines mode", "source surface",
};

static bool has_any( const char* line, const char* const* words, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( strstr( line, words[i] ) )
		{
			return true;
		}
	}
	return false;
}

#define HAS_ANY( line, words ) has_any( line, words, sizeof words / sizeof *words )

// Whatever the names in a line are: a part of the scene that the file does not have.
static const char* const missing_parts[] = {
	"unable to find geometry for",
	"unable to resolve reference to instanced node",
};

static bool tells_of_loss( const char* text )
{
	char lower[line_limit];
	size_t length = 0;
	for ( ; text[length] && length + 1 < sizeof lower; ++length )
	{
		char c = text[length];
		lower[length] = (char)( c >= 'A' && c <= 'Z' ? c + ( 'a' - 'A' ) : c );
	}
	lower[length] = 0;
	return HAS_ANY( lower, missing_parts ) ||
	       ( HAS_ANY( lower, things ) && HAS_ANY( lower, losses ) && !HAS_ANY( lower, other_things ) );
}

// What says nothing of the file: a text that somebody forgot to write, and what its version of Blender did not
// have yet.
// @return the more the text says, the more
static int rate( const char* text )
{
	static const char missing[] = "<add reason>";
	static const char old[] = "BlendDNA: Did not find a field";
	return strncmp( text, missing, sizeof missing - 1 ) == 0 ? 0
	       : strncmp( text, old, sizeof old - 1 ) == 0       ? 1
	                                                         : 2;
}

// "Warn,  T0: text", with the number of a thread.
void bvassimp_take_line( const char* line, bvimport_notes* to )
{
	if ( strncmp( line, "Warn,", 5 ) != 0 && strncmp( line, "Error,", 6 ) != 0 )
	{
		return;
	}
	const char* colon = strstr( line, ": " );
	const char* text = colon ? colon + 2 : line;
	bool loss = tells_of_loss( text );
	bool better = !loss && to->losses == 0 && rate( text ) > rate( to->text );
	int length = (int)strcspn( text, "\r\n" );
	bvimport_notes_add( to, loss, "%.*s", length, text );
	if ( better )
	{
		snprintf( to->text, sizeof to->text, "%.*s", length, text );
	}
}
