import type { Stopwatch } from '#lib/clock.ts';
import { isRecord } from '#lib/json.ts';
import type { Log } from '#lib/log.ts';
import { ByteReader, ByteWriter } from '#lib/pack.ts';
import { readMembers } from '#lib/read.ts';
import { createSealFor, type Seal } from '#lib/secrets.ts';
import { type Connection, RedisError } from './connection.ts';
import {
  entryId,
  type RelayMessage,
  MESSAGES_KEY,
  type Placed,
  type Position,
  PROTOCOL,
  readEntryId,
} from './relayMessage.ts';

export class LeftOut {
  readonly #logged = new Set<string>();
  #count = 0;

  constructor(private readonly log: Log) {}

  get count(): number {
    return this.#count;
  }

  unsealed(place: string): void {
    this.#add(
      'Skipped a message in Redis that was not sealed with BELLBIRD_RELAY_SECRET: another server has another secret, or another program writes to this Redis',
      place,
    );
  }

  unreadable(place: string): void {
    this.#add('Skipped a message in Redis from another version of Bellbird', place);
  }

  #add(message: string, place: string): void {
    this.#count += 1;
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    this.log.warn(message, { place });
  }
}

export const createSeal = (secret: string): Seal =>
  createSealFor(secret, { salt: 'bellbird relay', info: 'message engine' });

/** Seals and opens values in Redis. Values that can't be opened or read are counted and skipped. */
export class Vault {
  readonly #seal;

  constructor(
    secret: string,
    private readonly leftOut: LeftOut,
  ) {
    this.#seal = createSeal(secret);
  }

  close(place: string, bytes: Uint8Array): string {
    return this.#seal.seal(place, bytes);
  }

  open<T>(place: string, sealed: string, read: (bytes: Uint8Array) => T | null): T | null {
    const bytes = this.#seal.open(place, sealed);
    if (!bytes) {
      this.leftOut.unsealed(place);
      return null;
    }
    const value = read(bytes);
    if (value === null) this.leftOut.unreadable(place);
    return value;
  }
}

class FormError extends Error {
  override name = 'FormError';
}

function noForm(): never {
  throw new FormError();
}

/** Reads bytes of another version. @returns null if they are truncated or of another form */
export function readForm<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T | null {
  try {
    return read(new ByteReader(bytes, () => new FormError()));
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}

const KINDS = { market: 1, audience: 2, sessions: 3, closing: 4, presence: 5 } as const;

function writeMembers(writer: ByteWriter, relayMessage: RelayMessage): void {
  switch (relayMessage.kind) {
    case 'market':
      writer.text(relayMessage.epoch);
      writer.varint(relayMessage.seq === null ? 0 : 1);
      if (relayMessage.seq !== null) writer.varint(relayMessage.seq);
      writer.varint(relayMessage.place);
      writer.varint(relayMessage.reach);
      return writer.part(relayMessage.block);
    case 'audience':
      writer.text(relayMessage.audience);
      return writer.part(relayMessage.block);
    case 'sessions':
      return writer.varint(relayMessage.userId);
    case 'closing':
    case 'presence':
      return undefined;
  }
}

export function encodeMessage(relayMessage: RelayMessage): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(PROTOCOL);
  writer.varint(KINDS[relayMessage.kind]);
  writeMembers(writer, relayMessage);
  return writer.written();
}

