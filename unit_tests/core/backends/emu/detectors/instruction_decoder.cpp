// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that instructions access and the numbers that they read. One instruction of each kind
// of encoding, as the assembler emits it: operands in registers, also in the upper eight registers,
// and in memory with every addressing mode.
#include <support/spaces.hpp>

#include <hpk/backends/emu/detectors/instruction_decoder.hpp>

#include <cstring>
#include <vector>

#if HPK_HAS_SINGLE_STEP
namespace hpk_test::emu_operands_cases {

using hpk::emu::float_operands;

// A stopped thread. Word w of vector register k holds 256 w + k; words have 32 bits.
class stopped_thread {
 public:
  stopped_thread() {
    const std::uint32_t magic = 0x46505853;
    const std::uint64_t present = 7;
    std::memcpy(area_ + 464, &magic, sizeof magic);
    std::memcpy(area_ + 512, &present, sizeof present);
    for (std::uint32_t k = 0; k < 16; ++k) {
      for (std::uint32_t w = 0; w < 8; ++w) {
        const std::uint32_t word = 256 * w + k;
        std::memcpy(area_ + (w < 4 ? 160 : 576) + 16 * k + w % 4 * 4, &word, sizeof word);
      }
    }
    at_.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(area_);
  }
  float_operands at(const std::vector<unsigned char>& code) {
    at_.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(code.data());
    return hpk::emu::decode_operands(at_);
  }
  hpk::emu::memory_access access_of(const std::vector<unsigned char>& code) {
    at_.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(code.data());
    return hpk::emu::decode_access(at_);
  }
  void set(int name, const void* value) {
    at_.uc_mcontext.gregs[name] = reinterpret_cast<greg_t>(value);
  }
  void set(int name, long value) { at_.uc_mcontext.gregs[name] = value; }

