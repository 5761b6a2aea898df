import { damaged, RecordingError } from './errors.ts';
import { VERSION } from './head.ts';
import { zlib } from '#lib/zlib.ts';
import { ByteReader, ByteWriter } from '#lib/pack/bytes.ts';

/** What a file of this kind begins with. */
export const MAGIC = new TextEncoder().encode('BELLBREC');
/** Magic, version, length of the head, its checksum. */
export const START_BYTES = MAGIC.length + 12;
export const MAX_HEAD_BYTES = 65_536;

export const BLOCK_BYTES = 40;
const BLOCK_MAGIC = 0x4b4c_4231;

/** More than a day of 20,000 stocks needs in one block: what claims more is damaged. */
export const MAX_STORED_BYTES = 16_000_000;
export const MAX_RAW_BYTES = 64_000_000;

const BLOCK_KINDS = ['events', 'base', 'minutes', 'index'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/**
 * A block's header. `from` and `until` are epoch ms: of events the first time that is counted from and the last event's; of a
 * base its moment, twice; of minutes the first minute and the end of the last.
 */
export type BlockHeader = {
  kind: BlockKind;
  from: number;
  until: number;
  /** Bytes in the file, compressed. */
  stored: number;
  raw: number;
  checksum: number;
};

export const checksumOf = (data: Uint8Array): number => Bun.hash.crc32(data);

export function startBytes(head: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(START_BYTES + head.length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, head.length, true);
  view.setUint32(16, checksumOf(head), true);
  bytes.set(head, START_BYTES);
  return bytes;
}

/**
 * What the first bytes of a file say.
 * @throws RecordingError with a sentence for what is no recording, or one of another version
 */
export function readStart(bytes: Uint8Array, name: string): { length: number; checksum: number } {
  const isOurs = bytes.length >= MAGIC.length && MAGIC.every((byte, at) => bytes[at] === byte);
  if (!isOurs)
    throw new RecordingError(
      bytes.length === 0
        ? `The file ${name} is empty, so it is not a recording.`
        : `The file ${name} is not a Bellbird recording.`,
    );
  if (bytes.length < START_BYTES)
    throw new RecordingError(`The recording ${name} was cut off before it began.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION)
    throw new RecordingError(
      `The recording ${name} is of version ${String(version)} of the format; this Bellbird reads version ${String(VERSION)}.`,
    );
  const length = view.getUint32(12, true);
  if (length > MAX_HEAD_BYTES) throw new RecordingError(`The head of the recording ${name} is damaged.`);
  return { length, checksum: view.getUint32(16, true) };
}

export function blockHeaderBytes(header: BlockHeader): Uint8Array {
  const bytes = new Uint8Array(BLOCK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, BLOCK_MAGIC, true);
  view.setUint32(4, BLOCK_KINDS.indexOf(header.kind), true);
  view.setFloat64(8, header.from, true);
  view.setFloat64(16, header.until, true);
  view.setUint32(24, header.stored, true);
  view.setUint32(28, header.raw, true);
  view.setUint32(32, header.checksum, true);
  view.setUint32(36, checksumOf(bytes.subarray(0, 36)), true);
  return bytes;
}

/** A block's header; null for bytes that are none. */
export function readBlockHeader(bytes: Uint8Array): BlockHeader | null {
  if (bytes.length < BLOCK_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = BLOCK_KINDS[view.getUint32(4, true)];
  if (view.getUint32(0, true) !== BLOCK_MAGIC || kind === undefined) return null;
  if (view.getUint32(36, true) !== checksumOf(bytes.subarray(0, 36))) return null;
  const header = {
    kind,
    from: view.getFloat64(8, true),
    until: view.getFloat64(16, true),
    stored: view.getUint32(24, true),
    raw: view.getUint32(28, true),
    checksum: view.getUint32(32, true),
  };
  const isSound =
    Number.isSafeInteger(header.from) &&
    Number.isSafeInteger(header.until) &&
    header.from <= header.until &&
    header.stored <= MAX_STORED_BYTES &&
    header.raw <= MAX_RAW_BYTES;
  return isSound ? header : null;
}

/** What a block holds. @throws RecordingError when it is not what was written, or larger than it says */
export function unpackBlock(stored: Uint8Array, { checksum, raw }: BlockHeader): Uint8Array {
  if (checksumOf(stored) !== checksum) throw damaged();
  try {
    // Limited: a few bytes can be made to unpack into gigabytes.
    const data = zlib().zstdDecompressSync(stored, { maxOutputLength: Math.max(1, raw) });
    if (data.length !== raw) throw damaged();
    return data;
  } catch (cause) {
    throw Object.assign(damaged(), { cause });
  }
}

/** Where a block stands in the file. */
export type BlockPlace = { kind: BlockKind; offset: number; from: number; until: number };

const END_MAGIC = new TextEncoder().encode('BELLBEND');
/** The offset of the index, its checksum and what a whole recording ends with. */
export const END_BYTES = 12 + END_MAGIC.length;

/** All blocks of a file as bytes. */
export function writeIndex(places: readonly BlockPlace[]): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(places.length);
  let offset = 0;
  for (const place of places) {
    writer.varint(BLOCK_KINDS.indexOf(place.kind));
    writer.varint(place.offset - offset);
    writer.float(place.from);
    writer.varint(place.until - place.from);
    offset = place.offset;
  }
  return writer.written();
}

/** @throws RecordingError for what `writeIndex` did not write */
export function readIndex(data: Uint8Array): BlockPlace[] {
  const reader = new ByteReader(data, damaged);
  const places: BlockPlace[] = [];
  let offset = 0;
  for (let left = reader.varint(); left > 0; left -= 1) {
    const kind = BLOCK_KINDS[reader.varint()];
    offset += reader.varint();
    const from = reader.float();
    if (kind === undefined || !Number.isSafeInteger(from) || !Number.isSafeInteger(offset)) throw damaged();
    places.push({ kind, offset, from, until: from + reader.varint() });
  }
  return places;
}

/** The last bytes of a recording that was ended in order. @param offset of the index's block */
export function endBytes(offset: number): Uint8Array {
  const bytes = new Uint8Array(END_BYTES);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, offset, true);
  view.setUint32(8, checksumOf(bytes.subarray(0, 8)), true);
  bytes.set(END_MAGIC, 12);
  return bytes;
}

/** Where the index's block stands; null where the file does not end as a whole recording does. @param size of the file */
export function readEnd(bytes: Uint8Array, size: number): number | null {
  if (bytes.length !== END_BYTES || !END_MAGIC.every((byte, at) => bytes[12 + at] === byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(8, true) !== checksumOf(bytes.subarray(0, 8))) return null;
  const offset = view.getFloat64(0, true);
  return Number.isSafeInteger(offset) && offset > 0 && offset + BLOCK_BYTES + END_BYTES <= size
    ? offset
    : null;
}
