// Measures of the hierarchy in the HTML report: how good it is at what it is for. Each adds nothing where it was not measured.

#pragma once

#include "formats/html/html.h"

/// Leaves, overlap of siblings, fit of volumes, and the surface area heuristic, in words.
void report_put_measures( const report_page* page );

/// How many triangles leaves hold, as a plot.
void report_put_occupancy( const report_page* page );

/// What queries near contact took.
void report_put_contact( const report_page* page );
