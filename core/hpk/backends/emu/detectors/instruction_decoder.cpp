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

// A decoded instruction. Members have the names of the Intel manual (volume 2, chapter 2).
struct instruction {
  enum class prefix { none, x66, xf3, xf2 };

  const std::uint8_t* next;
  prefix pp = prefix::none;
  int map = 0;  // 0: one byte, 1: 0F, 2: 0F 38, 3: 0F 3A
  int opcode = 0;
  bool vex = false;
  bool evex = false;
  bool masked = false;
  bool unsupported_address = false;  // the address is relative to fs or gs, or has 32 bits
  bool repeats = false;
  int vector_bytes = 16;
  int disp8_scale = 1;
  bool w = false;
  bool l = false;
  int vvvv = 0;
  int r = 0;  // r, x and b are added to register numbers
  int x = 0;
  int b = 0;
  int mod = 0;
  int reg = 0;
  int rm = 0;

  explicit instruction(const std::uint8_t* at) : next(at) {}

  void read_opcode() {
    for (;; ++next) {
      if (*next == 0x66) {
        if (pp == prefix::none) pp = prefix::x66;
      } else if (*next == 0xf3 || *next == 0xf2) {
        pp = *next == 0xf3 ? prefix::xf3 : prefix::xf2;
        repeats = true;
      } else if (*next == 0x64 || *next == 0x65 || *next == 0x67) {
        unsupported_address = true;
      } else if (*next != 0x2e && *next != 0x3e && *next != 0x26 && *next != 0x36 &&
                 *next != 0xf0) {
        break;
      }
    }
    if (*next == 0xc5 || *next == 0xc4) {
      read_vex();
    } else if (*next == 0x62) {
      read_evex();
    } else {
      if ((*next & 0xf0) == 0x40) {
        const int rex = *next++;
        w = (rex & 8) != 0;
        r = (rex & 4) << 1;
        x = (rex & 2) << 2;
        b = (rex & 1) << 3;
      }
      if (*next == 0x0f) {
        ++next;
        map = *next == 0x38 ? 2 : *next == 0x3a ? 3 : 1;
        if (map != 1) ++next;
      }
    }
    opcode = *next++;
  }

  void read_operands() {
    mod = *next >> 6;
    reg = (*next >> 3 & 7) + r;
    rm = *next++ & 7;
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
    vector_bytes = l ? 32 : 16;
    pp = static_cast<prefix>(bits & 3);
  }

  // Reads the parts of the prefix that addresses with general registers as base and index need.
  void read_evex() {
    vex = evex = true;
    x = (next[1] & 0x40) == 0 ? 8 : 0;
    b = (next[1] & 0x20) == 0 ? 8 : 0;
    map = next[1] & 7;
    w = (next[2] & 0x80) != 0;
    pp = static_cast<prefix>(next[2] & 3);
    masked = (next[3] & 7) != 0;
    vector_bytes = 16 << (next[3] >> 5 & 3);
    next += 4;
  }

  // Returns the address of the memory operand. Sets `base` to the value of its base register.
  const std::byte* read_address(const gregset_t& registers, int constant_bytes,
                                long long* base = nullptr) {
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
      const long long start = has_base ? value((sib & 7) + b) : 0;
      address += start;
      if (base != nullptr) *base = start;
    } else {
      has_base = rm != 5 || mod != 0;
      if (has_base) address = value(rm + b);
      if (base != nullptr) *base = address;
    }
    if (mod == 1) {
      address += static_cast<std::int8_t>(*next++) * disp8_scale;
    } else if (mod == 2 || !has_base) {
      std::int32_t distance;
      std::memcpy(&distance, next, sizeof distance);
      next += sizeof distance;
      address += distance;
      if (rm == 5 && mod == 0) address += reinterpret_cast<long long>(next) + constant_bytes;
    }
    return reinterpret_cast<const std::byte*>(address);
  }
};

// The operands of an opcode.
struct form {
  bool known = false;
  bool doubles = false;
  bool one = false;      // one number of each operand, not all
  bool half = false;     // the lower half of the operand
  bool unary = false;    // only the last operand
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
    case 0x7c:  // horizontal sum and difference, alternating difference and sum
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

// The vector registers in the context of a signal handler: the lower halves, and the upper halves
// of AVX in the layout of the XSAVE instruction.
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
  i.read_opcode();
  if (i.map == 0 || i.evex) return found;
  i.read_operands();
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
    const int constant_bytes = i.map == 3 || (i.map == 1 && i.opcode == 0xc2) ? 1 : 0;
    found.add(i.read_address(at.uc_mcontext.gregs, constant_bytes), bytes, true);
  }
  return found;
}

