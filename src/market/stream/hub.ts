import type { Delta, Snapshot, StreamEvents, StreamMeta } from '../rules/stream.ts';
import { SCANNER_KEYS } from '../../subjects/scanners/rules/scanners.ts';
import type { Inspection } from '../../lib/inspection.ts';
import type { ChangeSet, Market } from '../types.ts';
import type { Core } from '../../part.ts';
import type { Greeting } from '../../platform/sse/answer.ts';
import { type ChannelStats, createSseChannel, type SseChannelDeps } from '../../platform/sse/channel.ts';
import type { OpeningStep } from '../../platform/sse/client.ts';
import { metaChanges } from './metaChanges.ts';
import { wholeOf } from './snapshot.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';

const NO_FX: FxChange = { upsert: {}, delete: [], lastUpdated: null };

type FxChange = Delta['fx'];

export type StreamHubNeeds = Omit<SseChannelDeps, 'clock' | 'log'> & {
  market: Pick<Market, 'flushed'>;
  /** The meta of now (see `createMeta`). */
  meta(): StreamMeta;
  /** The calendar's events as clients were told of them so far; none when absent. */
  fx?(): Snapshot['fx'];
};

export type StreamStats = ChannelStats & {
  snapshotsBuilt: number;
  /** Of the snapshots that clients have not read yet. */
  snapshotBytes: number;
};

export type StreamHub = {
  /** Answers GET /data/stream; to HEAD only with the headers. */
  open(request: Request): Response;
  /**
   * Sends a tick to everybody: what changed, and the meta members that did. Sends nothing when neither changed,
   * so it can be called on every tick.
   * @param fx what changed in the calendar; `StreamHubNeeds.fx` gives it already
   */
  publish(changes: ChangeSet | null, fx?: FxChange | null): void;
  /** The market was taken to another moment: the next `publish` sends everybody the whole of it. */
  jump(): void;
  clients(): number;
  inspect(): Inspection<StreamStats>;
  /** Ends every stream; later ones are refused with 503. */
  close(): void;
};

/** A snapshot: in parts for our own page, whose first rows shall show soon; it may name the scanner that it begins with. */
function opening(request: Request, snapshots: Snapshots): OpeningStep {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('parts') !== '1') return snapshots.whole();
  const named = searchParams.get('scanner');
  return snapshots.parts(SCANNER_KEYS.find((key) => key === named) ?? null);
}

/** The market's stream: encodes and compresses a change once, whatever the number of clients. */
export function createStreamHub(core: Pick<Core, 'clock' | 'log'>, needs: StreamHubNeeds): StreamHub {
  const { market, meta, ...more } = needs;
  const { clock, log } = core;
  const channel = createSseChannel<StreamEvents>({ ...more, clock, log });
  const fxState = needs.fx ?? (() => ({ data: {}, lastUpdated: null }));
  let sentMeta: StreamMeta | null = null;
  let hasJumped = false;

  /** As last sent, so that later changes lead on from it; but with the clock of now. */
  function snapshotMeta(): StreamMeta {
    const now = meta();
    const { marketTime, clockOffsetMs } = now;
    return { ...(sentMeta ?? now), marketTime, clockOffsetMs };
  }

  const snapshots = createSnapshots({
    read: () => ({ stocks: market.flushed(), meta: snapshotMeta(), fx: fxState() }),
    channel,
    clock,
  });
  const greeting: Greeting = {
    opening: (request) => opening(request, snapshots),
    refresh: snapshots.whole,
  };
  const stats = (): StreamStats => ({
    ...channel.stats(),
    snapshotsBuilt: snapshots.built(),
    snapshotBytes: snapshots.held(),
  });

  /** A snapshot takes the place of all that clients know, also of what they have collected over time. */
  function sendWhole(now: StreamMeta): void {
    sentMeta = now;
    hasJumped = false;
    channel.send('snapshot', wholeOf({ stocks: market.flushed(), meta: now, fx: fxState() }));
  }

  return {
    open: (request) => channel.open(request, greeting),
    publish(changes, fx) {
      const now = meta();
      if (hasJumped) return sendWhole(now);
      const changed = metaChanges(sentMeta, now);
      if (!changes && !fx && !changed) return;
      sentMeta = now;
      const { stockCount, marketTime, clockOffsetMs } = now;
      channel.send('delta_update', {
        stocks: { upsert: changes?.upsert ?? {}, delete: changes?.delete ?? [] },
        meta: { stockCount, marketTime, clockOffsetMs, ...changed },
        fx: fx ?? NO_FX,
      });
    },
    jump() {
      hasJumped = true;
    },
    clients: () => channel.stats().clients,
    inspect: () => ({
      label: 'Market stream',
      description: 'Browsers that listen to the market, and what was sent to them.',
      summary: stats(),
      data: () => ({ ...stats(), meta: sentMeta }),
    }),
    close: channel.close,
  };
}
