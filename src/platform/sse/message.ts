import { zlib } from '#lib/compression.ts';

/**
 * A gzip stream is a header, deflate blocks and a trailer. Each message becomes blocks that end on a byte border, so
 * that the same bytes fit behind what any client got before, as far as they refer to it: every client gets the header
 * once, then the shared blocks, and never a trailer.
 */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** Level 6 leaves 5 % more bytes, level 8 takes twice the time. */
const LEVEL = 7;
const QUICK_LEVEL = 1;

/** How far back a deflate block can refer, in bytes of plain text. */
const WINDOW = 32_768;

/** Compresses one message by itself. */
export const pack = (bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, { level: LEVEL, finishFlush: zlib().constants.Z_FULL_FLUSH });

/** As `pack`, in a third of the time and a third more bytes: for what is hardly ever read. */
export const packQuickly = (bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, { level: QUICK_LEVEL, finishFlush: zlib().constants.Z_FULL_FLUSH });

/**
 * Compresses a message that may refer to the text right before it in the client's stream. What repeats there are codes
 * and names; short repeats of digits cost more than they save, hence the strategy.
 * @param before at most 32 KB, not empty
 */
const packAfter = (before: Uint8Array, bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, {
    level: LEVEL,
    strategy: zlib().constants.Z_FILTERED,
    finishFlush: zlib().constants.Z_FULL_FLUSH,
    dictionary: before,
  });

/** The message that `pack` was given. */
export const unpack = (packed: Uint8Array): Uint8Array =>
  zlib().inflateRawSync(packed, { finishFlush: zlib().constants.Z_SYNC_FLUSH });

/** One message, as any client can be given it: encoded and compressed once, never changed, shared by all. */
export type Message = {
  /** Its number among those that every client gets; null for one that is made for some, as a snapshot is. */
  place: number | null;
  /** How many messages, those right before it, a client must have got to be able to read `block`. */
  reach: number;
  block: Uint8Array;
  /** A block that any client can read; packed when first asked for. */
  alone(): Uint8Array;
  /** The text, for clients that do not take gzip. */
  plain(): Uint8Array;
  /** Bytes that it holds in memory. */
  bytes(): number;
};

/** A message of its own. */
export const loneMessage = (text: Uint8Array): Message => packedMessage(pack(text));

/** A message of its own out of its block. Its text is unpacked when first asked for and kept as long as the message is. */
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
 * A client needs this many blocks of its own after it joined, so the more messages a block refers to the more often there
 * are two to pack. Three, because a ping may stand between two ticks.
 */
export const MAX_REACH = 3;
/** With so much text before it a message gains little from more. */
const ENOUGH = 20_000;

/**
 * The texts right before a message that its block refers to: as few of the newest as are enough. A long text has its
 * repeats within itself.
 */
function referredTo(recent: readonly Uint8Array[], text: Uint8Array): Uint8Array[] {
  if (text.byteLength > WINDOW) return [];
  let count = 0;
  for (let bytes = 0; count < recent.length && bytes < ENOUGH; count += 1) {
    bytes += recent.at(-1 - count)?.byteLength ?? 0;
  }
  return recent.slice(recent.length - count);
}

/** Writes the ends of texts into a window, the newest at its end. @returns the part of the window that was filled */
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
 * The text of a block that refers to those before it.
 * @param before the texts right before it, oldest first, as many as the block's reach
 * @throws when the block is none; with other texts than its own it may give another text
 */
export function unpackAfter(before: readonly Uint8Array[], block: Uint8Array): Uint8Array {
  if (before.length === 0) return unpack(block);
  return zlib().inflateRawSync(block, {
    finishFlush: zlib().constants.Z_SYNC_FLUSH,
    dictionary: fill(new Uint8Array(WINDOW), before),
  });
}

/** A message that every client gets, by its block and its text; what any client can read is packed when first asked for. */
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

/**
 * Makes the messages that every client gets, in the order in which they are sent: each may refer to those before it.
 * `isAnew` has one refer to none, and those after it to none before it.
 */
export function createSequence(): (text: Uint8Array, isAnew?: boolean) => Message {
  let place = 0;
  let recent: Uint8Array[] = [];
  // Always the same, as memory that is new costs more than filling it.
  const window = new Uint8Array(WINDOW);
  return (text, isAnew = false) => {
    if (isAnew) recent = [];
    const before = referredTo(recent, text);
    const reach = before.length;
    const block = reach === 0 ? pack(text) : packAfter(fill(window, before), text);
    place += 1;
    recent = [...recent.slice(1 - MAX_REACH), text];
    return sequenced({ place, reach, block }, text);
  };
}

/** What a client got last of the messages that everybody gets. */
export type Progress = {
  /** Place of the message got last; null when something else came after it. */
  place: number | null;
  /** How many it got without a gap, up to that one. */
  run: number;
};

/** The bytes of a message for a client, which is about to get them: its progress is brought forward. */
export function bytesFor(client: Progress & { gzip: boolean }, message: Message): Uint8Array {
  const { place, reach } = message;
  const run = place !== null && client.place === place - 1 ? client.run : 0;
  client.place = place;
  client.run = place === null ? 0 : run + 1;
  if (!client.gzip) return message.plain();
  return run >= reach ? message.block : message.alone();
}

/** Hears all that a channel gives to its clients, for clients elsewhere. What it throws is thrown to who sends. */
export type ChannelTap = {
  /** A message that everybody gets. @param seq the event's number; null for a ping, which has none */
  everybody(seq: number | null, message: Message): void;
  /** A message for one audience, whether it has clients here or not. */
  audience(audience: string, message: Message): void;
  /** The channel closes: its clients are told to come back shortly. */
  closing(): void;
};
