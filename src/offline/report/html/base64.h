// Bytes as text for data URIs and scripts: RFC 4648, with padding.

#pragma once

#include "offline/export/output.h"

/// Adds `size` bytes as four characters for every three of them.
void bvhtml_base64( bvexport_output* out, const void* data, size_t size );
