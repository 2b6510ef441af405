// Files inside of the library. See embedded.h.
//
// The assembler includes them, which takes no time for a megabyte where a C array of it would take seconds.

#include "offline/report/html/embedded.h"

#define INCLUDE_FILE( name, path )             \
	__asm__( ".pushsection .rodata\n"          \
	         ".balign 16\n"                    \
	         ".global bvhtml_" #name "\n"      \
	         ".hidden bvhtml_" #name "\n"      \
	         "bvhtml_" #name ":\n"             \
	         ".incbin \"" path "\"\n"          \
	         "1:\n"                            \
	         ".balign 16\n"                    \
	         ".global bvhtml_" #name "_size\n" \
	         ".hidden bvhtml_" #name "_size\n" \
	         "bvhtml_" #name "_size:\n"        \
	         ".8byte 1b - bvhtml_" #name "\n"  \
	         ".popsection\n" );
BVHTML_FILES( INCLUDE_FILE )

bvhtml_file bvhtml_get_file( uint32_t index )
{
#define ROW( name, path ) { #name, bvhtml_##name, bvhtml_##name##_size },
	const bvhtml_file files[] = { BVHTML_FILES( ROW ) };
	return index < sizeof files / sizeof *files ? files[index] : ( bvhtml_file ){ .name = NULL };
}