function decode(reader: ByteReader): RelayMessage {
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

export const decodeMessage = (bytes: Uint8Array): RelayMessage | null => readForm(bytes, decode);

const FIELD = 'm';
const MAX_READ = 64;
/** Pause before reading again, ms, if all entries were unusable. */
const PAUSE_MS = 250;
const BEFORE_ALL = '0-0';

const placeOf = (id: string): string => `frame ${id}`;

type Entry = { id: string; sealed: string };

const readEntries = (answer: unknown): Entry[] =>
  readMembers(answer).flatMap((entry) => {
    const [id, fields] = readMembers(entry);
    const [, sealed] = readMembers(fields);
    return typeof id === 'string' ? [{ id, sealed: typeof sealed === 'string' ? sealed : '' }] : [];
  });

const readNewEntries = (answer: unknown): Entry[] =>
  isRecord(answer) ? readEntries(answer[MESSAGES_KEY]) : [];

type RelayMessagesOptions = {
  connection: Connection;
  vault: Vault;
  stopwatch: Stopwatch;
  log: Log;
  keptFrames: number;
};

export class RelayMessages {
  /** Unusable entries between two positions, to skip them in the next read. */
  #passed: { after: string; to: string } | null = null;
  /** The running read; reads share a connection and run in sequence. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: RelayMessagesOptions) {
    options.connection.listen({ down: () => (this.#passed = null) });
  }

  async publish({ position, relayMessage }: Placed): Promise<void> {
    const { connection, vault, keptFrames } = this.options;
    const id = entryId(position);
    const sealed = vault.close(placeOf(id), encodeMessage(relayMessage));
    const limit = ['MAXLEN', '~', String(keptFrames)];
    await connection.ask('XADD', [MESSAGES_KEY, ...limit, id, FIELD, sealed]);
  }

  /** The newest id ever added, by any client, because Redis accepts only later ones. */
  async newest(): Promise<Position | null> {
    const id = await this.#lastId().catch((error: unknown) => {
      if (error instanceof RedisError && error.reason === 'kind') return null;
      throw error;
    });
    if (id === BEFORE_ALL) return null;
    const position = id === null ? null : readEntryId(id);
    if (position) return position;
    // No key, a key of another type, or a stream that can't take further entries.
    const { connection, log } = this.options;
    const isThrown = (await connection.ask('DEL', [MESSAGES_KEY])) === 1;
    if (isThrown) log.warn('Deleted messages in Redis that are not from Bellbird', { id });
    return null;
  }

  /** The newest message with the right seal; null if none of the newest entries has it. */
  async newestSealed(): Promise<Position | null> {
    const args = [MESSAGES_KEY, '+', '-', 'COUNT', String(MAX_READ)];
    const entries = readEntries(await this.options.connection.ask('XREVRANGE', args));
    return entries.map((entry) => this.#open(entry)).find((placed) => placed !== null)?.position ?? null;
  }

  async #lastId(): Promise<string | null> {
    try {
      const facts = await this.options.connection.ask('XINFO', ['STREAM', MESSAGES_KEY]);
      const id = isRecord(facts) ? facts['last-generated-id'] : null;
      return typeof id === 'string' ? id : null;
    } catch (error) {
      if (error instanceof RedisError && error.reason === 'none') return null;
      throw error;
    }
  }

  read(after: Position | null, waitMs: number): Promise<Placed[]> {
    const read = this.#reading.then(() => this.#readInTurn(after, waitMs));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #readInTurn(after: Position | null, waitMs: number): Promise<Placed[]> {
    const { stopwatch } = this.options;
    const end = stopwatch.monotonic() + waitMs;
    await this.#checkPassed();
    const start = after ? entryId(after) : BEFORE_ALL;
    for (;;) {
      const from = this.#passed?.after === start ? this.#passed.to : start;
      const left = Math.max(0, Math.floor(end - stopwatch.monotonic()));
      const entries = await this.#ask(from, left);
      const placed = entries.map((entry) => this.#open(entry)).filter((one) => one !== null);
      const last = entries.at(-1)?.id;
      const canPass = last !== undefined && readEntryId(last) !== null;
      if (placed.length > 0) this.#passed = null;
      else if (canPass) this.#passed = { after: start, to: last };
      if (placed.length > 0 || stopwatch.monotonic() >= end) return placed;
      if (last !== undefined && !canPass) await Bun.sleep(Math.min(PAUSE_MS, left));
    }
  }

  async #checkPassed(): Promise<void> {
    const to = this.#passed && readEntryId(this.#passed.to);
    if (!to) return;
    const id = await this.#lastId();
    const last = id === null ? null : readEntryId(id);
    const isBefore = last !== null && (last.run < to.run || (last.run === to.run && last.number < to.number));
    if (id === null || isBefore) this.#passed = null;
  }

  async #ask(from: string, waitMs: number): Promise<Entry[]> {
    const block = waitMs > 0 ? ['BLOCK', String(waitMs)] : [];
    const args = ['COUNT', String(MAX_READ), ...block, 'STREAMS', MESSAGES_KEY, from];
    return readNewEntries(await this.options.connection.askSlowly('XREAD', args, waitMs));
  }

  #open({ id, sealed }: Entry): Placed | null {
    const position = readEntryId(id);
    const relayMessage = this.options.vault.open(placeOf(id), sealed, decodeMessage);
    return position && relayMessage && { position, relayMessage };
  }
}
