/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C interface of hpk: Views whose element type, rank and memory space are values, spaces,
 * instances, copies, and algorithms by name. The modules for Python and Fortran are written with
 * it, and other languages can call it. C++ code converts such a view to an hpk::View by
 * <hpk/c/view.hpp>.
 *
 * Errors: a function that can fail returns an hpk_status. Unless it is HPK_OK, hpk_last_error()
 * describes the error and the results are unchanged. After HPK_INVALID_ARGUMENT and
 * HPK_TYPE_MISMATCH the elements are unchanged too. No function throws a C++ exception.
 *
 * Threads: any thread may call any function. As with hpk::View, threads may share a view but not
 * its elements. Launches are asynchronous: a result that a function returns is there, elements are
 * there after hpk_fence() or hpk_instance_fence(); hpk_view_deep_copy() waits.
 *
 * ABI: see hpk_c_version(). */
#ifndef HPK_C_HPK_H
#define HPK_C_HPK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup c
 * @{ */

/** The version of this header's interface, which changes when a program must be compiled again. */
#define HPK_C_VERSION_MAJOR 1
/** Changes when something is added to the interface. */
#define HPK_C_VERSION_MINOR 0

/** The largest rank of a view. */
#define HPK_C_MAX_RANK 8

/** The result of a function that can fail. */
typedef enum hpk_status {
  HPK_OK = 0,
  HPK_ERROR = 1,            /**< hpk or the program failed: hpk::error, std::exception */
  HPK_INVALID_ARGUMENT = 2, /**< an argument is wrong: a null pointer, rank, extent or name */
  HPK_TYPE_MISMATCH = 3,    /**< element types, ranks, layouts or spaces do not fit together */
  HPK_OUT_OF_MEMORY = 4,    /**< hpk::BadAlloc, std::bad_alloc */
  HPK_STATUS_MAX_ENUM = 0x7fffffff /**< no status: gives the enumeration the range of int */
} hpk_status;

/** The text of the last error on the calling thread; "" if there was none. Valid until the next
 * call on this thread that fails. */
const char* hpk_last_error(void);

/** Sets the text of hpk_last_error() on the calling thread and returns the status, for functions of
 * your own that report errors as these do. */
hpk_status hpk_set_last_error(hpk_status status, const char* text);

/** The version of the library. A program whose HPK_C_VERSION_MAJOR differs must not call it. */
void hpk_c_version(int* major, int* minor);
/** The version of hpk, "0.1.0". */
const char* hpk_version(void);

/* ---- run time ------------------------------------------------------------------------------ */

/** Starts hpk, which starts by itself at first use. num_threads, device_id: 0 and -1 leave the
 * choice to hpk and its environment variables. Fails if hpk is initialized already; may be called
 * again after hpk_finalize(). */
hpk_status hpk_initialize(int num_threads, int device_id);
/** Whether hpk has started and is not finalized. */
int hpk_is_initialized(void);
/** Ends hpk; the end of the program does so too. Fails without an hpk_initialize() before. */
hpk_status hpk_finalize(void);
/** Waits for all work of all instances. The label names the fence in tools; may be null. */
hpk_status hpk_fence(const char* label);
/** Writes the configuration as text, cut to `size` bytes with the final 0, and returns the full
 * length. */
size_t hpk_configuration(char* text, size_t size, int verbose);
/** Opens a region of the profile (HPK_PROFILE) and of tools. */
hpk_status hpk_push_region(const char* name);
/** Closes the region that was opened last. */
hpk_status hpk_pop_region(void);

/* ---- spaces and instances ------------------------------------------------------------------ */

/** The number of execution spaces of this build. */
int hpk_space_count(void);
/** The name of an execution space, such as "Threads", "Emu" or "Cuda"; null for a wrong index. */
const char* hpk_space_name(int index);
/** The name of the default execution space. */
const char* hpk_default_space(void);
/** The name of the default host space. */
const char* hpk_default_host_space(void);
/** The name of the memory space of an execution space; null for an unknown name. */
const char* hpk_memory_space(const char* space);
/** Whether host code may access this memory space: 1 or 0; -1 for an unknown name. */
int hpk_is_host_accessible(const char* memory_space);

/** An instance of an execution space: launches on one instance run in order. */
typedef struct hpk_instance hpk_instance;

/** Makes a new instance of an execution space, or with is_default its default instance. */
hpk_status hpk_instance_create(const char* space, int is_default, hpk_instance** instance);
/** Destroys an instance; null has no effect. Its work goes on. */
void hpk_instance_destroy(hpk_instance* instance);
/** Waits for the work of one instance. */
hpk_status hpk_instance_fence(const hpk_instance* instance, const char* label);
/** The name of the instance's execution space; null for null. */
const char* hpk_instance_space(const hpk_instance* instance);
/** The number of threads that the instance runs at once; 0 if this fails. */
int hpk_instance_concurrency(const hpk_instance* instance);

/* ---- views --------------------------------------------------------------------------------- */

/** An element type. */
typedef enum hpk_type {
  HPK_TYPE_BOOL = 1,
  HPK_TYPE_INT8 = 2,
  HPK_TYPE_INT16 = 3,
  HPK_TYPE_INT32 = 4,
  HPK_TYPE_INT64 = 5,
  HPK_TYPE_UINT8 = 6,
  HPK_TYPE_UINT16 = 7,
  HPK_TYPE_UINT32 = 8,
  HPK_TYPE_UINT64 = 9,
  HPK_TYPE_FLOAT16 = 10,
  HPK_TYPE_BFLOAT16 = 11,
  HPK_TYPE_FLOAT32 = 12,
  HPK_TYPE_FLOAT64 = 13,
  HPK_TYPE_COMPLEX64 = 14,
  HPK_TYPE_COMPLEX128 = 15,
  HPK_TYPE_MAX_ENUM = 0x7fffffff /**< no type: gives the enumeration the range of int */
} hpk_type;

/** The name of a type, "float64"; null for a number that is no type. */
const char* hpk_type_name(hpk_type type);
/** The size of an element in bytes; 0 for a number that is no type. */
size_t hpk_type_size(hpk_type type);

/** A layout. RIGHT: the last index is the fastest (C); LEFT: the first (Fortran). A view of rank 0
 * or 1 without gaps is RIGHT and LEFT; its layout reads RIGHT. */
typedef enum hpk_layout {
  HPK_LAYOUT_RIGHT = 1,
  HPK_LAYOUT_LEFT = 2,
  HPK_LAYOUT_STRIDE = 3,
  HPK_LAYOUT_MAX_ENUM = 0x7fffffff /**< no layout: gives the enumeration the range of int */
} hpk_layout;

/** The description of a view. */
typedef struct hpk_view_info {
  void* data;                      /**< the first element; may be null if empty */
  int64_t extents[HPK_C_MAX_RANK]; /**< the extents, then 1 */
  int64_t strides[HPK_C_MAX_RANK]; /**< in elements */
  int64_t size;                    /**< number of elements */
  const char* label;               /**< "" without a label; as long-lived as the view */
  const char* space;               /**< name of the memory space */
  hpk_type type;                   /**< of the elements */
  hpk_layout layout;               /**< the layout that the strides have */
  int32_t rank;                    /**< number of dimensions */
  int32_t item_size;               /**< bytes of an element */
  int32_t read_only;               /**< whether the elements are const */
  int32_t host_accessible;         /**< whether host code may access the memory */
} hpk_view_info;

/** A number of any element type. The other members have no meaning. */
typedef struct hpk_scalar {
  hpk_type type; /**< says which member has the value */
  int64_t i;     /**< of BOOL and INT8 to INT64 */
  uint64_t u;    /**< of UINT8 to UINT64 */
  double f;      /**< of real numbers; the real part of complex numbers */
  double imag;   /**< the imaginary part of complex numbers */
} hpk_scalar;

/** A multi-dimensional array with shared ownership of its memory. Functions write no view whose
 * elements are const, or that has a dimension of stride 0 and more than one index:
 * HPK_TYPE_MISMATCH. */
typedef struct hpk_view hpk_view;

/** Allocates. layout: RIGHT or LEFT. space: a memory space or an execution space, whose memory it
 * is then; null: that of the default space. label: may be null. initialize: whether elements become
 * 0. */
hpk_status hpk_view_create(hpk_type type, int rank, const int64_t* extents, hpk_layout layout,
                           const char* space, const char* label, int initialize, hpk_view** view);
/** Makes a view of memory that something else owns, without a copy. strides are in elements and not
 * negative; null: those of LayoutRight. space: that of the memory, named as in hpk_view_create.
 * When no view and no kernel uses the memory any more, release(owner) is called once, on any
 * thread; it must not throw. With a null `release` the memory must outlive the view and its
 * kernels. If the call fails, release is not called. */
hpk_status hpk_view_wrap(hpk_type type, int rank, const int64_t* extents, const int64_t* strides,
                         const char* space, void* data, int read_only, const char* label,
                         void* owner, void (*release)(void* owner), hpk_view** view);
/** Adds an owner of the view, and returns the view. Null has no effect. */
hpk_view* hpk_view_retain(hpk_view* view);
/** Removes an owner of the view. The last one destroys the view; other views of its memory stay.
 * Null has no effect. */
void hpk_view_release(hpk_view* view);
/** The description, as long-lived as the view; null for null. */
const hpk_view_info* hpk_view_get_info(const hpk_view* view);
/** A part of a view that shares its memory: count[r] indices of dimension r, from begin[r] in steps
 * of step[r] > 0. With drop[r] not 0, count[r] is 1 and the part lacks the dimension. step, drop:
 * may be null. */
hpk_status hpk_view_slice(const hpk_view* view, const int64_t* begin, const int64_t* count,
                          const int64_t* step, const int* drop, hpk_view** part);
/** The view with its dimensions in the order axes[0], axes[1], ... */
hpk_status hpk_view_permute(const hpk_view* view, const int* axes, hpk_view** permuted);
/** The elements of a view without gaps in another shape, in the order of its layout. */
hpk_status hpk_view_reshape(const hpk_view* view, int rank, const int64_t* extents,
                            hpk_view** reshaped);
/** A view of the same shape in another memory space: the view itself where its memory is in that
 * space, otherwise a new one. copy: whether a new one gets the elements, as by
 * create_mirror_view_and_copy. space: as in hpk_view_create; null: host memory. */
hpk_status hpk_view_mirror(const hpk_view* view, const char* space, int copy, hpk_view** mirror);
/** Copies all elements between views of the same element type and shape, of any layouts and memory
 * spaces, which may overlap. Waits for all earlier work, and for the copy. */
hpk_status hpk_view_deep_copy(const hpk_view* to, const hpk_view* from);
/** Sets all elements. Real numbers are rounded to the element type; a finite one that would become
 * infinite, and any other value that the element type lacks, is an HPK_INVALID_ARGUMENT. */
hpk_status hpk_view_fill(const hpk_view* view, const hpk_scalar* value, const hpk_instance* on);

/** Makes a tensor of DLPack that shares the view's memory: a DLManagedTensor, or with `versioned` a
 * DLManagedTensorVersioned. Waits for all work. The receiver of the tensor calls its deleter. */
hpk_status hpk_view_to_dlpack(const hpk_view* view, int versioned, void** tensor);
/** Makes a view of a tensor of DLPack, and takes the tensor over, unless this fails. Its deleter is
 * called when no view uses the memory any more. The label may be null. */
hpk_status hpk_view_from_dlpack(void* tensor, int versioned, const char* label, hpk_view** view);
/** The device of a view in DLPack's numbers: DLDeviceType and index. */
hpk_status hpk_view_dlpack_device(const hpk_view* view, int32_t* type, int32_t* index);

/* ---- algorithms ---------------------------------------------------------------------------- */

/* `on` is an instance whose execution space can access the memory; null: the default instance of
 * the default host space for host memory, of the device for others. */

/** Reduces all elements: "sum", "prod", "min", "max", "all", "any", "count" (elements that are not
 * 0). Integers are added and multiplied in 64 bits, in which they wrap around, real numbers in
 * double precision. Has the same bits for any number of threads. The type of the result: the view's
 * for "min" and "max", BOOL for "all" and "any", otherwise a type of 64 bits or COMPLEX128. "min"
 * and "max" of elements with a NaN are NaN; of no elements, and of complex numbers, they fail. */
hpk_status hpk_reduce(const hpk_view* view, const char* operation, const hpk_instance* on,
                      hpk_scalar* result);
/** The sum of x(i) * y(i) over all elements of two views of the same type and shape; of
 * conj(x(i)) * y(i) for complex numbers. */
hpk_status hpk_dot(const hpk_view* x, const hpk_view* y, const hpk_instance* on,
                   hpk_scalar* result);
/** Scans views of rank 1 and the same type and extent: to(i) is the sum ("sum"), product, minimum
 * or maximum of from(0) to from(i), without from(i) if exclusive, computed in 64 bits as by
 * hpk_reduce. An exclusive scan begins with 0, 1, and for "min" and "max" with the largest and
 * least number of the type. `to` and `from` may overlap. */
hpk_status hpk_scan(const hpk_view* to, const hpk_view* from, const char* operation, int exclusive,
                    const hpk_instance* on);
/** Sorts a view of rank 1. NaN is last in either order; -0 is less than 0. */
hpk_status hpk_sort(const hpk_view* view, int descending, const hpk_instance* on);
/** Sorts `keys`, of rank 1, and applies the permutation to `values`, of the same extent. Equal
 * keys keep their order, also -0 and 0. Keys and values share no elements. */
hpk_status hpk_sort_by_key(const hpk_view* keys, const hpk_view* values, int descending,
                           const hpk_instance* on);
/** Fills a view with random numbers, which depend on the seed and the position alone. "uniform": in
 * [a, b), where a and b are rounded to real element types; "normal": mean a, standard deviation b.
 * Both parts of complex numbers are such numbers. */
hpk_status hpk_fill_random(const hpk_view* view, const char* distribution, uint64_t seed, double a,
                           double b, const hpk_instance* on);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
