// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints as .npy files and a list of them, which is put in place last. The file names contain
// the number of their checkpoint, so an old and a new checkpoint coexist until the new list is in
// place. The files are in the folder of the list itself, even if the path is a link to the list.
#include <hpk/mpi/detail/checkpoint_format.hpp>
#include <hpk/mpi/detail/shared_file.hpp>
#include <hpk/mpi/npy.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace hpk::mpi::detail {

namespace {

constexpr const char* first_line = "hpk checkpoint 1";

std::string hex(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

// The list of the files of a checkpoint.
struct file_list {
  std::string number;
  std::vector<stored_array> arrays;
};
std::string to_text(const file_list& list) {
  std::ostringstream out;
  out << first_line << '\n' << list.number << '\n';
  for (const stored_array& each : list.arrays) {
    out << each.name << ' ' << each.type << (each.is_left ? " F " : " C ") << each.extents.size();
    for (const index_t extent : each.extents) out << ' ' << extent;
    out << ' ' << hex(each.checksum) << ' ' << each.file << '\n';
  }
  const std::string lines = out.str();
  return lines + "end " + hex(hash_of(lines)) + '\n';
}
// Parses a list. Returns what is wrong with the text; empty if it is valid.
std::string from_text(const std::string& text, file_list& list) {
  const std::string expected = std::string(first_line) + '\n';
  if (!text.starts_with(expected)) {
    const std::string kind = expected.substr(0, expected.size() - 2);
    if (expected.starts_with(text)) return "is torn";
    return text.starts_with(kind) ? "is a checkpoint of a version that hpk cannot read"
                                  : "is not a checkpoint";
  }
  const auto end = text.rfind("end ");
  if (end == std::string::npos ||
      text.substr(end) != "end " + hex(hash_of(std::string_view(text).substr(0, end))) + '\n')
    return "is torn";
  std::istringstream in(text.substr(expected.size(), end - expected.size()));
  std::getline(in, list.number);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    stored_array each;
    std::string order;
    std::size_t rank = 0;
    words >> each.name >> each.type >> order >> rank;
    each.is_left = order == "F";
    each.extents.resize(rank);
    for (index_t& extent : each.extents) words >> extent;
    words >> std::hex >> each.checksum >> std::ws;
    std::getline(words, each.file);
    if (!words || each.file.empty() || each.file.find('/') != std::string::npos) return "is torn";
    list.arrays.push_back(std::move(each));
  }
  return {};
}

// Reads the list on one rank. Returns what is wrong with the file; empty if it is readable or does
// not exist.
std::string read_list(const std::string& path, std::string& text, bool& exists) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_type kind = fs::status(path, none).type();
  exists = kind != fs::file_type::not_found;
  // Opening a pipe would block.
  if (exists && kind != fs::file_type::none && kind != fs::file_type::regular)
    return about_file(path, "is not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  exists = static_cast<bool>(file) || errno != ENOENT;
  if (!file) return exists ? about_file_by_system(path, "cannot be read") : std::string();
  text.assign(std::istreambuf_iterator<char>(file), {});
  return {};
}

// Removes the files of this path's other checkpoints: older ones, and ones that killed programs
// left behind. The files of checkpoint `kept` stay.
void remove_others(const std::string& path, const std::string& kept) {
  const std::string begin = name_in_folder(path) + '.';
  std::string written = ".npy";
  written.append(FileReplacement::mark);
  for (const std::string& name : files_beside(path)) {
    if (!name.starts_with(begin)) continue;
    if (!name.ends_with(".npy") && name.find(written) == std::string::npos) continue;
    const std::string number = name.substr(begin.size(), 16);
    if (number != kept && number.size() == 16 && name.size() > begin.size() + 17 &&
        name[begin.size() + 16] == '.' &&
        number.find_first_not_of("0123456789abcdef") == std::string::npos)
      remove_file(folder_of(path) + name);
  }
  remove_temporaries(path);
}

class files_output final : public checkpoint_output {
 public:
  files_output(const Communicator& comm, const call& what, const std::string& path)
      : comm_(comm), path_(path) {
    std::string fault;
    if (comm.rank() == 0) {
      path_ = follow_links(path);
      // Leftover files take disk space that the new checkpoint may need.
      std::string text;
      file_list old;
      bool exists = false;
      if (read_list(path_, text, exists).empty() && (!exists || from_text(text, old).empty()))
        remove_others(path_, old.number);
      fault = about_file(path_, list_file_.begin(path_));
    }
    expect_on_all(comm, what, fault);
    path_ = broadcast_text(comm, what, path_, 0);
    list_.number = broadcast_text(comm, what, list_file_.number(), 0);
  }
  ~files_output() override {
    if (comm_.rank() != 0) return;
    for (const stored_array& each : list_.arrays) remove_file(folder_of(path_) + each.file);
  }
  bool has_left_order() const noexcept override { return true; }

