extern int tapefree_dup, tapefree_const, tapefree_out, tapefree_strict;
template <typename... A> void __tapefree_autodiff(void *, A...);
