// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime of a GPU vendor with its own compiler and library: the code that CUDA and HIP share,
// which is nearly everything. A supplies the differences (cuda/cuda.hpp, hip/hip.hpp). Library
// calls are in vendor_calls.hpp, compiled once by the .cpp of each vendor, so that any C++ file may
// include this header; only launches need the vendor's compiler (rule "host compiler").
#pragma once

#include <hpk/backends/gpu/lane.hpp>
#include <hpk/backends/gpu/runtime.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/seam/host_call.hpp>
#include <hpk/spaces/space.hpp>

#include <cstddef>
#include <cstring>

namespace hpk::gpu {

/// The kinds of memory that a vendor allocates.
enum class memory_kind {
  device,   ///< kernels only
  managed,  ///< moves between host and device
  pinned,   ///< host memory that kernels can access
};

/// A stream of a device.
struct vendor_stream {
  int device;
  void* native;                                ///< the vendor's handle
  bool owned;                                  ///< whether `native` is destroyed with this object
  const seam::machine_properties* properties;  ///< properties of the device
  int multiprocessors;
  bool recording = false;  ///< submitted work becomes part of a graph
};

/// A graph of the vendor's library.
struct vendor_graph;

/// The launch configuration.
struct launch_size {
  unsigned blocks;
  unsigned lanes;
  std::size_t scratch;
};

/// Models gpu_runtime. A supplies name, compiled_here, and in kernels subgroup(), is_whole(),
/// has_masks (whether lanes name the lanes with which they exchange values), shuffle_word(),
/// shuffle_xor_word(), any(), ballot() and sync().
template <class A>
class vendor {
 public:
  using stream_type = vendor_stream*;
  static constexpr bool takes_neighbours = false;
  static constexpr bool has_one_iteration = true;
  static constexpr int least_subgroup = 32;
  static constexpr bool owns_bodies = false;
  static constexpr bool compiled_here = A::compiled_here;
  static constexpr gpu_vendor manufacturer = A::manufacturer;
  /// The alignment of all memory of the vendors' libraries.
  static constexpr std::size_t usual_alignment = 256;
  /// Larger bodies are passed in device memory.
  static constexpr std::size_t largest_argument = 3072;

  /// The calling lane's aligned block of `width` lanes, truncated at the end of the group.
  struct lane_block {
    HPK_INLINE_FUNCTION explicit lane_block(int width) noexcept
        : first(lane_index() & ~(width - 1)), lanes(vendor::lanes() - first) {
      if (lanes > width) lanes = width;
    }
    /// A lane of the block, or the calling lane if it has no such lane.
    HPK_INLINE_FUNCTION int present(int lane) const noexcept {
      return lane >= 0 && lane < lanes ? lane : lane_index() - first;
    }
    int first;
    int lanes;
  };

