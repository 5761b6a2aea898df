/** The ELF header's machine field of each processor that there are releases for, by Node's name of it. */
export const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 };

/**
 * Why a file is no Linux program for a processor.
 * @param head its first 20 bytes or more
 * @param arch as `process.arch` names it
 * @returns the end of a sentence that begins with the file's name; null when it is one
 */
export function elfProblem(head: Uint8Array, arch: string): string | null {
  const magic = new TextDecoder('latin1').decode(head.subarray(0, 4));
  if (magic !== '\x7fELF') return 'is not a Linux program';
  // 64 bits, least significant byte first, as all of them are.
  if (head[4] !== 2 || head[5] !== 1) return 'is not a 64-bit Linux program';
  const machine = (head[18] ?? 0) | ((head[19] ?? 0) << 8);
  return machine === ELF_MACHINES[arch]
    ? null
    : `is a program for another processor (machine 0x${machine.toString(16)}), and this one is ${arch}`;
}
