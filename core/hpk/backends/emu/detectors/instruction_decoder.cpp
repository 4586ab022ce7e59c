// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/instruction_decoder.hpp>
#include <hpk/base/compiler.hpp>

#include <cstring>

namespace hpk::emu {

void float_operands::add(const std::byte* from, int bytes, bool in_memory) noexcept {
  const int size = doubles ? 8 : 4;
  for (int k = 0; k + size <= bytes && count < 24; k += size) {
    number& n = numbers[count++];
    n = {0, in_memory ? from + k : nullptr};
    std::memcpy(&n.bits, from + k, static_cast<std::size_t>(size));
  }
}

#if HPK_HAS_SINGLE_STEP

namespace {

// The names of the Intel manual (volume 2, chapter 2), as far as they are needed.
struct instruction {
  enum class prefix { none, x66, xf3, xf2 };

  const std::uint8_t* next;
  prefix pp = prefix::none;
  int map = 0;  // 1: 0F, 2: 0F 38, 3: 0F 3A
  int opcode = 0;
  bool vex = false;
  bool w = false;
  bool l = false;
  int vvvv = 0;
  int r = 0;  // what is added to the number of a register
  int x = 0;
  int b = 0;
  int mod = 0;
  int reg = 0;
  int rm = 0;

  explicit instruction(const std::uint8_t* at) : next(at) {}

  bool read_opcode() {
    for (;; ++next) {
      if (*next == 0x66) {
        if (pp == prefix::none) pp = prefix::x66;
      } else if (*next == 0xf3 || *next == 0xf2) {
        pp = *next == 0xf3 ? prefix::xf3 : prefix::xf2;
      } else if (*next != 0x2e && *next != 0x3e) {
        break;
      }
    }
    if (*next == 0xc5 || *next == 0xc4) {
      read_vex();
    } else {
      if ((*next & 0xf0) == 0x40) {
        const int rex = *next++;
        w = (rex & 8) != 0;
        r = (rex & 4) << 1;
        x = (rex & 2) << 2;
        b = (rex & 1) << 3;
      }
      if (*next++ != 0x0f) return false;
      map = *next == 0x38 ? 2 : *next == 0x3a ? 3 : 1;
      if (map != 1) ++next;
    }
    opcode = *next++;
    mod = *next >> 6;
    reg = (*next >> 3 & 7) + r;
    rm = *next++ & 7;
    return true;
  }

  void read_vex() {
    vex = true;
    map = 1;
    const bool is_long = *next++ == 0xc4;
    int bits = *next++;
    r = (bits & 0x80) == 0 ? 8 : 0;
    if (is_long) {
      x = (bits & 0x40) == 0 ? 8 : 0;
      b = (bits & 0x20) == 0 ? 8 : 0;
      map = bits & 0x1f;
      bits = *next++;
      w = (bits & 0x80) != 0;
    }
    vvvv = ~(bits >> 3) & 15;
    l = (bits & 4) != 0;
    pp = static_cast<prefix>(bits & 3);
  }

