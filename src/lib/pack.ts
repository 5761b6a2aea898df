import { zlib } from './compression.ts';

const FIRST_BYTES = 1024;
const SEVEN_BITS = 128;

/** Whole numbers of either sign as ones without: 0, −1, 1, −2, 2 … */
export const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1);
export const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** Above it whole numbers and their differences are not exact. */
const MAX_WHOLE = 2 ** 50;

// A number that is written by its difference from what was expected begins with one of these.
const UNKNOWN = 0;
/** The number itself follows, as it is in memory. */
const EXACT = 1;
const FIRST_DIFFERENCE = 2;

const wholeNear = (expected: number, scale: number): number => {
  const whole = Math.round(expected * scale);
  return Math.abs(whole) <= MAX_WHOLE ? whole : 0;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** Bytes that grow. Small whole numbers take one byte; other numbers are little-endian. */
export class ByteWriter {
  private buffer = new Uint8Array(FIRST_BYTES);
  private end = 0;

  get length(): number {
    return this.end;
  }

  /** @param value a whole number from 0 to 2^53 − 1 */
  varint(value: number): void {
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw new RangeError(`${value} can't be written as a whole number.`);
    this.room(8);
    let rest = value;
    while (rest >= SEVEN_BITS) {
      this.buffer[this.end++] = (rest % SEVEN_BITS) + SEVEN_BITS;
      rest = Math.floor(rest / SEVEN_BITS);
    }
    this.buffer[this.end++] = rest;
  }

  /** A whole number of either sign, or null. */
  nullable(value: number | null): void {
    this.varint(value === null ? 0 : zigzag(value) + 1);
  }

  float(value: number): void {
    this.room(8);
    new DataView(this.buffer.buffer).setFloat64(this.end, value, true);
    this.end += 8;
  }

  /**
   * A number by its difference from what it is likely to be, exactly; NaN stands for one that is not known.
   * @param expected NaN counts as 0
   * @param scale by which it mostly is a whole number
   */
  near(value: number, expected: number, scale: number): void {
    if (Number.isNaN(value)) return this.varint(UNKNOWN);
    const whole = Math.round(value * scale);
    if (whole / scale !== value || Math.abs(whole) > MAX_WHOLE || Object.is(value, -0)) {
      this.varint(EXACT);
      return this.float(value);
    }
    this.varint(FIRST_DIFFERENCE + zigzag(whole - wholeNear(expected, scale)));
  }

  bytes(data: Uint8Array): void {
    this.room(data.length);
    this.buffer.set(data, this.end);
    this.end += data.length;
  }

  /** Bytes behind their length. */
  part(data: Uint8Array): void {
    this.varint(data.length);
    this.bytes(data);
  }

  text(value: string): void {
    this.part(encoder.encode(value));
  }

  json(value: unknown): void {
    this.text(JSON.stringify(value));
  }

  /** What was written so far; good until the next call of any method. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.end);
  }

  /** Begins again in the same memory. */
  clear(): void {
    this.end = 0;
  }

  private room(bytes: number): void {
    if (this.end + bytes <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.end + bytes));
    larger.set(this.written());
    this.buffer = larger;
  }
}

const cutOff = (): Error => new RangeError('The bytes end too early, or are not what was written.');

/** @throws what `damaged` makes, for what is no JSON */
export function jsonOf(data: Uint8Array, damaged: () => Error): unknown {
  try {
    return JSON.parse(strictDecoder.decode(data));
  } catch (cause) {
    throw Object.assign(damaged(), { cause });
  }
}

/** Reads what a ByteWriter wrote. */
export class ByteReader {
  private readonly view: DataView;
  private at = 0;

  /** @param damaged makes what every method throws where the bytes end too early or make no sense */
  constructor(
    private readonly data: Uint8Array,
    private readonly damaged: () => Error = cutOff,
  ) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get isAtEnd(): boolean {
    return this.at >= this.data.length;
  }

  varint(): number {
    // Most numbers are of one byte.
    const first = this.data[this.at];
    if (first !== undefined && first < SEVEN_BITS) {
      this.at += 1;
      return first;
    }
    let value = 0;
    for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= SEVEN_BITS) {
      const byte = this.data[this.at++];
      if (byte === undefined) throw this.damaged();
      value += (byte % SEVEN_BITS) * factor;
      if (byte >= SEVEN_BITS) continue;
      if (value > Number.MAX_SAFE_INTEGER) throw this.damaged();
      return value;
    }
    throw this.damaged();
  }

  nullable(): number | null {
    const code = this.varint();
    return code === 0 ? null : unzigzag(code - 1);
  }

  float(): number {
    return this.view.getFloat64(this.forward(8), true);
  }

  /** Given the same `expected` and `scale` as the writer. NaN where the number was not known. */
  near(expected: number, scale: number): number {
    const token = this.varint();
    if (token === UNKNOWN) return Number.NaN;
    if (token === EXACT) return this.float();
    return (wholeNear(expected, scale) + unzigzag(token - FIRST_DIFFERENCE)) / scale;
  }

  bytes(length: number): Uint8Array {
    const from = this.forward(length);
    return this.data.subarray(from, this.at);
  }

  part(): Uint8Array {
    return this.bytes(this.varint());
  }

  text(): string {
    return decoder.decode(this.part());
  }

  json(): unknown {
    return jsonOf(this.part(), this.damaged);
  }

  /** @returns where the bytes that were gone over begin */
  private forward(length: number): number {
    const from = this.at;
    if (from + length > this.data.length) throw this.damaged();
    this.at += length;
    return from;
  }
}

/** JSON as a row of the database keeps it, by zstandard. */
export const packJson = (value: unknown): Uint8Array =>
  Bun.zstdCompressSync(JSON.stringify(value), { level: 1 });

/** What zstandard begins with. Earlier versions deflated their rows, and no deflated row begins so. */
const ZSTD = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/**
 * The inverse of `packJson`.
 * @param packed text where a migration in SQL wrote it
 * @param maxBytes more than that is not unpacked
 * @throws where the bytes are damaged, or too many
 */
export function unpackJson(packed: Uint8Array | string, maxBytes?: number): unknown {
  if (typeof packed === 'string') return JSON.parse(packed);
  const { inflateRawSync, zstdDecompressSync } = zlib();
  const unpack = ZSTD.equals(packed.subarray(0, ZSTD.length)) ? zstdDecompressSync : inflateRawSync;
  return JSON.parse(unpack(packed, maxBytes === undefined ? {} : { maxOutputLength: maxBytes }).toString());
}

/** As `unpackJson`, but null for bytes that can't be read. */
export function unpackJsonOrNull(packed: Uint8Array | string): unknown {
  try {
    return unpackJson(packed);
  } catch {
    return null;
  }
}