 private:
  alignas(16) std::byte area_[1024] = {};
  ucontext_t at_ = {};
};

std::vector<std::uint64_t> bits_of(const float_operands& found) {
  std::vector<std::uint64_t> bits;
  for (int k = 0; k < found.count; ++k) bits.push_back(found.numbers[k].bits);
  return bits;
}

// The double in words w and w + 1 of register k.
constexpr std::uint64_t pair(std::uint64_t w, std::uint64_t k) {
  return (256 * (w + 1) + k) << 32 | (256 * w + k);
}

using list = std::vector<std::uint64_t>;

TEST(EmuInstructionDecoder, are_those_of_registers) {
  stopped_thread thread;
  // addsd %xmm1, %xmm2
  EXPECT_EQ(bits_of(thread.at({0xf2, 0x0f, 0x58, 0xd1})), (list{pair(0, 2), pair(0, 1)}));
  // addps %xmm11, %xmm3
  EXPECT_EQ(bits_of(thread.at({0x41, 0x0f, 0x58, 0xdb})),
            (list{3, 256 + 3, 512 + 3, 768 + 3, 11, 256 + 11, 512 + 11, 768 + 11}));
  // ucomiss %xmm1, %xmm10
  const float_operands compared = thread.at({0x44, 0x0f, 0x2e, 0xd1});
  EXPECT_FALSE(compared.doubles);
  EXPECT_EQ(bits_of(compared), (list{10, 1}));
  EXPECT_EQ(compared.numbers[0].address, nullptr);
}

TEST(EmuInstructionDecoder, leave_out_registers_that_are_only_written) {
  stopped_thread thread;
  // sqrtsd %xmm1, %xmm2
  EXPECT_EQ(bits_of(thread.at({0xf2, 0x0f, 0x51, 0xd1})), list{pair(0, 1)});
  // cvttss2si %xmm12, %r9
  EXPECT_EQ(bits_of(thread.at({0xf3, 0x4d, 0x0f, 0x2c, 0xcc})), list{12});
  // cvtps2pd %xmm4, %xmm5
  EXPECT_EQ(bits_of(thread.at({0x0f, 0x5a, 0xec})), (list{4, 256 + 4}));
  // cvtpd2dq %xmm1, %xmm2
  EXPECT_EQ(bits_of(thread.at({0xf2, 0x0f, 0xe6, 0xd1})), (list{pair(0, 1), pair(2, 1)}));
  // roundsd $1, %xmm8, %xmm1
  EXPECT_EQ(bits_of(thread.at({0x66, 0x41, 0x0f, 0x3a, 0x0b, 0xc8, 0x01})), list{pair(0, 8)});
}

TEST(EmuInstructionDecoder, are_those_of_avx_and_fma) {
  stopped_thread thread;
  // vaddpd %ymm1, %ymm12, %ymm3
  EXPECT_EQ(bits_of(thread.at({0xc5, 0x9d, 0x58, 0xd9})),
            (list{pair(0, 12), pair(2, 12), pair(4, 12), pair(6, 12), pair(0, 1), pair(2, 1),
                  pair(4, 1), pair(6, 1)}));
  // vfmadd231sd %xmm9, %xmm10, %xmm11
  EXPECT_EQ(bits_of(thread.at({0xc4, 0x42, 0xa9, 0xb9, 0xd9})),
            (list{pair(0, 11), pair(0, 10), pair(0, 9)}));
  // vcomisd %xmm3, %xmm4
  EXPECT_EQ(bits_of(thread.at({0xc5, 0xf9, 0x2f, 0xe3})), (list{pair(0, 4), pair(0, 3)}));
  // vsqrtss %xmm1, %xmm2, %xmm3
  EXPECT_EQ(bits_of(thread.at({0xc5, 0xea, 0x51, 0xd9})), list{1});
}

TEST(EmuInstructionDecoder, lie_in_memory) {
  stopped_thread thread;
  alignas(32) double numbers[32];
  for (int k = 0; k < 32; ++k) numbers[k] = k;
  const auto last = [&](const std::vector<unsigned char>& code) {
    const float_operands found = thread.at(code);
    EXPECT_GT(found.count, 0);
    return found.count == 0 ? nullptr : found.numbers[found.count - 1].address;
  };
  const auto place = [&](int k) { return reinterpret_cast<const std::byte*>(&numbers[k]); };
  thread.set(REG_RAX, numbers);
  // mulsd 16(%rax), %xmm9
  EXPECT_EQ(last({0xf2, 0x44, 0x0f, 0x59, 0x48, 0x10}), place(2));
  thread.set(REG_R12, numbers);
  thread.set(REG_RCX, 4);
  // divpd 8(%r12,%rcx,4), %xmm0
  EXPECT_EQ(last({0x66, 0x41, 0x0f, 0x5e, 0x44, 0x8c, 0x08}), place(4));
  thread.set(REG_RSP, numbers);
  // cvttsd2si (%rsp), %rax
  EXPECT_EQ(last({0xf2, 0x48, 0x0f, 0x2c, 0x04, 0x24}), place(0));
  thread.set(REG_R13, numbers + 3);
  // vmulsd -8(%r13), %xmm12, %xmm3
  EXPECT_EQ(last({0xc4, 0xc1, 0x1b, 0x59, 0x5d, 0xf8}), place(2));
  thread.set(REG_RBX, numbers);
  thread.set(REG_R10, 8);
  // vfmadd213ps 64(%rbx,%r10), %ymm2, %ymm1
  EXPECT_EQ(last({0xc4, 0xa2, 0x6d, 0xa8, 0x4c, 0x13, 0x40}), place(12) + 4);
  // cmpltsd 32(%rip), %xmm5
  std::vector<unsigned char> code{0xf2, 0x0f, 0xc2, 0x2d, 0x20, 0, 0, 0, 1};
  code.resize(64);
  EXPECT_EQ(last(code), reinterpret_cast<const std::byte*>(code.data()) + 9 + 32);
}

TEST(EmuInstructionDecoder, are_none_for_other_instructions) {
  stopped_thread thread;
  EXPECT_EQ(thread.at({0xf2, 0x0f, 0x10, 0xd1}).count, 0);              // movsd %xmm1, %xmm2
  EXPECT_EQ(thread.at({0xdd, 0x00}).count, 0);                          // fldl (%rax)
  EXPECT_EQ(thread.at({0xf2, 0x48, 0x0f, 0x2a, 0xc8}).count, 0);        // cvtsi2sd %rax, %xmm1
  EXPECT_EQ(thread.at({0x62, 0xf1, 0xed, 0x48, 0x58, 0xd9}).count, 0);  // vaddpd of AVX-512
}

// General register k holds 0x1000 (k + 1).
class thread_with_addresses : public stopped_thread {
 public:
  thread_with_addresses() {
    const int names[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                         REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (long k = 0; k < 16; ++k) set(names[k], 0x1000 * (k + 1));
  }
  // The address of the only memory operand, or 0 if there is none.
  std::uintptr_t touched(const std::vector<unsigned char>& code) {
    const hpk::emu::memory_access found = access_of(code);
    EXPECT_LE(found.count, 1);
    return found.count == 0 ? 0 : found.operands[0].address;
  }
};

TEST(EmuInstructionDecoder, knows_the_memory_that_integers_come_from) {
  thread_with_addresses thread;
  EXPECT_EQ(thread.touched({0x8b, 0x00}), 0x1000u);                           // mov (%rax), %eax
  EXPECT_EQ(thread.touched({0x48, 0x89, 0x4f, 0xf8}), 0x8000u - 8);           // mov %rcx, -8(%rdi)
  EXPECT_EQ(thread.touched({0x4d, 0x8b, 0x44, 0x24, 0x10}), 0xd010u);         // mov 16(%r12), %r8
  EXPECT_EQ(thread.touched({0x42, 0x8b, 0x04, 0x8a}), 0x3000u + 4 * 0xa000);  // (%rdx,%r9,4), %eax
  EXPECT_EQ(thread.touched({0x8b, 0x84, 0x24, 0, 1, 0, 0}), 0x5100u);         // mov 256(%rsp), %eax
  EXPECT_EQ(thread.touched({0xf0, 0x83, 0x00, 0x01}), 0x1000u);        // lock addl $1, (%rax)
  EXPECT_EQ(thread.touched({0xff, 0x00}), 0x1000u);                    // incl (%rax)
  EXPECT_EQ(thread.touched({0x48, 0x63, 0x06}), 0x7000u);              // movslq (%rsi), %rax
  EXPECT_EQ(thread.touched({0x0f, 0xb6, 0x03}), 0x4000u);              // movzbl (%rbx), %eax
  EXPECT_EQ(thread.touched({0x80, 0x38, 0x00}), 0x1000u);              // cmpb $0, (%rax)
  EXPECT_EQ(thread.touched({0x0f, 0x44, 0x02}), 0x3000u);              // cmove (%rdx), %eax
  EXPECT_EQ(thread.touched({0xff, 0x50, 0x10}), 0x1010u);              // call *16(%rax)
  EXPECT_EQ(thread.touched({0xf0, 0x48, 0x0f, 0xb1, 0x0f}), 0x8000u);  // lock cmpxchg %rcx, (%rdi)
  EXPECT_EQ(thread.access_of({0x48, 0x8b, 0x47, 0x20}).operands[0].base, 0x8000u);
}

TEST(EmuInstructionDecoder, counts_from_the_end_of_the_instruction) {
  thread_with_addresses thread;
  const auto end = [](const std::vector<unsigned char>& code) {
    return reinterpret_cast<std::uintptr_t>(code.data()) + code.size();
  };
  for (const std::vector<unsigned char>& code :
       {std::vector<unsigned char>{0x8b, 0x05, 0x20, 0, 0, 0},  // mov 32(%rip), %eax
        {0x83, 0x05, 0x20, 0, 0, 0, 7},                         // addl $7, 32(%rip)
        {0xc7, 0x05, 0x20, 0, 0, 0, 1, 0, 0, 0},                // movl $1, 32(%rip)
        {0x66, 0xc7, 0x05, 0x20, 0, 0, 0, 1, 0},                // movw $1, 32(%rip)
        {0xf6, 0x05, 0x20, 0, 0, 0, 1},                         // testb $1, 32(%rip)
        {0xf7, 0x1d, 0x20, 0, 0, 0},                            // negl 32(%rip)
        {0x69, 0x05, 0x20, 0, 0, 0, 3, 0, 0, 0},                // imul $3, 32(%rip), %eax
        {0xf2, 0x0f, 0x10, 0x05, 0x20, 0, 0, 0},                // movsd 32(%rip), %xmm0
        {0x0f, 0xba, 0x25, 0x20, 0, 0, 0, 1},                   // btl $1, 32(%rip)
        {0x66, 0x0f, 0x3a, 0x0b, 0x05, 0x20, 0, 0, 0, 1}}) {    // roundsd $1, 32(%rip), %xmm0
    EXPECT_EQ(thread.touched(code), end(code) + 32) << int{code[0]} << ' ' << int{code[1]};
  }
}

TEST(EmuInstructionDecoder, knows_the_memory_of_vectors) {
  thread_with_addresses thread;
  EXPECT_EQ(thread.touched({0xf2, 0x0f, 0x10, 0x04, 0xc8}), 0x1000u + 8 * 0x2000);  // movsd
  EXPECT_EQ(thread.touched({0x0f, 0x11, 0x07}), 0x8000u);              // movups %xmm0, (%rdi)
  EXPECT_EQ(thread.touched({0xf3, 0x0f, 0x6f, 0x06}), 0x7000u);        // movdqu (%rsi), %xmm0
  EXPECT_EQ(thread.touched({0x66, 0x0f, 0xd6, 0x00}), 0x1000u);        // movq %xmm0, (%rax)
  EXPECT_EQ(thread.touched({0xf2, 0x0f, 0x2a, 0x00}), 0x1000u);        // cvtsi2sdl (%rax)
  EXPECT_EQ(thread.touched({0xc5, 0xfd, 0x10, 0x40, 0x20}), 0x1020u);  // vmovupd 32(%rax)
  EXPECT_EQ(thread.touched({0xc4, 0xc1, 0x1b, 0x59, 0x5d, 0xf8}), 0xe000u - 8);  // vmulsd
  EXPECT_EQ(thread.touched({0xc4, 0xe2, 0x7d, 0x19, 0x06}), 0x7000u);  // vbroadcastsd (%rsi)
  // vmovdqu64 64(%rsi), %zmm0 counts its displacement in vectors
  EXPECT_EQ(thread.touched({0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x46, 0x01}), 0x7040u);
  EXPECT_EQ(thread.access_of({0x0f, 0x10, 0x00}).operands[0].bytes, 16u);
  EXPECT_EQ(thread.access_of({0xc5, 0xfc, 0x10, 0x00}).operands[0].bytes, 32u);
}

TEST(EmuInstructionDecoder, knows_the_memory_of_strings) {
  thread_with_addresses thread;
  const auto copied = thread.access_of({0xf3, 0x48, 0xa5});  // rep movsq
  ASSERT_EQ(copied.count, 2);
  EXPECT_EQ(copied.operands[0].address, 0x7000u);
  EXPECT_EQ(copied.operands[1].address, 0x8000u);
  EXPECT_EQ(thread.touched({0xf3, 0xaa}), 0x8000u);  // rep stosb
  EXPECT_EQ(thread.touched({0xac}), 0x7000u);        // lodsb
  thread.set(REG_RCX, 0L);
  EXPECT_EQ(thread.touched({0xf3, 0xaa}), 0u);
}

TEST(EmuInstructionDecoder, knows_what_touches_no_memory) {
  thread_with_addresses thread;
  for (const std::vector<unsigned char>& code :
       {std::vector<unsigned char>{0x48, 0x8d, 0x44, 0x88, 0x08},  // lea 8(%rax,%rcx,4), %rax
        {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},                      // nopw (%rax,%rax)
        {0x0f, 0x18, 0x08},                                        // prefetcht0 (%rax)
        {0x0f, 0x0d, 0x08},                                        // prefetchw (%rax)
        {0xf3, 0x0f, 0x1e, 0xfa},                                  // endbr64
        {0x48, 0x89, 0xc8},                                        // mov %rcx, %rax
        {0x48, 0x05, 0, 0, 0, 0},                                  // add $0, %rax
        {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0},                      // movabs $0, %rax
        {0x64, 0x48, 0x8b, 0x00},                                  // mov %fs:(%rax), %rax
        {0xe8, 0, 0, 0, 0},                                        // call
        {0xc3},                                                    // ret
        {0x55},                                                    // push %rbp
        {0x0f, 0x84, 0, 0, 0, 0},                                  // je
        {0xc5, 0xf8, 0x77},                                        // vzeroupper
        {0xa8, 0x01},                                              // test $1, %al
        {0xc4, 0xe2, 0xfd, 0x92, 0x04, 0x0f},                      // vgatherdpd
        {0xc4, 0xe2, 0x7d, 0x2d, 0x00},                            // vmaskmovpd (%rax)
        {0x62, 0xf1, 0xed, 0x48, 0x58, 0x18},                      // vaddpd (%rax) of AVX-512
        {0x62, 0xf1, 0xfe, 0x49, 0x6f, 0x06}}) {                   // vmovdqu64 of some elements
    EXPECT_EQ(thread.touched(code), 0u) << int{code[0]} << ' ' << int{code[1]};
  }
}

}  // namespace hpk_test::emu_operands_cases
#endif
