import { zlib } from '#lib/compression.ts';

/**
 * A gzip stream is a header, deflate blocks and a trailer. The blocks of messages end on a byte border, so they
 * can follow any others that they refer to. Every client gets the header once, then the shared blocks, and never a
 * trailer.
 */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** Level 6 leaves 5 % more bytes, level 8 takes twice the time. */
const LEVEL = 7;
const QUICK_LEVEL = 1;

/** How far back a deflate block can refer, in bytes of plain text. */
const WINDOW = 32_768;

/** Compresses one message without references. */
export const pack = (bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, { level: LEVEL, finishFlush: zlib().constants.Z_FULL_FLUSH });

/** Like `pack`, in a third of the time with a third more bytes, for messages that are rarely read. */
export const packQuickly = (bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, { level: QUICK_LEVEL, finishFlush: zlib().constants.Z_FULL_FLUSH });

/**
 * Compresses a message that may refer to the text before it. Codes and names repeat there. Short repeats of digits
 * cost more than they save, hence the strategy.
 * @param before at most 32 KB, not empty
 */
const packAfter = (before: Uint8Array, bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, {
    level: LEVEL,
    strategy: zlib().constants.Z_FILTERED,
    finishFlush: zlib().constants.Z_FULL_FLUSH,
    dictionary: before,
  });

export const unpack = (packed: Uint8Array): Uint8Array =>
  zlib().inflateRawSync(packed, { finishFlush: zlib().constants.Z_SYNC_FLUSH });

/** A message for any client: encoded and compressed once, immutable, shared by all. */
export type Message = {
  /** Number of the message among the shared ones; null for others, such as a snapshot. */
  place: number | null;
  /** How many messages before it a client must have to read `block`. */
  reach: number;
  block: Uint8Array;
  /** A block that any client can read, compressed on first use. */
  alone(): Uint8Array;
  plain(): Uint8Array;
  bytes(): number;
};

export const loneMessage = (text: Uint8Array): Message => packedMessage(pack(text));

/** A message from its block. Its text is unpacked on first use and kept. */
export function packedMessage(block: Uint8Array): Message {
  let plain: Uint8Array | undefined;
  return {
    place: null,
    reach: 0,
    block,
    alone: () => block,
    plain: () => (plain ??= unpack(block)),
    bytes: () => block.byteLength + (plain?.byteLength ?? 0),
  };
}

/**
 * A new client needs this many blocks of its own, so a longer reach means more compression. Three, because a ping
 * may be between two ticks.
 */
export const MAX_REACH = 3;
const ENOUGH = 20_000;

/** The newest texts that suffice for the block to refer to. A long text repeats within itself. */
function referredTo(recent: readonly Uint8Array[], text: Uint8Array): Uint8Array[] {
  if (text.byteLength > WINDOW) return [];
  let count = 0;
  for (let bytes = 0; count < recent.length && bytes < ENOUGH; count += 1) {
    bytes += recent.at(-1 - count)?.byteLength ?? 0;
  }
  return recent.slice(recent.length - count);
}

/** Writes the ends of texts into a window, the newest at its end. @returns the filled part of the window */
function fill(window: Uint8Array, texts: readonly Uint8Array[]): Uint8Array {
  let free = window.byteLength;
  for (const text of texts.toReversed()) {
    const part = text.subarray(Math.max(0, text.byteLength - free));
    free -= part.byteLength;
    window.set(part, free);
  }
  return window.subarray(free);
}

/**
 * The text of a block that refers to earlier ones.
 * @param before the texts before it, oldest first, as many as the block's reach
 * @throws for an invalid block; other texts than its own may give a wrong text
 */
export function unpackAfter(before: readonly Uint8Array[], block: Uint8Array): Uint8Array {
  if (before.length === 0) return unpack(block);
  return zlib().inflateRawSync(block, {
    finishFlush: zlib().constants.Z_SYNC_FLUSH,
    dictionary: fill(new Uint8Array(WINDOW), before),
  });
}

