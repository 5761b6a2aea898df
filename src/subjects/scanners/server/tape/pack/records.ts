/** A range of minutes since the epoch: `first` inclusive, `until` exclusive. */
export type SegmentSpan = { first: number; until: number };

/** Minutes that continue earlier parts; `goesOnFrom` is the first minute of the first part, null for that one. */
export type TapePart = SegmentSpan & { goesOnFrom: number | null };

/** A part with the positions of its record and bytes in the file. */
type PlacedPart = TapePart & { begins: number; from: number; to: number };

/** The parts of a file, oldest first, and the end of the last complete record. */
export type TapeIndex = { parts: readonly PlacedPart[]; end: number };

/** 'TAPE' and 'CUT.'; the latter invalidates the minutes from `first`. */
const PART = 0x45504154;
const CUT = 0x2e545543;
const HEAD = 24;
const SUMMED = 20;

export const EMPTY: TapeIndex = { parts: [], end: 0 };

const sumOf = (head: Uint8Array, bytes: Uint8Array): number =>
  Bun.hash.crc32(bytes, Bun.hash.crc32(head.subarray(0, SUMMED)));

/** kind, first, until, the minute that it continues, length and checksum, 32 bits each; then the bytes. */
function record(kind: number, { first, until, goesOnFrom }: TapePart, bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc(HEAD + bytes.length);
  for (const [index, value] of [kind, first, until, goesOnFrom ?? 0, bytes.length].entries())
    out.writeUInt32LE(value, index * 4);
  out.writeUInt32LE(sumOf(out, bytes), SUMMED);
  out.set(bytes, HEAD);
  return out;
}

export const partRecord = (part: TapePart, bytes: Uint8Array): Uint8Array => record(PART, part, bytes);

export const cutRecord = (minute: number): Uint8Array =>
  record(CUT, { first: minute, until: minute, goesOnFrom: null }, new Uint8Array());

/** The parts before a minute. */
const cutAt = (parts: readonly PlacedPart[], minute: number): PlacedPart[] =>
  parts
    .filter(({ first }) => first < minute)
    .map((part) => ({ ...part, until: Math.min(part.until, minute) }));

/** The index after a complete record at its end. */
export function withRecord({ parts, end }: TapeIndex, bytes: Uint8Array): TapeIndex {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, HEAD);
  const [kind, first, until, goesOnFrom, length] = [0, 4, 8, 12, 16].map((at) => head.readUInt32LE(at)) as [
    ...[number, number, number, number, number],
  ];
  const from = end + HEAD;
  if (kind === CUT) return { parts: cutAt(parts, first), end: from };
  const part = { first, until, goesOnFrom: goesOnFrom || null, begins: end, from, to: from + length };
  return { parts: [...cutAt(parts, first), part], end: part.to };
}

/** The record at a position; null if incomplete, as after a kill or a power cut. */
function recordAt(file: Buffer, at: number): Uint8Array | null {
  if (at + HEAD > file.length) return null;
  const kind = file.readUInt32LE(at);
  const length = file.readUInt32LE(at + 16);
  if ((kind !== PART && kind !== CUT) || at + HEAD + length > file.length) return null;
  const whole = file.subarray(at, at + HEAD + length);
  const isWhole = file.readUInt32LE(at + SUMMED) === sumOf(whole, whole.subarray(HEAD));
  return isWhole ? whole : null;
}

/** Reads a file up to the first incomplete record. */
export function readRecords(bytes: Uint8Array): TapeIndex {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let index = EMPTY;
  for (let next = recordAt(file, 0); next; next = recordAt(file, index.end)) index = withRecord(index, next);
  return index;
}
