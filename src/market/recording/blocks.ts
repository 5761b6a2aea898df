import { MINUTE_MS } from '#lib/units.ts';
import { zlib } from '#lib/compression.ts';
import { isRecord } from '#lib/json.ts';
import { twoDigits } from '#lib/text.ts';
import { fromSydney, sydneyOffset } from '#lib/sydneyTime.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import { damaged, RecordingError, type RecordingHead } from './types.ts';

export const VERSION = 1;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MAX_TEXT = 200;

export const utcOffsetOf = (date: string): number => sydneyOffset(fromSydney(date, 12, 0)) / MINUTE_MS;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT;

function isHead(value: unknown): value is RecordingHead {
  if (!isRecord(value) || !isRecord(value['source'])) return false;
  const { date, utcOffsetMinutes, startedAt, source } = value;
  return (
    isText(date) &&
    DATE.test(date) &&
    !Number.isNaN(Date.parse(date)) &&
    Number.isInteger(utcOffsetMinutes) &&
    Number.isSafeInteger(startedAt) &&
    isText(source['name']) &&
    isText(source['label']) &&
    (source['days'] === 'consecutive' || source['days'] === 'independent') &&
    Number.isFinite(source['delayMinutes'])
  );
}

const sign = (minutes: number): string =>
  `UTC${minutes < 0 ? '−' : '+'}${String(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`;

/**
 * Checks the head of a recording.
 * @param offsetOf Sydney's offset from UTC on a date by this machine, minutes
 * @throws RecordingError with a sentence if it can't be played
 */
export function checkHead(value: unknown, offsetOf: (date: string) => number = utcOffsetOf): RecordingHead {
  if (!isHead(value))
    throw new RecordingError('The header of the recording is damaged, so it cannot be played.');
  const { date, utcOffsetMinutes } = value;
  if (!isTradingDay(date))
    throw new RecordingError(`The recording is dated ${date}, which is not a trading day.`);
  const own = offsetOf(date);
  if (own !== utcOffsetMinutes)
    throw new RecordingError(
      `The recording was made with other time zone data: Sydney was ${sign(utcOffsetMinutes)} on ${date}, here it is ${sign(own)}. Install the same time zone data on both machines.`,
    );
  return value;
}

const MAGIC = new TextEncoder().encode('BELLBREC');
export const START_BYTES = MAGIC.length + 12;
const MAX_HEAD_BYTES = 65_536;

export const BLOCK_BYTES = 40;
const BLOCK_MAGIC = 0x4b4c_4231;

/** A day of 20,000 stocks needs less per block, so a larger block is damaged. */
const MAX_STORED_BYTES = 16_000_000;
const MAX_RAW_BYTES = 64_000_000;

/** 'end' is the last block of a completed recording. Earlier versions wrote an index into it. */
const BLOCK_KINDS = ['events', 'base', 'minutes', 'end'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/**
 * `from` and `until` are epoch ms. Events: the reference time and the last event. Base: its moment, twice.
 * Minutes: start of the first and end of the last. End: the last moment, twice.
 */
export type BlockHeader = {
  kind: BlockKind;
  from: number;
  until: number;
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

/** Reads the first bytes of a file. @throws RecordingError with a sentence for another file or version */
export function readStart(bytes: Uint8Array, name: string): { length: number; checksum: number } {
  const isOurs = bytes.length >= MAGIC.length && MAGIC.every((byte, at) => bytes[at] === byte);
  if (!isOurs)
    throw new RecordingError(
      bytes.length === 0
        ? `The file ${name} is empty, so it is not a recording.`
        : `The file ${name} is not a Bellbird recording.`,
    );
  if (bytes.length < START_BYTES)
    throw new RecordingError(`The recording ${name} is cut off and has no content.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION)
    throw new RecordingError(
      `The recording ${name} has format version ${String(version)}, but this Bellbird reads version ${String(VERSION)}.`,
    );
  const length = view.getUint32(12, true);
  if (length > MAX_HEAD_BYTES) throw new RecordingError(`The header of the recording ${name} is damaged.`);
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

export function unpackBlock(stored: Uint8Array, { checksum, raw }: BlockHeader): Uint8Array {
  if (checksumOf(stored) !== checksum) throw damaged();
  try {
    // Limited, because a few bytes could unpack into gigabytes.
    const data = zlib().zstdDecompressSync(stored, { maxOutputLength: Math.max(1, raw) });
    if (data.length !== raw) throw damaged();
    return data;
  } catch (cause) {
    throw Object.assign(damaged(), { cause });
  }
}

export type BlockPlace = { kind: BlockKind; offset: number; from: number; until: number };
