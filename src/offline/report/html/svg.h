// Plots as inline SVG: axes with round ticks, bands, curves and bars. Colors come from the page's style
// sheet.

#pragma once

#include "offline/report/html/html.h"

/// The range of an axis.
typedef struct bvhtml_axis
{
	double from; ///< at the left or bottom; above 0 on a logarithmic axis
	double to;   ///< at the right or top, above from
	bool log;    ///< logarithmic
	bool whole;  ///< only whole numbers have ticks
} bvhtml_axis;

/// An axis that begins at 0 and ends at a round number, or a logarithmic one between round numbers where
/// values are spread over more than a factor of 50.
/// @param least  the least value above 0; NAN when there is none
/// @param most   the largest value
bvhtml_axis bvhtml_choose_axis( double least, double most );

/// A plot that is being written.
typedef struct bvhtml_plot
{
	const bvhtml_page* page; ///< where to
	bvhtml_axis x;           ///< across
	bvhtml_axis y;           ///< upwards
	double left;             ///< of the field, in units of the drawing
	double right;            ///< of it
	double top;              ///< of it
	double bottom;           ///< of it
} bvhtml_plot;

/// Starts a figure with axes.
/// @param title    of the figure
/// @param summary  what the plot shows, in a sentence, for those who do not see it
/// @param x_name   of the axis across, with its unit
/// @param y_name   of the axis upwards, with its unit
bvhtml_plot bvhtml_begin_plot( const bvhtml_page* page, const char* title, const char* summary, bvhtml_axis x,
                               const char* x_name, bvhtml_axis y, const char* y_name );

/// Ends the figure.
void bvhtml_end_plot( const bvhtml_plot* plot );

/// Intervals over places as a band, and their upper ends as a curve with a dot at each.
/// @param name    of the curve, for its dots
/// @param series  0, 1 or 2: the color
/// @param x       places, ascending; `count` of them
/// @param lower   lower ends; null for a curve alone
/// @param upper   upper ends
void bvhtml_put_curve( const bvhtml_plot* plot, const char* name, int series, const double* x,
                       const double* lower, const double* upper, int count );

/// Upright bars over places, from 0 or the lower edge, and where lower is given paler from there on.
/// @param lower  null for whole bars
/// @param width  of each, as x
void bvhtml_put_bars( const bvhtml_plot* plot, const double* x, const double* lower, const double* upper,
                      int count, double width );

/// A dotted line across at a value, with its name.
void bvhtml_put_limit( const bvhtml_plot* plot, double y, const char* name );

/// Names of the series, in the upper right corner.
void bvhtml_put_legend( const bvhtml_plot* plot, const char* const* names, int count );

/// A row of a chart of bars that lie.
typedef struct bvhtml_bar
{
	const char* name;  ///< at its left
	double value;      ///< its length
	const char* label; ///< at its right
} bvhtml_bar;

/// A figure of bars that lie, one below the other.
void bvhtml_put_bar_chart( const bvhtml_page* page, const char* title, const char* summary,
                           const bvhtml_bar* bars, int count );
