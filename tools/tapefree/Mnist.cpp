#include "Mnist.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <new>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "HeapCount.hpp"
#include "Idx.hpp"
#include "tapefree/nn/optim.hpp"

namespace tapefree::tool {

static constexpr int Classes = 10;

namespace {

// An array of floats on a cache line's boundary, zero at first.
class FloatArray {
public:
  explicit FloatArray(std::size_t Count) : Count(Count), Items(new (Alignment) float[Count]()) {}

  float *data() { return Items.get(); }
  std::size_t size() const { return Count; }
  void clear() { std::fill_n(Items.get(), Count, 0.0f); }

private:
  static constexpr std::align_val_t Alignment{64};
  struct Deleter {
    void operator()(float *P) const { ::operator delete[](P, Alignment); }
  };
  std::size_t Count;
  std::unique_ptr<float[], Deleter> Items;
};

// Turns pixels into inputs of mean 0 and variance 1 (over the training set).
struct Scaling {
  float Factor = 1, Offset = 0;

  static Scaling of(const ImageSet &Set, std::size_t Samples) {
    std::uint64_t Sum = 0, Squares = 0;
    const std::size_t Count = Samples * Set.Rows * Set.Columns;
    for (std::size_t K = 0; K < Count; ++K) {
      Sum += Set.Pixels[K];
      Squares += std::uint64_t(Set.Pixels[K]) * Set.Pixels[K];
    }
    const double Mean = double(Sum) / double(Count);
    const double Variance = double(Squares) / double(Count) - Mean * Mean;
    const double Deviation = Variance > 0 ? std::sqrt(Variance) : 1.0; // all pixels equal: only shift
    return {float(1 / Deviation), float(-Mean / Deviation)};
  }

  void apply(const std::uint8_t *Pixels, float *Inputs, std::size_t Count) const {
    const float By = Factor, Plus = Offset;
    for (std::size_t K = 0; K < Count; ++K)
      Inputs[K] = By * float(Pixels[K]) + Plus;
  }
};

// Holds all memory of a training run, taken once. A step takes none.
class Trainer {
public:
  Trainer(const MnistOptions &Options, const Network &Net, Scaling Scale)
      : Options(Options), Net(Net), Scale(Scale), Params(Net.Shape.parameter_count()), Grads(Params.size()),
        First(Params.size()), Second(Options.Method == Optimizer::Adam ? Params.size() : 0),
        Work(Net.Shape.activation_count()), DWork(Work.size()),
        Inputs(static_cast<std::size_t>(Net.Shape.sizes[0]) * Net.Shape.max_batch),
        Labels(static_cast<std::size_t>(Net.Shape.max_batch)) {
    Rate = Options.Rate > 0                    ? Options.Rate
           : Options.Method == Optimizer::Adam ? AdamDefaultRate
                                               : SgdDefaultRate;
  }

  void initialise(nn::rng &Random) {
    switch (Net.Act) {
    case Activation::Relu:
      return nn::DynMlp<float, nn::relu>::initialise(Net.Shape, Random, Params.data());
    case Activation::Selu:
      return nn::DynMlp<float, nn::selu>::initialise(Net.Shape, Random, Params.data());
    case Activation::Tanh:
      return nn::DynMlp<float, nn::tanh>::initialise(Net.Shape, Random, Params.data());
    }
  }

  // One training step on the samples that Order names. Returns their mean loss.
  float step(const ImageSet &Set, const std::uint32_t *Order, int Batch, double RateFactor) {
    const HeapCount Before = heapCount();

    const std::size_t Pixels = static_cast<std::size_t>(Net.Shape.sizes[0]);
    for (int K = 0; K < Batch; ++K) {
      Scale.apply(Set.Pixels.data() + Order[K] * Pixels, Inputs.data() + std::size_t(K) * Pixels, Pixels);
      Labels[std::size_t(K)] = Set.Labels[Order[K]];
    }
    Grads.clear();

    const HeapCount BeforeGradient = heapCount();
    const float Loss = lossAndGradient(Net, Params.data(), Grads.data(), Work.data(), DWork.data(),
                                       Inputs.data(), Labels.data(), Batch);
    const HeapCount AfterGradient = heapCount();

    if (Options.Method == Optimizer::Adam) {
      Adam.rate = float(Rate * RateFactor);
      Adam.step(Params.data(), Grads.data(), First.data(), Second.data(), Params.size());
    } else {
      Sgd.rate = float(Rate * RateFactor);
      Sgd.momentum = float(Options.Momentum);
      Sgd.step(Params.data(), Grads.data(), First.data(), Params.size());
    }

    const HeapCount After = heapCount();
    KeptBytes = std::max(KeptBytes, (AfterGradient - BeforeGradient).Bytes);
    StepCalls = std::max(StepCalls, (After - Before).Calls);
    return Loss;
  }

