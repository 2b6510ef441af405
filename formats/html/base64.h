// Bytes as text for data URIs and scripts: RFC 4648, with padding.

#pragma once

#include "formats/output.h"

/// Adds `size` bytes as four characters for every three of them.
void report_base64( bvb_output* out, const void* data, size_t size );
