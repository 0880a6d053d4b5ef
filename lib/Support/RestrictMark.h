/// \file
/// How the front-end plugin tells the pass what is restrict-qualified: by annotations whose text is
///
///   tapefree.restrict:LEVELS:NAME
///
/// A digit for each level of pointers: the object itself, what it points to, and so on; '1' where that is
/// restrict-qualified. `double *__restrict__ *rows` has the levels 01. NAME is the member, such as
/// `Layer::W`: two members of different names are different objects. It is empty where that cannot be relied
/// upon.
#pragma once

namespace tapefree {

inline constexpr char RestrictPrefix[] = "tapefree.restrict:";

} // namespace tapefree
