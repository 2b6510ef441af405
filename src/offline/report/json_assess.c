// The JSON report's section on the quality of the hierarchy: the measures of bvbuild/assess.h.

#include "bvbuild/assess.h"
#include "offline/report/json.h"

#include <stdio.h>

static bool is_made( bvreport_json_writer* w, bv_status status )
{
	w->failed |= status == bv_error_memory;
	return status == bv_ok;
}

bvreport_json_measures bvreport_json_measure( bvreport_json_writer* w, const bv_file* file, unsigned needs )
{
	bvreport_json_measures out = { 0 };
	bvb_overlaps* overlaps = bvb_arena_allocate( w->arena, 1, sizeof *overlaps );
	bvb_fitnesses* fits = bvb_arena_allocate( w->arena, 1, sizeof *fits );
	bvb_contact* contact = bvb_arena_allocate( w->arena, 1, sizeof *contact );
	bvb_yardstick* yardstick = bvb_arena_allocate( w->arena, 1, sizeof *yardstick );
	bvb_bounds_optimum* best = bvb_arena_allocate( w->arena, 1, sizeof *best );
	w->failed |= !overlaps || !fits || !contact || !yardstick || !best;
	if ( w->failed )
	{
		return out;
	}
	if ( needs & bvreport_json_needs_overlaps )
	{
		bv_status status = bvb_assess_overlap( file, NULL, w->arena, overlaps, NULL );
		out.overlaps = is_made( w, status ) ? overlaps : NULL;
	}
	if ( needs & bvreport_json_needs_fits )
	{
		bv_status status = bvb_assess_fitness( file, NULL, w->arena, fits, NULL );
		out.fits = is_made( w, status ) ? fits : NULL;
	}
	if ( needs & bvreport_json_needs_contact )
	{
		bv_status status = bvb_assess_contact( file, NULL, w->arena, contact, NULL );
		out.contact = is_made( w, status ) ? contact : NULL;
	}
	if ( needs & bvreport_json_needs_yardstick )
	{
		bv_status status = bvb_assess_yardstick( file, NULL, w->arena, yardstick, NULL );
		out.yardstick = is_made( w, status ) ? yardstick : NULL;
	}
	if ( needs & bvreport_json_needs_best )
	{
		bv_status status = bvb_assess_bounds( file, w->arena, best, NULL );
		out.best = is_made( w, status ) ? best : NULL;
	}
	return out;
}

double bvreport_json_yardstick_ratio( const bvreport_json_measures* measures )
{
	if ( !measures->contact || !measures->yardstick )
	{
		return 0;
	}
	const bvb_contact* own = measures->contact;
	const bvb_contact* other = &measures->yardstick->contact;
	bool same = own->draws > 0 && own->draws == other->draws && own->given_up == 0 && other->given_up == 0;
	return same && other->all.cost > 0 ? own->all.cost / other->all.cost : 0;
}

void bvreport_json_put_sah( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file )
{
	bvb_sah sah;
	bool known = bvb_assess_sah( file, &sah, NULL ) == bv_ok;
	cJSON* item = bvreport_json_put_object( w, hierarchy, "sah" );
	bvreport_json_put_number_or_null( w, item, "cost", known ? &sah.cost : NULL );
	bvreport_json_put_number_or_null( w, item, "inner", known ? &sah.inner : NULL );
	bvreport_json_put_number_or_null( w, item, "leaves", known ? &sah.leaves : NULL );
	bvreport_json_put_number_or_null( w, item, "children", known ? &sah.children : NULL );
}

static void put_bin( bvreport_json_writer* w, cJSON* histogram, uint32_t bin, uint64_t leaves )
{
	uint32_t least;
	uint32_t most;
	char key[2 * bvreport_json_number_bytes];
	bvb_occupancy_range( bin, &least, &most );
	if ( least == most )
	{
		snprintf( key, sizeof key, "%u", (unsigned)least );
	}
	else
	{
		snprintf( key, sizeof key, "%u-%u", (unsigned)least, (unsigned)most );
	}
	bvreport_json_put_count( w, histogram, key, leaves );
}

