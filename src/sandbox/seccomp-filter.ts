import { Buffer } from 'node:buffer';

/** Numbers of the calls by which a file gets a mode, and the place of the mode among their arguments. */
interface Architecture {
  readonly audit: number;
  /** Calls whose argument at the given place is a mode. */
  readonly modeAt: Readonly<Record<number, number>>;
  /** Calls with flags at the given place and a mode behind them, which counts only when a file is made. */
  readonly openAt: Readonly<Record<number, number>>;
  /** Numbers from here on are another set of calls on the same machine. */
  readonly foreignFrom?: number;
}

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat
    modeAt: { 90: 1, 91: 1, 268: 2, 452: 2, 85: 1, 133: 1, 259: 2 },
    // open, openat
    openAt: { 2: 1, 257: 2 },
    foreignFrom: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    // fchmod, fchmodat, fchmodat2, mknodat
    modeAt: { 52: 1, 53: 2, 452: 2, 33: 2 },
    // openat
    openAt: { 56: 2 },
  },
};

/** `io_uring_setup` and `openat2`: they open files where no filter sees the mode. Programs do without. */
const BLIND_CALLS = [425, 437];

const SET_ID_BITS = 0o6000;
const CREATES_FILE = 0o100 | 0o20000000;
const EPERM = 1;
const ENOSYS = 38;
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;

/**
 * A filter under which no file gets a set-user-id or set-group-id bit. Inside the sandbox the bits mean nothing, but
 * the file stays, belongs to the server's user, and would run as that user outside. Undefined for machines whose
 * calls are not known here.
 */
export function createSeccompFilter(architecture: string): Buffer | undefined {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return undefined;
  const program: Instruction[] = [
    load(ARCHITECTURE_OFFSET),
    jump(JUMP_IF_EQUAL, known.audit, [1, 0]),
    refuse(ENOSYS),
    load(NUMBER_OFFSET),
  ];
  if (known.foreignFrom !== undefined) {
    program.push(jump(JUMP_IF_AT_LEAST, known.foreignFrom, [0, 1]), refuse(ENOSYS));
  }
  for (const call of BLIND_CALLS) program.push(jump(JUMP_IF_EQUAL, call, [0, 1]), refuse(ENOSYS));
  for (const [call, place] of Object.entries(known.modeAt)) {
    program.push(...onCall(Number(call), checkMode(place)));
  }
  for (const [call, place] of Object.entries(known.openAt)) {
    const onlyNewFiles = [
      load(argument(place)),
      jump(JUMP_IF_ANY_BIT, CREATES_FILE, [1, 0]),
      allow(),
    ];
    program.push(...onCall(Number(call), [...onlyNewFiles, ...checkMode(place + 1)]));
  }
  return Buffer.concat([...program, allow()].map(encode));
}

interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

function onCall(call: number, body: readonly Instruction[]): readonly Instruction[] {
  return [jump(JUMP_IF_EQUAL, call, [0, body.length]), ...body];
}

function checkMode(place: number): readonly Instruction[] {
  return [
    load(argument(place)),
    jump(JUMP_IF_ANY_BIT, SET_ID_BITS, [0, 1]),
    refuse(EPERM),
    allow(),
  ];
}

/** The lower half of an argument; both architectures store it first. */
function argument(place: number): number {
  return 16 + 8 * place;
}

function load(offset: number): Instruction {
  return { code: LOAD, ifTrue: 0, ifFalse: 0, value: offset };
}

/** How many instructions to pass over when the test holds, and when it does not. */
function jump(
  code: number,
  value: number,
  [ifTrue, ifFalse]: readonly [number, number],
): Instruction {
  return { code, ifTrue, ifFalse, value };
}

function refuse(errno: number): Instruction {
  return { code: RETURN, ifTrue: 0, ifFalse: 0, value: REFUSE | errno };
}

function allow(): Instruction {
  return { code: RETURN, ifTrue: 0, ifFalse: 0, value: ALLOW };
}

function encode({ code, ifTrue, ifFalse, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
