import type { Message, Progress } from './message.ts';

/** The connection's end of a direct stream. `write` returns a promise if the connection is full. */
export type Connection = ReadableStreamDirectController;

/**
 * A body whose bytes go to the socket directly: Bun's own kind of stream, unknown to the DOM types. The promises of
 * a default stream take a sixth of a delivery's processor time (measured).
 * @param begin called after the headers; the stream lasts until the connection is closed
 * @param cancel called when the client is gone
 */
export function directStream(begin: (connection: Connection) => void, cancel: () => void): ReadableStream {
  let hasBegun = false;
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(connection) {
      if (!hasBegun) begin(connection);
      hasBegun = true;
    },
    cancel,
  };
  return Reflect.construct(ReadableStream, [source]) as ReadableStream;
}

/** A step of the first messages. `next` runs later; until the last step the client gets nothing else. */
export type OpeningStep = {
  messages: readonly Message[];
  next: Opening | null;
  after?: Promise<unknown>;
  /** Called if the messages are not taken immediately. The returned function is called once they are. */
  hold?: () => () => void;
};
export type Opening = () => OpeningStep;

/** Waiting bytes, shared with other clients. Those of an opening do not count towards the client's limit. */
export type WaitingBlock = { bytes: Uint8Array; isCounted: boolean };

export type Waiting = {
  blocks: WaitingBlock[];
  bytes: number;
};

/** An opening in flight. Times are the stopwatch's. */
export type Flight = {
  since: number;
  progressAt: number;
  holds: (() => void)[];
  end: () => void;
};

export type Client = Progress & {
  request: Request;
  address: string | null;
  gzip: boolean;
  /** The audience whose messages it also gets; null for none. */
  audience: string | null;
  refresh: Opening;
  connection: Connection | null;
  /** Waiting blocks, the oldest first; null while the connection takes everything. */
  waiting: Waiting | null;
  /** Since when the client misses messages, by the stopwatch; null if it keeps up. */
  fullSince: number | null;
  /** Cancels the wait for the next step; null after the last one. */
  opening: { cancel: () => void } | null;
  /** The opening in flight; null if it has arrived. */
  flight: Flight | null;
  release: () => void;
};

export const waitingBytes = ({ waiting }: Client): number => waiting?.bytes ?? 0;
