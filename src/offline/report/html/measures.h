// Measures of the hierarchy in the HTML report: how good it is at what it is for. Each adds nothing where it
// was not measured.

#pragma once

#include "offline/report/html/html.h"

/// Leaves, overlap of siblings, fit of volumes, and the surface area heuristic, in words.
void bvhtml_put_measures( const bvhtml_page* page );

/// How many triangles leaves hold, as a plot.
void bvhtml_put_occupancy( const bvhtml_page* page );

/// What queries near contact took.
void bvhtml_put_contact( const bvhtml_page* page );
