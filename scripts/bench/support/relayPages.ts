import type { Socket } from 'bun';
import { createPageReader, type PageEvent, type PageReader } from './pageStream.ts';
import { preciseNow, serveParent } from './pinned.ts';

/** Orders to a process that holds many pages, which come back as browsers do. */
export type PagesOrder =
  /** @param ports where they come back when their stream ends; one is taken at random, and the next while nobody is there */
  | { do: 'join'; count: number; ports: number[] }
  | { do: 'move'; ports: number[] }
  | { do: 'arm' }
  /** @param reference when a page that was first read each event, epoch ms by `<epoch>-<seq>` */
  | { do: 'report'; reference: Record<string, number> }
  | { do: 'leave' };

export type PagesState = {
  pages: number;
  /** Those that are on a stream and were given everything up to now. */
  open: number;
  /** Pages with every event of the reference since `arm`, without a gap and without having to begin again. */
  complete: number;
  /** Events that were missing, that came twice, and whose text was not that of others, since `arm`. */
  gaps: number;
  doubles: number;
  wrong: number;
  /** Pages that were given a whole snapshot since `arm`. */
  again: number;
  /** Pages whose stream ended since `arm`; those of them that are back; how long the last of them was away, ms. */
  lost: number;
  back: number;
  longestAway: number;
  /** Until when some page could claim to be live after its last word, epoch ms. */
  liveUntil: number;
  bytes: number;
  /** After the reference, ms, sorted. */
  latencies: Float64Array;
};

const BATCH = 50;
/** What the stream tells a browser to wait after a loss, and what a page waits that was refused, at least. */
const RETRY_MS = 3000;
const REFUSED_MS = 1000;
/** A page that heard nothing for so long claims nothing. */
const DOUBT_MS = 5000;
/** Pages have addresses of their own, as behind a proxy: of one address only some are opened at once. */
const addressOf = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

type Page = {
  address: string;
  ports: number[];
  reader: PageReader;
  socket: Socket<Page> | null;
  id: { epoch: string; seq: number } | null;
  heardAt: number;
  /** When its stream ended; null while it has one that spoke. */
  lostAt: number | null;
  retryMs: number;
  failures: number;
  /** Since `arm`. */
  since: {
    seq: number;
    gaps: number;
    doubles: number;
    again: number;
    lost: number;
    away: number;
    liveUntil: number;
  };
};

const pages: Page[] = [];
const texts = new Map<string, number | bigint>();
const arrivals = new Map<string, number[]>();
let bytes = 0;
let wrong = 0;
let isLeaving = false;

const freshSince = (seq: number): Page['since'] => ({
  seq,
  gaps: 0,
  doubles: 0,
  again: 0,
  lost: 0,
  away: 0,
  liveUntil: 0,
});

function heard(page: Page, event: PageEvent): void {
  const now = preciseNow();
  page.heardAt = now;
  page.failures = 0;
  if (event.reconnectMs !== null) page.retryMs = event.reconnectMs;
  else if (page.lostAt !== null) {
    page.since.away = Math.max(page.since.away, now - page.lostAt);
    page.lostAt = null;
  }
  const { id, name, hash } = event;
  if (!id || name === 'ping' || name === 'closing' || name === 'retry') return;
  const key = `${id.epoch}-${id.seq}`;
  if (name === 'snapshot') page.since.again += 1;
  else if (page.id?.epoch !== id.epoch || id.seq > page.id.seq + 1) page.since.gaps += 1;
  else if (id.seq <= page.id.seq) page.since.doubles += 1;
  page.id = id;
  if (name === 'snapshot') return;
  const known = texts.get(key);
  if (known === undefined) texts.set(key, hash);
  else if (known !== hash) wrong += 1;
  const times = arrivals.get(key);
  if (times) times.push(now);
  else arrivals.set(key, [now]);
}

function lose(page: Page): void {
  if (isLeaving || !page.socket) return;
  const now = preciseNow();
  const wasRefused = page.reader.status !== null && page.reader.status !== 200;
  page.socket = null;
  if (page.lostAt === null) {
    page.since.lost += 1;
    page.since.liveUntil = Math.max(page.since.liveUntil, Math.min(now, page.heardAt + DOUBT_MS));
    page.lostAt = now;
  }
  const wait = wasRefused ? refusedMs(page) : page.retryMs;
  setTimeout(() => void open(page), wait);
}

function refusedMs(page: Page): number {
  const longest = Math.min(30_000, REFUSED_MS * 2 ** page.failures);
  page.failures += 1;
  return longest * (0.5 + Math.random() / 2);
}

