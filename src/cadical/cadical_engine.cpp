// SPDX-License-Identifier: Apache-2.0
// CaDiCaL as a module: a SAT solver for backward searches and for certificates.
#include <cadical.hpp>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "backward/sat_engine.hpp"

namespace panoptes {
namespace {

class CadicalEngine final : public SatEngine, private CaDiCaL::Terminator {
 public:
  explicit CadicalEngine(bool writes_proof) {
    if (writes_proof) {
      file_ = open_memstream(&text_, &size_);
      if (file_ == nullptr) throw std::bad_alloc();
      solver_.set("quiet", 1);
      solver_.set("binary", 0);
      solver_.trace_proof(file_, "proof");
    } else {
      // Questions are many and short: what prepares for long ones takes more than it gives.
      solver_.configure("plain");
      solver_.set("profile", 0);
    }
    solver_.connect_terminator(this);
  }

  ~CadicalEngine() override {
    solver_.disconnect_terminator();
    close_proof();
    std::free(text_);
  }

  CadicalEngine(const CadicalEngine&) = delete;
  CadicalEngine& operator=(const CadicalEngine&) = delete;

  SatAnswer ask(std::span<const Literal> clauses, std::span<const Literal> assumed,
                const std::function<bool()>& is_enough) override {
    for (const Literal literal : clauses) solver_.add(literal);
    for (const Literal literal : assumed) solver_.assume(literal);
    is_enough_ = &is_enough;
    const int found = solver_.solve();
    is_enough_ = nullptr;
    if (found == 10) return SatAnswer::possible;
    if (found == 20) return SatAnswer::impossible;
    solver_.reset_assumptions();
    return SatAnswer::given_up;
  }

  void read_model(std::vector<bool>& values) override {
    for (std::size_t i = 1; i < values.size(); ++i)
      values[i] = solver_.val(static_cast<int>(i)) > 0;
  }

  std::string proof() override {
    if (!close_proof()) throw std::bad_alloc();  // there is nothing else that it could want
    return {text_, size_};
  }

 private:
  // It asks often, and a clock is slow.
  bool terminate() override {
    return ++looks_ % 64 == 0 && is_enough_ != nullptr && (*is_enough_)();
  }

  // The text is there when the file is closed; whether all of it is.
  bool close_proof() {
    if (file_ == nullptr) return true;
    solver_.close_proof_trace();
    const bool is_whole = std::ferror(file_) == 0;
    return std::fclose(std::exchange(file_, nullptr)) == 0 && is_whole;
  }

  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_ = nullptr;
  CaDiCaL::Solver solver_;
  const std::function<bool()>* is_enough_ = nullptr;
  unsigned looks_ = 0;
};

}  // namespace
}  // namespace panoptes

extern "C" __attribute__((visibility("default"))) void panoptes_make_sat_engine(
    bool writes_proof, std::unique_ptr<panoptes::SatEngine>& engine) {
  engine = std::make_unique<panoptes::CadicalEngine>(writes_proof);
}
