// Plots as inline SVG. See svg.h.

#include "offline/report/html/svg.h"

#include <math.h>
#include <string.h>

enum
{
	plot_width = 520,
	plot_height = 300,
	most_decades = 10,
	bar_height = 22,
	bar_left = 150,
	bar_right = 110,
};

// Tenths are finer than any screen.
static void put_coordinate( const bvhtml_page* page, double value )
{
	bvexport_output_number( page->out, rint( 10 * value ) / 10 + 0.0 );
}

// ` name="value"`
static void put_attribute( const bvhtml_page* page, const char* name, double value )
{
	bvhtml_put( page, " $r=\"", name );
	put_coordinate( page, value );
	bvhtml_put( page, "\"" );
}

static void put_line( const bvhtml_page* page, const char* kind, double x1, double y1, double x2, double y2 )
{
	bvhtml_put( page, "<line class=\"$r\"", kind );
	put_attribute( page, "x1", x1 );
	put_attribute( page, "y1", y1 );
	put_attribute( page, "x2", x2 );
	put_attribute( page, "y2", y2 );
	bvhtml_put( page, "/>" );
}

static void put_label( const bvhtml_page* page, const char* kind, const char* anchor, double x, double y,
                       const char* text )
{
	bvhtml_put( page, "<text class=\"$r\" text-anchor=\"$r\"", kind, anchor );
	put_attribute( page, "x", x );
	put_attribute( page, "y", y );
	bvhtml_put( page, ">$s</text>\n", text );
}

// The least of 1, 2 or 5 times a power of ten that is not below a number.
static double round_up( double value )
{
	double power = pow( 10, floor( log10( value ) ) );
	double digit = value / power;
	double round = digit <= 1.000001 ? 1 : digit <= 2.000001 ? 2 : digit <= 5.000001 ? 5 : 10;
	return round * power;
}

static double step_of( const bvhtml_axis* axis )
{
	double step = round_up( ( axis->to - axis->from ) / ( axis->whole ? 11 : 6 ) );
	return axis->whole && step < 1 ? 1 : step;
}

bvhtml_axis bvhtml_choose_axis( double least, double most )
{
	bvhtml_axis axis = { 0, 1, false, false };
	if ( !( most > 0 && isfinite( most ) ) )
	{
		return axis;
	}
	if ( least > 0 && most / least > 50 )
	{
		double from = fmax( least, most * pow( 10, -most_decades ) );
		return ( bvhtml_axis ){ 1 / round_up( 1 / from ), round_up( most ), true, false };
	}
	axis.to = most;
	double step = step_of( &axis );
	axis.to = step * ceil( most / step - 1e-9 );
	return axis;
}

// Where a value is between the ends of an axis, from 0 to 1.
static double place( const bvhtml_axis* axis, double value )
{
	double at = axis->log
	                ? value > axis->from ? log10( value / axis->from ) / log10( axis->to / axis->from ) : 0
	                : ( value - axis->from ) / ( axis->to - axis->from );
	return fmin( fmax( at, 0 ), 1 );
}

static double get_x( const bvhtml_plot* plot, double value )
{
	return plot->left + place( &plot->x, value ) * ( plot->right - plot->left );
}

static double get_y( const bvhtml_plot* plot, double value )
{
	return plot->bottom - place( &plot->y, value ) * ( plot->bottom - plot->top );
}

static void put_tick( const bvhtml_plot* plot, bool upright, double value )
{
	char text[BVHTML_NUMBER_BYTES];
	bvhtml_print_number( text, value, 3 );
	if ( upright )
	{
		double y = get_y( plot, value );
		put_line( plot->page, "grid", plot->left, y, plot->right, y );
		put_label( plot->page, "tick", "end", plot->left - 7, y + 4, text );
	}
	else
	{
		double x = get_x( plot, value );
		put_line( plot->page, "axis", x, plot->bottom, x, plot->bottom + 4 );
		put_label( plot->page, "tick", "middle", x, plot->bottom + 17, text );
	}
}