  HPK_INLINE_FUNCTION static int lane_index() noexcept {
    HPK_IF_ON_HOST((return 0;))
    HPK_IF_ON_DEVICE((return static_cast<int>(threadIdx.x);))
  }
  HPK_INLINE_FUNCTION static int lanes() noexcept {
    HPK_IF_ON_HOST((return 1;))
    HPK_IF_ON_DEVICE((return static_cast<int>(blockDim.x);))
  }
  HPK_INLINE_FUNCTION static int subgroup() noexcept {
    HPK_IF_ON_HOST((return 1;))
    HPK_IF_ON_DEVICE((return A::subgroup();))
  }
  HPK_INLINE_FUNCTION static void barrier() { HPK_IF_ON_DEVICE((__syncthreads();)) }
  HPK_INLINE_FUNCTION static std::byte* scratch() noexcept {
    HPK_IF_ON_HOST((return nullptr;))
    HPK_IF_ON_DEVICE((extern __shared__ __align__(16) unsigned char hpk_group_scratch[];
                      return reinterpret_cast<std::byte*>(hpk_group_scratch);))
  }
  /// Returns the value of lane `from` of the block of `width` lanes, shuffled word by word; the
  /// lane's own value if there is no such lane.
  template <class T>
  HPK_INLINE_FUNCTION static T shuffle(T value, [[maybe_unused]] int from,
                                       [[maybe_unused]] int width) {
    HPK_IF_ON_DEVICE(
        (if (!A::has_masks || A::is_whole()) return shuffle_of_all(value, from, width);
         const lane_block block(width); from = block.present(from);
         unsigned words[(sizeof(T) + 3) / 4] = {}; memcpy(words, &value, sizeof(T));
         for (unsigned& word : words) word = A::shuffle_word(word, from, width, block.first);
         memcpy(&value, words, sizeof(T));))
    return value;
  }
  /// Shuffles within the whole subgroup; all its lanes must call it.
  template <class T>
  HPK_INLINE_FUNCTION static T shuffle(T value, [[maybe_unused]] int from) {
    HPK_IF_ON_DEVICE((return shuffle_of_all(value, from, subgroup());))
    return value;
  }
  /// Whether all lanes of the subgroup exist and, on devices whose lanes diverge by themselves,
  /// make this call at once. If so, all of them get true.
  HPK_INLINE_FUNCTION static bool is_whole() {
    HPK_IF_ON_DEVICE((return A::is_whole();))
    return false;
  }
  /// Returns the value of the lane whose number in the subgroup differs by the bits of `by`. That
  /// lane must exist, and all lanes of the subgroup must call it.
  template <class T>
  HPK_INLINE_FUNCTION static T shuffle_xor(T value, [[maybe_unused]] int by) {
    HPK_IF_ON_DEVICE((unsigned words[(sizeof(T) + 3) / 4] = {}; memcpy(words, &value, sizeof(T));
                      for (unsigned& word : words) word = A::shuffle_xor_word(word, by);
                      memcpy(&value, words, sizeof(T));))
    return value;
  }
  HPK_INLINE_FUNCTION static bool any(bool flag) {
    HPK_IF_ON_DEVICE((return A::any(flag);))
    return flag;
  }
  HPK_INLINE_FUNCTION static std::uint64_t ballot(bool flag) {
    HPK_IF_ON_DEVICE((return A::ballot(flag);))
    return flag ? 1 : 0;
  }
  HPK_INLINE_FUNCTION static void sync([[maybe_unused]] int width) {
    HPK_IF_ON_DEVICE((
        if (!A::has_masks || A::is_whole()) { A::sync(); } else {
          A::sync(lane_index() & ~(width - 1), width);
        }))
  }
  /// Synchronises the whole subgroup.
  HPK_INLINE_FUNCTION static void sync() { HPK_IF_ON_DEVICE((A::sync();)) }

  /// Creates a stream on a device; -1 is the device that the settings choose. Throws hpk::error if
  /// there is no such device. Higher priorities run first.
  static stream_type create_stream(int device = -1, int priority = 0);
  /// Creates the stream of the default instance. Unlike other streams it is ordered with the
  /// vendor's null stream, which libraries use if a program names no stream.
  static stream_type create_default_stream();
  /// Wraps a vendor's stream handle, which must outlive the result.
  static stream_type adopt_stream(void* native);
  static void destroy_stream(stream_type stream) noexcept;
  static void synchronize(stream_type stream);
  /// Waits as synchronize() does. An error that no call has thrown yet is written to stderr.
  static void drain(stream_type stream) noexcept;
  /// Waits for all devices that have been used.
  static void synchronize_all();
  static Event record(stream_type stream);
  static Event record_timed(stream_type stream);
  /// Blocks the host if the event is not of this vendor.
  static void wait(stream_type stream, const Event& event);
  static bool is_idle(stream_type stream);
  /// Uses the library's host functions, inside which the program must not call the library.
  static void call(stream_type stream, seam::host_call* work);
  static void* allocate_workspace(stream_type stream, std::size_t bytes);
  static void free_workspace(void* data, std::size_t bytes) noexcept;
  /// Allocates pinned memory. Throws if no memory is left.
  static void* allocate_host_workspace(stream_type stream, std::size_t bytes);
  static void free_host_workspace(void* data, std::size_t bytes) noexcept;
  static void copy(stream_type stream, void* to, const void* from, std::size_t bytes);
  static void fill(stream_type stream, void* to, int value, std::size_t bytes);
  static seam::machine_properties properties(stream_type stream);

