// Opening a .bvh file: everything is checked once, after which read.c only looks up.

#include "bv/file.h"

#include "runtime/file/check.h"

// In an order in which each check finds checked what it relies on.
static const char* check_content( const bvfile_header* header )
{
#define BVFILE_ROW( section, ... ) [bvfile_section_##section] = bvfile_check_##section,
	static bvfile_check* const checks[bvfile_section_count] = { BVFILE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	bvfile_content content = {
		.header = header,
		.mesh = (const bvfile_mesh*)bvfile_find( header, bvfile_section_mesh ),
		.positions = bvfile_find( header, bvfile_section_positions ),
		.hull = (const bvfile_hull*)bvfile_find( header, bvfile_section_hull ),
		.hierarchy = (const bvfile_hierarchy*)bvfile_find( header, bvfile_section_nodes ),
		.parts = (const bvfile_parts*)bvfile_find( header, bvfile_section_parts ),
	};
	const char* wrong = NULL;
	for ( int i = 0; i < bvfile_section_count && !wrong; ++i )
	{
		const bvfile_entry* entry = bvfile_entry_of( header, (bvfile_section)i );
		content.version = entry ? entry->version : 0;
		wrong = entry ? checks[i]( (const char*)header + entry->offset, entry->bytes, &content ) : NULL;
	}
	return wrong;
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
	*reason = bvfile_check_header( memory, size, &status );
	*reason = *reason ? *reason : bvfile_check_table( memory, size, &status );
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
