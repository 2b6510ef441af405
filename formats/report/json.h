// The parts that the JSON report is made of. Each adds the keys that README.md lists under its name, all of them, with nulls for
// what the file does not have.

#pragma once

#include "bv/file.h"
#include "bvbuild/assess.h"
#include "formats/report/writer.h"

/// Adds `mesh`.
void json_put_mesh( json_writer* w, cJSON* report, const bv_file* file, const bv_mesh_info* info );

/// Adds `bounds`.
void json_put_bounds( json_writer* w, cJSON* report, const bv_file* file );

/// Adds `hull`.
void json_put_hull( json_writer* w, cJSON* report, const bv_file* file );

/// Adds `recognized`.
void json_put_recognized( json_writer* w, cJSON* report, const bv_file* file );

/// Adds `decomposition`.
void json_put_decomposition( json_writer* w, cJSON* report, const bv_file* file );

/// The mesh with few triangles.
void json_put_proxy( json_writer* w, cJSON* report, const bv_file* file );

/// Measures of the hierarchy that take long, made once for all that tells of them. Null where the file does not have what they take.
typedef struct json_measures
{
	const bvb_overlaps* overlaps;   ///< null without a hierarchy
	const bvb_fitnesses* fits;      ///< null without a hierarchy or triangles
	const bvb_contact* contact;     ///< as fits
	const bvb_yardstick* yardstick; ///< as fits; null of large meshes as well
} json_measures;

/// Measures the hierarchy; what it returns lives in the writer's arena.
json_measures json_measure( json_writer* w, const bv_file* file );

/// @return how many times the yardstick's cost the hierarchy's is, of the same poses; 0 where that is not known
double json_yardstick_ratio( const json_measures* measures );

/// Adds `hierarchy`.
void json_put_hierarchy( json_writer* w, cJSON* report, const bv_file* file, const json_measures* measures );

/// Adds `findings`.
void json_put_findings( json_writer* w, cJSON* report, const bv_file* file, const json_measures* measures );

/// Adds `sah` to the hierarchy.
void json_put_sah( json_writer* w, cJSON* hierarchy, const bv_file* file );

/// Adds `occupancy` to the hierarchy.
void json_put_occupancy( json_writer* w, cJSON* hierarchy, const bv_file* file );

/// Adds `overlap`.
/// @param overlap  null where it is not known
void json_put_overlap( json_writer* w, cJSON* to, const bvb_overlap* overlap );

/// Adds `fit` to the hierarchy.
/// @param fit  null where it is not known
void json_put_fitness( json_writer* w, cJSON* hierarchy, const bvb_fitnesses* fit );

/// Adds `fit` to a level.
/// @param fit  null where it is not known
void json_put_level_fitness( json_writer* w, cJSON* level, const bvb_fitness* fit );

/// Adds `measured` to the hierarchy's costs.
/// @param contact  null where it is not known
void json_put_contact( json_writer* w, cJSON* cost, const bv_file* file, const bvb_contact* contact );

/// Adds `yardstick` to the hierarchy's costs.
void json_put_yardstick( json_writer* w, cJSON* cost, const json_measures* measures );

/// Adds `body`.
void json_put_moving_body( json_writer* w, cJSON* report, const bv_file* file );

/// Adds three unit vectors as rows.
void json_put_axes( json_writer* w, cJSON* to, const bv_vec3 axis[3] );

/// Adds an oriented box. @return its object
cJSON* json_put_obb( json_writer* w, cJSON* to, const char* key, const bv_obb* box );

/// Adds a ball. @return its object
cJSON* json_put_sphere( json_writer* w, cJSON* to, const char* key, const bv_sphere* ball );

/// Adds a capsule or a cylinder: a segment with a radius. @return its object
cJSON* json_put_thick_segment( json_writer* w, cJSON* to, const char* key, const bv_vec3 ends[2],
                               double radius, double volume );

/// Adds a capsule under the key `capsule`. @return its object
cJSON* json_put_capsule( json_writer* w, cJSON* to, const bv_capsule* capsule );

/// Adds an axis-aligned box. @return its object
cJSON* json_put_aabb( json_writer* w, cJSON* to, const char* key, const bv_aabb* box );

/// Adds a rectangle swept sphere. @return its object
cJSON* json_put_rss( json_writer* w, cJSON* to, const char* key, const bv_rss* rss );

/// Adds a k-DOP. @return its object
cJSON* json_put_kdop( json_writer* w, cJSON* to, const char* key, const bv_kdop* kdop );

/// Adds a volume of any type. @return its object
cJSON* json_put_node_volume( json_writer* w, cJSON* to, const char* key, const bv_volume* volume );
