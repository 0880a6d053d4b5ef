//===- CallEffects.cpp - What is known of library calls -------------------===//
//
// Names are given as the Itanium C++ ABI mangles them (m and j: size_t of 64 and 32 bits). Every list is
// sorted: it is searched by halving, and a static_assert refuses it otherwise.
//
//===----------------------------------------------------------------------===//
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <iterator>

using namespace llvm;

namespace tapefree::rules {

namespace {
struct NamedEffect {
  std::string_view Name;
  CallEffect Effect;
};
} // namespace

static constexpr CallEffect allocate(AllocFamily Family, int Size, int Alignment = -1,
                                     bool NeverNull = false) {
  return {.Kind = CallKind::Allocate,
          .Family = Family,
          .Size = std::int8_t(Size),
          .Alignment = std::int8_t(Alignment),
          .NeverNull = NeverNull};
}
static constexpr CallEffect release(AllocFamily Family) {
  return {.Kind = CallKind::Free, .Family = Family, .Pointer = 0};
}
static constexpr bool Throws = true;
static constexpr AllocFamily New = AllocFamily::New, NewArray = AllocFamily::NewArray, C = AllocFamily::C,
                             Rust = AllocFamily::Rust;

static constexpr NamedEffect Allocators[] = {
    {"_ZdaPv", release(NewArray)},
    {"_ZdaPvRKSt9nothrow_t", release(NewArray)},
    {"_ZdaPvSt11align_val_t", release(NewArray)},
    {"_ZdaPvSt11align_val_tRKSt9nothrow_t", release(NewArray)},
    {"_ZdaPvj", release(NewArray)},
    {"_ZdaPvjSt11align_val_t", release(NewArray)},
    {"_ZdaPvm", release(NewArray)},
    {"_ZdaPvmSt11align_val_t", release(NewArray)},
    {"_ZdlPv", release(New)},
    {"_ZdlPvRKSt9nothrow_t", release(New)},
    {"_ZdlPvSt11align_val_t", release(New)},
    {"_ZdlPvSt11align_val_tRKSt9nothrow_t", release(New)},
    {"_ZdlPvj", release(New)},
    {"_ZdlPvjSt11align_val_t", release(New)},
    {"_ZdlPvm", release(New)},
    {"_ZdlPvmSt11align_val_t", release(New)},
    {"_Znaj", allocate(NewArray, 0, -1, Throws)},
    {"_ZnajRKSt9nothrow_t", allocate(NewArray, 0)},
    {"_ZnajSt11align_val_t", allocate(NewArray, 0, 1, Throws)},
    {"_ZnajSt11align_val_tRKSt9nothrow_t", allocate(NewArray, 0, 1)},
    {"_Znam", allocate(NewArray, 0, -1, Throws)},
    {"_ZnamRKSt9nothrow_t", allocate(NewArray, 0)},
    {"_ZnamSt11align_val_t", allocate(NewArray, 0, 1, Throws)},
    {"_ZnamSt11align_val_tRKSt9nothrow_t", allocate(NewArray, 0, 1)},
    {"_Znwj", allocate(New, 0, -1, Throws)},
    {"_ZnwjRKSt9nothrow_t", allocate(New, 0)},
    {"_ZnwjSt11align_val_t", allocate(New, 0, 1, Throws)},
    {"_ZnwjSt11align_val_tRKSt9nothrow_t", allocate(New, 0, 1)},
    {"_Znwm", allocate(New, 0, -1, Throws)},
    {"_ZnwmRKSt9nothrow_t", allocate(New, 0)},
    {"_ZnwmSt11align_val_t", allocate(New, 0, 1, Throws)},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t", allocate(New, 0, 1)},
    {"__rust_alloc", allocate(Rust, 0, 1)},
    {"__rust_alloc_zeroed", {.Kind = CallKind::AllocateZeroed, .Family = Rust, .Size = 0, .Alignment = 1}},
    {"__rust_dealloc", {.Kind = CallKind::Free, .Family = Rust, .Size = 1, .Pointer = 0, .Alignment = 2}},
    {"__rust_realloc",
     {.Kind = CallKind::Reallocate, .Family = Rust, .Size = 3, .Pointer = 0, .Alignment = 2}},
    {"aligned_alloc", allocate(C, 1, 0)},
    {"calloc", {.Kind = CallKind::AllocateZeroed, .Family = C, .Size = 1, .Count = 0}},
    {"cfree", release(C)},
    {"free", release(C)},
    {"malloc", allocate(C, 0)},
    {"memalign", allocate(C, 1, 0)},
    {"posix_memalign",
     {.Kind = CallKind::AllocateInto, .Family = C, .Size = 2, .Pointer = 0, .Alignment = 1}},
    {"pvalloc", allocate(C, 0)},
    {"realloc", {.Kind = CallKind::Reallocate, .Family = C, .Size = 1, .Pointer = 0}},
    {"reallocarray", {.Kind = CallKind::Reallocate, .Family = C, .Size = 2, .Count = 1, .Pointer = 0}},
    {"valloc", allocate(C, 0)},
};

static constexpr std::string_view NoReturn[] = {
    "_Exit",
    "_Unwind_Resume",
    "_ZSt9terminatev",
    "__assert",
    "__assert_fail",
    "__assert_rtn",
    "__clang_call_terminate",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_unexpected",
    "__cxa_deleted_virtual",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
    "__stack_chk_fail",
    "_exit",
    "abort",
    "exit",
    "quick_exit",
    OutOfMemoryHandler,
};

// Input that fills the program's own numbers (scanf, fread, strtod's like through pointers) is not here: it
// overwrites memory that may carry a derivative.
static constexpr std::string_view Inactive[] = {
    "__ctype_b_loc",
    "__cxa_allocate_exception",
    "__cxa_atexit",
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_free_exception",
    "__cxa_get_exception_ptr",
    "__cxa_guard_abort",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "__cxa_thread_atexit",
    "__errno_location",
    "__error",
    "__finite",
    "__finitef",
    "__finitel",
    "__fpclassify",
    "__fpclassifyf",
    "__fpclassifyl",
    "__fprintf_chk",
    "__isinf",
    "__isinff",
    "__isinfl",
    "__isnan",
    "__isnanf",
    "__isnanl",
    "__printf_chk",
    "__signbit",
    "__signbitf",
    "__signbitl",
    "__snprintf_chk",
    "__sprintf_chk",
    "__vfprintf_chk",
    "__vprintf_chk",
    "__vsnprintf_chk",
    "atexit",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "clock",
    "clock_gettime",
    "drand48",
    "fclose",
    "feof",
    "ferror",
    "fflush",
    "fileno",
    "finite",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fseek",
    "ftell",
    "fwrite",
    "getenv",
    "getpid",
    "gettimeofday",
    "ilogb",
    "ilogbf",
    "ilogbl",
    "isalpha",
    "isatty",
    "isdigit",
    "isinf",
    "isinff",
    "isinfl",
    "isnan",
    "isnanf",
    "isnanl",
    "isspace",
    "llrint",
    "llrintf",
    "llrintl",
    "llround",
    "llroundf",
    "llroundl",
    "lrand48",
    "lrint",
    "lrintf",
    "lrintl",
    "lround",
    "lroundf",
    "lroundl",
    "malloc_usable_size",
    "memchr",
    "memcmp",
    "mrand48",
    "nanosleep",
    "omp_get_active_level",
    "omp_get_ancestor_thread_num",
    "omp_get_cancellation",
    "omp_get_default_device",
    "omp_get_dynamic",
    "omp_get_level",
    "omp_get_max_active_levels",
    "omp_get_max_threads",
    "omp_get_nested",
    "omp_get_num_devices",
    "omp_get_num_procs",
    "omp_get_num_teams",
    "omp_get_num_threads",
    "omp_get_proc_bind",
    "omp_get_schedule",
    "omp_get_team_num",
    "omp_get_team_size",
    "omp_get_thread_limit",
    "omp_get_thread_num",
    "omp_get_wtick",
    "omp_get_wtime",
    "omp_in_parallel",
    "omp_is_initial_device",
    "perror",
    "printf",
    "putc",
    "putchar",
    "putchar_unlocked",
    "puts",
    "rand",
    "rand_r",
    "random",
    "rewind",
    "sched_yield",
    "setbuf",
    "setvbuf",
    "sleep",
    "snprintf",
    "sprintf",
    "srand",
    "srand48",
    "srandom",
    "strcasecmp",
    "strchr",
    "strcmp",
    "strcspn",
    "strerror",
    "strlen",
    "strncasecmp",
    "strncmp",
    "strnlen",
    "strrchr",
    "strspn",
    "strstr",
    "strtod",
    "strtof",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    DemandFunction,
    "time",
    "tolower",
    "toupper",
    "ungetc",
    "usleep",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
};

// Names reserved for the C++ library (libstdc++ and libc++), and for sanitizers, by their beginning: output,
// clocks, strings of char. Input streams are not here: operator>> writes the program's numbers.
static constexpr std::string_view InactivePrefixes[] = {
    "_ZNKSo",                         // std::ostream, const members
    "_ZNKSt3__112basic_stringIc",     //
    "_ZNKSt3__113basic_ostreamI",     //
    "_ZNKSt5ctypeI",                  //
    "_ZNKSt7__cxx1112basic_stringIc", // std::string
    "_ZNKSt9basic_iosI",              //
    "_ZNSaIc",                        // std::allocator<char>
    "_ZNSo",                          // std::ostream
    "_ZNSt12__basic_fileI",           //
    "_ZNSt13basic_filebufI",          //
    "_ZNSt14basic_ofstreamI",         //
    "_ZNSt15basic_streambufI",        //
    "_ZNSt3__112basic_stringIc",      //
    "_ZNSt3__113basic_ostreamI",      //
    "_ZNSt3__114basic_ofstreamI",     //
    "_ZNSt3__16chrono",               //
    "_ZNSt3__18ios_base",             //
    "_ZNSt3__1lsI",                   // operator<<
    "_ZNSt6chrono3_V2",               // steady_clock::now and its like
    "_ZNSt6locale",                   //
    "_ZNSt7__cxx1112basic_stringIc",  // std::string
    "_ZNSt7__cxx1115basic_stringbufI",
    "_ZNSt7__cxx1119basic_ostringstreamI",
    "_ZNSt8ios_base", // std::ios_base::Init
    "_ZNSt9basic_iosI",
    "_ZSt16__ostream_insertI",
    "_ZSt4endlI",
    "_ZSt5flushI",
    "_ZStlsI",         // operator<<
    "__ubsan_handle_", // UndefinedBehaviorSanitizer's reports
};

static constexpr bool isSorted() {
  for (std::size_t I = 1; I < std::size(Allocators); ++I)
    if (!(Allocators[I - 1].Name < Allocators[I].Name))
      return false;
  return std::is_sorted(std::begin(NoReturn), std::end(NoReturn)) &&
         std::is_sorted(std::begin(Inactive), std::end(Inactive)) &&
         std::is_sorted(std::begin(InactivePrefixes), std::end(InactivePrefixes));
}
static_assert(isSorted(), "keep the lists of CallEffects.cpp sorted");

/// std::__throw_out_of_range and its like: _ZSt, the length of the name, __throw_.
static bool isStdThrow(std::string_view Name) {
  if (!Name.starts_with("_ZSt"))
    return false;
  Name.remove_prefix(4);
  std::size_t Digits = Name.find_first_not_of("0123456789");
  return Digits != 0 && Digits != std::string_view::npos && Name.substr(Digits).starts_with("__throw_");
}

bool leavesByException(std::string_view Name) {
  for (std::string_view Throws : {"_Unwind_Resume", "__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_rethrow",
                                  "__cxa_throw", "__cxa_throw_bad_array_new_length"})
    if (Name == Throws)
      return true;
  return isStdThrow(Name) || isExit(Name);
}

/// No prefix of the list begins another one, so the only candidate is the last that is not above the name.
static bool hasInactivePrefix(std::string_view Name) {
  const auto *After = std::upper_bound(std::begin(InactivePrefixes), std::end(InactivePrefixes), Name);
  return After != std::begin(InactivePrefixes) && Name.starts_with(*std::prev(After));
}

CallEffect callEffect(std::string_view Name) {
  const auto *Allocator =
      std::lower_bound(std::begin(Allocators), std::end(Allocators), Name,
                       [](const NamedEffect &Entry, std::string_view Key) { return Entry.Name < Key; });
  if (Allocator != std::end(Allocators) && Allocator->Name == Name)
    return Allocator->Effect;
  if (std::binary_search(std::begin(NoReturn), std::end(NoReturn), Name) || isStdThrow(Name) || isExit(Name))
    return {.Kind = CallKind::NoReturn};
  if (std::binary_search(std::begin(Inactive), std::end(Inactive), Name) || hasInactivePrefix(Name))
    return {.Kind = CallKind::Inactive};
  return {};
}

/// Markers, hints and integer arithmetic. Intrinsics that move memory, pointers or floating values are not
/// here.
static CallKind intrinsicKind(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
    return CallKind::NoReturn;
  case Intrinsic::abs:
  case Intrinsic::allow_runtime_check:
  case Intrinsic::allow_ubsan_check:
  case Intrinsic::annotation:
  case Intrinsic::assume:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::codeview_annotation:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_value:
  case Intrinsic::debugtrap:
  case Intrinsic::donothing:
  case Intrinsic::eh_typeid_for:
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::experimental_cttz_elts:
  case Intrinsic::experimental_get_vector_length:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fake_use:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::frameaddress:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::get_active_lane_mask:
  case Intrinsic::get_rounding:
  case Intrinsic::invariant_end:
  case Intrinsic::invariant_start:
  case Intrinsic::is_constant:
  case Intrinsic::is_fpclass:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::llrint:
  case Intrinsic::llround:
  case Intrinsic::lrint:
  case Intrinsic::lround:
  case Intrinsic::objectsize:
  case Intrinsic::prefetch:
  case Intrinsic::pseudoprobe:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
  case Intrinsic::returnaddress:
  case Intrinsic::sadd_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::scmp:
  case Intrinsic::sideeffect:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::sshl_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::stackrestore:
  case Intrinsic::stacksave:
  case Intrinsic::stepvector:
  case Intrinsic::uadd_sat:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ucmp:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::ushl_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::var_annotation:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vscale:
    return CallKind::Inactive;
  default:
    return CallKind::Unknown;
  }
}

