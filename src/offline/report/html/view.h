// The 3D view of the HTML report: geometry of the file and the scripts that draw it.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"
#include "offline/export/output.h"

/// Adds the view to a page: what a script needs of the file, and the scripts. The page has a section with the
/// id "view" before it that holds a figure with the id "picture", which stays where no script runs. Links
/// with the attribute data-show ask the view for something: "part:3", "node:17", "triangle:9", "level:3",
/// "edges:boundary", "edges:flipped", "edges:non_manifold". The page's policy lets those scripts run that
/// stand here in elements without attributes: <script>.
/// @param page   where all of it is added; what fails there for lack of memory shows in its flag
/// @param body   the page so far: nodes that its links lead to are not left out; null for none
/// @param arena  for what is needed meanwhile
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view( bvexport_output* page, const bv_file* file, const bvexport_output* body,
                       bvb_arena* arena, bvb_error* error );
