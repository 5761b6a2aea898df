import { parseJson } from '#lib/json.ts';
import { readCount, readMap, readNumber, readRecord, readText } from '#lib/read.ts';
import { ByteWriter } from '#lib/pack.ts';
import type { Position } from './frame.ts';
import { readForm } from './readForm.ts';
import type { KeptSnapshot, OpenStreams, PrimaryLease, RelayReport, RelayVersion } from './types.ts';

/*
 * What is kept in the message engine under a name. Another version may have written it: what can't be read is left at
 * nothing, so that at least its protocol is known.
 */

const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** @returns null for what is no JSON object */
function decodeJson(text: string): Record<string, unknown> | null {
  const parsed = parseJson(text);
  return parsed.ok ? readRecord(parsed.value) : null;
}

function readPosition(value: unknown): Position | null {
  const { run, number } = readRecord(value);
  const position = { run: readCount(run), number: readCount(number) };
  return position.run === null || position.number === null
    ? null
    : { run: position.run, number: position.number };
}

function readVersion(value: Record<string, unknown>): RelayVersion | null {
  const protocol = readCount(value['protocol']);
  if (protocol === null) return null;
  return {
    protocol,
    version: readText(value['version']) ?? '',
    commit: readText(value['commit']) ?? '',
  };
}

/** A snapshot as bytes. */
export function encodeSnapshot({ packed, ...head }: KeptSnapshot): Uint8Array {
  const writer = new ByteWriter();
  writer.json(head);
  writer.part(packed);
  return writer.written();
}

/** @returns null for what is no snapshot */
export const decodeSnapshot = (bytes: Uint8Array): KeptSnapshot | null =>
  readForm(bytes, (reader) => {
    const head = decodeJson(reader.text());
    const version = head && readVersion(head);
    if (!head || !version) return null;
    const streams = readRecord(head['streams']);
    return {
      ...version,
      position: readPosition(head['position']) ?? { run: 0, number: 0 },
      epoch: readText(head['epoch']) ?? '',
      seq: readCount(head['seq']) ?? 0,
      streams: { all: readCount(streams['all']) ?? 0, perAddress: readCount(streams['perAddress']) ?? 0 },
      packed: reader.part(),
    };
  });

const readStreams = (value: Record<string, unknown>): OpenStreams => ({
  pages: readCount(value['pages']) ?? 0,
  alertPages: readCount(value['alertPages']) ?? 0,
  addresses: readMap(value['addresses'], readCount),
  alertAddresses: readMap(value['alertAddresses'], readCount),
});

/** Open streams as bytes. */
export const encodeStreams = (streams: OpenStreams): Uint8Array => encodeJson(streams);

/** @returns null for what is no JSON object */
export function decodeStreams(bytes: Uint8Array): OpenStreams | null {
  const value = decodeJson(new TextDecoder().decode(bytes));
  return value && readStreams(value);
}

/** A report as bytes. */
export const encodeReport = (report: RelayReport): Uint8Array => encodeJson(report);

/** @returns null for what is no report */
export function decodeReport(bytes: Uint8Array): RelayReport | null {
  const value = decodeJson(new TextDecoder().decode(bytes));
  const version = value && readVersion(value);
  const id = value && readText(value['id']);
  if (!version || !id) return null;
  return {
    ...version,
    id,
    name: readText(value['name']) ?? id,
    startedAt: readNumber(value['startedAt']) ?? 0,
    ...readStreams(value),
    bytes: readCount(value['bytes']) ?? 0,
    position: readPosition(value['position']),
  };
}

/** A lease as bytes. */
export const encodeLease = (lease: PrimaryLease): Uint8Array => encodeJson(lease);

/** @returns null for what is no lease */
export function decodeLease(bytes: Uint8Array): PrimaryLease | null {
  const value = decodeJson(new TextDecoder().decode(bytes));
  const instance = value && readText(value['instance']);
  if (!instance) return null;
  return {
    instance,
    name: readText(value['name']) ?? instance,
    since: readNumber(value['since']) ?? 0,
  };
}
