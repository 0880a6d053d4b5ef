//===- CallEffectsTest.cpp - What is known of library calls ---------------===//
#include "Rules/CallEffects.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using tapefree::rules::AllocFamily;
using tapefree::rules::callEffect;
using tapefree::rules::CallEffect;
using tapefree::rules::CallKind;

namespace {

CallKind kindOf(const char *Name) { return callEffect(std::string_view(Name)).Kind; }

TEST(CallEffects, Allocation) {
  CallEffect Malloc = callEffect(std::string_view("malloc"));
  EXPECT_EQ(Malloc.Kind, CallKind::Allocate);
  EXPECT_EQ(Malloc.Family, AllocFamily::C);
  EXPECT_EQ(Malloc.Size, 0);
  EXPECT_FALSE(Malloc.NeverNull);
  CallEffect Calloc = callEffect(std::string_view("calloc"));
  EXPECT_EQ(Calloc.Kind, CallKind::AllocateZeroed);
  EXPECT_EQ(Calloc.Count, 0);
  EXPECT_EQ(Calloc.Size, 1);
  CallEffect Realloc = callEffect(std::string_view("realloc"));
  EXPECT_EQ(Realloc.Kind, CallKind::Reallocate);
  EXPECT_EQ(Realloc.Pointer, 0);
  EXPECT_EQ(Realloc.Size, 1);
  CallEffect Aligned = callEffect(std::string_view("aligned_alloc"));
  EXPECT_EQ(Aligned.Alignment, 0);
  EXPECT_EQ(Aligned.Size, 1);
  CallEffect Posix = callEffect(std::string_view("posix_memalign"));
  EXPECT_EQ(Posix.Kind, CallKind::AllocateInto);
  EXPECT_EQ(Posix.Pointer, 0);
  EXPECT_EQ(Posix.Size, 2);
  for (const char *Name : {"_Znwm", "_ZnwmSt11align_val_t"}) {
    CallEffect New = callEffect(std::string_view(Name));
    EXPECT_EQ(New.Kind, CallKind::Allocate);
    EXPECT_EQ(New.Family, AllocFamily::New);
    EXPECT_TRUE(New.NeverNull);
  }
  EXPECT_FALSE(callEffect(std::string_view("_ZnamRKSt9nothrow_t")).NeverNull);
  for (const char *Name : {"free", "_ZdlPv", "_ZdlPvm", "_ZdaPvmSt11align_val_t", "_ZdaPvRKSt9nothrow_t"})
    EXPECT_EQ(kindOf(Name), CallKind::Free) << Name;
}

TEST(CallEffects, Names) {
  for (const char *Name :
       {"printf", "puts", "_exit", "omp_get_thread_num", "strlen", "lroundf", "__ctype_b_loc", "_ZNSolsEd",
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "_ZNSt8ios_base4InitC1Ev",
        "_ZNSt6chrono3_V212steady_clock3nowEv",
        "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv"})
    EXPECT_TRUE(kindOf(Name) == CallKind::Inactive || kindOf(Name) == CallKind::NoReturn) << Name;
  for (const char *Name :
       {"abort", "exit", "_exit", "__assert_fail", "_ZSt20__throw_length_errorPKc", "__cxa_throw"})
    EXPECT_EQ(kindOf(Name), CallKind::NoReturn) << Name;
  for (const char *Name : {"", "a", "zzz", "scanf", "fread", "memcpy", "strdup", "printfoo", "_ZStd",
                           "_ZSt4sqrte", "_ZSt__throw_x", "_ZNSirsERd", "mallo", "my_function", "write"})
    EXPECT_EQ(kindOf(Name), CallKind::Unknown) << Name;
}

CallKind kindOfCall(StringRef Declarations, StringRef Call) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::string Source =
      (Declarations + "\ndefine void @test(double %x, i64 %n, ptr %p) {\n  " + Call + "\n  ret void\n}\n")
          .str();
  std::unique_ptr<Module> M = parseAssemblyString(Source, Error, Context);
  if (!M) {
    ADD_FAILURE() << Error.getMessage().str() << "\n" << Source;
    return CallKind::Unknown;
  }
  return callEffect(cast<CallBase>(M->getFunction("test")->getEntryBlock().front())).Kind;
}

TEST(CallEffects, Calls) {
  EXPECT_EQ(kindOfCall("declare ptr @malloc(i64)", "call ptr @malloc(i64 %n)"), CallKind::Allocate);
  EXPECT_EQ(kindOfCall("declare ptr @malloc()", "call ptr @malloc()"), CallKind::Unknown);
  EXPECT_EQ(kindOfCall("define void @free(ptr %q) {\n  ret void\n}", "call void @free(ptr %p)"),
            CallKind::Unknown);
  EXPECT_EQ(kindOfCall("declare double @tanh(double)", "call double @tanh(double %x)"), CallKind::Scalar);
  EXPECT_EQ(kindOfCall("", "call void %p()"), CallKind::Unknown);
  EXPECT_EQ(kindOfCall("declare void @llvm.assume(i1)", "call void @llvm.assume(i1 true)"),
            CallKind::Inactive);
  EXPECT_EQ(kindOfCall("declare void @llvm.trap()", "call void @llvm.trap()"), CallKind::NoReturn);
  EXPECT_EQ(
      kindOfCall("declare i64 @llvm.lround.i64.f64(double)", "call i64 @llvm.lround.i64.f64(double %x)"),
      CallKind::Inactive);
  EXPECT_EQ(kindOfCall("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                       "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 %n, i1 false)"),
            CallKind::Unknown);
}

} // namespace
