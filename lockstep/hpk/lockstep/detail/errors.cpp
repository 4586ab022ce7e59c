// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/error.hpp>
#include <hpk/lockstep/detail/errors.hpp>

#include <utility>

namespace hpk::detail {

namespace {

text& operator<<(text& message, const shape_number& shape) {
  message << shape.domain << (shape.domain == 1 ? " index" : " indices");
  if (shape.simd != 1) message << " in packs of " << shape.simd;
  return message;
}

}  // namespace

void reject_other_shape(shape_number variable, shape_number loop) {
  text message;
  message << "hpk::lockstep: a variable of a loop over ";
  message << variable << " is used in a loop over ";
  message << loop
          << "; use it in loops of its own shape, or share the values: hpk::lockstep::shared";
  hpk::raise(std::move(message));
}

void reject_other_worker(std::uint32_t index, int owner, int worker) {
  text message;
  message << "hpk::lockstep: worker " << worker << " uses the context variable of index " << index
          << ", which belongs to worker " << owner
          << "; an index object is valid in the call that it was passed to; share values through "
             "hpk::lockstep::shared and sync()";
  hpk::raise(std::move(message));
}

void reject_other_index(std::uint32_t index, std::uint32_t running) {
  text message;
  message << "hpk::lockstep: the context variable of index " << index << " is used ";
  if (running == no_index) {
    message << "outside of loops";
  } else {
    message << "while index " << running << " runs";
  }
  message << "; an index object is valid in the call that it was passed to";
  hpk::raise(std::move(message));
}

void reject_inactive(std::uint32_t index, std::uint32_t domain) {
  text message;
  message << "hpk::lockstep: index " << index << " of a collective loop over " << domain
          << " indices has no context variables; use them only where the functor's second "
             "argument, `active`, is true";
  hpk::raise(std::move(message));
}

void reject_in_loop(const char* what) {
  text message;
  message << "hpk::lockstep: " << what
          << " inside of a loop: each worker would call it once for each of its indices, whose "
             "number differs; end the loop first, or write it in a collective loop";
  hpk::raise(std::move(message));
}

void reject_few_workers(int threads, int wanted) {
  text message;
  message << "hpk::lockstep::worker: a team of " << threads
          << (threads == 1 ? " thread" : " threads") << " for a config of " << wanted
          << " workers; on a device a worker has no room for more indices; launch teams of "
          << wanted << ", or write 0 workers, which is right for any team";
  hpk::raise(std::move(message));
}

void reject_worker_count(long long workers, const std::source_location& where) {
  text message;
  message << "hpk::lockstep: " << workers << " workers; a block has 1 to 1024";
  hpk::raise(std::move(message), where);
}

void reject_block_count(long long blocks, bool negative, const std::source_location& where) {
  text message;
  message << "hpk::lockstep: ";
  if (negative) {
    message << blocks;
  } else {
    message << static_cast<unsigned long long>(blocks);
  }
  message << " blocks; a launch has 0 to 2147483647";
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail
