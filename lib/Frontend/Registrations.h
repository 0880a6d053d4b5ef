// Registrations: variables by which a program tells what is to be known of its functions, in either spelling:
//
//   void *__tapefree_register_gradient_f[] = {(void *)f, (void *)augmented, (void *)gradient};
//   void *__enzyme_inactivefn[] = {(void *)log_state};
//
// docs/user-rules.md has them all. Their meaning is left on the functions as marks (Rules/UserRules.h) for
// the time of one run of the plugin.
#pragma once
#include "Support/Diag.h"

namespace tapefree {

/// Whether a variable of this name registers something.
bool isRegistration(llvm::StringRef Name);

/// Marks what the module registers. Mistakes are errors, and then nothing is said of the function. True if
/// there is anything.
bool readRegistrations(llvm::Module &M, Diag &D);
/// Takes the marks away again.
void clearRegistrations(llvm::Module &M);

/// Sees to it that registered functions stay functions until the last run of the plugin: under LTO that is
/// when the program is linked.
void keepRegistered(llvm::Module &M);
/// The same for what optimisations conclude of a body (that it returns its argument, say), until the program
/// is linked: calls go through variables of which nothing is known, and showRegisteredCalls() undoes that.
void hideRegisteredCalls(llvm::Module &M);
bool showRegisteredCalls(llvm::Module &M);
/// Gives back what keepRegistered() took, and drops the variables.
bool releaseRegistered(llvm::Module &M);

} // namespace tapefree
