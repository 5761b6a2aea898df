import { type ByteReader, ByteWriter } from '#lib/pack/bytes.ts';
import type { Frame } from './frame.ts';
import { PROTOCOL } from './protocol.ts';
import { noForm, readForm } from './readForm.ts';

/** What follows the protocol. */
const KINDS = { market: 1, audience: 2, sessions: 3, closing: 4, presence: 5 } as const;

function writeMembers(writer: ByteWriter, frame: Frame): void {
  switch (frame.kind) {
    case 'market':
      writer.text(frame.epoch);
      writer.varint(frame.seq === null ? 0 : 1);
      if (frame.seq !== null) writer.varint(frame.seq);
      writer.varint(frame.place);
      writer.varint(frame.reach);
      return writer.part(frame.block);
    case 'audience':
      writer.text(frame.audience);
      return writer.part(frame.block);
    case 'sessions':
      return writer.varint(frame.userId);
    case 'closing':
    case 'presence':
      return undefined;
  }
}

/** A frame as bytes. */
export function encodeFrame(frame: Frame): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(PROTOCOL);
  writer.varint(KINDS[frame.kind]);
  writeMembers(writer, frame);
  return writer.written();
}

function decode(reader: ByteReader): Frame {
  if (reader.varint() !== PROTOCOL) return noForm();
  switch (reader.varint()) {
    case KINDS.market: {
      const epoch = reader.text();
      const seq = reader.varint() === 0 ? null : reader.varint();
      const places = { place: reader.varint(), reach: reader.varint() };
      return { kind: 'market', epoch, seq, ...places, block: reader.part() };
    }
    case KINDS.audience:
      return { kind: 'audience', audience: reader.text(), block: reader.part() };
    case KINDS.sessions:
      return { kind: 'sessions', userId: reader.varint() };
    case KINDS.closing:
      return { kind: 'closing' };
    case KINDS.presence:
      return { kind: 'presence' };
    default:
      return noForm();
  }
}

/** @returns the frame; null for what is none, or is one of another protocol */
export const decodeFrame = (bytes: Uint8Array): Frame | null => readForm(bytes, decode);
