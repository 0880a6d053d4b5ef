// KeptMemory: where blocks of kept values come from, and what happens where there is no memory.
//
// Blocks are made on the heap, or one behind the other in a workspace that the caller gives. A gradient
// releases nothing in a workspace: each outermost loop runs once, and all that is kept is alive when the
// reverse sweep begins. So the bytes in use only grow, and their largest number is that at the end of the
// forward sweep.
#pragma once
#include "llvm/IR/IRBuilder.h"

namespace tapefree {

/// Blocks in a workspace begin at multiples of this many bytes from its start.
inline constexpr uint64_t WorkspaceAlign = 64;

/// Memory of the caller in a derivative function. Without a base there is none, and blocks come from the
/// heap.
struct Workspace {
  llvm::Value *Base = nullptr, *Bytes = nullptr;
  llvm::AllocaInst *Top = nullptr; // bytes in use
  explicit operator bool() const { return Base; }
};

/// Calls `malloc`. Where that fails, the handler is called (emitDemand).
llvm::Value *emitAllocation(llvm::IRBuilderBase &B, llvm::Value *Bytes, const llvm::Twine &Name);
void emitFree(llvm::IRBuilderBase &B, llvm::Value *Pointer);
/// `Name`(first), an internal function that goes through a list of nodes made by emitAllocation, whose first
/// field is the next node or null: does what `OfNode` emits for each, and releases it.
llvm::Function *listWalk(llvm::Module &M, llvm::StringRef Name,
                         llvm::function_ref<void(llvm::IRBuilderBase &, llvm::Value *Node)> OfNode);
/// Where `Got` is false: calls tapefree_out_of_memory(Bytes), which does not come back. The module gets a
/// weak default unless it has a definition.
void emitDemand(llvm::IRBuilderBase &B, llvm::Value *Got, llvm::Value *Bytes);
/// The same where `Malloc` found nothing.
void emitDemandOf(llvm::IRBuilderBase &B, llvm::CallBase &Malloc);

/// Where a block begins when `Top` bytes of a workspace are in use.
llvm::Value *workspaceStart(llvm::IRBuilderBase &B, llvm::Value *Top);
/// The bytes in use behind a block made when `Top` were; a block of nothing uses none.
llvm::Value *endOfBlock(llvm::IRBuilderBase &B, llvm::Value *Top, llvm::Value *Bytes);
/// A block in a workspace.
llvm::Value *emitReserve(llvm::IRBuilderBase &B, const Workspace &W, llvm::Value *Bytes);

/// tapefree.grow(block, rows, needed rows, bytes of a row, first block, rows used, iterations done,
/// iterations in all [, base and bytes of the workspace, bytes in use])
/// -> { block, rows [, bytes in use] }. `first block` is not on the heap, and is never released.
llvm::Function *growFunction(llvm::Module &M, bool InWorkspace);

} // namespace tapefree