void bvreport_json_put_occupancy( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file )
{
	bvb_occupancy of;
	bool known = bvb_assess_occupancy( file, &of, NULL ) == bv_ok;
	cJSON* item = bvreport_json_put_object( w, hierarchy, "occupancy" );
	bvreport_json_put_number_or_null( w, item, "mean", known ? &of.mean : NULL );
	bvreport_json_put_count_or_null( w, item, "min", known, of.least );
	bvreport_json_put_count_or_null( w, item, "max", known, of.most );
	if ( !known )
	{
		bvreport_json_put_null( w, item, "histogram" );
		return;
	}
	cJSON* histogram = bvreport_json_put_object( w, item, "histogram" );
	for ( uint32_t i = 0; i < BVB_OCCUPANCY_BINS; ++i )
	{
		if ( of.bins[i] > 0 )
		{
			put_bin( w, histogram, i, of.bins[i] );
		}
	}
}

void bvreport_json_put_overlap( bvreport_json_writer* w, cJSON* to, const bvb_overlap* overlap )
{
	cJSON* item = bvreport_json_put_object( w, to, "overlap" );
	bool known = overlap && overlap->measured > 0;
	bvreport_json_put_count_or_null( w, item, "pairs", overlap, overlap ? overlap->pairs : 0 );
	bvreport_json_put_count_or_null( w, item, "measured", overlap, overlap ? overlap->measured : 0 );
	bvreport_json_put_count_or_null( w, item, "flat", overlap, overlap ? overlap->flat : 0 );
	bvreport_json_put_number_or_null( w, item, "mean", known ? &overlap->mean : NULL );
	bvreport_json_put_number_or_null( w, item, "max", known ? &overlap->max : NULL );
	bvreport_json_put_number_or_null( w, item, "share", known ? &overlap->share : NULL );
	if ( known )
	{
		bvreport_json_append_numbers( w, bvreport_json_put_array( w, item, "worst" ),
		                              ( const double[2] ){ overlap->worst[0], overlap->worst[1] }, 2 );
	}
	else
	{
		bvreport_json_put_null( w, item, "worst" );
	}
}

// Of volumes those types that nodes have.
static void put_contact_cost( bvreport_json_writer* w, cJSON* item, const bvb_contact_cost* c,
                              const bv_file* file )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	bool known = c && c->poses > 0;
	bvreport_json_put_count_or_null( w, item, "poses", c, c ? c->poses : 0 );
	bvreport_json_put_number_or_null( w, item, "cost", known ? &c->cost : NULL );
	bvreport_json_put_number_or_null( w, item, "volume_tests", known ? &c->volume_tests : NULL );
	bvreport_json_put_number_or_null( w, item, "openings", known ? &c->openings : NULL );
	bvreport_json_put_number_or_null( w, item, "leaf_pairs", known ? &c->leaves : NULL );
	bvreport_json_put_number_or_null( w, item, "triangle_tests", known ? &c->triangle_tests : NULL );
	bvreport_json_put_number_or_null( w, item, "pairs", known ? &c->pairs : NULL );
	if ( !known )
	{
		bvreport_json_put_null( w, item, "by_type" );
		return;
	}
	cJSON* types = bvreport_json_put_object( w, item, "by_type" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		cJSON* row = info.of_type[i] > 0
		                 ? bvreport_json_put_object( w, types, bv_volume_type_name( (bv_volume_type)i ) )
		                 : NULL;
		for ( int k = 0; row && k < bv_volume_types; ++k )
		{
			if ( info.of_type[k] > 0 )
			{
				bvreport_json_put_number( w, row, bv_volume_type_name( (bv_volume_type)k ),
				                          c->volumes[i][k] );
			}
		}
	}
}

