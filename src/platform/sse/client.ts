import type { Message, Progress } from './message.ts';

/** The connection's end of a direct stream. `write` returns a promise when the connection takes no more for now. */
export type Connection = ReadableStreamDirectController;

/**
 * A body whose bytes go to the socket at once, Bun's own kind of stream, which the types of the DOM do not know. A default
 * stream has a promise and turns of the loop for each block besides: a sixth of a delivery's processor time (measured).
 *
 * @param begin called when the answer's headers have been given; the stream lasts until the connection is closed
 * @param cancel called when the client is gone
 */
export function directStream(begin: (connection: Connection) => void, cancel: () => void): ReadableStream {
  let hasBegun = false;
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(connection) {
      // A reader asks again for every read.
      if (!hasBegun) begin(connection);
      hasBegun = true;
    },
    cancel,
  };
  return Reflect.construct(ReadableStream, [source]) as ReadableStream;
}

/**
 * A step of what a client is given before the messages that everybody gets. `next`, when there is one, has its turn a
 * moment later; until the last the client gets nothing else.
 */
export type OpeningStep = {
  messages: readonly Message[];
  next: Opening | null;
  /** What `next` waits for; a moment when absent. */
  after?: Promise<unknown>;
  /** Called when the connection does not take the messages at once; the result is called when it has taken all. */
  hold?: () => () => void;
};
/** Asked for when its turn has come. */
export type Opening = () => OpeningStep;

/** Bytes that wait, shared with every other client, never a copy. Those of an opening count towards no limit of the client's. */
export type WaitingBlock = { bytes: Uint8Array; isCounted: boolean };

/** What a connection does not take yet. */
export type Waiting = {
  blocks: WaitingBlock[];
  /** Of the counted blocks, and of the one that the connection has taken in part. */
  bytes: number;
};

/** An opening that the connection has not taken whole. Times are the stopwatch's. */
export type Flight = {
  since: number;
  /** When the connection took something last. */
  progressAt: number;
  /** Called when it ends. */
  holds: (() => void)[];
  /** The opening was taken, or the client is gone. */
  end: () => void;
};

/** One open connection. */
export type Client = Progress & {
  request: Request;
  /** Whose streams it counts among; null when that is not known. */
  address: string | null;
  gzip: boolean;
  /** Whose own messages it gets besides those for everybody; null for nobody's. */
  audience: string | null;
  /** What the client needs to be up to date whatever it missed. */
  refresh: Opening;
  /** Null until its answer's headers have been given. */
  connection: Connection | null;
  /** Blocks that wait, the oldest first, because the connection takes no more; null while it takes everything. */
  waiting: Waiting | null;
  /** When the client began to miss messages, by the stopwatch; null while it keeps up. */
  fullSince: number | null;
  /** What the opening's next step waits for; null when the opening was given. */
  opening: { cancel: () => void } | null;
  /** The opening that is on its way; null when it has arrived. */
  flight: Flight | null;
  /** Takes the client out; safe to call twice. */
  release: () => void;
};

/** Bytes that wait in memory because the client has not read them. */
export const waitingBytes = ({ waiting }: Client): number => waiting?.bytes ?? 0;
