// Whether a figure of the report is good: compared with what is possible for this mesh, or with sample meshes.

#pragma once

#include "offline/report/html/html.h"

/// A judgement.
typedef enum bvhtml_rank
{
	bvhtml_good = 0,
	bvhtml_usual,
	bvhtml_poor,
} bvhtml_rank;

/// Adds a judgement with its reason as a tooltip.
void bvhtml_put_rank( const bvhtml_page* page, bvhtml_rank rank, const char* reason );

/// Judges a number of the JSON report by the table of limits, and adds that. Adds nothing if the report does not
/// have the number.
/// @param path  of the number; a row of the table
void bvhtml_put_judgement( const bvhtml_page* page, const char* path );
