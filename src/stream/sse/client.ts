import type { Message, Progress } from './message.ts';

/**
 * A step of what a client is given before the messages that everybody gets. `next`, when there is one, has its turn a
 * moment later; until the last the client gets nothing else.
 */
export type OpeningStep = { messages: readonly Message[]; next: Opening | null };
/** Asked for when its turn has come. */
export type Opening = () => OpeningStep;

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
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Bytes of the blocks given last, at least of those that still wait. */
  sizes: number[];
  /** When the client began to miss messages, by the stopwatch; null while it keeps up. */
  fullSince: number | null;
  /** Runs until the opening's next step; null when the opening is over. */
  opening: ReturnType<typeof setTimeout> | null;
  /** Takes the client out; safe to call twice. */
  release: () => void;
};

/** Bytes that wait in memory because the client has not read them. */
export function waitingBytes({ controller, sizes }: Client): number {
  const blocks = 1 - (controller.desiredSize ?? 1);
  if (blocks <= 0) {
    sizes.length = 0;
    return 0;
  }
  if (sizes.length > blocks) sizes.splice(0, sizes.length - Math.max(0, blocks));
  return sizes.reduce((sum, size) => sum + size, 0);
}
