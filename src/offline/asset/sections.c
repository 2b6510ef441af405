// What a file may have: names, what needs what, and what there is by default.

#include "formats/bvh/sections.h"
#include "bvbuild/asset.h"
#include "offline/base/error.h"
#include "runtime/file/view.h"

#include <stddef.h>

// A section of the file. Those that have a name are options; others come with one, or are always there.
typedef struct sections_row
{
	bvb_section option; // bvb_section_count: none
	bool wanted;        // by default
	const char* name;
	const char* summary;
} sections_row;

#define BVFILE_ROW( section, option, wanted, name, summary, ... ) \
	[bvfile_section_##section] = { option, wanted, name, summary },
static const sections_row rows[bvfile_section_count] = { BVFMT_OFFLINE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW

static const sections_row* row_of( uint32_t option )
{
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( rows[i].option == option && rows[i].name )
		{
			return rows + i;
		}
	}
	return NULL;
}

// The options without which one may not be, as their sections need each other.
static bvb_sections needs_of( uint32_t option )
{
	uint32_t needed = 0;
	bvb_sections needs = 0;
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		needed |= rows[i].option == option ? bvfile_rule_of( (bvfile_section)i )->needs : 0;
	}
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		needs |= needed >> i & 1 ? 1u << rows[i].option : 0;
	}
	return needs & ~( 1u << option );
}

const char* bvb_section_name( uint32_t index, const char** summary )
{
	if ( index >= bvb_section_count )
	{
		return NULL;
	}
	const sections_row* found = row_of( index );
	if ( summary )
	{
		*summary = found->summary;
	}
	return found->name;
}

bvb_sections bvb_sections_default( void )
{
	bvb_sections all = 0;
	for ( uint32_t i = 0; i < bvb_section_count; ++i )
	{
		all |= row_of( i )->wanted ? 1u << i : 0;
	}
	return all;
}

// What is needed stands before what needs it, so that one pass finds what hangs on what.
bvb_sections bvb_sections_without( bvb_sections sections, bvb_section left_out )
{
	sections &= ~( 1u << left_out );
	for ( uint32_t i = left_out + 1u; i < bvb_section_count; ++i )
	{
		bvb_sections needs = needs_of( i );
		bool lost = ( needs >> left_out & 1 ) || ( needs & ~sections );
		sections &= lost ? ~( 1u << i ) : ~0u;
	}
	return sections;
}

bv_status bvb_sections_check( bvb_sections sections, bvb_error* error )
{
	for ( uint32_t i = 0; i < bvb_section_count; ++i )
	{
		bvb_sections missing = sections >> i & 1 ? needs_of( i ) & ~sections : 0;
		for ( uint32_t k = 0; k < bvb_section_count; ++k )
		{
			if ( missing >> k & 1 )
			{
				return bvbase_fail( error, bv_error_argument, "the section '%s' needs the section '%s'",
				                    bvb_section_name( i, NULL ), bvb_section_name( k, NULL ) );
			}
		}
	}
	return bv_ok;
}
