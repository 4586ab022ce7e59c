// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/shared_file.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hpk::mpi::detail {

namespace {

// Returns a type of `count` elements of `type`, `stride` bytes apart, and frees `type`. MPI counts
// in an int.
MPI_Datatype repeat(MPI_Datatype type, index_t count, index_t stride) {
  const auto of = [](MPI_Datatype each, index_t n, index_t apart) {
    MPI_Datatype result = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(static_cast<int>(n), 1, static_cast<MPI_Aint>(apart), each, &result);
    return result;
  };
  constexpr index_t most = index_t{1} << 30;
  MPI_Datatype result = MPI_DATATYPE_NULL;
  if (count <= most) {
    result = of(type, count, stride);
  } else {
    MPI_Datatype block = of(type, most, stride);
    MPI_Datatype kinds[2] = {of(block, count / most, most * stride),
                             of(type, count % most, stride)};
    const int lengths[2] = {1, count % most == 0 ? 0 : 1};
    const MPI_Aint begins[2] = {0, static_cast<MPI_Aint>(count / most * most * stride)};
    MPI_Type_create_struct(2, lengths, begins, kinds, &result);
    for (MPI_Datatype* each : {&block, &kinds[0], &kinds[1]}) MPI_Type_free(each);
  }
  MPI_Type_free(&type);
  return result;
}

// Returns the file type of a part: the positions of its elements, relative to the first one.
MPI_Datatype make_file_type(const file_part& part, MPI_Datatype element) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_dup(element, &result);
  auto stride = static_cast<index_t>(part.element_bytes);
  for (std::size_t r = 0; r < part.sizes.size(); ++r) {
    const std::size_t d = part.dimension(r);
    result = repeat(result, part.sizes[d], stride);
    stride *= part.extents[d];
  }
  MPI_Type_commit(&result);
  return result;
}
index_t first_byte(const file_part& part) {
  index_t result = 0;
  for (std::size_t r = part.sizes.size(); r-- > 0;) {
    const std::size_t d = part.dimension(r);
    result = result * part.extents[d] + part.begin[d];
  }
  return result * static_cast<index_t>(part.element_bytes);
}

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

// A file that is open on all ranks. Each rank remembers its first error instead of throwing it, so
// that all ranks make the same collective calls and none waits for ever.
class shared_file {
 public:
  shared_file(const Communicator& comm, const call& what, const std::string& path, bool is_written)
      : comm_(comm), what_(what), path_(path) {
    // MPI_File_open may wait for a rank that can't access the file, so all ranks check first.
    std::string fault;
    if (access(path.c_str(), is_written ? R_OK | W_OK : R_OK) != 0)
      fault = about_file_by_system(path, "cannot be reached");
    expect_on_all(comm, what, fault.empty() ? fault_of_length(path) : fault);
    remember(MPI_File_open(comm.native(), path.c_str(),
                           is_written ? MPI_MODE_RDWR : MPI_MODE_RDONLY, MPI_INFO_NULL, &file_),
             "cannot be opened");
    expect_on_all(comm, what, fault_);
  }
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;

  // Writes or reads the elements of a part by a function of MPI-IO.
  template <class Move>
  void move(std::size_t begin, const file_part& part, index_t step_bytes, const Move& move) {
    const index_t count = part.count();
    const MPI_Datatype element = bytes_datatype(part.element_bytes);
    MPI_Datatype place = element;
    if (count != 0) place = make_file_type(part, element);
    const index_t first = static_cast<index_t>(begin) + (count != 0 ? first_byte(part) : 0);
    remember(MPI_File_set_view(file_, first, element, place, "native", MPI_INFO_NULL),
             "has no part");
    if (count != 0) MPI_Type_free(&place);
    const index_t bytes = static_cast<index_t>(part.element_bytes);
    const index_t step = std::clamp<index_t>(step_bytes / bytes, 1, INT_MAX);
    const index_t steps = largest_of_all(comm_, what_, (count + step - 1) / step);
    for (index_t k = 0; k < steps; ++k) {
      const index_t from = std::min(count, k * step);
      const index_t n = std::min(count - from, step);
      MPI_Status status{};
      remember(move(file_, from * bytes, static_cast<int>(n), element, &status),
               "cannot be written or read");
      MPI_Count moved = 0;
      MPI_Get_elements_x(&status, MPI_BYTE, &moved);
      if (fault_.empty() && moved != n * bytes) {
        error_message why;
        why << "only " << static_cast<index_t>(moved) << " of " << n * bytes
            << " bytes could be written or read";
        fault_ = about_file(path_, why.str());
      }
    }
  }
  void sync() { remember(MPI_File_sync(file_), "cannot be written"); }
  // Closes the file. Throws on all ranks if any operation has failed on one of them.
  void close() {
    remember(MPI_File_close(&file_), "cannot be closed");
    expect_on_all(comm_, what_, fault_);
  }