/** Opens the page's stream wherever somebody is; else later. */
async function open(page: Page): Promise<void> {
  const { ports, id } = page;
  const from = Math.floor(Math.random() * ports.length);
  const last = id ? `last-event-id: ${id.epoch}-${id.seq}\r\n` : '';
  for (let turn = 0; turn < ports.length && !isLeaving; turn += 1) {
    try {
      page.reader = createPageReader((event) => heard(page, event));
      const socket = await Bun.connect<Page>({
        hostname: '127.0.0.1',
        port: ports[(from + turn) % ports.length] ?? 0,
        data: page,
        socket: { data: take, close: ended, error: ended },
      });
      page.socket = socket;
      socket.write(
        `GET /api/data/stream HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\nx-forwarded-for: ${page.address}\r\n${last}\r\n`,
      );
      return;
    } catch {
      // Nobody is there: the next, as a proxy would do.
    }
  }
  if (!isLeaving) setTimeout(() => void open(page), refusedMs(page));
}

function take(socket: Socket<Page>, piece: Buffer): void {
  const page = socket.data;
  if (page.socket !== socket) return;
  bytes += piece.byteLength;
  page.reader.take(piece);
  const { status, isOver } = page.reader;
  if (!isOver && (status === null || status === 200)) return;
  lose(page);
  socket.end();
}

function ended(socket: Socket<Page>): void {
  if (socket.data.socket === socket) lose(socket.data);
}

async function join(ports: number[]): Promise<void> {
  const page: Page = {
    address: addressOf((process.pid << 16) + pages.length),
    ports,
    socket: null,
    id: null,
    heardAt: 0,
    lostAt: preciseNow(),
    retryMs: RETRY_MS,
    failures: 0,
    reader: createPageReader(() => {}),
    since: freshSince(0),
  };
  pages.push(page);
  await open(page);
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 240 && pages.some((page) => page.id === null); turn += 1) await Bun.sleep(250);
}

function arm(): void {
  bytes = 0;
  wrong = 0;
  arrivals.clear();
  for (const page of pages) page.since = freshSince(page.id?.seq ?? 0);
}

/** Whether a page was given all of the reference, and nothing else, since `arm`. */
function hasAll({ since, id, lostAt }: Page, first: number, last: number): boolean {
  const isWhole = since.gaps + since.doubles + since.again === 0 && lostAt === null;
  return isWhole && since.seq < first && id !== null && id.seq >= last;
}

const total = (value: (page: Page) => number): number => pages.reduce((sum, page) => sum + value(page), 0);
const most = (value: (page: Page) => number): number =>
  pages.reduce((max, page) => Math.max(max, value(page)), 0);

function report(reference: Record<string, number>): PagesState {
  const seqs = Object.keys(reference).map((key) => Number(key.slice(key.lastIndexOf('-') + 1)));
  const latencies = Object.entries(reference).flatMap(([key, at]) =>
    (arrivals.get(key) ?? []).map((arrival) => arrival - at),
  );
  const isOpen = (page: Page): boolean => page.lostAt === null && page.socket !== null;
  return {
    pages: pages.length,
    open: pages.filter(isOpen).length,
    complete: pages.filter((page) => hasAll(page, Math.min(...seqs), Math.max(...seqs))).length,
    gaps: total(({ since }) => since.gaps),
    doubles: total(({ since }) => since.doubles),
    wrong,
    again: pages.filter(({ since }) => since.again > 0).length,
    lost: pages.filter(({ since }) => since.lost > 0).length,
    back: pages.filter((page) => page.since.lost > 0 && isOpen(page)).length,
    longestAway: most(({ since }) => since.away),
    liveUntil: most((page) => (page.lostAt === null ? page.heardAt + DOUBT_MS : page.since.liveUntil)),
    bytes,
    latencies: Float64Array.from(latencies).sort(),
  };
}

async function leave(): Promise<void> {
  isLeaving = true;
  for (const { socket } of pages.splice(0)) socket?.end();
  await Bun.sleep(1000);
  isLeaving = false;
}

serveParent<PagesOrder, PagesState>(async (order) => {
  if (order.do === 'join') {
    for (let left = order.count; left > 0; left -= BATCH) {
      await Promise.all(Array.from({ length: Math.min(BATCH, left) }, () => join(order.ports)));
    }
    await settled();
  } else if (order.do === 'move') {
    for (const page of pages) page.ports = order.ports;
  } else if (order.do === 'arm') arm();
  else if (order.do === 'leave') await leave();
  return report(order.do === 'report' ? order.reference : {});
});
