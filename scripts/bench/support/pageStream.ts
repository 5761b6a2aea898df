import { constants, inflateRawSync } from 'node:zlib';

/** An event as a page reads it. */
export type PageEvent = {
  name: string;
  /** Null when it has none that can be resumed from. */
  id: { epoch: string; seq: number } | null;
  /** Of its text: equal events have equal ones, whoever sent them. */
  hash: number | bigint;
  /** When to come back should the stream end, ms: of a stream's first and last words alone. */
  reconnectMs: number | null;
};

/** Where a reader stands: the text that later blocks may refer to, and the beginning of an event that is not whole. */
type Place = { window: Uint8Array; rest: string; next: Map<number, Step> };
type Step = { place: Place; events: PageEvent[] };

const WINDOW = 32_768;
const HEADER_BYTES = 10;
const BLOCK_END = Buffer.from([0, 0, 0xff, 0xff]);
const LINE_END = Buffer.from('\r\n');

const newPlace = (window: Uint8Array, rest: string): Place => ({ window, rest, next: new Map() });
const start = newPlace(new Uint8Array(), '');
/** Readers that were given the same last 32 KB stand at the same place, whatever came before. */
const places = new Map<string, Place>();

/** A number for bytes: two different blocks of a bench never share one. */
const keyOf = (bytes: Uint8Array): number => Bun.hash.xxHash32(bytes) + bytes.byteLength * 2 ** 32;

function eventOf(text: string): PageEvent | null {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  const retry = field('retry');
  const name = field('event') ?? (retry === undefined ? undefined : 'retry');
  if (name === undefined) return null;
  const id = /^(.+)-(\d+)$/.exec(field('id') ?? '');
  return {
    name,
    id: id ? { epoch: id[1] ?? '', seq: Number(id[2]) } : null,
    hash: Bun.hash(text),
    reconnectMs: retry === undefined ? null : Number(retry),
  };
}

/** Unpacks a block at a place; done once, however many readers are given it there. */
function unpack({ window, rest }: Place, block: Uint8Array): Step {
  const text = inflateRawSync(block, {
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(window.byteLength > 0 && { dictionary: window }),
  });
  const seen = Buffer.concat([window, text]).subarray(-WINDOW);
  const pieces = (rest + text.toString('utf8')).split('\n\n');
  const left = pieces.pop() ?? '';
  const events = pieces.map(eventOf).filter((event) => event !== null);
  const key = `${Bun.hash(seen)} ${Bun.hash(left)}`;
  const place = places.get(key) ?? newPlace(new Uint8Array(seen), left);
  places.set(key, place);
  return { place, events };
}

function follow(place: Place, block: Uint8Array): Step {
  const key = keyOf(block);
  const known = place.next.get(key);
  if (known) return known;
  const step = unpack(place, block);
  place.next.set(key, step);
  return step;
}

export type PageReader = {
  /** Null until the head of the answer came. */
  status: number | null;
  /** It came to its end, though the connection may stay. */
  isOver: boolean;
  /** Reads a piece of the answer. */
  take(piece: Buffer): void;
};

/**
 * Reads the answer to a request for the packed stream, whole and truly: it unpacks every block after those before it. As
 * all readers of a server are given the same blocks, ten thousand cost little more than one.
 */
export function createPageReader(heard: (event: PageEvent) => void): PageReader {
  let place = start;
  let skip = HEADER_BYTES;
  let left: Buffer | null = null;
  let block: Buffer[] = [];

  function takeBlock(bytes: Buffer): void {
    const whole = block.length === 0 ? bytes : Buffer.concat([...block, bytes]);
    block = [];
    const step = follow(place, skip === 0 ? whole : whole.subarray(skip));
    skip = 0;
    place = step.place;
    for (const event of step.events) heard(event);
  }

  function takeContent(bytes: Buffer): void {
    for (let from = 0; from < bytes.byteLength; ) {
      const at = bytes.indexOf(BLOCK_END, from);
      if (at < 0) return void block.push(Buffer.from(bytes.subarray(from)));
      takeBlock(bytes.subarray(from, at + BLOCK_END.byteLength));
      from = at + BLOCK_END.byteLength;
    }
  }

  /** Takes whole chunks off the beginning. @returns what is left */
  function takeChunks(raw: Buffer): Buffer | null {
    let from = 0;
    for (;;) {
      const line = raw.indexOf(LINE_END, from);
      if (line < 0) break;
      const size = Number.parseInt(raw.toString('latin1', from, line), 16);
      const end = line + 2 + size;
      if (raw.byteLength < end + 2) break;
      if (size === 0) reader.isOver = true;
      takeContent(raw.subarray(line + 2, end));
      from = end + 2;
    }
    return from === raw.byteLength ? null : Buffer.from(raw.subarray(from));
  }

  const reader: PageReader = {
    status: null,
    isOver: false,
    take(piece) {
      let raw = left ? Buffer.concat([left, piece]) : piece;
      left = null;
      if (reader.status === null) {
        const end = raw.indexOf('\r\n\r\n');
        if (end < 0) return void (left = Buffer.from(raw));
        reader.status = Number(raw.toString('latin1', 9, 12));
        raw = raw.subarray(end + 4);
      }
      if (reader.status === 200) left = takeChunks(raw);
    },
  };
  return reader;
}