namespace {

// Where an instruction has its operands.
struct operand_form {
  bool in_memory = false;  // one operand is memory, unless its mod field selects a register
  int constant_bytes = 0;  // size of the constant after the address
  int bytes = 8;
};

operand_form form_of_one_byte(const instruction& i) {
  const int op = i.opcode;
  const bool is_short = i.pp == instruction::prefix::x66;
  const int full = i.w ? 8 : is_short ? 2 : 4;
  const int constant = is_short ? 2 : 4;
  const auto extension = [&] { return *i.next >> 3 & 7; };  // part of the opcode
  const int bytes = op % 2 == 0 ? 1 : full;
  if (op < 0x40) return {(op & 7) < 4, 0, bytes};
  switch (op) {
    case 0x63:  // movslq
      return {true, 0, 4};
    case 0x69:
      return {true, constant, full};
    case 0x6b:
      return {true, 1, full};
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return {true, 1, bytes};
    case 0x81:
    case 0xc7:
      return {true, constant, full};
    case 0x8f:
      return {true, 0, 8};
    case 0xf6:
      return {true, extension() < 2 ? 1 : 0, 1};
    case 0xf7:
      return {true, extension() < 2 ? constant : 0, full};
    case 0xff:
      return {true, 0, extension() < 2 ? full : 8};
    default:
      if (op >= 0xd8 && op <= 0xdf) return {true, 0, 16};  // x87
      return {(op >= 0x84 && op <= 0x8e && op != 0x8d) || (op >= 0xd0 && op <= 0xd3) || op == 0xfe,
              0, bytes};
  }
}

operand_form form_of_two_bytes(const instruction& i) {
  const int op = i.opcode;
  const bool has_none = op < 0x10 ||                   // system instructions, prefetchw
                        (op >= 0x18 && op <= 0x27) ||  // prefetch, nop, control registers
                        (op >= 0x30 && op <= 0x3f) ||  // counters, system calls
                        op == 0x77 ||                  // emms, vzeroupper
                        (op >= 0x80 && op <= 0x8f) ||  // jumps
                        (op >= 0xa0 && op <= 0xa2) || (op >= 0xa8 && op <= 0xaa) ||
                        (op >= 0xc8 && op <= 0xcf);
  if (has_none) return {};
  // Bit tests, which may reach far beyond the address; masked stores; caches, fences and saved
  // states.
  if (op == 0xa3 || op == 0xab || op == 0xb3 || op == 0xbb || op == 0xae || op == 0xf7) return {};
  const bool has_constant = (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
                            op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
  const bool of_integers = (op >= 0x40 && op <= 0x4f) || (op >= 0x90 && op <= 0xc1) || op == 0xc3;
  return {true, has_constant ? 1 : 0, of_integers ? 8 : i.vector_bytes};
}

operand_form operand_form_of(const instruction& i) {
  switch (i.map) {
    case 0:
      return form_of_one_byte(i);
    case 1:
      return form_of_two_bytes(i);
    case 2:
      // Masked loads and stores, gathers.
      if (i.vex && ((i.opcode >= 0x2c && i.opcode <= 0x2f) || i.opcode == 0x8c ||
                    i.opcode == 0x8e || (i.opcode >= 0x90 && i.opcode <= 0x93)))
        return {};
      return {true, 0, i.vector_bytes};
    case 3:
      return {true, 1, i.vector_bytes};
    default:
      return {};
  }
}

// Whether the instruction is a plain move of AVX-512. Sets the scale of its displacement.
bool is_wide_move(instruction& i) {
  using enum instruction::prefix;
  const bool moves = i.opcode == 0x10 || i.opcode == 0x11 || i.opcode == 0x28 || i.opcode == 0x29 ||
                     i.opcode == 0x6f || i.opcode == 0x7f || i.opcode == 0xe7;
  const bool one_number = (i.opcode == 0x10 || i.opcode == 0x11) && (i.pp == xf3 || i.pp == xf2);
  if (one_number) i.vector_bytes = i.pp == xf3 ? 4 : 8;
  i.disp8_scale = i.vector_bytes;
  return i.map == 1 && moves && !i.masked;
}

// Adds the operands of movs, cmps, stos, lods and scas.
void add_strings(memory_access& found, const instruction& i, const gregset_t& registers) {
  if (i.unsupported_address || (i.repeats && registers[REG_RCX] == 0)) return;
  const std::size_t bytes = i.opcode % 2 == 0                  ? 1
                            : i.w                              ? 8
                            : i.pp == instruction::prefix::x66 ? 2
                                                               : 4;
  const auto add = [&](int name) {
    const auto at = static_cast<std::uintptr_t>(registers[name]);
    found.operands[found.count++] = {at, at, bytes};
  };
  const int kind = i.opcode & 0xfe;
  if (kind == 0xa4 || kind == 0xa6 || kind == 0xac) add(REG_RSI);
  if (kind != 0xac) add(REG_RDI);
}

}  // namespace

memory_access decode_access(const ucontext_t& at) noexcept {
  memory_access found;
  const gregset_t& registers = at.uc_mcontext.gregs;
  instruction i(reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]));
  i.read_opcode();
  if (i.map == 0 && i.opcode >= 0xa4 && i.opcode <= 0xaf && (i.opcode & 0xfe) != 0xa8) {
    add_strings(found, i, registers);
    return found;
  }
  if (i.unsupported_address || (i.evex && !is_wide_move(i))) return found;
  const operand_form f = operand_form_of(i);
  if (!f.in_memory) return found;
  i.read_operands();
  if (i.mod == 3) return found;
  long long base = 0;
  const std::byte* const address = i.read_address(registers, f.constant_bytes, &base);
  found.operands[found.count++] = {reinterpret_cast<std::uintptr_t>(address),
                                   static_cast<std::uintptr_t>(base),
                                   static_cast<std::size_t>(f.bytes)};
  return found;
}

#else

float_operands decode_operands(const ucontext_t&) noexcept { return {}; }
memory_access decode_access(const ucontext_t&) noexcept { return {}; }

#endif

}  // namespace hpk::emu