  // The share of the set's samples that are classified rightly.
  double accuracy(const ImageSet &Set) {
    const std::size_t Pixels = static_cast<std::size_t>(Net.Shape.sizes[0]);
    std::size_t Right = 0;
    for (std::size_t From = 0; From < Set.Count;) {
      const int Batch = int(std::min<std::size_t>(std::size_t(Net.Shape.max_batch), Set.Count - From));
      Scale.apply(Set.Pixels.data() + From * Pixels, Inputs.data(), std::size_t(Batch) * Pixels);
      predict(Batch);
      for (int K = 0; K < Batch; ++K)
        Right += Labels[std::size_t(K)] == Set.Labels[From + std::size_t(K)];
      From += std::size_t(Batch);
    }
    return double(Right) / double(Set.Count);
  }

  std::uint64_t keptBytes() const { return KeptBytes; }
  std::uint64_t stepCalls() const { return StepCalls; }

private:
  // From Inputs into Labels.
  void predict(int Batch) {
    switch (Net.Act) {
    case Activation::Relu:
      return nn::DynMlp<float, nn::relu>::predict(Params.data(), Work.data(), Inputs.data(), Labels.data(),
                                                  Batch, &Net.Shape);
    case Activation::Selu:
      return nn::DynMlp<float, nn::selu>::predict(Params.data(), Work.data(), Inputs.data(), Labels.data(),
                                                  Batch, &Net.Shape);
    case Activation::Tanh:
      return nn::DynMlp<float, nn::tanh>::predict(Params.data(), Work.data(), Inputs.data(), Labels.data(),
                                                  Batch, &Net.Shape);
    }
  }

  const MnistOptions &Options;
  const Network &Net;
  Scaling Scale;
  double Rate = 0;
  FloatArray Params, Grads, First, Second, Work, DWork, Inputs;
  std::vector<std::uint8_t> Labels;
  nn::adam<float> Adam;
  nn::sgd<float> Sgd;
  std::uint64_t KeptBytes = 0, StepCalls = 0; // the largest of any step
};

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point Start) {
  return std::chrono::duration<double>(Clock::now() - Start).count();
}

// A bar that is redrawn in place on a terminal, and nothing anywhere else.
class ProgressBar {
public:
  explicit ProgressBar(bool Wanted) : Shown(Wanted && isatty(STDOUT_FILENO)) {}

  void draw(int Epoch, int Epochs, double Done, double Loss, double PerSecond) {
    if (!Shown || secondsSince(LastDraw) < 0.1)
      return;
    LastDraw = Clock::now();
    constexpr int Width = 30;
    const int Full = int(Done * Width);
    fmt::print("\repoch {}/{} [{:#>{}}{:.>{}}] {:3.0f} %  loss {:.4f}  {:.0f} samples/s ", Epoch, Epochs, "",
               Full, "", Width - Full, 100 * Done, Loss, PerSecond);
    std::fflush(stdout);
  }

  void clear() {
    if (Shown)
      fmt::print("\r\033[K");
  }

private:
  bool Shown;
  Clock::time_point LastDraw{};
};

const char *activationName(Activation Act) {
  switch (Act) {
  case Activation::Relu:
    return nn::relu::name;
  case Activation::Selu:
    return nn::selu::name;
  case Activation::Tanh:
    return nn::tanh::name;
  }
  return "";
}

} // namespace

static int fail(const std::string &Why) {
  fmt::print(stderr, "tapefree mnist: {}\n", Why);
  return 1;
}

