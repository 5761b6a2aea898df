import type { Connection } from './directStream.ts';
import type { Message, Progress } from './message.ts';

/**
 * A step of what a client is given before the messages that everybody gets. `next`, when there is one, has its turn a
 * moment later; until the last the client gets nothing else.
 */
export type OpeningStep = { messages: readonly Message[]; next: Opening | null };
/** Asked for when its turn has come. */
export type Opening = () => OpeningStep;

/** What a connection does not take yet. */
export type Waiting = {
  /** Shared with every other client, never a copy. */
  blocks: Uint8Array[];
  /** Of the blocks, and of the one that the connection has taken in part. */
  bytes: number;
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
  refresh: () => readonly Message[];
  /** Null until its answer's headers have been given. */
  connection: Connection | null;
  /** Blocks that wait, the oldest first, because the connection takes no more; null while it takes everything. */
  waiting: Waiting | null;
  /** When the client began to miss messages, by the stopwatch; null while it keeps up. */
  fullSince: number | null;
  /** Runs until the opening's next step; null when the opening is over. */
  opening: ReturnType<typeof setTimeout> | null;
  /** Takes the client out; safe to call twice. */
  release: () => void;
};

/** Bytes that wait in memory because the client has not read them. */
export const waitingBytes = ({ waiting }: Client): number => waiting?.bytes ?? 0;
