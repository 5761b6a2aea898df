import { textPdf } from './pdf.ts';
import { createHeldRequests, faultyAnswer, type ServerFault } from './serverFaults.ts';

export type AsxItem = {
  symbol: string;
  headline: string;
  date: string;
  documentKey: string;
  isPriceSensitive: boolean;
  announcementTypes: string[];
  url: string;
};

/** A fault of the server until it is cleared. */
export type AsxFault =
  | ServerFault
  | { kind: 'empty' }
  /** Other member names than the known ones. */
  | { kind: 'otherShape' }
  /** Pages after this one fail. */
  | { kind: 'failsAfterPage'; page: number }
  /** Returns the first page for every request. */
  | { kind: 'ignoresPage' }
  | { kind: 'oldestFirst' }
  /** Only every n-th announcement. */
  | { kind: 'sparse'; every: number }
  /** A copy of the list at that time, epoch ms. */
  | { kind: 'stale'; at: number };

const PATH = '/asx-research/1.0/';
const MAX_PER_PAGE = 100;
const HTML = 'Request unsuccessful. Incapsula incident ID';

const byNewest = (a: AsxItem, b: AsxItem): number => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0);

function marketPage(listed: readonly AsxItem[], query: URLSearchParams, fault: AsxFault): unknown {
  const page = fault.kind === 'ignoresPage' ? 0 : Number(query.get('page'));
  const size = Math.min(Number(query.get('itemsPerPage')) || 25, MAX_PER_PAGE);
  const ordered = fault.kind === 'oldestFirst' ? [...listed].reverse() : listed;
  const kept = fault.kind === 'sparse' ? ordered.filter((_, at) => at % fault.every === 0) : ordered;
  const items = fault.kind === 'empty' ? [] : kept.slice(page * size, (page + 1) * size);
  const date = query.get('summaryCountsDate');
  const priceSensitive = listed.filter(
    (item) => item.date.slice(0, 10) === date && item.isPriceSensitive,
  ).length;
  const data = {
    count: Math.min(listed.length, 10_000),
    items,
    facets: {},
    summaryCounts: { priceSensitive },
  };
  return fault.kind === 'otherShape' ? { result: { announcements: items } } : { data };
}

function companyList(listed: readonly AsxItem[], code: string): Response {
  const own = listed.filter(({ symbol }) => symbol === code);
  if (own.length === 0) return new Response('{"error":{"code":404}}', { status: 404 });
  const items = own.slice(0, 5).map(({ announcementTypes, date, documentKey, headline, ...item }) => ({
    announcementType: (announcementTypes[0] ?? '').toUpperCase(),
    date,
    documentKey,
    fileSize: '16KB',
    headline,
    isPriceSensitive: item.isPriceSensitive,
    url: '',
  }));
  return Response.json({ data: { displayName: code, issueType: 'CS', symbol: code, xid: '1', items } });
}

function faulty(fault: AsxFault, page: number): Response | null {
  if (fault.kind === 'failsAfterPage' && page > fault.page) return new Response('no', { status: 502 });
  return faultyAnswer(fault, HTML);
}

/**
 * Starts the exchange’s announcement server on a free port of 127.0.0.1: the market’s list in pages, the list of a company, and documents. An
 * announcement is listed from its date on.
 * @param options.now the test’s clock, epoch ms
 */
export function startFakeAsx(options: { items?: readonly AsxItem[]; now: () => number }) {
  const items = new Map((options.items ?? []).map((item) => [item.documentKey, item]));
  const requests: { path: string; page: number; headers: Headers }[] = [];
  const held = createHeldRequests();
  let fault: AsxFault = { kind: 'none' };
  let afterPage: (page: number) => void = () => undefined;
  let sorted: AsxItem[] | null = null;
  /** The last answer for the newest page, because a day of polls requests it thousands of times. */
  let first = { key: '', body: '' };

  const listed = (): AsxItem[] => {
    sorted ??= [...items.values()].sort(byNewest);
    const until = new Date(fault.kind === 'stale' ? fault.at : options.now()).toISOString();
    return sorted.filter(({ date }) => date <= until);
  };
  const market = (url: URL): Response => {
    const now = listed();
    const page = (): string => JSON.stringify(marketPage(now, url.searchParams, fault));
    const key = `${url.search} ${now.length}`;
    if (fault.kind !== 'none' || sorted === null) return new Response(page());
    if (first.key !== key) first = { key, body: page() };
    return new Response(first.body);
  };
  const answer = (url: URL): Response => {
    const path = url.pathname.slice(PATH.length);
    const company = /^companies\/([A-Z0-9]{1,6})\/announcements$/.exec(path)?.[1];
    if (path === 'markets/announcements') return market(url);
    if (company !== undefined) return companyList(listed(), company);
    const document = items.get(path.slice('file/'.length));
    if (!path.startsWith('file/') || !document) return new Response('Not found', { status: 404 });
    return new Response(textPdf([document.headline]), { headers: { 'content-type': 'application/pdf' } });
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(PATH)) return new Response('Not found', { status: 404 });
      const page = Number(url.searchParams.get('page'));
      requests.push({ path: url.pathname, page, headers: request.headers });
      if (fault.kind === 'hang') await held.hold();
      const response = faulty(fault, page) ?? answer(url);
      afterPage(page);
      return response;
    },
  });
  const changed = (): void => {
    sorted = null;
    first.key = '';
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    setFault(next: AsxFault): void {
      fault = next;
      held.release();
    },
    add(...more: AsxItem[]): void {
      for (const item of more) items.set(item.documentKey, item);
      changed();
    },
    withdraw(documentKey: string): void {
      items.delete(documentKey);
      changed();
    },
    correct(documentKey: string, change: Partial<AsxItem>): void {
      const item = items.get(documentKey);
      if (!item) throw new Error(`There is no announcement ${documentKey}.`);
      items.delete(documentKey);
      items.set(change.documentKey ?? documentKey, { ...item, ...change });
      changed();
    },
    /** Is called after each answered page, to change the list while it is being read. */
    onPage: (after: (page: number) => void) => void (afterPage = after),
    async stop(): Promise<void> {
      held.release();
      await server.stop(true);
    },
  };
}