  const std::byte* read_address(const gregset_t& registers) {
    constexpr int names[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                             REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                             REG_R12, REG_R13, REG_R14, REG_R15};
    const auto value = [&](int name) { return registers[names[name]]; };
    long long address = 0;
    bool has_base = true;
    if (rm == 4) {
      const int sib = *next++;
      if (const int index = (sib >> 3 & 7) + x; index != 4) address = value(index) << (sib >> 6);
      has_base = (sib & 7) != 5 || mod != 0;
      if (has_base) address += value((sib & 7) + b);
    } else {
      has_base = rm != 5 || mod != 0;
      if (has_base) address = value(rm + b);
    }
    if (mod == 1) {
      address += static_cast<std::int8_t>(*next++);
    } else if (mod == 2 || !has_base) {
      std::int32_t distance;
      std::memcpy(&distance, next, sizeof distance);
      next += sizeof distance;
      address += distance;
      if (rm == 5 && mod == 0) {
        const bool has_constant = map == 3 || (map == 1 && opcode == 0xc2);
        address += reinterpret_cast<long long>(next) + (has_constant ? 1 : 0);
      }
    }
    return reinterpret_cast<const std::byte*>(address);
  }
};

// What an opcode takes.
struct form {
  bool known = false;
  bool doubles = false;
  bool one = false;      // one number of each operand, else all
  bool half = false;     // the lower half of the operand
  bool unary = false;    // nothing but the last operand
  bool compare = false;  // the first operand and the last
  bool fused = false;    // all three
};

form form_of(const instruction& i) {
  using enum instruction::prefix;
  form f{.known = true, .doubles = i.pp == x66 || i.pp == xf2, .one = i.pp == xf3 || i.pp == xf2};
  if (i.map == 2) {
    const int low = i.opcode & 15;
    f.known = i.vex && i.opcode >= 0x96 && i.opcode <= 0xbf && low >= 6;
    f.doubles = i.w;
    f.one = low >= 9 && low % 2 == 1;
    f.fused = true;
    return f;
  }
  f.unary = true;
  if (i.map == 3) {
    f.known = i.opcode >= 0x08 && i.opcode <= 0x0b;  // round
    f.doubles = i.opcode % 2 == 1;
    f.one = i.opcode >= 0x0a;
    return f;
  }
  if (i.map != 1) return {};
  switch (i.opcode) {
    case 0x51:  // square root
      return f;
    case 0x5a:  // float to double and back
      f.half = i.pp == none;
      return f;
    case 0x5b:  // float to int
      f.known = i.pp == x66 || i.pp == xf3;
      f.doubles = f.one = false;
      return f;
    case 0xe6:  // double to int
      f.known = i.pp == x66 || i.pp == xf2;
      f.doubles = true;
      f.one = false;
      return f;
    case 0x2c:  // one number to an integer
    case 0x2d:
      f.known = f.one;
      return f;
    case 0x2e:  // comparison that sets flags
    case 0x2f:
      f.unary = false;
      f.compare = f.one = true;
      return f;
    case 0x7c:  // horizontal sum and difference, both in turn
    case 0x7d:
    case 0xd0:
      f.unary = f.one = false;
      f.doubles = i.pp == x66;
      return f;
    case 0x58:  // + * - min / max, comparison
    case 0x59:
    case 0x5c:
    case 0x5d:
    case 0x5e:
    case 0x5f:
    case 0xc2:
      f.unary = false;
      return f;
    default:
      return {};
  }
}

// The vector registers that a signal handler is given: the lower halves, and the upper ones of AVX
// in the layout of the XSAVE instruction.
class vector_registers {
 public:
  explicit vector_registers(const ucontext_t& at) : low_(at.uc_mcontext.fpregs) {
    const auto* area = reinterpret_cast<const std::byte*>(low_);
    constexpr std::uint32_t has_more = 0x46505853;  // FP_XSTATE_MAGIC1
    std::uint32_t magic;
    std::uint64_t present;
    std::memcpy(&magic, area + 464, sizeof magic);
    if (magic != has_more) return;
    std::memcpy(&present, area + 512, sizeof present);
    if ((present & 4) != 0) high_ = area + 576;
  }
  void add(float_operands& to, int number, int bytes) const {
    to.add(reinterpret_cast<const std::byte*>(&low_->_xmm[number]), bytes < 16 ? bytes : 16, false);
    if (bytes > 16 && high_ != nullptr) to.add(high_ + number * 16, bytes - 16, false);
  }

 private:
  const _libc_fpstate* low_;
  const std::byte* high_ = nullptr;
};

}  // namespace

float_operands decode_operands(const ucontext_t& at) noexcept {
  float_operands found;
  instruction i(reinterpret_cast<const std::uint8_t*>(at.uc_mcontext.gregs[REG_RIP]));
  if (!i.read_opcode()) return found;
  const form f = form_of(i);
  if (!f.known) return found;
  found.doubles = f.doubles;
  int bytes = i.l ? 32 : 16;
  if (f.one) {
    bytes = f.doubles ? 8 : 4;
  } else if (f.half) {
    bytes /= 2;
  }
  const vector_registers registers(at);
  if (f.fused || (!f.unary && (!i.vex || f.compare))) registers.add(found, i.reg, bytes);
  if (f.fused || (!f.unary && i.vex && !f.compare)) registers.add(found, i.vvvv, bytes);
  if (i.mod == 3) {
    registers.add(found, i.rm + i.b, bytes);
  } else {
    found.add(i.read_address(at.uc_mcontext.gregs), bytes, true);
  }
  return found;
}

#else

float_operands decode_operands(const ucontext_t&) noexcept { return {}; }

#endif

}  // namespace hpk::emu
