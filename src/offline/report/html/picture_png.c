// A picture as a PNG file (by libpng), and as an image in the page. See picture.h.

#include "offline/report/html/picture.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/report/html/base64.h"

#include <stdlib.h>

#include <png.h>

enum
{
	large_limit = 128000, // of a page with one picture
	mesh_limit = 96000,
	parts_limit = 72000,
};

static void append_bytes( png_structp png, png_bytep bytes, png_size_t count )
{
	bvexport_output_bytes( png_get_io_ptr( png ), bytes, count );
}

static void flush_nothing( png_structp png )
{
	(void)png;
}

// Nothing is said: whatever fails becomes an error of ours.
static void leave( png_structp png, png_const_charp message )
{
	(void)message;
	longjmp( png_jmpbuf( png ), 1 );
}

static void ignore( png_structp png, png_const_charp message )
{
	(void)png;
	(void)message;
}

static void write_rows( png_structp png, png_infop info, const bvhtml_picture* picture )
{
	png_set_IHDR( png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
	              PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT );
	png_write_info( png, info );
	for ( size_t y = 0; y < picture->height; ++y )
	{
		png_write_row( png, picture->pixels + y * picture->width * 4 );
	}
	png_write_end( png, NULL );
}

// @return whether it could be
static bool encode( const bvhtml_picture* picture, bvexport_output* out )
{
	png_infop info = NULL;
	png_structp png = png_create_write_struct( PNG_LIBPNG_VER_STRING, NULL, leave, ignore );
	volatile bool good = false;
	if ( png )
	{
		info = png_create_info_struct( png );
		png_set_write_fn( png, out, append_bytes, flush_nothing );
		if ( info && setjmp( png_jmpbuf( png ) ) == 0 )
		{
			write_rows( png, info, picture );
			good = true;
		}
		png_destroy_write_struct( &png, &info );
	}
	return good && !out->failed;
}

// Drops the last bits of all colors, in the middle of what they leave.
static void coarsen( bvhtml_picture* picture, int bits )
{
	size_t count = (size_t)picture->width * picture->height * 4;
	uint8_t half = (uint8_t)( 1 << ( bits - 1 ) );
	for ( size_t i = 0; i < count; ++i )
	{
		if ( i % 4 != 3 )
		{
			picture->pixels[i] = (uint8_t)( ( picture->pixels[i] >> bits << bits ) | half );
		}
	}
}

// Each pixel becomes the mean of four, weighted by how opaque they are, in place: none is read after it is
// overwritten.
static void halve( bvhtml_picture* picture )
{
	uint32_t width = picture->width / 2;
	uint32_t height = picture->height / 2;
	uint8_t* to = picture->pixels;
	for ( uint32_t y = 0; y < height; ++y )
	{
		for ( uint32_t x = 0; x < width; ++x, to += 4 )
		{
			uint32_t sum[4] = { 0, 0, 0, 0 };
			for ( uint32_t k = 0; k < 4; ++k )
			{
				const uint8_t* from =
					picture->pixels + 4 * ( (size_t)( 2 * y + k / 2 ) * picture->width + 2 * x + k % 2 );
				for ( int i = 0; i < 3; ++i )
				{
					sum[i] += (uint32_t)from[i] * from[3];
				}
				sum[3] += from[3];
			}
			for ( int i = 0; i < 3; ++i )
			{
				to[i] = (uint8_t)( sum[3] ? sum[i] / sum[3] : 0 );
			}
			to[3] = (uint8_t)( sum[3] / 4 );
		}
	}
	picture->width = width;
	picture->height = height;
}

bv_status bvhtml_encode_png( bvhtml_picture* picture, size_t limit, bvexport_output* out, bvb_error* error )
{
	size_t before = out->length;
	bool good = encode( picture, out );
	for ( int step = 0; good && step < 3 && out->length - before > limit; ++step )
	{
		out->length = before;
		if ( step == 1 )
		{
			halve( picture );
		}
		else
		{
			coarsen( picture, step == 0 ? 3 : 4 );
		}
		good = encode( picture, out );
	}
	return good ? bv_ok : bvbase_fail_memory( error );
}

// @param behind  set where sides show that face away; may be null
static bv_status put_image( const bvhtml_page* page, bvhtml_subject subject, size_t limit, const char* what,
                            bool* behind, bvb_error* error )
{
	bvhtml_picture picture;
	bvexport_output png = { 0 };
	bvb_arena* arena = bvbase_arena_create_scratch( page->arena );
	if ( !arena )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvhtml_draw( page->file, subject, arena, &picture, error );
	status = status == bv_ok ? bvhtml_encode_png( &picture, limit, &png, error ) : status;
	if ( status == bv_ok )
	{
		bvhtml_put( page, "<img width=\"$i\" height=\"$i\" alt=\"$s\" src=\"data:image/png;base64,",
		            (double)bvhtml_picture_width, (double)bvhtml_picture_height, what );
		bvhtml_base64( page->out, png.data, png.length );
		bvhtml_put( page, "\"/>\n" );
	}
	if ( behind )
	{
		*behind = picture.behind;
	}
	free( png.data );
	bvb_arena_destroy( arena );
	return status;
}

bv_status bvhtml_put_picture( const bvhtml_page* page, bvb_error* error )
{
	bool behind = false;
	bool mesh = bv_file_get_mesh( page->file ).has_triangles;
	bool hull = bv_file_get_hull( page->file ).kind >= bv_hull_polygon &&
	            bv_file_get_hull( page->file ).vertices >= 3;
	bool parts = bv_file_get_decomposition( page->file ).parts > 0;
	bv_status status = bv_ok;
	bvhtml_put( page, "<figure id=\"picture\">\n" );
	if ( mesh )
	{
		status = put_image( page, bvhtml_subject_mesh, parts ? mesh_limit : large_limit,
		                    "The mesh, seen from the front, right and above", &behind, error );
	}
	else if ( hull || parts )
	{
		status = put_image( page, hull ? bvhtml_subject_hull : bvhtml_subject_parts, mesh_limit,
		                    hull ? "The convex hull" : "The convex parts", NULL, error );
	}
	bvhtml_put( page, "<figcaption>$r$r</figcaption>\n</figure>\n",
	            mesh    ? "The mesh in parallel projection; y is up."
	            : hull  ? "The convex hull: the file has no triangles of the mesh."
	            : parts ? "The convex parts: the file has no triangles of the mesh."
	                    : "The file has nothing to draw.",
	            behind ? " Orange: back faces." : "" );
	return status;
}

bv_status bvhtml_put_parts_picture( const bvhtml_page* page, bvb_error* error )
{
	bvhtml_put( page, "<figure>\n" );
	bv_status status = put_image( page, bvhtml_subject_parts, parts_limit,
	                              "The convex parts, in several colors", NULL, error );
	bvhtml_put( page, "<figcaption>The convex parts, in seven repeating colors.</figcaption>\n</figure>\n" );
	return status;
}