  void write(const call& what, const std::string& name, const file_part& part,
             const void* elements) override {
    stored_array stored{.name = name,
                        .type = part.type,
                        .is_left = part.is_left,
                        .extents = part.extents,
                        .file = name_in_folder(path_) + '.' + list_.number + '.' + name + ".npy"};
    stored.checksum = sum_of_all(comm_, what, checksum_of(part, elements));
    write_npy_file(comm_, what, folder_of(path_) + stored.file, part, elements);
    list_.arrays.push_back(std::move(stored));
  }

  void commit(const call& what) override {
    std::string fault;
    if (comm_.rank() == 0) {
      const std::string text = to_text(list_);
      fault = list_file_.write(text.data(), text.size());
      if (fault.empty()) fault = list_file_.commit();
      fault = about_file(path_, fault);
      if (fault.empty()) {
        list_.arrays.clear();  // keeps the destructor from removing the files
        remove_others(path_, list_.number);
      }
    }
    expect_on_all(comm_, what, fault);
  }

 private:
  Communicator comm_;
  std::string path_;
  file_list list_;
  FileReplacement list_file_;  // used on rank 0 only
};

class files_input final : public checkpoint_input {
 public:
  files_input(const Communicator& comm, const std::string& path, const file_list& list)
      : comm_(comm), path_(path) {
    arrays = list.arrays;
  }
  void read(const call& what, const stored_array& stored, const file_part& part,
            void* elements) override {
    const std::string file = folder_of(path_) + stored.file;
    const npy_header header = expect_npy_file(comm_, what, file, part);
    if (header.is_left != stored.is_left)
      fail(comm_, what, about_file(file, "does not belong to the checkpoint"));
    read_parts(comm_, what, file, header.begin, part, elements);
    if (!fault_of_cover(comm_, what, part).empty()) return;
    if (sum_of_all(comm_, what, checksum_of(part, elements)) != stored.checksum) {
      fail(comm_, what,
           about_file(file, "does not have the elements that were written: its checksum differs"));
    }
  }

 private:
  Communicator comm_;
  std::string path_;
};

}  // namespace

std::unique_ptr<checkpoint_output> write_checkpoint_files(const Communicator& comm,
                                                          const call& what,
                                                          const std::string& path) {
  return std::make_unique<files_output>(comm, what, path);
}

std::unique_ptr<checkpoint_input> read_checkpoint_files(const Communicator& comm, const call& what,
                                                        const std::string& given) {
  std::string path = given, text, fault;
  if (comm.rank() == 0) {
    path = follow_links(given);
    bool exists = false;
    fault = read_list(path, text, exists);
    if (exists && fault.empty()) {
      file_list list;
      fault = about_file(path, from_text(text, list));
    }
  }
  expect_on_all(comm, what, fault);
  text = broadcast_text(comm, what, text, 0);
  if (text.empty()) return nullptr;
  path = broadcast_text(comm, what, path, 0);
  file_list list;
  static_cast<void>(from_text(text, list));
  return std::make_unique<files_input>(comm, path, list);
}

}  // namespace hpk::mpi::detail