void bvreport_json_put_contact( bvreport_json_writer* w, cJSON* cost, const bv_file* file,
                                const bvb_contact* contact )
{
	cJSON* item = bvreport_json_put_object( w, cost, "measured" );
	bvreport_json_put_count_or_null( w, item, "draws", contact, contact ? contact->draws : 0 );
	bvreport_json_put_count_or_null( w, item, "passed", contact, contact ? contact->passed : 0 );
	bvreport_json_put_count_or_null( w, item, "given_up", contact, contact ? contact->given_up : 0 );
	put_contact_cost( w, item, contact ? &contact->all : NULL, file );
	cJSON* offsets = bvreport_json_put_array( w, item, "offsets" );
	for ( uint32_t i = 0; i < BVB_CONTACT_OFFSETS; ++i )
	{
		cJSON* at = bvreport_json_append( w, offsets, cJSON_CreateObject() );
		bvreport_json_put_number( w, at, "offset", bvb_contact_offset( i ) );
		put_contact_cost( w, at, contact ? &contact->at[i] : NULL, file );
	}
}

void bvreport_json_put_yardstick( bvreport_json_writer* w, cJSON* cost,
                                  const bvreport_json_measures* measures )
{
	const bvb_yardstick* y = measures->yardstick;
	const bvb_contact_cost* c = y && y->contact.all.poses > 0 ? &y->contact.all : NULL;
	double ratio = bvreport_json_yardstick_ratio( measures );
	cJSON* item = bvreport_json_put_object( w, cost, "yardstick" );
	bvreport_json_put_string_or_null( w, item, "preset", y ? bvb_yardstick_options_default().preset : NULL );
	bvreport_json_put_count_or_null( w, item, "nodes", y, y ? y->nodes : 0 );
	bvreport_json_put_count_or_null( w, item, "draws", y, y ? y->contact.draws : 0 );
	bvreport_json_put_count_or_null( w, item, "given_up", y, y ? y->contact.given_up : 0 );
	bvreport_json_put_number_or_null( w, item, "cost", c ? &c->cost : NULL );
	bvreport_json_put_number_or_null( w, item, "volume_tests", c ? &c->volume_tests : NULL );
	bvreport_json_put_number_or_null( w, item, "triangle_tests", c ? &c->triangle_tests : NULL );
	bvreport_json_put_number_or_null( w, item, "ratio", ratio > 0 ? &ratio : NULL );
}

static void put_ratio( bvreport_json_writer* w, cJSON* to, const char* key, const bvb_ratio* ratio )
{
	cJSON* item = bvreport_json_put_object( w, to, key );
	bvreport_json_put_number_or_null( w, item, "mean", ratio ? &ratio->mean : NULL );
	bvreport_json_put_number_or_null( w, item, "max", ratio ? &ratio->max : NULL );
	bvreport_json_put_count_or_null( w, item, "worst", ratio, ratio ? ratio->worst : 0 );
}

static void put_fitness( bvreport_json_writer* w, cJSON* item, const bvb_fitness* fit )
{
	bool has_volumes = fit && fit->measured > fit->flat;
	bool has_areas = fit && fit->measured > 0;
	bvreport_json_put_count_or_null( w, item, "nodes", fit, fit ? fit->nodes : 0 );
	bvreport_json_put_count_or_null( w, item, "measured", fit, fit ? fit->measured : 0 );
	bvreport_json_put_count_or_null( w, item, "flat", fit, fit ? fit->flat : 0 );
	put_ratio( w, item, "volume", has_volumes ? &fit->volume : NULL );
	put_ratio( w, item, "area", has_areas ? &fit->area : NULL );
}

void bvreport_json_put_level_fitness( bvreport_json_writer* w, cJSON* level, const bvb_fitness* fit )
{
	put_fitness( w, bvreport_json_put_object( w, level, "fit" ), fit );
}

void bvreport_json_put_fitness( bvreport_json_writer* w, cJSON* hierarchy, const bvb_fitnesses* fit )
{
	cJSON* item = bvreport_json_put_object( w, hierarchy, "fit" );
	put_fitness( w, item, fit ? &fit->all : NULL );
	if ( !fit )
	{
		bvreport_json_put_null( w, item, "types" );
		return;
	}
	cJSON* types = bvreport_json_put_object( w, item, "types" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( fit->type[i].nodes > 0 )
		{
			put_fitness( w, bvreport_json_put_object( w, types, bv_volume_type_name( (bv_volume_type)i ) ),
			             &fit->type[i] );
		}
	}
}