  /// Returns the number of devices; 0 without a device or a driver.
  static int device_count() noexcept;
  /// The number of devices that have an instance or memory.
  static int devices_in_use() noexcept;
  /// The device of instances that do not name one.
  static int default_device();
  /// Makes default_device() choose again, after the settings have changed.
  static void forget_default_device() noexcept;

  /// Allocates memory of the stream's device, in stream order; for a null stream, of the default
  /// device and ready immediately. Null if out of memory. Throws hpk::error if there is no device.
  static void* allocate(memory_kind kind, stream_type stream, std::size_t bytes,
                        std::size_t align = usual_alignment);
  /// The number of the device whose memory contains an address of device memory.
  static int device_of(const void* data);
  /// Waits for all work submitted to the device, then frees.
  static void deallocate(memory_kind kind, void* data,
                         std::size_t align = usual_alignment) noexcept;
  /// Writes the properties of the devices.
  static void describe(seam::fact_sink& sink);
  /// The address of a global variable of device code on the device of a stream.
  static void* address_of_symbol(stream_type stream, const void* symbol);
  /// Fills in the properties of the stream's device.
  static void describe_device(stream_type stream, DeviceProperties& found);

  /// Graphs (native_graph.hpp): work submitted to the stream until finish_graph() becomes their
  /// nodes.
  using graph_type = typename A::graph_type;
  using executable_type = typename A::executable_type;
  static vendor_graph* begin_graph(stream_type stream);
  static void begin_node(vendor_graph* graph, const std::size_t* before, std::size_t count);
  static void add_host_call(vendor_graph* graph, void (*call)(void*), void* context);
  static void end_node(vendor_graph* graph);
  static void finish_graph(vendor_graph* graph);
  static void launch_graph(vendor_graph* graph, stream_type stream);
  /// Waits for the device, which may still run the graph.
  static void destroy_graph(vendor_graph* graph) noexcept;
  static void* graph_handle(const vendor_graph* graph) noexcept;
  static void* executable_handle(const vendor_graph* graph) noexcept;
  /// Copies the body that a kernel will read; immediately if the stream records.
  static void copy_body(stream_type stream, void* to, const void* from, std::size_t bytes);

  /// Throws hpk::error if the device code of a kernel expects an argument of another size. Then the
  /// device compiler and the host compiler disagree on the layout of its body.
  static void expect_argument(stream_type stream, const void* kernel, std::size_t bytes,
                              const seam::launch_info& info);
  /// Launches a kernel that run_on() chose.
  static void submit(stream_type stream, const void* kernel, const launch_size& size,
                     void** arguments, const seam::launch_info& info);
  /// Returns how many groups of a kernel fit on the device at the same time.
  static index_t resident_groups(stream_type stream, const void* kernel, const seam::shape& shape);

  template <class Machine, class Body>
  static void launch(Machine& machine, const seam::shape& shape, const Body& body,
                     const seam::launch_info& info) {
    constexpr bool compiled = A::compiled_here;
    static_assert(
        compiled || detail::always_false<Machine>,
        "hpk: a kernel for a GPU is launched in a file that is not compiled for one; in CMake "
        "write hpk_language(<target>), or name the file .cu or .hip");
    if constexpr (compiled) run_on<vendor>(machine, shape, body, info);
  }

 private:
  // Shuffles the words of a value within blocks of `width` lanes. All lanes of the subgroup call
  // it.
  template <class T>
  HPK_INLINE_FUNCTION static T shuffle_of_all(T value, [[maybe_unused]] int from,
                                              [[maybe_unused]] int width) {
    HPK_IF_ON_DEVICE((from = lane_block(width).present(from);
                      unsigned words[(sizeof(T) + 3) / 4] = {}; memcpy(words, &value, sizeof(T));
                      for (unsigned& word : words) word = A::shuffle_word(word, from, width);
                      memcpy(&value, words, sizeof(T));))
    return value;
  }
};

}  // namespace hpk::gpu
