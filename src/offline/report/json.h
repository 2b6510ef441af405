// The parts that the JSON report is made of. Each adds the keys that formats/report/README.md lists under its
// name, all of them, with nulls for what the file does not have.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/assess.h"
#include "offline/report/expression.h"
#include "offline/report/writer.h"
#include "runtime/file/layout.h"

/// Measures that take long, computed once for all parts of the report. Null where the file does
/// not have what they take.
typedef struct bvreport_json_measures
{
	const bvb_overlaps* overlaps;   ///< null without a hierarchy
	const bvb_fitnesses* fits;      ///< null without a hierarchy or triangles
	const bvb_contact* contact;     ///< as fits
	const bvb_yardstick* yardstick; ///< as fits; null of large meshes as well
	const bvb_bounds_optimum* best; ///< null without bounds, or without a hull and triangles
} bvreport_json_measures;

/// Bits of sets of these measures.
enum
{
	bvreport_json_needs_overlaps = 1,
	bvreport_json_needs_fits = 2,
	bvreport_json_needs_contact = 4,
	bvreport_json_needs_yardstick = 8,
	bvreport_json_needs_best = 16,
	bvreport_json_needs_all = 31,
};

/// @return the measures that an expression needs: all those that may shape what it refers to
unsigned bvreport_json_find_needs( const bvreport_expression_node* expression );

/// Makes the measures of a set; others are null. What it returns lives in the writer's arena.
bvreport_json_measures bvreport_json_measure( bvreport_json_writer* w, const bv_file* file, unsigned needs );

/// @return how many times the yardstick's cost the hierarchy's is, of the same poses; 0 where that is not
///         known
double bvreport_json_yardstick_ratio( const bvreport_json_measures* measures );

/// Adds an object with what the report says of a section.
typedef void bvreport_json_section( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                                    const bvreport_json_measures* measures );

// bvreport_json_put_origin, bvreport_json_put_mesh, ... Those that formats/bvh/sections.h names exist.
#define BVFILE_ROW( section, ... ) bvreport_json_section bvreport_json_put_##section;
BVFILE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW

/// Adds `findings`.
void bvreport_json_put_findings( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                                 const bvreport_json_measures* measures );

/// Adds `sah` to the hierarchy.
void bvreport_json_put_sah( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file );

/// Adds `occupancy` to the hierarchy.
void bvreport_json_put_occupancy( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file );

/// Adds `overlap`.
/// @param overlap  null where it is not known
void bvreport_json_put_overlap( bvreport_json_writer* w, cJSON* to, const bvb_overlap* overlap );

/// Adds `fit` to the hierarchy.
/// @param fit  null where it is not known
void bvreport_json_put_fitness( bvreport_json_writer* w, cJSON* hierarchy, const bvb_fitnesses* fit );

/// Adds `fit` to a level.
/// @param fit  null where it is not known
void bvreport_json_put_level_fitness( bvreport_json_writer* w, cJSON* level, const bvb_fitness* fit );

/// Adds `measured` to the hierarchy's costs.
/// @param contact  null where it is not known
void bvreport_json_put_contact( bvreport_json_writer* w, cJSON* cost, const bv_file* file,
                                const bvb_contact* contact );

/// Adds `yardstick` to the hierarchy's costs.
void bvreport_json_put_yardstick( bvreport_json_writer* w, cJSON* cost,
                                  const bvreport_json_measures* measures );

/// Adds a capsule or a cylinder: a segment with a radius. @return its object
cJSON* bvreport_json_put_thick_segment( bvreport_json_writer* w, cJSON* to, const char* key,
                                        const bv_vec3 ends[2], double radius, double volume );

/// Adds a capsule under the key `capsule`. @return its object
cJSON* bvreport_json_put_capsule( bvreport_json_writer* w, cJSON* to, const bv_capsule* capsule );

/// Adds a volume of any type. @return its object
cJSON* bvreport_json_put_volume( bvreport_json_writer* w, cJSON* to, const char* key,
                                 const bv_volume* volume );