/// What the program itself says of a function.
static std::optional<CallEffect> registered(const Function &F) {
  if (F.hasFnAttribute(InactiveMark))
    return CallEffect{.Kind = CallKind::Declared};
  if (F.hasFnAttribute(ReleaseMark))
    return release(AllocFamily::User);
  if (unsigned Size = 0; !F.getFnAttribute(AllocatorMark).getValueAsString().getAsInteger(10, Size))
    return allocate(AllocFamily::User, int(Size));
  return std::nullopt;
}

CallEffect callEffect(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return {};
  if (std::optional<CallEffect> Said = registered(*Callee))
    return *Said;
  if (scalarRule(Call))
    return {.Kind = CallKind::Scalar};
  if (Callee->isIntrinsic())
    return {.Kind = intrinsicKind(Callee->getIntrinsicID())};
  std::string_view Name(Callee->getName().data(), Callee->getName().size());
  if (!Callee->isDeclaration() && !isOpaque(Name))
    return {.Kind = hasInactivePrefix(Name) ? CallKind::Inactive : CallKind::Unknown};
  CallEffect Effect = callEffect(Name);
  // A declaration of another shape is another function.
  int Highest = std::max({Effect.Size, Effect.Count, Effect.Pointer, Effect.Alignment});
  return Highest < int(Call.arg_size()) ? Effect : CallEffect();
}

} // namespace tapefree::rules