/** A shared message from its block and text. The block that any client can read is compressed on first use. */
export function sequenced(packed: Pick<Message, 'place' | 'reach' | 'block'>, text: Uint8Array): Message {
  const { place, reach, block } = packed;
  let alone = reach === 0 ? block : undefined;
  return {
    place,
    reach,
    block,
    alone: () => (alone ??= pack(text)),
    plain: () => text,
    bytes: () => text.byteLength + block.byteLength + (alone && alone !== block ? alone.byteLength : 0),
  };
}

/** Makes the shared messages in order. Each may refer to those before it. `startsOver` starts over without references. */
export function createSequence(): (text: Uint8Array, startsOver?: boolean) => Message {
  let place = 0;
  let recent: Uint8Array[] = [];
  // Reused, because new memory costs more than filling it.
  const window = new Uint8Array(WINDOW);
  return (text, startsOver = false) => {
    if (startsOver) recent = [];
    const before = referredTo(recent, text);
    const reach = before.length;
    const block = reach === 0 ? pack(text) : packAfter(fill(window, before), text);
    place += 1;
    recent = [...recent.slice(1 - MAX_REACH), text];
    return sequenced({ place, reach, block }, text);
  };
}

/** The last shared message that a client got. */
export type Progress = {
  /** Number of the last shared message; null if another message followed it. */
  place: number | null;
  /** Length of the run of shared messages without a gap, up to that one. */
  run: number;
};

/** The bytes of a message for a client. Advances its progress. */
export function bytesFor(client: Progress & { gzip: boolean }, message: Message): Uint8Array {
  const { place, reach } = message;
  const run = place !== null && client.place === place - 1 ? client.run : 0;
  client.place = place;
  client.run = place === null ? 0 : run + 1;
  if (!client.gzip) return message.plain();
  return run >= reach ? message.block : message.alone();
}

/** Receives all messages of a channel, for relays. Its errors reach the sender. */
export type ChannelTap = {
  /** @param seq the event's number; null for a ping */
  everybody(seq: number | null, message: Message): void;
  /** A message for one audience, even without clients here. */
  audience(audience: string, message: Message): void;
  closing(): void;
};

const utf8 = new TextEncoder();

/**
 * One server-sent event as text. Data is JSON, which contains no raw line break.
 * @param id that a returning client sends as Last-Event-ID; null keeps the client's last id
 */
export const eventText = (event: string, id: string | null, data: unknown): string =>
  `${eventHead(event, id)}${JSON.stringify(data)}${EVENT_END}`;

/** The text before and after an event's data, for data that is made in parts. */
export const eventHead = (event: string, id: string | null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: `;
export const EVENT_END = '\n\n';

/** A restart takes about a second. Afterwards all clients return within three more. */
const FIRST_BACK_MS = 500;
const BACK_WITHIN_MS = 3000;
const BACK_STEPS = 31;
const FIRST_RETRY_MS = 1500;

/**
 * The first line of a stream: the delay before a browser reopens a lost stream, ms, in as many forms as
 * `closingTexts`. The first is three seconds.
 */
export const retryTexts = (): string[] =>
  Array.from({ length: BACK_STEPS }, (_, step) => {
    const share = ((step * 12 + (BACK_STEPS - 1) / 2) % BACK_STEPS) / (BACK_STEPS - 1);
    return `retry: ${FIRST_RETRY_MS + Math.round(share * BACK_WITHIN_MS)}\n\n`;
  });

/**
 * The last event of a stream, in a form for each moment of return. Used in turn, they spread the return of many. A
 * browser reads `retry`; the event says the same to other readers.
 */
export const closingTexts = (): string[] =>
  Array.from({ length: BACK_STEPS }, (_, step) => {
    // Alternates short and long delays, so that a few clients are spread too.
    const share = ((step * 12) % BACK_STEPS) / (BACK_STEPS - 1);
    const ms = FIRST_BACK_MS + Math.round(share * BACK_WITHIN_MS);
    return `retry: ${ms}\n${eventText('closing', null, { reconnectMs: ms })}`;
  });

export const toBytes = (text: string): Uint8Array => utf8.encode(text);

/** One event, encoded and compressed, for any client at any time. */
export const packEvent = (event: string, id: string | null, data: unknown): Message =>
  loneMessage(toBytes(eventText(event, id, data)));
