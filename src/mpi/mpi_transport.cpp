// SPDX-License-Identifier: Apache-2.0
// MPI behind the Transport seam, by its C interface.
//
// Idea: a message is sent without waiting, and kept until MPI is done with it; one that comes is
// taken in without waiting, too, as soon as MPI knows of it, so that a large one does not keep its
// receiver from anything else. The tag of MPI is the kind of a message. What a rank sends to itself
// never gets to MPI.
//
// How it can fail: a rank that dies ends all others (mpirun sees to that, as do batch systems);
// what MPI itself complains of is the failure.
//
// Any one thread of the process may call, one at a time: MPI_THREAD_SERIALIZED.
#define OMPI_SKIP_MPICXX 1
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <deque>

#include "transport/open.hpp"
#include "transport/patience.hpp"

namespace panoptes {
namespace {

std::string text_of(int error) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    note(MPI_Comm_dup(MPI_COMM_WORLD, &world_));
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &ranks_);
    patience_ = Patience(ranks_here());
  }
  ~MpiTransport() override {
    while (!going_.empty() && !failure_) let_go();
    MPI_Comm_free(&world_);
    MPI_Finalize();
  }

  unsigned rank() const override { return static_cast<unsigned>(rank_); }
  unsigned ranks() const override { return static_cast<unsigned>(ranks_); }

  void send(unsigned to, std::uint16_t kind, std::vector<std::byte> bytes) override {
    if (to == rank()) {
      arrived_.push_back({rank(), kind, std::move(bytes)});
      return;
    }
    sent_bytes_ += bytes.size();
    Going& going = going_.emplace_back();
    going.bytes = std::move(bytes);
    note(MPI_Isend(going.bytes.data(), static_cast<int>(going.bytes.size()), MPI_BYTE,
                   static_cast<int>(to), kind, world_, &going.request));
  }

  std::optional<Message> receive() override {
    let_go();
    take_in();
    finish_coming();
    if (arrived_.empty()) return {};
    Message message = std::move(arrived_.front());
    arrived_.pop_front();
    patience_.begin();
    return message;
  }
  std::uint64_t unsent() const override { return going_.size(); }

  void rest() override { patience_.rest(); }

  bool meet() override {
    MPI_Request request = MPI_REQUEST_NULL;
    note(MPI_Ibarrier(world_, &request));
    return wait_for(request);
  }
  bool all_sum(std::span<std::uint64_t> numbers) override {
    MPI_Request request = MPI_REQUEST_NULL;
    note(MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()),
                        MPI_UINT64_T, MPI_SUM, world_, &request));
    return wait_for(request);
  }

  std::optional<std::string> failure() const override { return failure_; }
  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(world_, exit_code);
    std::_Exit(exit_code);
  }
  std::uint64_t sent_bytes() const override { return sent_bytes_; }

 private:
  struct Going {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Coming {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
    bool is_here = false;
  };

  void note(int error) {
    if (error != MPI_SUCCESS && !failure_) failure_ = text_of(error);
  }

  // In order: what was sent first is mostly gone first.
  void let_go() {
    while (!going_.empty()) {
      int is_gone = 0;
      note(MPI_Test(&going_.front().request, &is_gone, MPI_STATUS_IGNORE));
      if (is_gone == 0) return;
      going_.pop_front();
    }
  }

  void take_in() {
    constexpr std::size_t most = 64;  // that are on their way at once
    while (coming_.size() < most) {
      int is_there = 0, size = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status{};
      note(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, world_, &is_there, &message, &status));
      if (is_there == 0) return;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Coming& coming = coming_.emplace_back();
      coming.message.from = static_cast<unsigned>(status.MPI_SOURCE);
      coming.message.kind = static_cast<std::uint16_t>(status.MPI_TAG);
      coming.message.bytes.resize(static_cast<std::size_t>(size));
      note(MPI_Imrecv(coming.message.bytes.data(), size, MPI_BYTE, &message, &coming.request));
    }
  }

  // What has come entirely; of one sender, in the order of its messages.
  void finish_coming() {
    std::vector<std::uint8_t> is_held(coming_.empty() ? 0 : ranks(), 0);  // by sender
    for (Coming& coming : coming_) {
      int is_here = 0;
      note(MPI_Test(&coming.request, &is_here, MPI_STATUS_IGNORE));
      if (is_here == 0) is_held[coming.message.from] = 1;
      coming.is_here = is_here != 0 && is_held[coming.message.from] == 0;
      if (coming.is_here) arrived_.push_back(std::move(coming.message));
    }
    std::erase_if(coming_, [](const Coming& coming) { return coming.is_here; });
  }

  // How many ranks share the processors of this machine.
  unsigned ranks_here() {
    MPI_Comm here = MPI_COMM_NULL;
    int count = 1;
    note(MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here));
    if (here == MPI_COMM_NULL) return 1;
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return static_cast<unsigned>(count);
  }

  bool wait_for(MPI_Request& request) {
    int is_done = 0;
    patience_.begin();
    for (; !failure_; rest()) {
      note(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE));
      if (is_done != 0) return !failure_;
      let_go();
    }
    return false;
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
  std::deque<Going> going_;
  std::deque<Coming> coming_;
  std::deque<Message> arrived_;
  Patience patience_{1};
  std::uint64_t sent_bytes_ = 0;
  std::optional<std::string> failure_;
};

// Parts of OpenMPI are loaded by itself and want to see its symbols, which a module of ours, loaded
// for itself alone, keeps from them.
void show_symbols() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<void*>(&MPI_Init_thread), &library) != 0 && library.dli_fname)
    dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

}  // namespace
}  // namespace panoptes

extern "C" __attribute__((visibility("default"))) void panoptes_open_transport(
    std::unique_ptr<panoptes::Transport>& transport, std::string& failure) {
  panoptes::show_symbols();
  int given = MPI_THREAD_SINGLE;
  if (const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
      error != MPI_SUCCESS) {
    failure = panoptes::text_of(error);
    return;
  }
  if (given < MPI_THREAD_SERIALIZED) {
    failure = "it was built without threads";
    return;
  }
  transport = std::make_unique<panoptes::MpiTransport>();
}
static_assert(std::is_same_v<decltype(panoptes_open_transport), panoptes::OpenTransport>);
