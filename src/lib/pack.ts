import { zlib } from './compression.ts';

const FIRST_BYTES = 1024;
const SEVEN_BITS = 128;
/** Bytes of the largest number that `varint` writes. */
const MAX_VARINT = 8;

export const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1);
export const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

const MAX_WHOLE = 2 ** 50;

const UNKNOWN = 0;
const EXACT = 1;
const FIRST_DIFFERENCE = 2;

const wholeNear = (expected: number, scale: number): number => {
  const whole = Math.round(expected * scale);
  return Math.abs(whole) <= MAX_WHOLE ? whole : 0;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true });

export class ByteWriter {
  private buffer: Uint8Array;
  private end = 0;

  constructor(firstBytes = FIRST_BYTES) {
    this.buffer = new Uint8Array(firstBytes);
  }

  get length(): number {
    return this.end;
  }

  /** @param value a whole number from 0 to 2^53 − 1 */
  varint(value: number): void {
    if (value >= 0 && value < SEVEN_BITS && this.end < this.buffer.length && value === Math.trunc(value)) {
      this.buffer[this.end++] = value;
      return;
    }
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw new RangeError(`${value} cannot be written as a whole number.`);
    this.room(MAX_VARINT);
    let rest = value;
    while (rest >= SEVEN_BITS) {
      this.buffer[this.end++] = (rest % SEVEN_BITS) + SEVEN_BITS;
      rest = Math.floor(rest / SEVEN_BITS);
    }
    this.buffer[this.end++] = rest;
  }

  /** The same for the first `count` numbers, with less work for each. */
  varints(values: Float64Array, count: number): void {
    this.room(count * MAX_VARINT);
    const { buffer } = this;
    let { end } = this;
    for (let index = 0; index < count; index += 1) {
      const value = values[index] ?? Number.NaN;
      let small = value | 0;
      if (small === value && small >= 0) {
        for (; small >= SEVEN_BITS; small >>>= 7) buffer[end++] = (small & 127) | SEVEN_BITS;
        buffer[end++] = small;
      } else {
        this.end = end;
        this.varint(value);
        ({ end } = this);
      }
    }
    this.end = end;
  }

  nullable(value: number | null): void {
    this.varint(value === null ? 0 : zigzag(value) + 1);
  }

  float(value: number): void {
    this.room(8);
    new DataView(this.buffer.buffer).setFloat64(this.end, value, true);
    this.end += 8;
  }

  /**
   * Writes a number exactly, as its difference from the expected one; NaN means unknown.
   * @param expected NaN counts as 0
   * @param scale makes most numbers whole when multiplied with it
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

  written(): Uint8Array {
    return this.buffer.subarray(0, this.end);
  }

  clear(): void {
    this.end = 0;
  }

  /** Drops what was written after a length. */
  cut(length: number): void {
    this.end = Math.min(this.end, length);
  }

  private room(bytes: number): void {
    if (this.end + bytes <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.end + bytes));
    larger.set(this.written());
    this.buffer = larger;
  }
}

const cutOff = (): Error => new RangeError('The data is cut off or damaged.');

export function jsonOf(data: Uint8Array, damaged: () => Error): unknown {
  try {
    return JSON.parse(strictDecoder.decode(data));
  } catch (cause) {
    throw Object.assign(damaged(), { cause });
  }
}

export class ByteReader {
  private readonly view: DataView;
  private at = 0;

  constructor(
    private readonly data: Uint8Array,
    private readonly damaged: () => Error = cutOff,
  ) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get position(): number {
    return this.at;
  }

  seek(position: number): void {
    this.at = position;
  }

  get isAtEnd(): boolean {
    return this.at >= this.data.length;
  }

  varint(): number {
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

  /** Passes over whole numbers without reading them. */
  skip(count: number): void {
    const { data } = this;
    for (let left = count; left > 0; this.at += 1) {
      const byte = data[this.at];
      if (byte === undefined) throw this.damaged();
      if (byte < SEVEN_BITS) left -= 1;
    }
  }

  /** Passes over zeros. @returns their number, at most `limit` */
  zeros(limit: number): number {
    const { data, at } = this;
    const end = Math.min(data.length, at + limit);
    while (this.at < end && data[this.at] === 0) this.at += 1;
    return this.at - at;
  }

  nullable(): number | null {
    const code = this.varint();
    return code === 0 ? null : unzigzag(code - 1);
  }

  float(): number {
    return this.view.getFloat64(this.forward(8), true);
  }

  /** Reads a number that `near` wrote with the same `expected` and `scale`. NaN if the number was unknown. */
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

  private forward(length: number): number {
    const from = this.at;
    if (from + length > this.data.length) throw this.damaged();
    this.at += length;
    return from;
  }
}

/** JSON as stored in the database, compressed by zstandard. */
export const packJson = (value: unknown): Uint8Array =>
  Bun.zstdCompressSync(JSON.stringify(value), { level: 1 });

/**
 * The magic bytes of zstandard. Earlier versions deflated their rows, and no deflated row begins like this.
 */
const ZSTD = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/**
 * The inverse of `packJson`.
 * @param packed text if a migration in SQL wrote it
 * @param maxBytes limit of the unpacked size
 * @throws if the bytes are damaged or too many
 */
export function unpackJson(packed: Uint8Array | string, maxBytes?: number): unknown {
  if (typeof packed === 'string') return JSON.parse(packed);
  const { inflateRawSync, zstdDecompressSync } = zlib();
  const unpack = ZSTD.equals(packed.subarray(0, ZSTD.length)) ? zstdDecompressSync : inflateRawSync;
  return JSON.parse(unpack(packed, maxBytes === undefined ? {} : { maxOutputLength: maxBytes }).toString());
}

export function unpackJsonOrNull(packed: Uint8Array | string): unknown {
  try {
    return unpackJson(packed);
  } catch {
    return null;
  }
}
