// Files inside of the library. See embedded.h.
//
// The assembler includes them, which takes no time for a megabyte where a C array of it would take seconds.

#include "offline/report/html/embedded.h"

// Object files of Windows have other sections, and names are only seen where a table of exports has them.
#ifdef __ELF__
#define BEGIN_CONSTANTS ".pushsection .rodata\n"
#define HIDE( name )    ".hidden " name "\n"
#define END_CONSTANTS   ".popsection\n"
#else
#define BEGIN_CONSTANTS ".section .rdata,\"dr\"\n"
#define HIDE( name )    ""
#define END_CONSTANTS   ".text\n"
#endif

#define INCLUDE_FILE( name, path )                                                                  \
	__asm__( BEGIN_CONSTANTS                                                                        \
	         ".balign 16\n"                                                                         \
	         ".global bvhtml_" #name                                                                \
	         "\n" HIDE( "bvhtml_" #name ) "bvhtml_" #name ":\n"                                     \
	                                      ".incbin \"" path "\"\n"                                  \
	                                      "1:\n"                                                    \
	                                      ".balign 16\n"                                            \
	                                      ".global bvhtml_" #name "_size\n" HIDE(                   \
											  "bvhtml_" #name "_size" ) "bvhtml_" #name "_size:\n"  \
	                                                                    ".8byte 1b - bvhtml_" #name \
	                                                                    "\n" END_CONSTANTS );
BVHTML_FILES( INCLUDE_FILE )

bvhtml_file bvhtml_get_file( uint32_t index )
{
#define ROW( name, path ) { #name, bvhtml_##name, bvhtml_##name##_size },
	const bvhtml_file files[] = { BVHTML_FILES( ROW ) };
	return index < sizeof files / sizeof *files ? files[index] : ( bvhtml_file ){ .name = NULL };
}
