// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/communicator.hpp>
#include <hpk/mpi/detail/call.hpp>
#include <hpk/mpi/detail/gpu_awareness.hpp>
#include <hpk/mpi/detail/start.hpp>

#include <cstdlib>
#include <mutex>
#include <string_view>

namespace hpk::mpi {

namespace {

// Returns 1 if this rank asks for checks, 0 if not, -1 if HPK_MPI_CHECKS is neither on nor off.
int wants_checks() {
  const char* const given = std::getenv("HPK_MPI_CHECKS");
  if (given == nullptr) return HPK_CHECKS != 0 ? 1 : 0;
  const std::string_view word = given;
  if (word == "on" || word == "1") return 1;
  return word == "off" || word == "0" ? 0 : -1;
}

std::mutex guard;
Communicator& world_slot() {
  static auto& slot = *new Communicator;
  return slot;
}

}  // namespace

bool detail::mpi_runs() {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started != 0 && ended == 0;
}

Communicator::state::~state() {
  if (native != MPI_COMM_NULL && detail::mpi_runs()) MPI_Comm_free(&native);
}

void Communicator::adopt(MPI_Comm owned, const settings& chosen) {
  const auto made = std::make_shared<state>();
  made->native = owned;
  MPI_Comm_set_errhandler(owned, MPI_ERRORS_RETURN);
  MPI_Comm_rank(owned, &made->rank);
  MPI_Comm_size(owned, &made->size);
  made->chosen = chosen;
  state_ = made;
}

Communicator::Communicator(MPI_Comm native, const std::source_location& where) {
  constexpr const char* function = "hpk::mpi::Communicator";
  if (!detail::mpi_runs()) {
    raise(error_message() << function << ": MPI is not running; make an hpk::mpi::ScopeGuard first",
          where);
  }
  if (native == MPI_COMM_NULL)
    raise(error_message() << function << ": the communicator is MPI_COMM_NULL", where);
  int connects_two = 0;
  MPI_Comm_test_inter(native, &connects_two);
  if (connects_two != 0) {
    raise(error_message() << function
                          << ": this is an intercommunicator; merge its groups by "
                             "MPI_Intercomm_merge",
          where);
  }
  MPI_Comm copy = MPI_COMM_NULL;
  if (MPI_Comm_dup(native, &copy) != MPI_SUCCESS)
    raise(error_message() << function << ": MPI_Comm_dup failed", where);
  const detail::gpu_awareness gpus = detail::decide_gpu_awareness(detail::find_gpu_facts());
  // The settings of rank 0, and whether its environment variables were valid.
  int choices[] = {wants_checks(), gpus.nvidia, gpus.amd, gpus.is_understood};
  const int code = MPI_Bcast(choices, 4, MPI_INT, 0, copy);
  adopt(copy,
        {.checks = choices[0] == 1, .gpu_nvidia = choices[1] != 0, .gpu_amd = choices[2] != 0});
  if (choices[0] < 0 || choices[3] == 0) {
    raise(error_message() << "the environment variable "
                          << (choices[0] < 0 ? "HPK_MPI_CHECKS" : "HPK_MPI_GPU_AWARE")
                          << " of rank 0 can't be understood; write on or off",
          where);
  }
  detail::expect_success(code, *this, {.function = function, .where = where});
}

Communicator Communicator::split(int color, int key, const std::source_location& where) const {
  const detail::call what{.function = "hpk::mpi::Communicator::split", .where = where};
  const bool wrong = color < 0 && color != MPI_UNDEFINED;
  detail::expect_agreement(
      *this, what, {},
      wrong ? "the color is negative; write 0 or more, or MPI_UNDEFINED for none" : "");
  MPI_Comm made = MPI_COMM_NULL;
  detail::expect_success(MPI_Comm_split(native(), color, key, &made), *this, what);
  Communicator result;
  if (made != MPI_COMM_NULL) result.adopt(made, state_->chosen);
  return result;
}

Communicator Communicator::split_by_machine(const std::source_location& where) const {
  MPI_Comm made = MPI_COMM_NULL;
  const detail::call what{.function = "hpk::mpi::Communicator::split_by_machine", .where = where};
  detail::expect_agreement(*this, what, {});
  detail::expect_success(
      MPI_Comm_split_type(native(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), *this, what);
  Communicator result;
  result.adopt(made, state_->chosen);
  return result;
}

void Communicator::barrier(const std::source_location& where) const {
  const detail::call what{.function = "hpk::mpi::Communicator::barrier", .where = where};
  detail::expect_agreement(*this, what, {});
  detail::expect_success(MPI_Barrier(native()), *this, what);
}

Communicator world(const std::source_location& where) {
  const std::lock_guard lock(guard);
  if (world_slot().is_null()) {
    raise(error_message() << "hpk::mpi::world: there is no hpk::mpi::ScopeGuard; make one in main, "
                             "or an hpk::mpi::Communicator from yours",
          where);
  }
  return world_slot();
}

namespace detail {
void set_world(Communicator all) {
  const std::lock_guard lock(guard);
  world_slot() = std::move(all);
}
bool has_world() { return !is_world({}); }
bool is_world(const Communicator& comm) {
  const std::lock_guard lock(guard);
  return comm == world_slot();
}
}  // namespace detail

}  // namespace hpk::mpi
