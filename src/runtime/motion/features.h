// What finders of contacts between moving features share: the pair, and the rows of the table.

#pragma once

#include "bv/motion.h"

/// Two features whose points move along lines: point 0 and the triangle of points 1 to 3, or the edges of points 0 and 1,
/// and 2 and 3.
typedef struct bvmotion_features
{
	const bv_vec3* start; ///< the four points at time 0
	const bv_vec3* end;   ///< and at time 1
	bool edges;           ///< two edges
} bvmotion_features;

/// What is looked for.
typedef struct bvmotion_search
{
	bvmotion_features features;
	bv_inside_test inside;
	double limit;      ///< end of the time range, above 0 and up to 1
	double separation; ///< as in bv_feature_options
	double tolerance;  ///< above 0
	uint32_t samples;  ///< at least 2
} bvmotion_search;

/// A row of the table. It fills in all of `*out`.
typedef void bvmotion_finder( const bvmotion_search* search, bv_feature_time* out );

/// The row of bv_finder_certified.
void bvmotion_find_certified( const bvmotion_search* search, bv_feature_time* out );

/// The rows of the finders of 1998, which are not certified, for features without separation.
void bvmotion_find_linear( const bvmotion_search* search, bv_feature_time* out );
void bvmotion_find_regula_falsi( const bvmotion_search* search, bv_feature_time* out );
void bvmotion_find_quadratic( const bvmotion_search* search, bv_feature_time* out );
void bvmotion_find_sampled( const bvmotion_search* search, bv_feature_time* out );
void bvmotion_find_sampled_regula_falsi( const bvmotion_search* search, bv_feature_time* out );

/// Finds the first contact, exactly. `certain` is false if the coordinates take too many bits.
/// @param limit  end of the time range, above 0 and up to 1
/// @param out    `tests` is counted up
void bvmotion_find_exactly( const bvmotion_features* features, double limit, bv_feature_time* out );

/// The same in binary64.
/// @return whether that decides; otherwise `*out` is unchanged
bool bvmotion_filter( const bvmotion_features* features, double limit, bv_feature_time* out );

/// Finds when features are first no farther apart than the separation, by directions along which they are farther apart.
/// If there is no separation, this only proves that there is no contact before `lower`, and never that there is one.
/// @param out  `tests` is counted up
void bvmotion_find_near( const bvmotion_search* search, bv_feature_time* out );
