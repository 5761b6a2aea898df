import { createLog } from '#lib/log.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Delta, Snapshot, StreamEvents, StreamMeta } from '#market/rules/stream.ts';
import { marketGreeting, Snapshots, type State, wholeOf } from '#market/stream/snapshots.ts';
import { SseChannel } from '#platform/sse/channel.ts';
import { pack, packEvent } from '#platform/sse/message.ts';
import { type RelayMessage, type Position, PROTOCOL } from '#src/relays/redis/relayMessage.ts';
import type { Redis } from '#src/relays/redis/types.ts';
import { aStock } from './aStock.ts';

const META: StreamMeta = {
  stockCount: 0,
  dateToday: '2026-11-18',
  flags: { ignoreStatus: false },
  feed: { name: 'hand', label: 'By hand', delayMinutes: 0, lastUpdate: null, healthy: true, problem: null },
  announcements: null,
  calendar: null,
  marketTime: 1_795_000_000_000,
  clockOffsetMs: 0,
  clockSpeed: 1,
};

const NO_FX: Delta['fx'] = { upsert: {}, delete: [], lastUpdated: null };

export type HandPrimaryOptions = {
  epoch?: string;
  run?: number;
  version?: string;
  protocol?: number;
  streams?: { all: number; perAddress: number };
};

/** A primary controlled by the test: its channel, messages and snapshots, with its own pages. */
export function createHandPrimary(
  engine: Pick<Redis, 'publish' | 'keepSnapshot'>,
  options: HandPrimaryOptions = {},
) {
  const { epoch = 'e1', run = 1, version = '0.0.0', protocol = PROTOCOL } = options;
  const { streams = { all: 1000, perAddress: 100 } } = options;
  const position: Position = { run, number: 0 };
  const stocks = new Map<string, Stock>();
  let meta = META;
  let isLost = false;
  let sending: Promise<unknown> = Promise.resolve();

  const publish = (frame: RelayMessage): void => {
    if (isLost) return;
    position.number += 1;
    const placed = { position: { ...position }, relayMessage: frame };
    sending = Promise.all([sending, engine.publish(placed)]);
  };
  const clock = { now: () => meta.marketTime - meta.clockOffsetMs, monotonic: () => performance.now() };
  const channel = new SseChannel<StreamEvents>({
    clock,
    epoch,
    log: createLog(() => undefined),
    cutOff: () => {},
    pingMs: null,
    tap: {
      everybody: (seq, { place, reach, block }) =>
        publish({ kind: 'market', epoch, seq, place: place ?? 0, reach, block }),
      audience: () => {},
      closing: () => publish({ kind: 'closing' }),
    },
  });
  const state = (): State => ({ stocks: stocks.values(), meta, fx: { data: {}, lastUpdated: null } });
  const greeting = marketGreeting(new Snapshots({ read: state, channel, clock }));

  return {
    channel,
    position,
    /** A stream of its own to compare with. */
    open: (request: Request): Response => channel.open(request, greeting),
    /** Publishes changes of stocks. */
    tick(changes: Record<string, Partial<Stock>> = {}, ms = 1000): void {
      const upsert: Snapshot['stocks'] = {};
      for (const [code, change] of Object.entries(changes)) {
        const before = stocks.get(code);
        const after = before ? { ...before, ...change } : aStock({ code, ...change });
        stocks.set(code, after);
        upsert[code] = before ? change : after;
      }
      meta = { ...meta, stockCount: stocks.size, marketTime: meta.marketTime + ms };
      const { stockCount, marketTime, clockOffsetMs } = meta;
      channel.send('delta_update', {
        stocks: { upsert, delete: [] },
        meta: { stockCount, marketTime, clockOffsetMs },
        fx: NO_FX,
      });
    },
    audience: (audience: string, event: string, id: string | null, data: unknown): void =>
      publish({ kind: 'audience', audience, block: packEvent(event, id, data).block }),
    publish,
    /** Drops the next message: its number is skipped. */
    skip: (): void => void (position.number += 1),
    /** Messages sent in the meantime do not reach Redis. */
    lose(say: () => void): void {
      isLost = true;
      say();
      isLost = false;
    },
    nextRun(): void {
      Object.assign(position, { run: position.run + 1, number: 0 });
    },
    async keep(): Promise<void> {
      channel.beginAnew();
      await engine.keepSnapshot({
        protocol,
        version,
        commit: 'test',
        position: { ...position },
        epoch,
        seq: channel.seq(),
        streams,
        packed: pack(Buffer.from(JSON.stringify(wholeOf(state())))),
      });
    },
    /** Resolves when Redis has all messages. */
    sent: () => sending,
    state: () => wholeOf(state()),
  };
}

export type HandPrimary = ReturnType<typeof createHandPrimary>;
