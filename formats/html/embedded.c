// Files inside of the library. See embedded.h.
//
// The assembler includes them, which takes no time for a megabyte where a C array of it would take seconds.

#include "formats/html/embedded.h"

#define INCLUDE_FILE( name, path )             \
	__asm__( ".pushsection .rodata\n"          \
	         ".balign 16\n"                    \
	         ".global report_" #name "\n"      \
	         ".hidden report_" #name "\n"      \
	         "report_" #name ":\n"             \
	         ".incbin \"" path "\"\n"          \
	         "1:\n"                            \
	         ".balign 16\n"                    \
	         ".global report_" #name "_size\n" \
	         ".hidden report_" #name "_size\n" \
	         "report_" #name "_size:\n"        \
	         ".8byte 1b - report_" #name "\n"  \
	         ".popsection\n" );
REPORT_FILES( INCLUDE_FILE )

report_file report_get_file( uint32_t index )
{
#define ROW( name, path ) { #name, report_##name, report_##name##_size },
	const report_file files[] = { REPORT_FILES( ROW ) };
	return index < sizeof files / sizeof *files ? files[index] : ( report_file ){ .name = NULL };
}
