// Plots as inline SVG: axes with round ticks, bands, curves and bars. Colors come from the page's style sheet.

#pragma once

#include "formats/html/html.h"

/// The range of an axis.
typedef struct report_axis
{
	double from; ///< at the left or bottom; above 0 on a logarithmic axis
	double to;   ///< at the right or top, above from
	bool log;    ///< logarithmic
	bool whole;  ///< only whole numbers have ticks
} report_axis;

/// An axis that begins at 0 and ends at a round number, or a logarithmic one between round numbers where values are spread
/// over more than a factor of 50.
/// @param least  the least value above 0; NAN when there is none
/// @param most   the largest value
report_axis report_choose_axis( double least, double most );

/// A plot that is being written.
typedef struct report_plot
{
	const report_page* page; ///< where to
	report_axis x;           ///< across
	report_axis y;           ///< upwards
	double left;             ///< of the field, in units of the drawing
	double right;            ///< of it
	double top;              ///< of it
	double bottom;           ///< of it
} report_plot;

/// Starts a figure with axes.
/// @param title    of the figure
/// @param summary  what the plot shows, in a sentence, for those who do not see it
/// @param x_name   of the axis across, with its unit
/// @param y_name   of the axis upwards, with its unit
report_plot report_begin_plot( const report_page* page, const char* title, const char* summary, report_axis x,
                               const char* x_name, report_axis y, const char* y_name );

/// Ends the figure.
void report_end_plot( const report_plot* plot );

/// Intervals over places as a band, and their upper ends as a curve with a dot at each.
/// @param name    of the curve, for its dots
/// @param series  0, 1 or 2: the color
/// @param x       places, ascending; `count` of them
/// @param lower   lower ends; null for a curve alone
/// @param upper   upper ends
void report_put_curve( const report_plot* plot, const char* name, int series, const double* x,
                       const double* lower, const double* upper, int count );

/// Upright bars over places, from 0 or the lower edge, and where lower is given paler from there on.
/// @param lower  null for whole bars
/// @param width  of each, as x
void report_put_bars( const report_plot* plot, const double* x, const double* lower, const double* upper,
                      int count, double width );

/// A dotted line across at a value, with its name.
void report_put_limit( const report_plot* plot, double y, const char* name );

/// Names of the series, in the upper right corner.
void report_put_legend( const report_plot* plot, const char* const* names, int count );

/// A row of a chart of bars that lie.
typedef struct report_bar
{
	const char* name;  ///< at its left
	double value;      ///< its length
	const char* label; ///< at its right
} report_bar;

/// A figure of bars that lie, one below the other.
void report_put_bar_chart( const report_page* page, const char* title, const char* summary,
                           const report_bar* bars, int count );