 private:
  void remember(int code, const char* what) {
    if (code != MPI_SUCCESS && fault_.empty())
      fault_ = about_file(path_, std::string(what) + ": " + text_of(code));
  }
  const Communicator& comm_;
  const call& what_;
  const std::string& path_;
  MPI_File file_ = MPI_FILE_NULL;
  std::string fault_;
};

}  // namespace

std::string about_file(const std::string& path, std::string_view why) {
  if (why.empty()) return {};
  error_message text;
  text << "file \"" << path << "\": " << why;
  return text.str();
}
std::string about_file_by_system(const std::string& path, const char* what) {
  const int reason = errno;
  return about_file(path, std::string(what) + ": " + std::generic_category().message(reason));
}

std::string fault_of_length(const std::string& path) {
  // Open MPI 4.1 writes the path and ".locktest.<rank>" into 256 bytes without a bounds check.
  constexpr std::size_t most = 256 - 1 - sizeof(".locktest.2147483647");
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(library, &length);
  if (path.size() <= most || !std::string_view(library).starts_with("Open MPI")) return {};
  error_message why;
  why << "the path of " << path.size() << " characters is too long for this MPI, which takes "
      << most << "; work in its folder, or in one with a shorter path";
  return about_file(path, why.str());
}

std::string fault_of_size(const std::string& path, index_t bytes) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return about_file_by_system(path, "cannot be read");
  if (facts.st_size == bytes) return {};
  error_message why;
  why << "could not be written: " << static_cast<index_t>(facts.st_size) << " of " << bytes
      << " bytes are there";
  return about_file(path, why.str());
}

void remove_file(const std::string& path) noexcept { unlink(path.c_str()); }

std::string reserve_bytes(const std::string& path, index_t bytes, bool keep_size) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return about_file_by_system(path, "cannot be opened");
  std::string fault;
  const off_t end = lseek(file, 0, SEEK_END);
  // Some file systems do not support it.
  if (bytes > 0 && fallocate(file, keep_size ? FALLOC_FL_KEEP_SIZE : 0, end, bytes) != 0 &&
      errno != EOPNOTSUPP && errno != ENOSYS)
    fault = about_file_by_system(path, "cannot be written");
  close(file);
  return fault;
}

void remove_temporaries(const std::string& path) {
  std::string begin = name_in_folder(path);
  begin.append(FileReplacement::mark);
  for (const std::string& name : files_beside(path)) {
    if (name.starts_with(begin)) remove_file(folder_of(path) + name);
  }
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}
std::string name_in_folder(const std::string& path) { return path.substr(folder_of(path).size()); }
std::vector<std::string> files_beside(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string folder = folder_of(path);
  std::vector<std::string> result;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error);
       !error && at != fs::directory_iterator(); at.increment(error))
    result.push_back(at->path().filename().string());
  return result;
}

void write_parts(const Communicator& comm, const call& what, const std::string& path,
                 std::size_t begin, const file_part& part, const void* elements,
                 index_t step_bytes) {
  shared_file file(comm, what, path, true);
  file.move(begin, part, step_bytes,
            [&](MPI_File to, index_t from, int n, MPI_Datatype type, MPI_Status* status) {
              return MPI_File_write_all(to, static_cast<const char*>(elements) + from, n, type,
                                        status);
            });
  file.sync();
  file.close();
}
void read_parts(const Communicator& comm, const call& what, const std::string& path,
                std::size_t begin, const file_part& part, void* elements, index_t step_bytes) {
  shared_file file(comm, what, path, false);
  file.move(begin, part, step_bytes,
            [&](MPI_File from, index_t to, int n, MPI_Datatype type, MPI_Status* status) {
              return MPI_File_read_all(from, static_cast<char*>(elements) + to, n, type, status);
            });
  file.close();
}

}  // namespace hpk::mpi::detail
