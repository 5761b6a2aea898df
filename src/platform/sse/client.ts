import type { Message, Progress } from './message.ts';

/** The connection's end of a direct stream. `write` returns a promise if the connection is full. */
export type Connection = ReadableStreamDirectController;

/**
 * A body whose bytes go to the socket at once: Bun's own kind of stream, unknown to the DOM types. The promises of
 * a default stream take a sixth of a delivery's processor time (measured).
 * @param begin called after the headers; the stream lasts until the connection is closed
 * @param cancel called when the client is gone
 */
export function directStream(begin: (connection: Connection) => void, cancel: () => void): ReadableStream {
  let hasBegun = false;
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(connection) {
      // A reader calls this for every read.
      if (!hasBegun) begin(connection);
      hasBegun = true;
    },
    cancel,
  };
  return Reflect.construct(ReadableStream, [source]) as ReadableStream;
}

/**
 * A step of the first messages for a client. `next` runs a moment later. Until the last step the client gets
 * nothing else.
 */
export type OpeningStep = {
  messages: readonly Message[];
  next: Opening | null;
  /** What `next` waits for; a moment if absent. */
  after?: Promise<unknown>;
  /** Called if the connection does not take the messages at once. The result is called when it has. */
  hold?: () => () => void;
};
export type Opening = () => OpeningStep;

/** Waiting bytes, shared with other clients. Those of an opening do not count towards the client's limit. */
export type WaitingBlock = { bytes: Uint8Array; isCounted: boolean };

/** What a connection does not take yet. */
export type Waiting = {
  blocks: WaitingBlock[];
  /** Of the counted blocks, and of a partly sent one. */
  bytes: number;
};

/** An opening in flight. Times are the stopwatch's. */
export type Flight = {
  since: number;
  /** The last progress. */
  progressAt: number;
  holds: (() => void)[];
  /** The opening has arrived, or the client is gone. */
  end: () => void;
};

export type Client = Progress & {
  request: Request;
  /** Null if unknown. */
  address: string | null;
  gzip: boolean;
  /** The audience whose messages it also gets; null for none. */
  audience: string | null;
  /** Messages that bring the client up to date. */
  refresh: Opening;
  /** Null before the headers are sent. */
  connection: Connection | null;
  /** Waiting blocks, the oldest first; null while the connection takes everything. */
  waiting: Waiting | null;
  /** Since when the client misses messages, by the stopwatch; null if it keeps up. */
  fullSince: number | null;
  /** Cancels the wait for the next step; null after the last one. */
  opening: { cancel: () => void } | null;
  /** The opening in flight; null if it has arrived. */
  flight: Flight | null;
  /** Removes the client. Safe to call twice. */
  release: () => void;
};

/** Bytes in memory that the client has not read. */
export const waitingBytes = ({ waiting }: Client): number => waiting?.bytes ?? 0;
