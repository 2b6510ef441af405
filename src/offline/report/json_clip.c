// The JSON report's section on a clip.

#include "offline/report/json.h"
#include "runtime/file/local.h"

#include <string.h>

// What samples have in common.
typedef struct clip_costs
{
	double record;  // of the sample of the mesh
	uint32_t worst; // sample with the largest cost
	double largest; // cost
	double rebuilt; // largest ratio of a cost to that of a hierarchy built for the sample; 0 without any
} clip_costs;

static clip_costs find_costs( const bv_file* file, const bv_clip* clip )
{
	clip_costs c = { .worst = 0 };
	bv_clip_sample s;
	for ( uint32_t i = 0; i < clip->samples; ++i )
	{
		bv_file_get_clip_sample( file, i, &s );
		c.record = i == clip->record ? s.cost : c.record;
		c.worst = s.cost > c.largest ? i : c.worst;
		c.largest = s.cost > c.largest ? s.cost : c.largest;
		double ratio = s.rebuilt > 0 ? s.cost / s.rebuilt : 0;
		c.rebuilt = ratio > c.rebuilt ? ratio : c.rebuilt;
	}
	return c;
}

static void put_ratio( bvreport_json_writer* w, cJSON* to, const char* key, double a, double b )
{
	double ratio = b > 0 ? a / b : 0;
	bvreport_json_put_number_or_null( w, to, key, ratio > 0 ? &ratio : NULL );
}

static void put_candidates( bvreport_json_writer* w, cJSON* to, const bv_file* file, const bv_clip* clip )
{
	cJSON* list = bvreport_json_put_array( w, to, "candidates" );
	for ( uint32_t i = 0; i < clip->candidates; ++i )
	{
		bv_clip_candidate c;
		bv_file_get_clip_candidate( file, i, &c );
		cJSON* item = bvreport_json_append( w, list, cJSON_CreateObject() );
		bvreport_json_put_count( w, item, "sample", c.sample );
		bvreport_json_put_count( w, item, "nodes", c.nodes );
		bvreport_json_put_number( w, item, "cost", c.cost );
		bvreport_json_put_bool( w, item, "chosen", i == clip->chosen );
	}
}

static void put_samples( bvreport_json_writer* w, cJSON* to, const bv_file* file, const bv_clip* clip,
                         const clip_costs* costs )
{
	cJSON* list = bvreport_json_put_array( w, to, "frames" );
	for ( uint32_t i = 0; i < clip->samples; ++i )
	{
		bv_clip_sample s;
		bv_file_get_clip_sample( file, i, &s );
		cJSON* item = bvreport_json_append( w, list, cJSON_CreateObject() );
		bvreport_json_put_number( w, item, "time", s.time );
		bvreport_json_put_number( w, item, "cost", s.cost );
		put_ratio( w, item, "relative", s.cost, costs->record );
		put_ratio( w, item, "to_rebuilt", s.cost, s.rebuilt );
	}
}

// Of the whole clip: of the root, and the mean over all leaves.
typedef struct clip_errors
{
	const bv_file* file;
	double sum;
	uint32_t leaves;
} clip_errors;

static bool add_error( void* context, const bv_node_info* node )
{
	clip_errors* e = context;
	bv_clip_box box;
	if ( node->children == 0 && bvfile_local_clip_box( e->file, node->index, BV_CLIP_WHOLE, &box ) )
	{
		e->sum += box.error;
		e->leaves += 1;
	}
	return true;
}

static void put_errors( bvreport_json_writer* w, cJSON* to, const bv_file* file )
{
	bv_clip_box root;
	clip_errors e = { .file = file };
	bvfile_local_clip_box( file, 0, BV_CLIP_WHOLE, &root );
	bvfile_local_visit_nodes( file, add_error, &e );
	bvreport_json_put_number( w, to, "root_error", root.error );
	bvreport_json_put_number( w, to, "leaf_error", e.leaves > 0 ? e.sum / e.leaves : 0 );
}

static void put_nothing( bvreport_json_writer* w, cJSON* to )
{
	static const char* const keys[] = { "name",       "start",      "end",        "samples",
		                                "segments",   "record",     "moves",      "has_frames",
		                                "step",       "bytes",      "cost",       "worst_sample",
		                                "worst",      "to_rebuilt", "root_error", "leaf_error",
		                                "candidates", "frames" };
	for ( size_t i = 0; i < sizeof keys / sizeof *keys; ++i )
	{
		bvreport_json_put_null( w, to, keys[i] );
	}
}

static uint64_t find_bytes( const bv_file* file )
{
	bv_section_info section;
	for ( uint32_t i = 0; i < bv_file_get_info( file ).section_count; ++i )
	{
		section = bv_file_get_section( file, i );
		if ( strcmp( section.name, "CLIP" ) == 0 )
		{
			return section.bytes;
		}
	}
	return 0;
}

void bvreport_json_put_clip( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                             const bvreport_json_measures* measures )
{
	(void)measures;
	bv_clip clip;
	cJSON* item = bvreport_json_put_object( w, report, "clip" );
	if ( !bv_file_get_clip( file, &clip ) )
	{
		put_nothing( w, item );
		return;
	}
	bv_clip_candidate chosen;
	bv_file_get_clip_candidate( file, clip.chosen, &chosen );
	clip_costs costs = find_costs( file, &clip );
	bvreport_json_put_text( w, item, "name", clip.name );
	bvreport_json_put_number( w, item, "start", clip.start );
	bvreport_json_put_number( w, item, "end", clip.end );
	bvreport_json_put_count( w, item, "samples", clip.samples );
	bvreport_json_put_count( w, item, "segments", clip.segments );
	bvreport_json_put_count( w, item, "record", clip.record );
	bvreport_json_put_bool( w, item, "moves", clip.moves );
	bvreport_json_put_bool( w, item, "has_frames", clip.frames );
	bvreport_json_put_number( w, item, "step", clip.step );
	bvreport_json_put_count( w, item, "bytes", find_bytes( file ) );
	bvreport_json_put_number( w, item, "cost", chosen.cost );
	bvreport_json_put_count( w, item, "worst_sample", costs.worst );
	put_ratio( w, item, "worst", costs.largest, costs.record );
	put_ratio( w, item, "to_rebuilt", costs.rebuilt, 1 );
	put_errors( w, item, file );
	put_candidates( w, item, file, &clip );
	put_samples( w, item, file, &clip, &costs );
}
