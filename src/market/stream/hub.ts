import type { Delta, Snapshot, StreamEvents, StreamMeta } from '../rules/stream.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { ChangeSet, Market } from '../types.ts';
import type { App } from '#platform/app.ts';
import type { Greeting } from '#platform/sse/answer.ts';
import {
  type ChannelStats,
  type ChannelStreams,
  SseChannel,
  type SseChannelDeps,
} from '#platform/sse/channel.ts';
import { marketGreeting, Snapshots, type State, wholeOf } from './snapshots.ts';

/** Smaller differences of the market's clock are not a jump, real ms. */
const CLOCK_TOLERANCE_MS = 250;

/** Meta members that a client can't derive, or null. Passing time does not count as a change. */
function metaChanges(before: StreamMeta | null, after: StreamMeta): Partial<StreamMeta> | null {
  if (!before) return after;
  const changed: Partial<StreamMeta> = {};
  if (before.stockCount !== after.stockCount) changed.stockCount = after.stockCount;
  if (before.dateToday !== after.dateToday) changed.dateToday = after.dateToday;
  if (!Bun.deepEquals(before.flags, after.flags)) changed.flags = after.flags;
  if (!Bun.deepEquals(before.feed, after.feed)) changed.feed = after.feed;
  for (const name of ['announcements', 'calendar', 'replay'] as const) {
    if (!Bun.deepEquals(before[name], after[name])) Object.assign(changed, { [name]: after[name] });
  }
  if (!Bun.deepEquals(before.closures, after.closures)) changed.closures = after.closures ?? [];
  if (before.clockSpeed !== after.clockSpeed) changed.clockSpeed = after.clockSpeed;
  if (wasMoved(before, after)) changed.marketTime = after.marketTime;
  return Object.keys(changed).length === 0 ? null : changed;
}

function wasMoved(before: StreamMeta, after: StreamMeta): boolean {
  const elapsed = after.marketTime - after.clockOffsetMs - (before.marketTime - before.clockOffsetMs);
  const expected = before.marketTime + elapsed * before.clockSpeed;
  return Math.abs(after.marketTime - expected) > CLOCK_TOLERANCE_MS * Math.max(1, before.clockSpeed);
}

const NO_FX: FxChange = { upsert: {}, delete: [], lastUpdated: null };

type FxChange = Delta['fx'];

export type StreamHubNeeds = Omit<SseChannelDeps, 'clock' | 'log'> & {
  market: Market;
  meta(): StreamMeta;
  fx?(): Snapshot['fx'];
};

export type StreamStats = ChannelStats & {
  snapshotsBuilt: number;
  snapshotBytes: number;
};

export type WholeMarket = { epoch: string; seq: number; state: State };

export class StreamHub {
  private readonly channel: SseChannel<StreamEvents>;
  private readonly snapshots: Snapshots;
  private readonly greeting: Greeting;
  private sentMeta: StreamMeta | null = null;
  private hasJumped = false;

  constructor(
    app: App,
    private readonly needs: StreamHubNeeds,
  ) {
    const { clock, log } = app;
    this.channel = new SseChannel<StreamEvents>({ ...needs, clock, log });
    this.snapshots = new Snapshots({
      read: () => this.state(this.snapshotMeta()),
      channel: this.channel,
      clock,
    });
    this.greeting = marketGreeting(this.snapshots);
  }

  open(request: Request): Response {
    return this.channel.open(request, this.greeting);
  }

  /**
   * Sends a tick: changes and changed meta members, or nothing.
   * @param fx calendar changes; already included in `StreamHubNeeds.fx`
   */
  publish(changes: ChangeSet | null, fx?: FxChange | null): void {
    const now = this.needs.meta();
    if (this.hasJumped) return this.sendWhole(now);
    const changed = metaChanges(this.sentMeta, now);
    if (!changes && !fx && !changed) return;
    this.sentMeta = now;
    const { stockCount, marketTime, clockOffsetMs } = now;
    this.channel.send('delta_update', {
      stocks: { upsert: changes?.upsert ?? {}, delete: changes?.delete ?? [] },
      meta: { stockCount, marketTime, clockOffsetMs, ...changed },
      fx: fx ?? NO_FX,
    });
  }

  readonly jump = (): void => {
    this.hasJumped = true;
  };

  clients(): number {
    return this.channel.stats().clients;
  }

  openStreams(least: number): ChannelStreams {
    return this.channel.openStreams(least);
  }

  get epoch(): string {
    return this.channel.epoch;
  }

  /** The whole state at the last event, for relays. They can read all later events. */
  whole(): WholeMarket {
    this.channel.beginAnew();
    const { stocks, ...state } = this.state(this.snapshotMeta());
    return {
      epoch: this.channel.epoch,
      seq: this.channel.seq(),
      state: { ...state, stocks: [...stocks] },
    };
  }

  /** Whether relays listen by the tap: pings then continue without local clients. */
  receivedElsewhere(isReceived: boolean): void {
    this.channel.receivedElsewhere(isReceived);
  }

  readonly inspect = (): Inspection<StreamStats> => ({
    label: 'Market stream',
    description: 'Open market streams, and the amount of data sent.',
    summary: this.stats(),
    data: () => ({ ...this.stats(), meta: this.sentMeta }),
  });

  readonly close = (): void => this.channel.close();

  private state(meta: StreamMeta): State {
    const fx = this.needs.fx?.() ?? { data: {}, lastUpdated: null };
    return { stocks: this.needs.market.flushed(), meta, fx };
  }

  /** The last sent meta, so later changes continue it; but with the current clock. */
  private snapshotMeta(): StreamMeta {
    const now = this.needs.meta();
    const { marketTime, clockOffsetMs } = now;
    return { ...(this.sentMeta ?? now), marketTime, clockOffsetMs };
  }

  private sendWhole(now: StreamMeta): void {
    this.sentMeta = now;
    this.hasJumped = false;
    this.channel.send('snapshot', wholeOf(this.state(now)));
  }

  private stats(): StreamStats {
    return {
      ...this.channel.stats(),
      snapshotsBuilt: this.snapshots.built(),
      snapshotBytes: this.snapshots.held(),
    };
  }
}
