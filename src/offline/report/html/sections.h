// The sections of the HTML report, in the order of the page. Each adds itself, or nothing where the file has
// nothing to say.

#pragma once

#include "bvbuild/report.h"
#include "offline/report/html/html.h"

/// The name, where it comes from, and the judgement in a line.
void bvhtml_put_header( const bvhtml_page* page );

/// What is good and bad about it: the array `findings` of the JSON report.
void bvhtml_put_findings( const bvhtml_page* page );

/// The few figures that matter most.
void bvhtml_put_tiles( const bvhtml_page* page );

/// Mesh, cleaning and edges in words, mass properties.
void bvhtml_put_mesh( const bvhtml_page* page );

/// Bounds of the whole mesh, its hull, and what primitive it is like.
void bvhtml_put_volumes( const bvhtml_page* page );

/// Levels, degrees, types and leaves of the hierarchy; how its volumes fit and overlap.
void bvhtml_put_hierarchy( const bvhtml_page* page );

/// Certified errors of the hierarchy's nodes, by level and of cuts.
void bvhtml_put_errors( const bvhtml_page* page );

/// What a query is expected to cost, and what generated ones have cost.
void bvhtml_put_cost( const bvhtml_page* page );

/// A clip: costs over time, and the hierarchies that were tried.
void bvhtml_put_clip( const bvhtml_page* page );

/// Convex parts, the one that stands off most first.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_put_parts( const bvhtml_page* page, bvb_error* error );

/// The proxy mesh: its triangles and its certified distances.
void bvhtml_put_proxy( const bvhtml_page* page );

/// The file's sections by size.
void bvhtml_put_file( const bvhtml_page* page );

/// How it was made: source, parameters, and times and memory of a build's report.
void bvhtml_put_making( const bvhtml_page* page );