// Powers of ten, or every other one, and where there are few also twice and five times these.
static void put_log_ticks( const bvhtml_plot* plot, bool upright )
{
	const bvhtml_axis* axis = upright ? &plot->y : &plot->x;
	int first = (int)floor( log10( axis->from ) + 1e-9 );
	int last = (int)ceil( log10( axis->to ) - 1e-9 );
	int every = last - first > 6 ? 2 : 1;
	for ( int i = first; i <= last; i += every )
	{
		static const double factors[] = { 1, 2, 5 };
		for ( int k = 0; k < ( axis->to / axis->from < 500 ? 3 : 1 ); ++k )
		{
			double value = factors[k] * pow( 10, i );
			if ( value >= axis->from * ( 1 - 1e-9 ) && value <= axis->to * ( 1 + 1e-9 ) )
			{
				put_tick( plot, upright, value );
			}
		}
	}
}

static void put_ticks( const bvhtml_plot* plot, bool upright )
{
	const bvhtml_axis* axis = upright ? &plot->y : &plot->x;
	if ( axis->log )
	{
		put_log_ticks( plot, upright );
		return;
	}
	double step = step_of( axis );
	for ( double i = ceil( axis->from / step - 1e-9 ); i * step <= axis->to + 1e-9 * step; ++i )
	{
		put_tick( plot, upright, i * step );
	}
}

static void begin_drawing( const bvhtml_page* page, const char* title, const char* summary, double width,
                           double height )
{
	bvhtml_put( page, "<figure><figcaption>$s</figcaption>\n<svg class=\"plot\" role=\"img\" viewBox=\"0 0 ",
	            title );
	put_coordinate( page, width );
	bvhtml_put( page, " " );
	put_coordinate( page, height );
	bvhtml_put( page, "\"><title>$s</title>\n<desc>$s</desc>\n", title, summary );
}

bvhtml_plot bvhtml_begin_plot( const bvhtml_page* page, const char* title, const char* summary, bvhtml_axis x,
                               const char* x_name, bvhtml_axis y, const char* y_name )
{
	bvhtml_plot plot = { page, x, y, 66, plot_width - 14, 30, plot_height - 44 };
	begin_drawing( page, title, summary, plot_width, plot_height );
	put_ticks( &plot, true );
	put_ticks( &plot, false );
	put_line( page, "axis", plot.left, plot.bottom, plot.right, plot.bottom );
	put_label( page, "name", "start", 4, 14, y_name );
	put_label( page, "name", "end", plot.right, plot.bottom + 36, x_name );
	return plot;
}

void bvhtml_end_plot( const bvhtml_plot* plot )
{
	bvhtml_put( plot->page, "</svg>\n</figure>\n" );
}

static const char* const series_names[] = { "one", "two", "three" };

static void put_points( const bvhtml_plot* plot, const double* x, const double* y, int count, bool backwards )
{
	for ( int i = 0; i < count; ++i )
	{
		int at = backwards ? count - 1 - i : i;
		put_coordinate( plot->page, get_x( plot, x[at] ) );
		bvhtml_put( plot->page, "," );
		put_coordinate( plot->page, get_y( plot, y[at] ) );
		bvhtml_put( plot->page, " " );
	}
}

void bvhtml_put_curve( const bvhtml_plot* plot, const char* name, int series, const double* x,
                       const double* lower, const double* upper, int count )
{
	enum
	{
		most_dots = 70,
	};
	const bvhtml_page* page = plot->page;
	const char* color = series_names[series];
	if ( lower && count > 1 )
	{
		bvhtml_put( page, "<polygon class=\"$r band\" points=\"", color );
		put_points( plot, x, upper, count, false );
		put_points( plot, x, lower, count, true );
		bvhtml_put( page, "\"/>\n" );
	}
	bvhtml_put( page, "<polyline class=\"$r curve\" points=\"", color );
	put_points( plot, x, upper, count, false );
	bvhtml_put( page, "\"/>\n" );
	for ( int i = 0; i < count && count <= most_dots; ++i )
	{
		double low = lower ? lower[i] : upper[i];
		if ( lower && count == 1 )
		{
			bvhtml_put( page, "<g class=\"$r\">", color );
			put_line( page, "curve", get_x( plot, x[i] ), get_y( plot, low ), get_x( plot, x[i] ),
			          get_y( plot, upper[i] ) );
			bvhtml_put( page, "</g>" );
		}
		bvhtml_put( page, "<circle class=\"$r dot\" r=\"3\"", color );
		put_attribute( page, "cx", get_x( plot, x[i] ) );
		put_attribute( page, "cy", get_y( plot, upper[i] ) );
		bvhtml_put( page,
		            lower ? "><title>$s, $n: $l to $u</title></circle>\n"
		                  : "><title>$s, $n: $n</title></circle>\n",
		            name, x[i], low, upper[i] );
	}
}

