// The `tapefree` program: reads the command line and calls the subcommand.
#include <cmath>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "Mnist.hpp"
#include "Report.hpp"

using namespace tapefree::tool;

static constexpr int MaxHidden = tapefree::nn::max_layers - 1; // the last layer is the output

// An option that takes one of a few names.
template <class T>
static void addChoice(CLI::App &Command, const char *Name, T &Value, const char *Help,
                      std::map<std::string, T> Choices) {
  Command
      .add_option_function<std::string>(
          Name,
          [&Value, Name, Help, Choices](const std::string &Text) {
            const auto Found = Choices.find(Text);
            if (Found == Choices.end())
              throw CLI::ValidationError(Name, Text + " is not " + Help);
            Value = Found->second;
          },
          Help)
      ->type_name("NAME");
}

static void addMnist(CLI::App &App, MnistOptions &Options) {
  CLI::App *Command = App.add_subcommand("mnist", "Train a network on MNIST or Fashion-MNIST");
  Command->add_option("--data", Options.Data, "Directory with the four IDX files, plain or .gz")
      ->capture_default_str();
  Command->add_option("--epochs", Options.Epochs, "Passes over the training samples")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  Command->add_option("--batch", Options.Batch, "Samples in a step")
      ->capture_default_str()
      ->check(CLI::Range(1, 65536));
  Command
      ->add_option("--hidden", Options.Hidden,
                   fmt::format("Sizes of the hidden layers, up to {} (default 100,100)", MaxHidden))
      ->delimiter(',')
      ->check(CLI::Range(1, 8192))
      ->check([Count = 0](const std::string &) mutable {
        return ++Count > MaxHidden ? fmt::format("more than {} hidden layers", MaxHidden) : std::string();
      })
      ->type_name("N,N,...");
  addChoice(*Command, "--activation", Options.Act, "relu (default), selu or tanh",
            {{"relu", Activation::Relu}, {"selu", Activation::Selu}, {"tanh", Activation::Tanh}});
  addChoice(*Command, "--optimizer", Options.Method, "adam (default) or sgd",
            {{"adam", Optimizer::Adam}, {"sgd", Optimizer::Sgd}});
  Command->add_option("--lr", Options.Rate, "Learning rate at the start (default: adam 0.002, sgd 0.05)")
      ->check([](const std::string &Text) {
        double Rate = 0;
        const bool Good = CLI::detail::lexical_cast(Text, Rate) && std::isfinite(Rate) && Rate > 0;
        return Good ? std::string() : Text + " is not a positive number";
      });
  Command->add_option("--momentum", Options.Momentum, "Momentum of sgd")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  Command->add_option("--seed", Options.Seed, "Seed of the random numbers")->capture_default_str();
  Command->add_option("--limit", Options.Limit, "Use only the first N training samples")
      ->check(CLI::Range(1u, 4294967295u));
  Command->add_flag("--quiet", Options.Quiet, "Print only the result");
}

static void addReport(CLI::App &App, ReportOptions &Options) {
  CLI::App *Command = App.add_subcommand(
      "report", "Show what gradients keep and why, from the record that -fsave-optimization-record writes");
  Command->add_option("records", Options.Records, "The records, NAME.opt.yaml")
      ->required()
      ->type_name("FILE...");
  Command->add_option("--html", Options.Html, "Write a page of HTML instead of a listing")->type_name("FILE");
  Command
      ->add_option("--source", Options.Source,
                   "Folder of the source files, if they are not where the compiler saw them")
      ->type_name("FOLDER");
  Command->add_option("--color", Options.Color, "auto, always or never")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  Command->footer(
      "Exit status: 0; 1 if a record cannot be read or the page not be written; 2 for a wrong command line.");
}

int main(int Argc, char **Argv) {
  CLI::App App("Tapefree: derivatives by the compiler that allocate nothing", "tapefree");
  App.require_subcommand(1);
  App.set_version_flag("--version", "tapefree " TAPEFREE_VERSION);
  MnistOptions Mnist;
  addMnist(App, Mnist);
  ReportOptions Report;
  addReport(App, Report);
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::ParseError &Error) {
    return App.exit(Error) ? 2 : 0;
  }

  if (App.got_subcommand("mnist"))
    return runMnist(Mnist);
  return runReport(Report);
}
