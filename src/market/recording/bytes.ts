import { damaged } from './errors.ts';

const FIRST_BYTES = 1024;
const SEVEN_BITS = 128;
/** Numbers of eight bytes of seven bits, which are whole in a double. */
const MAX_VARINT = Number.MAX_SAFE_INTEGER;

/** Bytes that grow. Numbers are little-endian. */
export type ByteWriter = {
  readonly length: number;
  /** A whole number from 0 to 2^53 − 1, small ones in few bytes. */
  varint(value: number): void;
  float(value: number): void;
  bytes(data: Uint8Array): void;
  /** What was written until now; good until the next call of any method. */
  written(): Uint8Array;
  /** Begins anew in the same memory. */
  clear(): void;
};

export function createByteWriter(): ByteWriter {
  let buffer = new Uint8Array(FIRST_BYTES);
  let length = 0;

  function room(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + bytes));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  return {
    get length() {
      return length;
    },
    varint(value) {
      if (!(Number.isInteger(value) && value >= 0 && value <= MAX_VARINT))
        throw new RangeError(`${value} can't be written as a whole number.`);
      room(8);
      let rest = value;
      while (rest >= SEVEN_BITS) {
        buffer[length++] = (rest % SEVEN_BITS) + SEVEN_BITS;
        rest = Math.floor(rest / SEVEN_BITS);
      }
      buffer[length++] = rest;
    },
    float(value) {
      room(8);
      new DataView(buffer.buffer).setFloat64(length, value, true);
      length += 8;
    },
    bytes(data) {
      room(data.length);
      buffer.set(data, length);
      length += data.length;
    },
    written: () => buffer.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}

/** Reads what a ByteWriter wrote. Every method throws a RecordingError where the bytes end too early. */
export type ByteReader = {
  varint(): number;
  float(): number;
  bytes(length: number): Uint8Array;
  readonly isAtEnd: boolean;
};

export function createByteReader(data: Uint8Array): ByteReader {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;

  return {
    varint() {
      // Most numbers are of one byte.
      const first = data[at];
      if (first !== undefined && first < SEVEN_BITS) {
        at += 1;
        return first;
      }
      let value = 0;
      for (let factor = 1; factor <= MAX_VARINT; factor *= SEVEN_BITS) {
        const byte = data[at++];
        if (byte === undefined) throw damaged();
        value += (byte % SEVEN_BITS) * factor;
        if (byte < SEVEN_BITS) {
          if (value > MAX_VARINT) throw damaged();
          return value;
        }
      }
      throw damaged();
    },
    float() {
      if (at + 8 > data.length) throw damaged();
      const value = view.getFloat64(at, true);
      at += 8;
      return value;
    },
    bytes(length) {
      if (at + length > data.length) throw damaged();
      at += length;
      return data.subarray(at - length, at);
    },
    get isAtEnd() {
      return at >= data.length;
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export const bytesOfJson = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** @throws RecordingError for what is no JSON */
export function readJsonBytes(data: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(data));
  } catch (cause) {
    throw Object.assign(damaged(), { cause });
  }
}