static void put_bar( const bvhtml_plot* plot, const char* kind, double x, double width, double lower,
                     double upper )
{
	double top = get_y( plot, upper );
	bvhtml_put( plot->page, "<rect class=\"one $r\"", kind );
	put_attribute( plot->page, "x", get_x( plot, x - width / 2 ) );
	put_attribute( plot->page, "width",
	               fmax( get_x( plot, x + width / 2 ) - get_x( plot, x - width / 2 ), 0.5 ) );
	put_attribute( plot->page, "y", top );
	put_attribute( plot->page, "height", get_y( plot, lower ) - top );
}

void bvhtml_put_bars( const bvhtml_plot* plot, const double* x, const double* lower, const double* upper,
                      int count, double width )
{
	for ( int i = 0; i < count; ++i )
	{
		double low = lower ? lower[i] : upper[i];
		put_bar( plot, "bar", x[i], width, plot->y.from, low );
		bvhtml_put( plot->page, "><title>$n: $u</title></rect>\n", x[i], upper[i] );
		if ( low < upper[i] )
		{
			put_bar( plot, "rest", x[i], width, low, upper[i] );
			bvhtml_put( plot->page, "><title>$n: $l to $u</title></rect>\n", x[i], low, upper[i] );
		}
	}
}

void bvhtml_put_limit( const bvhtml_plot* plot, double y, const char* name )
{
	double at = get_y( plot, y );
	put_line( plot->page, "limit", plot->left, at, plot->right, at );
	put_label( plot->page, "name", "end", plot->right, at - 4, name );
}

void bvhtml_put_legend( const bvhtml_plot* plot, const char* const* names, int count )
{
	double x = plot->right;
	for ( int i = count - 1; i >= 0; --i )
	{
		x -= 46 + 6.5 * (double)strlen( names[i] );
		bvhtml_put( plot->page, "<g class=\"$r\">", series_names[i] );
		bvhtml_put( plot->page, "<line class=\"$r curve\"", series_names[i] );
		put_attribute( plot->page, "x1", x );
		put_attribute( plot->page, "x2", x + 22 );
		put_attribute( plot->page, "y1", 10 );
		put_attribute( plot->page, "y2", 10 );
		bvhtml_put( plot->page, "/></g>" );
		put_label( plot->page, "name", "start", x + 27, 14, names[i] );
	}
}

void bvhtml_put_bar_chart( const bvhtml_page* page, const char* title, const char* summary,
                           const bvhtml_bar* bars, int count )
{
	double most = 0;
	for ( int i = 0; i < count; ++i )
	{
		most = fmax( most, bars[i].value );
	}
	begin_drawing( page, title, summary, plot_width, bar_height * count + 8 );
	for ( int i = 0; i < count; ++i )
	{
		double y = bar_height * i + 4;
		double length = most > 0 ? bars[i].value / most * ( plot_width - bar_left - bar_right ) : 0;
		put_label( page, "name", "end", bar_left - 8, y + 15, bars[i].name );
		bvhtml_put( page, "<rect class=\"one bar\"" );
		put_attribute( page, "x", bar_left );
		put_attribute( page, "y", y + 3 );
		put_attribute( page, "width", fmax( length, 1 ) );
		put_attribute( page, "height", bar_height - 6 );
		bvhtml_put( page, "/>" );
		put_label( page, "tick", "start", bar_left + fmax( length, 1 ) + 6, y + 15, bars[i].label );
	}
	bvhtml_put( page, "</svg>\n</figure>\n" );
}
