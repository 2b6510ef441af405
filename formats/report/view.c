// The 3D view of the HTML report. See view.h.

#include "formats/report/view.h"

bv_status report_view( bvb_output* page, const bv_file* file, bvb_arena* arena, bvb_error* error )
{
	(void)page;
	(void)file;
	(void)arena;
	(void)error;
	return bv_ok;
}
