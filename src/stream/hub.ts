import type { Delta, Snapshot, StreamMeta } from '../domain/market/stream.ts';
import { acceptsGzip } from '../lib/acceptEncoding.ts';
import type { Log } from '../lib/log.ts';
import type { ChangeSet, Market } from '../market/types.ts';
import type { Clock } from '../lib/clock.ts';
import { type BrokerLimits, type BrokerStats, createBroker, type Opening } from './broker.ts';
import { metaChanges } from './metaChanges.ts';
import { packEvent } from './packEvent.ts';
import { createResumeRing, type ResumeLimits } from './resume.ts';
import { createSnapshots } from './snapshots.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  vary: 'accept-encoding',
};

const STOPPING = 'The server is stopping. Try again shortly.';
const PING_MS = 10_000;
const LIMITS: BrokerLimits = { waitingBytes: 1 << 20, fullMs: 60_000, openingMs: 400 };
const RESUME: ResumeLimits = { bytes: 2 << 20, ageMs: 120_000 };
const NO_FX: FxChange = { upsert: {}, delete: [], lastUpdated: null };

type FxChange = Delta['fx'];

export type StreamHubDeps = {
  market: Pick<Market, 'flushed'>;
  /** The meta of now (see `createMeta`). */
  meta(): StreamMeta;
  /** The server's wall clock. */
  clock: Clock;
  log: Log;
  /** Ends the connection of a request whose client does not read: `server.timeout(request, 1)`. */
  cutOff(request: Request): void;
  /** The calendar's events; none until that feature gives them. */
  fx?(): Snapshot['fx'];
  /** Differs for every run, so that ids of an earlier run are not resumed. */
  epoch?: string;
  pingMs?: number;
  limits?: BrokerLimits;
  resume?: ResumeLimits;
};

export type StreamStats = BrokerStats & { seq: number; resumeBytes: number; snapshotsBuilt: number };

export type StreamHub = {
  /** Answers GET /data/stream; to HEAD only with the headers. */
  open(request: Request): Response;
  /**
   * Sends a tick to everybody: what changed, and the meta members that did. Sends nothing when neither changed,
   * so it can be called on every tick. Give it to the tick as a listener.
   */
  publish(changes: ChangeSet | null, fx?: FxChange): void;
  clients(): number;
  stats(): StreamStats;
  /** Ends every stream; later ones are refused with 503. */
  close(): void;
};

/** The market's stream: encodes and compresses a change once, whatever the number of clients. */
export function createStreamHub(deps: StreamHubDeps): StreamHub {
  const { clock, meta, log } = deps;
  const ring = createResumeRing(deps.epoch ?? crypto.randomUUID().slice(0, 8), deps.resume ?? RESUME);
  const fxState = deps.fx ?? (() => ({ data: {}, lastUpdated: null }));
  let seq = 0;
  let sentMeta: StreamMeta | null = null;
  let pings: ReturnType<typeof setInterval> | undefined;
  let closed = false;

  const snapshots = createSnapshots({
    read: () => ({ stocks: deps.market.flushed(), meta: snapshotMeta(), fx: fxState() }),
    seq: () => seq,
    ring,
    clock,
  });

  const broker = createBroker({
    clock,
    log,
    limits: deps.limits ?? LIMITS,
    cutOff: deps.cutOff,
    busy(busy) {
      clearInterval(pings);
      pings = busy ? setInterval(ping, deps.pingMs ?? PING_MS) : undefined;
    },
  });

  /** As last sent, so that later changes lead on from it; but with the clock of now. */
  function snapshotMeta(): StreamMeta {
    const now = meta();
    const { marketTime, clockOffsetMs } = now;
    return { ...(sentMeta ?? now), marketTime, clockOffsetMs };
  }

  function ping(): void {
    broker.publish(packEvent('ping', ring.idOf(seq), { time: clock.now() }));
  }

  function send(delta: Delta): void {
    seq += 1;
    const block = packEvent('delta_update', ring.idOf(seq), delta);
    ring.add(seq, block, clock.now());
    broker.publish(block);
  }

  /** What a client that was here before has missed; null when it needs a snapshot. */
  function missed(request: Request): Uint8Array[] | null {
    const id = request.headers.get('last-event-id') || new URL(request.url).searchParams.get('lastEventId');
    const last = id ? ring.read(id) : null;
    return last === null ? null : ring.after(last);
  }

  /** The missed deltas, else a snapshot: in parts for our own page, whose first rows shall show soon. */
  function opening(request: Request): ReturnType<Opening> {
    const deltas = missed(request);
    if (deltas) return { blocks: deltas, next: null };
    if (new URL(request.url).searchParams.get('parts') !== '1') {
      return { blocks: snapshots.whole(), next: null };
    }
    const { first, later } = snapshots.parts();
    return { blocks: first, next: () => ({ blocks: later(), next: null }) };
  }

  return {
    open(request) {
      if (closed) return Response.json({ error: STOPPING }, { status: 503 });
      const gzip = acceptsGzip(request.headers.get('accept-encoding'));
      const headers = gzip ? { ...HEADERS, 'content-encoding': 'gzip' } : HEADERS;
      // A body, which nobody would read, is waited for to its end to learn its length.
      if (request.method === 'HEAD') return new Response(null, { headers });
      const body = broker.open(request, gzip, () => opening(request), snapshots.whole);
      return new Response(body, { headers });
    },
    publish(changes, fx) {
      const now = meta();
      const changed = metaChanges(sentMeta, now);
      if (!changes && !fx && !changed) return;
      sentMeta = now;
      send({
        stocks: { upsert: changes?.upsert ?? {}, delete: changes?.delete ?? [] },
        meta: {
          stockCount: now.stockCount,
          marketTime: now.marketTime,
          clockOffsetMs: now.clockOffsetMs,
          ...changed,
        },
        fx: fx ?? { ...NO_FX, lastUpdated: fxState().lastUpdated },
      });
    },
    clients: () => broker.stats().clients,
    stats: () => ({ ...broker.stats(), seq, resumeBytes: ring.bytes(), snapshotsBuilt: snapshots.built() }),
    close() {
      closed = true;
      broker.close();
    },
  };
}
