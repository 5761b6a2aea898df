import { createByteReader, createByteWriter } from './bytes.ts';
import { BLOCK_BYTES, BLOCK_KINDS, type BlockKind, checksumOf } from './blocks.ts';
import { damaged } from './errors.ts';

/** Where a block stands in the file. */
export type BlockPlace = { kind: BlockKind; offset: number; from: number; until: number };

const END_MAGIC = new TextEncoder().encode('BELLBEND');
/** The offset of the index, its checksum and what a whole recording ends with. */
export const END_BYTES = 12 + END_MAGIC.length;

/** All blocks of a file as bytes. */
export function writeIndex(places: readonly BlockPlace[]): Uint8Array {
  const writer = createByteWriter();
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
  const reader = createByteReader(data);
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
