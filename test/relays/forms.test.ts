import { describe, expect, test } from 'bun:test';
import { createRandom } from '#lib/random.ts';
import { readEngineAddress } from '#src/relays/engine/connection.ts';
import { type Frame, PROTOCOL } from '#src/relays/engine/frame.ts';
import { decodeFrame, encodeFrame } from '#src/relays/engine/frames.ts';
import {
  decodeLease,
  decodeReport,
  decodeSnapshot,
  encodeLease,
  encodeReport,
  encodeSnapshot,
} from '#src/relays/engine/engine.ts';
import type { KeptSnapshot, RelayReport } from '#src/relays/engine/types.ts';

const random = createRandom(20);
const upTo = (limit: number): number => Math.floor(random() * limit);
const someBytes = (): Uint8Array => Uint8Array.from({ length: upTo(500) }, () => upTo(256));
const TEXTS = ['', 'e1', 'Ünïcödé €', '🐦'.repeat(50), '\0\n'];
const someText = (): string => TEXTS[upTo(TEXTS.length)] ?? '';
const someNumber = (): number => [0, 1, upTo(1e9), Number.MAX_SAFE_INTEGER][upTo(4)] ?? 0;

function someFrame(): Frame {
  const frames: Frame[] = [
    {
      kind: 'market',
      epoch: someText(),
      seq: random() < 0.3 ? null : someNumber(),
      place: someNumber(),
      reach: someNumber(),
      block: someBytes(),
    },
    { kind: 'audience', audience: someText(), block: someBytes() },
    { kind: 'sessions', userId: someNumber() },
    { kind: 'closing' },
    { kind: 'presence' },
  ];
  return frames[upTo(frames.length)] ?? { kind: 'closing' };
}

/** Blocks as lists, because a slice of a larger array should equal an array of its own. */
const plain = (frame: Frame | null): unknown =>
  frame && 'block' in frame ? { ...frame, block: [...frame.block] } : frame;

const snapshot: KeptSnapshot = {
  protocol: PROTOCOL,
  version: '1.2.3',
  commit: 'abc',
  position: { run: 5, number: 6 },
  epoch: 'e1',
  seq: 7,
  streams: { all: 2000, perAddress: 100 },
  packed: someBytes(),
};

const report: RelayReport = {
  protocol: PROTOCOL,
  version: '1.2.3',
  commit: 'abc',
  id: 'r1',
  name: 'Relay one',
  startedAt: 1,
  pages: 2,
  alertPages: 3,
  bytes: 4,
  position: { run: 5, number: 6 },
  addresses: { '127.0.0.1': 20, '2001:db8::/64': 11 },
  alertAddresses: { '127.0.0.1': 3 },
};

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe('messages', () => {
  test('are decoded as they were encoded', () => {
    for (let count = 0; count < 500; count += 1) {
      const frame = someFrame();
      expect(plain(decodeFrame(encodeFrame(frame)))).toEqual(plain(frame));
    }
  });

  test('are not decoded from random bytes, truncated ones, or another protocol', () => {
    for (let count = 0; count < 500; count += 1) {
      expect(() => decodeFrame(someBytes())).not.toThrow();
      const bytes = encodeFrame(someFrame());
      expect(() => decodeFrame(bytes.subarray(0, upTo(bytes.length)))).not.toThrow();
    }
    expect(decodeFrame(new Uint8Array())).toBeNull();
    expect(decodeFrame(Uint8Array.of(PROTOCOL, 99))).toBeNull();
    const other = Uint8Array.from(encodeFrame({ kind: 'closing' }));
    other[0] = PROTOCOL + 1;
    expect(decodeFrame(other)).toBeNull();
    expect(
      decodeFrame(encodeFrame({ kind: 'audience', audience: 'abc', block: someBytes() }).subarray(0, 11)),
    ).toBeNull();
  });
});

describe('data stored under a name', () => {
  test('is decoded as it was encoded', () => {
    const decoded = decodeSnapshot(encodeSnapshot(snapshot));
    expect(decoded && { ...decoded, packed: [...decoded.packed] }).toEqual({
      ...snapshot,
      packed: [...snapshot.packed] as never,
    });
    expect(decodeReport(encodeReport(report))).toEqual(report);
    expect(decodeReport(encodeReport({ ...report, position: null }))).toEqual({ ...report, position: null });
    const lease = { instance: 'i', name: 'n', since: 3 };
    expect(decodeLease(encodeLease(lease))).toEqual(lease);
  });

  test('is not decoded from anything else', () => {
    for (const garbage of [new Uint8Array(), someBytes(), json(null), json([]), json({}), json('text')]) {
      expect(decodeReport(garbage)).toBeNull();
      expect(decodeLease(garbage)).toBeNull();
      expect(decodeSnapshot(garbage)).toBeNull();
    }
  });
});

describe('addresses', () => {
  test.each([
    ['redis://127.0.0.1', 'redis://127.0.0.1', 6379],
    ['redis://joe:pw@engine.example:7000/2', 'redis://engine.example:7000/2', 7000],
    ['rediss://:p%40w@[::1]:7001', 'rediss://[::1]:7001', 7001],
  ])('%s', (text, shown, port) => {
    expect(readEngineAddress(text)).toMatchObject({ url: text, shown, port });
  });

  test.each(['', 'redis', 'http://127.0.0.1', 'redis://', 'redis://a/b', 'redis://a?b=c', 'valkey://a'])(
    'not: %s',
    (text) => expect(readEngineAddress(text)).toBeNull(),
  );
});