// The network's sizes; layers is 0 if there are too many.
static nn::mlp_shape shapeFor(const MnistOptions &Options, int Inputs) {
  nn::mlp_shape Shape;
  if (Options.Hidden.size() + 1 > std::size_t(nn::max_layers))
    return Shape;
  Shape.max_batch = Options.Batch;
  Shape.sizes[0] = Inputs;
  for (int Width : Options.Hidden)
    Shape.sizes[++Shape.layers] = Width;
  Shape.sizes[++Shape.layers] = Classes;
  return Shape;
}

static int train(const MnistOptions &Options) {
  const Result<DataSet> Read = readDataSet(Options.Data, Classes);
  if (!Read.ok())
    return fail(Read.Error);
  const ImageSet &Train = Read.Value.Train, &Test = Read.Value.Test;
  if (std::uint64_t(Train.Rows) * Train.Columns > 1 << 20)
    return fail(fmt::format("images of {} x {} are too large", Train.Rows, Train.Columns));
  const std::uint32_t Samples = Options.Limit ? std::min(Options.Limit, Train.Count) : Train.Count;

  Network Net;
  Net.Act = Options.Act;
  Net.Shape = shapeFor(Options, int(Train.Rows * Train.Columns));
  if (!Net.Shape.valid())
    return fail(fmt::format("at most {} hidden layers, each of at least 1", nn::max_layers - 1));

  nn::rng Random(Options.Seed);
  Trainer Trainer(Options, Net, Scaling::of(Train, Samples));
  Trainer.initialise(Random);
  std::vector<std::uint32_t> Order(Samples);
  std::iota(Order.begin(), Order.end(), 0u);

  if (!Options.Quiet) {
    std::string Sizes;
    for (int L = 0; L <= Net.Shape.layers; ++L)
      Sizes += fmt::format("{}{}", L ? "-" : "", Net.Shape.sizes[L]);
    fmt::print("{} training and {} test samples from {}\n", Samples, Test.Count, Options.Data);
    fmt::print("{} {}, {} parameters, batches of {}\n", Sizes, activationName(Net.Act),
               Net.Shape.parameter_count(), Options.Batch);
    std::fflush(stdout);
  }

  const nn::cosine_schedule Schedule{0.01};
  const std::size_t StepsPerEpoch = (Samples + std::size_t(Options.Batch) - 1) / std::size_t(Options.Batch);
  const std::size_t AllSteps = StepsPerEpoch * std::size_t(Options.Epochs);
  std::size_t Step = 0;
  double Accuracy = 0;
  ProgressBar Bar(!Options.Quiet);
  for (int Epoch = 1; Epoch <= Options.Epochs; ++Epoch) {
    nn::shuffle(Random, Order.data(), Samples);
    const Clock::time_point Start = Clock::now();
    double LossSum = 0;
    for (std::uint32_t From = 0; From < Samples; ++Step) {
      const int Batch = int(std::min<std::uint32_t>(std::uint32_t(Options.Batch), Samples - From));
      const float Loss = Trainer.step(Train, Order.data() + From, Batch, Schedule.factor(Step, AllSteps));
      if (!std::isfinite(Loss)) {
        Bar.clear();
        return fail(fmt::format("the loss became {} in epoch {}: try a smaller --lr", Loss, Epoch));
      }
      LossSum += double(Loss) * Batch;
      From += std::uint32_t(Batch);
      Bar.draw(Epoch, Options.Epochs, double(From) / Samples, LossSum / From, From / secondsSince(Start));
    }
    const double PerSecond = Samples / secondsSince(Start);
    Accuracy = Trainer.accuracy(Test);
    Bar.clear();
    if (!Options.Quiet)
      fmt::print("epoch {}/{}  loss {:.4f}  test accuracy {:.4f}  {:.0f} samples/s\n", Epoch, Options.Epochs,
                 LossSum / Samples, Accuracy, PerSecond);
    std::fflush(stdout);
  }

  fmt::print("test accuracy {:.4f}\n", Accuracy);
  if (heapCountAvailable())
    fmt::print("bytes kept by the gradient: {} (heap calls in a training step: {})\n", Trainer.keptBytes(),
               Trainer.stepCalls());
  else
    fmt::print("bytes kept by the gradient: not measured (heap calls cannot be counted in this build)\n");
  return 0;
}

int runMnist(const MnistOptions &Options) {
  try {
    return train(Options);
  } catch (const std::bad_alloc &) {
    return fail("not enough memory");
  }
}

} // namespace tapefree::tool
