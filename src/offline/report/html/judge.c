// Whether a figure of the report is good. See judge.h.

#include "offline/report/html/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the number of a mesh is compared with.
typedef struct limits
{
	const char* path;
	double good;         // up to here
	double poor;         // above
	bool percent;        // how both are written
	double triangles;    // smaller meshes are not judged
	const char* good_is; // where the limits come from
	const char* poor_is;
} limits;

#define BEST_QUARTER "the best quarter of the sample meshes"
#define WORST_TENTH  "the worst tenth of the sample meshes"
#define WORST_FAST   "the worst tenth of the sample meshes with --preset fast"

// Percentiles of 24 meshes, printed by tests/bench/report_limits.sh and listed in docs/reports.md, "Good, usual, poor". Where the best possible
// value is known, good is what exceeds it by at most 1 %.
static const limits table[] = {
	{ "file.bytes_per_triangle", 15.6, 20.0, false, 1000, BEST_QUARTER, WORST_TENTH },
	{ "hierarchy.hausdorff.solid.root.relative.upper", 0.178, 0.362, true, 0, BEST_QUARTER, WORST_TENTH },
	{ "hierarchy.hausdorff.solid.mean.relative.upper", 0.00356, 0.0335, true, 0, BEST_QUARTER, WORST_TENTH },
	{ "hierarchy.cost.yardstick.ratio", 1.01, 3.21, false, 0,
	  "at most 1 % above the hierarchy of --preset balanced", WORST_FAST },
	{ "bounds.obb.ratio", 1.01, 1.24, false, 0, "at most 1 % above the smallest possible box", WORST_FAST },
};

void bvhtml_put_rank( const bvhtml_page* page, bvhtml_rank rank, const char* reason )
{
	static const char* const names[] = { "good", "usual", "poor" };
	bvhtml_put( page, "<span class=\"judge $r\" title=\"$s: $s\">$s</span>", names[rank], names[rank], reason,
	            names[rank] );
}

static void print_limit( const limits* row, double limit, char out[BVHTML_NUMBER_BYTES] )
{
	bvhtml_print_number( out, row->percent ? 100 * limit : limit, 3 );
	strcat( out, row->percent ? " %" : "" );
}

static void put_row( const bvhtml_page* page, const limits* row, double value )
{
	char good[BVHTML_NUMBER_BYTES + 2];
	char poor[BVHTML_NUMBER_BYTES + 2];
	char reason[512];
	print_limit( row, row->good, good );
	print_limit( row, row->poor, poor );
	bvhtml_rank rank = value <= row->good ? bvhtml_good : value > row->poor ? bvhtml_poor : bvhtml_usual;
	if ( rank == bvhtml_usual )
	{
		snprintf( reason, sizeof reason, "between %s (%s) and %s (%s)", good, row->good_is, poor,
		          row->poor_is );
	}
	else
	{
		bool is_good = rank == bvhtml_good;
		snprintf( reason, sizeof reason, "%s %s (%s)", is_good ? "up to" : "above", is_good ? good : poor,
		          is_good ? row->good_is : row->poor_is );
	}
	bvhtml_put_rank( page, rank, reason );
}

// The limits of file sizes are those of files with the default sections.
static bool is_comparable( const bvhtml_page* page, const limits* row )
{
	bool of_file = strncmp( row->path, "file.", strlen( "file." ) ) == 0;
	return bvhtml_number( page->report, "mesh.triangles" ) >= row->triangles &&
	       !( of_file && *bvhtml_string( page->report, "tool.parameters.sections" ) );
}

void bvhtml_put_judgement( const bvhtml_page* page, const char* path )
{
	double value = bvhtml_number( page->report, path );
	for ( size_t i = 0; i < sizeof table / sizeof *table && isfinite( value ); ++i )
	{
		if ( strcmp( table[i].path, path ) == 0 && is_comparable( page, table + i ) )
		{
			put_row( page, table + i, value );
		}
	}
}
