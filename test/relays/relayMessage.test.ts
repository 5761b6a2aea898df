import { describe, expect, test } from 'bun:test';
import { createRandom } from '#lib/random.ts';
import { readEngineAddress } from '#src/relays/redis/connection.ts';
import { type RelayMessage, PROTOCOL } from '#src/relays/redis/relayMessage.ts';
import { decodeMessage, encodeMessage } from '#src/relays/redis/relayMessages.ts';
import {
  decodeLock,
  decodeReport,
  decodeSnapshot,
  encodeLock,
  encodeReport,
  encodeSnapshot,
} from '#src/relays/redis/redis.ts';
import type { KeptSnapshot, RelayReport } from '#src/relays/redis/types.ts';

const random = createRandom(20);
const upTo = (limit: number): number => Math.floor(random() * limit);
const someBytes = (): Uint8Array => Uint8Array.from({ length: upTo(500) }, () => upTo(256));
const TEXTS = ['', 'e1', 'Ünïcödé €', '🐦'.repeat(50), '\0\n'];
const someText = (): string => TEXTS[upTo(TEXTS.length)] ?? '';
const someNumber = (): number => [0, 1, upTo(1e9), Number.MAX_SAFE_INTEGER][upTo(4)] ?? 0;

function someMessage(): RelayMessage {
  const relayMessages: RelayMessage[] = [
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
  return relayMessages[upTo(relayMessages.length)] ?? { kind: 'closing' };
}

/** Blocks as lists, because a slice of a larger array should equal an array of its own. */
const plain = (relayMessage: RelayMessage | null): unknown =>
  relayMessage && 'block' in relayMessage
    ? { ...relayMessage, block: [...relayMessage.block] }
    : relayMessage;

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
      const relayMessage = someMessage();
      expect(plain(decodeMessage(encodeMessage(relayMessage)))).toEqual(plain(relayMessage));
    }
  });

  test('are not decoded from random bytes, truncated ones, or another protocol', () => {
    for (let count = 0; count < 500; count += 1) {
      expect(() => decodeMessage(someBytes())).not.toThrow();
      const bytes = encodeMessage(someMessage());
      expect(() => decodeMessage(bytes.subarray(0, upTo(bytes.length)))).not.toThrow();
    }
    expect(decodeMessage(new Uint8Array())).toBeNull();
    expect(decodeMessage(Uint8Array.of(PROTOCOL, 99))).toBeNull();
    const other = Uint8Array.from(encodeMessage({ kind: 'closing' }));
    other[0] = PROTOCOL + 1;
    expect(decodeMessage(other)).toBeNull();
    expect(
      decodeMessage(encodeMessage({ kind: 'audience', audience: 'abc', block: someBytes() }).subarray(0, 11)),
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
    const lock = { instance: 'i', name: 'n', since: 3 };
    expect(decodeLock(encodeLock(lock))).toEqual(lock);
  });

  test('is not decoded from anything else', () => {
    for (const garbage of [new Uint8Array(), someBytes(), json(null), json([]), json({}), json('text')]) {
      expect(decodeReport(garbage)).toBeNull();
      expect(decodeLock(garbage)).toBeNull();
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
