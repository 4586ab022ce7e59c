// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are replaced as a whole or not at all, even if others write them or the program is killed.
// Links, modes and owners stay, and only regular files are replaced.
#include <hpk/base/file_replacement.hpp>

#include <support/files.hpp>

#include <support/fork.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace io_file_replacement_test {
// The next results of getentropy.
std::deque<std::uint64_t> next_numbers;
}  // namespace io_file_replacement_test

// Replaces the function of the C library.
extern "C" int getentropy(void* to, std::size_t bytes) {
  auto& next = io_file_replacement_test::next_numbers;
  if (!next.empty() && bytes == sizeof(std::uint64_t)) {
    std::memcpy(to, &next.front(), bytes);
    next.pop_front();
    return 0;
  }
  return getrandom(to, bytes, 0) == static_cast<ssize_t>(bytes) ? 0 : -1;
}

namespace io_file_replacement_test {
namespace {

using hpk::FileReplacement;
using namespace io_test;

std::string replace(const std::string& path, const std::string& bytes) {
  FileReplacement file;
  std::string fault = file.begin(path);
  if (fault.empty()) fault = file.write(bytes.data(), bytes.size());
  if (fault.empty()) fault = file.commit();
  return fault;
}
unsigned mode_of(const std::string& path) {
  struct stat facts{};
  EXPECT_EQ(stat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 07777;
}
void expect_fault(const std::string& fault, const std::string& text) {
  EXPECT_NE(fault.find(text), std::string::npos) << fault << "\nhas not: " << text;
}

// Runs in a child process, which may change process-wide state and starts no kernels. Returns the
// result of `run`.
template <class F>
bool in_child(const F& run) {
  return hpk_test::result_in_child([&] { return run() ? 0 : 1; }) == 0;
}
constexpr unsigned nobody = 65534;
bool become_nobody() {
  return setgroups(0, nullptr) == 0 && setgid(nobody) == 0 && setuid(nobody) == 0;
}

TEST(FileReplacements, are_seen_whole_and_by_commit_alone) {
  const folder place;
  const std::string path = place / "x";
  const mode_t before = umask(027);
  EXPECT_EQ(replace(path, "new"), "");
  umask(before);
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(mode_of(path), 0640u);
  FileReplacement file;
  EXPECT_EQ(file.begin(path), "");
  EXPECT_EQ(file.target(), path);
  EXPECT_EQ(file.temporary(), path + std::string(FileReplacement::mark) + file.number());
  EXPECT_EQ(file.number().size(), 16u);
  EXPECT_EQ(mode_of(file.temporary()), 0600u);
  EXPECT_EQ(file.write("newer", 5), "");
  EXPECT_EQ(content(path), "new");
  // A second begin() replaces the first temporary file.
  EXPECT_EQ(file.begin(path), "");
  EXPECT_EQ(place.count(), 2);
  EXPECT_EQ(file.write("newest", 6), "");
  EXPECT_EQ(file.commit(), "");
  EXPECT_EQ(content(path), "newest");
  EXPECT_EQ(file.temporary(), "");
  try {
    FileReplacement unwound;
    EXPECT_EQ(unwound.begin(path), "");
    throw std::runtime_error("between");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(place.count(), 1);
  EXPECT_EQ(mode_of(path), 0640u);
}

TEST(FileReplacements, keep_mode_and_owner) {
  const folder place;
  const std::string path = place / "x";
  put(path, "old");
  for (const unsigned mode : {0600u, 0444u, 0755u, 0606u}) {
    chmod(path.c_str(), mode);
    EXPECT_EQ(replace(path, "new"), "");
    EXPECT_EQ(mode_of(path), mode);
  }
  if (geteuid() != 0) return;
  ASSERT_EQ(chown(path.c_str(), 1234, 5678), 0);
  EXPECT_EQ(replace(path, "newer"), "");
  struct stat facts{};
  stat(path.c_str(), &facts);
  EXPECT_EQ(facts.st_uid, 1234u);
  EXPECT_EQ(facts.st_gid, 5678u);
}

TEST(FileReplacements, that_cannot_keep_the_group_give_another_no_more_than_all) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes files of other groups";
  const folder place;
  const std::string path = place / "x";
  put(path, "old");
  ASSERT_EQ(chmod(place.path().c_str(), 0777), 0);
  ASSERT_EQ(chown(path.c_str(), nobody, 5678), 0);
  ASSERT_EQ(chmod(path.c_str(), 0664), 0);
  EXPECT_TRUE(in_child([&] { return become_nobody() && replace(path, "new").empty(); }));
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(mode_of(path), 0644u);
}

TEST(FileReplacements, follow_links_which_stay) {
  const folder place;
  fs::create_directory(place / "data");
  const std::string real = place / "data/real";
  put(real, "old");
  fs::create_symlink("data/real", place / "relative");
  fs::create_symlink(place / "relative", place / "chain");
  fs::create_symlink("data/not_yet", place / "dangling");
  for (const char* name : {"relative", "chain"}) {
    EXPECT_EQ(replace(place / name, name), "");
    EXPECT_EQ(content(real), name);
    EXPECT_TRUE(fs::is_symlink(place / name));
  }
  EXPECT_EQ(hpk::follow_links(place / "chain"), real);
  EXPECT_EQ(replace(place / "dangling", "new"), "");
  EXPECT_EQ(content(place / "data/not_yet"), "new");
  // The temporary file is in the folder of the target.
  FileReplacement file;
  EXPECT_EQ(file.begin(place / "chain"), "");
  EXPECT_EQ(fs::path(file.temporary()).parent_path(), place / "data");
  file.give_up();
  EXPECT_EQ(std::distance(fs::directory_iterator(place / "data"), {}), 2);
  fs::create_symlink("loop", place / "loop");
  expect_fault(replace(place / "loop", "new"), "cannot be written: Too many levels");
  fs::create_symlink("no/folder", place / "nowhere");
  expect_fault(replace(place / "nowhere", "new"),
               "leads to \"" + (place / "no/folder") + "\", which cannot be written: No such file");
  EXPECT_EQ(place.count(), 6);
}

TEST(FileReplacements, are_of_regular_files_only) {
  const folder place;
  const auto refuses = [](const std::string& path, const char* why) {
    struct stat before{};
    struct stat after{};
    stat(path.c_str(), &before);
    expect_fault(replace(path, "new"), why);
    stat(path.c_str(), &after);
    EXPECT_EQ(before.st_ino, after.st_ino);
    EXPECT_EQ(before.st_mode, after.st_mode);
  };
  fs::create_directory(place / "folder");
  refuses(place / "folder", "is a folder; only regular files are replaced");
  ASSERT_EQ(mkfifo((place / "pipe").c_str(), 0600), 0);
  refuses(place / "pipe", "is a pipe;");
  fs::create_symlink("pipe", place / "link");
  refuses(place / "link", "which is a pipe;");
  refuses("/dev/null", "is a device;");
  refuses("/dev/full", "is a device;");
  const int end = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (place / "socket").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(end, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  refuses(place / "socket", "is a socket;");
  close(end);
  // An unnamed pipe, as standard output often is.
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  refuses("/proc/self/fd/" + std::to_string(ends[1]), "is a pipe;");
  for (const int each : ends) close(each);
  // A pipe that appears after begin() is not replaced either.
  FileReplacement file;
  EXPECT_EQ(file.begin(place / "x"), "");
  ASSERT_EQ(mkfifo((place / "x").c_str(), 0600), 0);
  expect_fault(file.commit(), "is a pipe;");
  EXPECT_EQ(place.count(), 5);
}

TEST(FileReplacements, that_fail_leave_the_old_file) {
  const folder place;
  const std::string path = place / "x";
  put(path, "old");
  expect_fault(replace(place / "no/x", "new"), "cannot be written: No such file");
  expect_fault(replace("", "new"), "cannot be written: No such file");
  expect_fault(replace(place / std::string(250, 'x').c_str(), "new"), "File name too long");
  // Like a full disk.
  EXPECT_TRUE(in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit less{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &less);
    return replace(path, std::string(1001, 'x')) == "cannot be written: File too large";
  }));
  chmod(place.path().c_str(), 0555);
  EXPECT_TRUE(in_child([&] {
    return (geteuid() != 0 || become_nobody()) &&
           replace(path, "new") == "cannot be written: Permission denied";
  }));
  chmod(place.path().c_str(), 0755);
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(place.count(), 1);
}

TEST(FileReplacements, take_no_name_that_is_taken) {
  const folder place;
  const std::string path = place / "x", planted = path + ".writing-0000000000000001";
  put(place / "victim", "precious");
  fs::create_symlink("victim", planted);
  next_numbers = {1, 1, 2};
  FileReplacement file;
  EXPECT_EQ(file.begin(path), "");
  EXPECT_EQ(file.number(), "0000000000000002");
  EXPECT_EQ(file.write("new", 3), "");
  EXPECT_EQ(file.commit(), "");
  EXPECT_EQ(content(path), "new");
  next_numbers.assign(1000, 1);
  expect_fault(file.begin(path), "cannot be written: File exists");
  next_numbers.clear();
  EXPECT_TRUE(fs::is_symlink(planted));
  EXPECT_EQ(content(place / "victim"), "precious");
}

bool is_whole(const std::string& bytes) {
  return !bytes.empty() && bytes.find_first_not_of(bytes[0]) == std::string::npos &&
         bytes.size() == 100'000u * static_cast<unsigned>(bytes[0] - 'a' + 1);
}
std::string bytes_of(int writer) {
  return std::string(100'000u * static_cast<unsigned>(writer + 1), static_cast<char>('a' + writer));
}
TEST(FileReplacements, of_one_path_at_once_do_not_mix) {
  const folder place;
  const std::string path = place / "x";
  std::vector<std::string> faults(3);
  std::vector<std::thread> writers;
  for (int k = 0; k < 3; ++k) {
    writers.emplace_back([&, k] {
      auto& fault = faults[static_cast<std::size_t>(k)];
      for (int step = 0; step < 20 && fault.empty(); ++step) fault = replace(path, bytes_of(k));
    });
  }
  for (std::thread& each : writers) each.join();
  EXPECT_EQ(faults, std::vector<std::string>(3));
  EXPECT_TRUE(is_whole(content(path)));
  EXPECT_EQ(place.count(), 1);
}

// Like two containers that share a volume, where each program has process id 1.
TEST(FileReplacements, by_processes_of_one_number_do_not_mix) {
  if (!in_child([] { return unshare(CLONE_NEWPID | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) == 0; }))
    GTEST_SKIP() << "this system gives the process no numbers of its own";
  const folder place;
  const std::string path = place / "x";
  put(path, bytes_of(0));
  std::vector<pid_t> writers;
  for (int k = 0; k < 2; ++k) {
    writers.push_back(fork());
    if (writers.back() != 0) continue;
    if (unshare(CLONE_NEWPID | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) _exit(1);
    _exit(in_child([&] {
      bool right = getpid() == 1;
      for (int step = 0; step < 30; ++step) right = right && replace(path, bytes_of(k)).empty();
      return right;
    })
              ? 0
              : 1);
  }
  int torn = 0;
  for (const pid_t writer : writers) {
    int status = 0;
    while (waitpid(writer, &status, WNOHANG) == 0) torn += is_whole(content(path)) ? 0 : 1;
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(torn, 0);
  EXPECT_TRUE(is_whole(content(path)));
  EXPECT_EQ(place.count(), 1);
}

enum class outcome { finished, killed, refused };
// Runs in a child that is killed at a stop before or after one of its system calls. Even and odd
// steps are the stops before and after.
template <class F>
outcome kill_at(int step, const F& run) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(2);
    std::raise(SIGSTOP);
    run();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return outcome::refused;
  for (int k = 0; k < step; ++k) {
    if (ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) return outcome::refused;
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return outcome::finished;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return outcome::killed;
}
TEST(FileReplacements, that_are_killed_at_any_step_leave_the_old_file_or_the_new_one) {
  for (const bool exists : {true, false}) {
    const folder place;
    const std::string path = place / "x", old = exists ? "old" : "";
    int olds = 0, news = 0;
    std::ptrdiff_t left = 0;
    for (int step = 1;; ++step) {
      if (exists) {
        put(path, old);
        chmod(path.c_str(), 0640);
      } else {
        fs::remove(path);
      }
      const outcome end = kill_at(step, [&] { static_cast<void>(replace(path, "new")); });
      if (end == outcome::refused) GTEST_SKIP() << "this system lets no process trace another";
      if (end == outcome::finished) break;
      const bool is_new = fs::exists(path) && content(path) == "new";
      EXPECT_TRUE(is_new || content(path) == old) << "step " << step;
      EXPECT_TRUE(is_new || fs::exists(path) == exists) << "step " << step;
      EXPECT_TRUE(!exists || mode_of(path) == 0640u) << "step " << step;
      (is_new ? news : olds)++;
    }
    EXPECT_GT(olds, 10);
    EXPECT_GT(news, 2);
    EXPECT_EQ(content(path), "new");
    // Temporary files that are left behind are not readable for others and do not disturb later
    // writers.
    for (const auto& each : fs::directory_iterator(place.path())) {
      if (each.path() == path) continue;
      ++left;
      EXPECT_TRUE(each.path().string().starts_with(path + std::string(FileReplacement::mark)));
      EXPECT_TRUE(!exists || (mode_of(each.path()) & ~0640u) == 0) << each.path();
    }
    EXPECT_GT(left, 0);
    EXPECT_EQ(replace(path, "newer"), "");
    EXPECT_EQ(place.count(), 1 + left);
  }
}

}  // namespace
}  // namespace io_file_replacement_test
