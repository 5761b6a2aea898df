/** Writes whole numbers and texts one after another; small numbers take one byte. */
export class ByteWriter {
  private bytes = new Uint8Array(4096);
  private end = 0;
  private readonly encoder = new TextEncoder();

  get length(): number {
    return this.end;
  }

  /** @param value a whole number from 0 below 2 ** 53 */
  unsigned(value: number): void {
    let rest = value;
    this.ensure(8);
    while (rest >= 128) {
      this.bytes[this.end] = (rest % 128) + 128;
      this.end += 1;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.end] = rest;
    this.end += 1;
  }

  /** A whole number or null. */
  nullable(value: number | null): void {
    // 0 is null; the sign is the lowest bit of what is left.
    this.unsigned(value === null ? 0 : value >= 0 ? value * 2 + 1 : -value * 2);
  }

  text(value: string): void {
    const encoded = this.encoder.encode(value);
    this.unsigned(encoded.length);
    this.ensure(encoded.length);
    this.bytes.set(encoded, this.end);
    this.end += encoded.length;
  }

  /** What was written so far; changes with the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.end);
  }

  private ensure(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const bigger = new Uint8Array(Math.max(this.bytes.length * 2, this.end + more));
    bigger.set(this.bytes);
    this.bytes = bigger;
  }
}

/** Reads what a ByteWriter wrote. Every method throws a RangeError past the end. */
export class ByteReader {
  private at = 0;
  private readonly decoder = new TextDecoder();

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  unsigned(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined || factor > 2 ** 53) throw new RangeError('The bytes end within a number.');
      this.at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }

  nullable(): number | null {
    const code = this.unsigned();
    if (code === 0) return null;
    return code % 2 === 1 ? (code - 1) / 2 : -code / 2;
  }

  text(): string {
    const length = this.unsigned();
    if (this.at + length > this.bytes.length) throw new RangeError('The bytes end within a text.');
    const text = this.decoder.decode(this.bytes.subarray(this.at, this.at + length));
    this.at += length;
    return text;
  }
}
