import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { StreamEvents } from '#market/rules/stream.ts';
import { marketGreeting } from '#market/stream/greeting.ts';
import { Snapshots } from '#market/stream/snapshots.ts';
import type { Greeting, StreamLimits } from '#platform/sse/answer.ts';
import { SseChannel } from '#platform/sse/channel.ts';
import type { Message } from '#platform/sse/message.ts';
import type { Life } from './follower.ts';
import type { MarketCopy } from './marketCopy.ts';

export type MarketHubDeps = {
  clock: SystemClock;
  log: Log;
  cutOff(request: Request): void;
  clientAddress(request: Request): string;
  /** Streams that others have open: of an address, null for all. */
  elsewhere(address: string | null): number;
};

/** Which life it is. */
export type LifeOf = {
  epoch: string;
  /** The number of the event before the first that is given. */
  firstSeq: number;
  streams: StreamLimits;
  copy: MarketCopy;
};

/**
 * The market's stream of a relay, for one life: the primary's events with its ids and its blocks, openings out of the own
 * copy. It pings nothing of its own, so that a silent primary is silence for the pages too.
 */
export class MarketHub implements Life {
  readonly epoch: string;
  readonly copy: MarketCopy;
  readonly #channel: SseChannel<StreamEvents>;
  readonly #greeting: Greeting;

  constructor(deps: MarketHubDeps, { epoch, firstSeq, streams, copy }: LifeOf) {
    this.epoch = epoch;
    this.copy = copy;
    const { clock } = deps;
    const channel = new SseChannel<StreamEvents>({ ...deps, epoch, firstSeq, streams, pingMs: null });
    const snapshots = new Snapshots({ read: () => copy.state(), channel, clock });
    this.#channel = channel;
    this.#greeting = marketGreeting(snapshots);
  }

  /** Answers GET /api/data/stream; to HEAD only with the headers. */
  open(request: Request): Response {
    return this.#channel.open(request, this.#greeting);
  }

  forward(seq: number | null, message: Message): void {
    this.#channel.forward(seq, message);
  }

  seq(): number {
    return this.#channel.seq();
  }

  /** Ends every stream; who comes back goes on where it was. */
  endAll(): void {
    this.#channel.endThose(() => true);
  }

  close(): void {
    this.#channel.close();
  }

  figures(): { pages: number; bytes: number } {
    const { clients, bytes } = this.#channel.stats();
    return { pages: clients, bytes };
  }

  /** How many streams each address has, of those that have at least so many. */
  addresses(least: number): Record<string, number> {
    return this.#channel.openStreams(least).addresses;
  }
}
