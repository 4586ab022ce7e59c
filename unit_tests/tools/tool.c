/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A tool, written against the C interface alone: writes each event as a line to the file that
 * HPK_TEST_TOOL_LOG names, behind the letter TOOL_NAME. Handles count up from 100. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char name[64];
} space_handle;
typedef struct {
  _Bool requires_global_fencing;
  _Bool padding[255];
} tool_settings;
typedef struct {
  void (*fence)(uint32_t);
  void (*padding[31])(void);
} programming_interface;

static uint64_t next = 100;
static programming_interface callable;

static void line(const char* format, ...) {
  FILE* out = fopen(getenv("HPK_TEST_TOOL_LOG"), "a");
  va_list arguments;
  if (out == NULL) exit(3);
  fputs(TOOL_NAME " ", out);
  va_start(arguments, format);
  vfprintf(out, format, arguments);
  va_end(arguments);
  fputc('\n', out);
  fclose(out);
}
static void begin(const char* what, const char* name, uint32_t device, uint64_t* handle) {
  *handle = next++;
  line("begin %s %s kind %u instance %s %llu", what, name, device >> 24,
       (device & 0x1ffff) != 0 ? "one" : "all", (unsigned long long)*handle);
}

void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices, void* device) {
  line("init %d %llu %u %s", sequence, (unsigned long long)version, devices,
       device == NULL ? "null" : "?");
}
void kokkosp_request_tool_settings(uint32_t count, tool_settings* settings) {
  line("settings %u fencing %d", count, (int)settings->requires_global_fencing);
  settings->requires_global_fencing = TOOL_FENCES;
}
void kokkosp_provide_tool_programming_interface(uint32_t count, programming_interface given) {
  line("interface %u", count);
  callable = given;
}
void kokkosp_parse_args(int argc, char** argv) {
  int k;
  for (k = 1; k < argc; ++k) line("argument %d of %d: %s", k, argc, argv[k]);
}
void kokkosp_print_help(char* program) { printf("help of " TOOL_NAME " for %s\n", program); }
void kokkosp_declare_metadata(const char* key, const char* value) {
  if (strcmp(key, "mine") == 0 || strcmp(key, "version") == 0) line("fact %s %s", key, value);
}
void kokkosp_finalize_library(void) { line("finalize"); }
void kokkosp_begin_parallel_for(const char* name, uint32_t device, uint64_t* handle) {
  begin("for", name, device, handle);
}
void kokkosp_end_parallel_for(uint64_t handle) { line("end for %llu", (unsigned long long)handle); }
void kokkosp_begin_parallel_reduce(const char* name, uint32_t device, uint64_t* handle) {
  begin("reduce", name, device, handle);
}
void kokkosp_end_parallel_reduce(uint64_t handle) {
  line("end reduce %llu", (unsigned long long)handle);
}
void kokkosp_begin_parallel_scan(const char* name, uint32_t device, uint64_t* handle) {
  begin("scan", name, device, handle);
}
void kokkosp_end_parallel_scan(uint64_t handle) {
  line("end scan %llu", (unsigned long long)handle);
}
void kokkosp_begin_fence(const char* name, uint32_t device, uint64_t* handle) {
  begin("fence", name, device, handle);
}
void kokkosp_end_fence(uint64_t handle) { line("end fence %llu", (unsigned long long)handle); }
void kokkosp_push_profile_region(const char* name) { line("push %s", name); }
void kokkosp_pop_profile_region(void) { line("pop"); }
void kokkosp_create_profile_section(const char* name, uint32_t* id) {
  *id = (uint32_t)next++;
  line("section %s %u", name, *id);
}
void kokkosp_start_profile_section(uint32_t id) { line("start %u", id); }
void kokkosp_stop_profile_section(uint32_t id) { line("stop %u", id); }
void kokkosp_destroy_profile_section(uint32_t id) { line("destroy %u", id); }
void kokkosp_profile_event(const char* name) {
  line("event %s", name);
  if (strcmp(name, "fence now") == 0) callable.fence(0);
}
void kokkosp_allocate_data(space_handle space, const char* label, const void* data,
                           uint64_t bytes) {
  line("new %s %s %llu %d", space.name, label, (unsigned long long)bytes, data != NULL);
}
void kokkosp_deallocate_data(space_handle space, const char* label, const void* data,
                             uint64_t bytes) {
  line("free %s %s %llu %d", space.name, label, (unsigned long long)bytes, data != NULL);
}
void kokkosp_begin_deep_copy(space_handle to, const char* to_label, const void* to_data,
                             space_handle from, const char* from_label, const void* from_data,
                             uint64_t bytes) {
  line("copy %s %s <- %s %s %llu %d", to.name, to_label, from.name, from_label,
       (unsigned long long)bytes, to_data != NULL && from_data != NULL);
}
void kokkosp_end_deep_copy(void) { line("copied"); }
void kokkosp_dual_view_sync(const char* label, const void* data, _Bool on_device) {
  line("sync %s %d %s", label, data != NULL, on_device ? "device" : "host");
}
void kokkosp_dual_view_modify(const char* label, const void* data, _Bool on_device) {
  line("modify %s %d %s", label, data != NULL, on_device ? "device" : "host");
}

/* Tuning: chooses the last candidate of each set of integers. */
typedef union {
  int64_t int_value;
  double double_value;
  char string_value[64];
} any_value;
typedef struct {
  int type, category, quantity;
  union {
    struct {
      size_t size;
      int64_t* values;
    } set;
    struct {
      any_value lower, upper, step;
      _Bool open_lower, open_upper;
    } range;
  } candidates;
  void* own;
} variable_info;
typedef struct {
  size_t id;
  any_value value;
  variable_info* info;
} variable_value;

void kokkosp_declare_output_type(const char* name, size_t id, variable_info* info) {
  line("output %s %d type %d", name, id != 0, info->type);
}
void kokkosp_declare_input_type(const char* name, size_t id, variable_info* info) {
  line("input %s %d type %d", name, id != 0, info->type);
}
void kokkosp_begin_context(size_t context) { line("context %d", context != 0); }
void kokkosp_end_context(size_t context, variable_value value) {
  line("end of context %d %d", context != 0, value.value.double_value > 0);
}
void kokkosp_request_values(size_t context, size_t inputs, const variable_value* input,
                            size_t outputs, variable_value* output) {
  size_t k;
  (void)context;
  line("request %s %s", input[0].value.string_value, input[1].value.string_value);
  for (k = 0; k < outputs; ++k) {
    const variable_info* info = output[k].info;
    output[k].value.int_value = info->candidates.set.values[info->candidates.set.size - 1];
  }
  (void)inputs;
}
