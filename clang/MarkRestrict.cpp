// The front-end plugin: clang forgets `restrict` on everything but parameters. This hands it on, as
// annotations of the variables and members that are restrict-qualified, or point to what is
// (Support/RestrictMark.h). clang writes an annotation of a local variable at its declaration and that of a
// member at each use, at every -O level. The pass reads them in functions that it differentiates, and then
// takes all of them out.
#include "Support/RestrictMark.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;

namespace {

/// One digit for each level of pointers in the type, '1' for restrict; empty if there is none.
std::string restrictLevels(ASTContext &Context, QualType T) {
  std::string Levels;
  for (;;) {
    T = Context.getBaseElementType(T);
    if (!T->isPointerType() && !T->isReferenceType())
      break;
    Levels += T.isRestrictQualified() ? '1' : '0';
    T = T->getPointeeType();
  }
  return Levels.substr(0, Levels.find_last_of('1') + 1);
}

class Marker : public RecursiveASTVisitor<Marker> {
public:
  Marker(ASTContext &Context, bool StrictAliasing) : Context(Context), StrictAliasing(StrictAliasing) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  /// Nothing of ours is in system headers but instantiations, which are visited with the template.
  bool TraverseDecl(Decl *D) {
    if (D && !isa<TranslationUnitDecl>(D) && Context.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitRecordDecl(RecordDecl *R) {
    if (R->isUnion() && R->isCompleteDefinition() && !R->isDependentContext())
      for (const FieldDecl *F : R->fields())
        shareMemory(F->getType());
    return true;
  }
  bool VisitFieldDecl(FieldDecl *F) {
    mark(F);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    if (auto *F = dyn_cast<FieldDecl>(E->getMemberDecl()))
      mark(F);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (!V->hasLocalStorage() || V->getType()->isDependentType() || V->isInvalidDecl())
      return true;
    std::string Levels = restrictLevels(Context, V->getType());
    if (isa<ParmVarDecl>(V) && !Levels.empty())
      Levels[0] = '0'; // clang itself says so of parameters
    if (Levels.find('1') != std::string::npos)
      annotate(V, Levels, "");
    return true;
  }

private:
  void mark(FieldDecl *F) {
    if (F->isBitField() || F->getType()->isDependentType() || F->isInvalidDecl())
      return;
    // At a reference, the annotation is of what it refers to.
    std::string Levels = restrictLevels(Context, F->getType().getNonReferenceType());
    if (!Levels.empty())
      annotate(F, Levels, F->getType()->isReferenceType() ? "" : nameOf(F));
  }

  /// The same in all files of a program, and different for members that never share memory.
  std::string nameOf(const FieldDecl *F) {
    const RecordDecl *R = F->getParent();
    if (!StrictAliasing || R->isUnion() || !R->getIdentifier() || !F->getIdentifier() ||
        InUnion.contains(R->getCanonicalDecl()))
      return "";
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    R->getNameForDiagnostic(OS, Context.getPrintingPolicy(), /*Qualified=*/true);
    OS << "::" << F->getName();
    return Name;
  }

  void annotate(Decl *D, const std::string &Levels, const std::string &Name) {
    std::string Text = tapefree::RestrictPrefix + Levels + ":" + Name;
    for (const auto *Known : D->specific_attrs<AnnotateAttr>())
      if (Known->getAnnotation().starts_with(tapefree::RestrictPrefix))
        return;
    D->addAttr(AnnotateAttr::CreateImplicit(Context, Text, nullptr, 0, D->getSourceRange()));
  }

  /// Members of T may lie in the memory of other members of a union.
  void shareMemory(QualType T) {
    const auto *R = Context.getBaseElementType(T)->getAsRecordDecl();
    if (!R || !R->getDefinition() || !InUnion.insert(R->getCanonicalDecl()).second)
      return;
    for (FieldDecl *F : R->getDefinition()->fields()) {
      shareMemory(F->getType());
      // Marked before the union was seen.
      if (F->hasAttr<AnnotateAttr>()) {
        llvm::erase_if(F->getAttrs(), [](const Attr *A) {
          const auto *Note = dyn_cast<AnnotateAttr>(A);
          return Note && Note->getAnnotation().starts_with(tapefree::RestrictPrefix);
        });
        mark(F);
      }
    }
    if (const auto *Class = dyn_cast<CXXRecordDecl>(R->getDefinition()))
      for (const CXXBaseSpecifier &Base : Class->bases())
        shareMemory(Base.getType());
  }

  ASTContext &Context;
  bool StrictAliasing;
  llvm::SmallPtrSet<const Decl *, 16> InUnion;
};

/// Runs before code generation, which begins with the first function.
class Consumer : public ASTConsumer {
public:
  explicit Consumer(bool StrictAliasing) : StrictAliasing(StrictAliasing) {}

  void Initialize(ASTContext &Context) override { M = std::make_unique<Marker>(Context, StrictAliasing); }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      M->TraverseDecl(D);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override { M->TraverseDecl(F); }
  void HandleTagDeclDefinition(TagDecl *T) override {
    if (!T->isDependentContext())
      M->TraverseDecl(T);
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    M->TraverseDecl(Context.getTranslationUnitDecl());
  }

private:
  bool StrictAliasing;
  std::unique_ptr<Marker> M;
};

class MarkRestrict : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    // A local variable speaks for its block, which only lifetime markers show: also at -O0. Without a
    // sanitizer the option means no more than that.
    CodeGenOptions &Options = CI.getCodeGenOpts();
    if (CI.getLangOpts().Sanitize.empty())
      Options.SanitizeAddressUseAfterScope = true;
    return std::make_unique<Consumer>(!Options.RelaxedAliasing);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<MarkRestrict> Register("tapefree", "hand restrict on to the Tapefree pass");

} // namespace
