// The sections of the HTML report, in the order of the page. Each adds itself, or nothing where the file has nothing to say.

#pragma once

#include "bvbuild/report.h"
#include "formats/html/html.h"

/// The name, where it comes from, and the judgement in a line.
void report_put_header( const report_page* page );

/// What is good and bad about it: the array `findings` of the JSON report.
void report_put_findings( const report_page* page );

/// The few figures that matter most.
void report_put_tiles( const report_page* page );

/// Mesh, cleaning and edges in words, mass properties.
void report_put_mesh( const report_page* page );

/// Bounds of the whole mesh, its hull, and what primitive it is like.
void report_put_volumes( const report_page* page );

/// Levels, degrees, types and leaves of the hierarchy; how its volumes fit and overlap.
void report_put_hierarchy( const report_page* page );

/// Certified errors of the hierarchy's nodes, by level and of cuts.
void report_put_errors( const report_page* page );

/// What a query is expected to cost, and what generated ones have cost.
void report_put_cost( const report_page* page );

/// Convex parts, the one that stands off most first.
/// @return bv_ok; bv_error_memory
bv_status report_put_parts( const report_page* page, bvb_error* error );

/// The file's sections by size.
void report_put_file( const report_page* page );

/// How it was made: source, parameters, and times and memory of a build's report.
void report_put_making( const report_page* page );
