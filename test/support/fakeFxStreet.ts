import { createHeldRequests, faultyAnswer, type ServerFault } from './serverFaults.ts';

/** An event as FXStreet sends it; omitted members have typical values. */
export type FxItem = { id: string; dateUtc: string; name: string } & Record<string, unknown>;

/** An event of the weekly file. */
export type WeekItem = {
  title: string;
  country: string;
  date: string;
  impact: string;
  forecast: string;
  previous: string;
};

/** A fault of the server until it is cleared. */
export type CalendarFault =
  | ServerFault
  | { kind: 'empty' }
  /** In an envelope, or with other member names. */
  | { kind: 'otherShape' }
  | { kind: 'otherNames' }
  /** Only every n-th event. */
  | { kind: 'sparse'; every: number };

type SeenRequest = { at: number; path: string; query: URLSearchParams; headers: Headers };

const EVENT_DATES = /^\/en\/api\/v[12]\/eventDates\/([^/]{1,40})\/([^/]{1,40})$/;
const HTML = 'Attention Required!';

/** An event with every member that the provider sends. */
export const fxItem = (item: FxItem): FxItem => ({
  eventId: `series-${item.id}`,
  periodDateUtc: null,
  periodType: null,
  actual: null,
  revised: null,
  consensus: null,
  ratioDeviation: null,
  previous: null,
  isBetterThanExpected: null,
  countryCode: 'AU',
  currencyCode: 'AUD',
  unit: null,
  potency: 'ZERO',
  volatility: 'LOW',
  isAllDay: false,
  isTentative: false,
  isPreliminary: false,
  isReport: false,
  isSpeech: false,
  lastUpdated: 0,
  previousIsPreliminary: false,
  ...item,
});

function shaped(items: readonly Record<string, unknown>[], fault: CalendarFault): Response {
  if (fault.kind === 'empty') return Response.json([]);
  if (fault.kind === 'otherShape') return Response.json({ events: items });
  if (fault.kind === 'otherNames') return Response.json(items.map((item) => ({ key: item['id'] })));
  if (fault.kind === 'sparse') return Response.json(items.filter((_, at) => at % fault.every === 0));
  return Response.json(items);
}

/** Refuses as the provider does: no referer 401, a list with commas 404. */
function eventDates(url: URL, headers: Headers, items: readonly FxItem[], fault: CalendarFault): Response {
  if (!headers.get('referer')?.startsWith('https://www.fxstreet.com'))
    return new Response('', { status: 401 });
  const [, from = '', to = ''] = EVENT_DATES.exec(url.pathname) ?? [];
  const volatilities = url.searchParams.getAll('volatilities');
  const countries = url.searchParams.getAll('countries');
  if ([...volatilities, ...countries].some((value) => value.includes(','))) {
    return new Response('', { status: 404 });
  }
  if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)))
    return new Response('', { status: 400 });
  const answered = items.filter(
    (item) =>
      Date.parse(item.dateUtc) >= Date.parse(from) &&
      Date.parse(item.dateUtc) < Date.parse(to) &&
      volatilities.includes(String(item['volatility'])) &&
      countries.includes(String(item['countryCode'])),
  );
  return shaped(answered, fault);
}

/** Starts FXStreet’s calendar and the weekly file of ForexFactory on one free port of 127.0.0.1. @param options.now the test’s clock, epoch ms */
export function startFakeFxStreet(options: {
  items?: readonly FxItem[];
  week?: readonly WeekItem[];
  now: () => number;
}) {
  const items = new Map((options.items ?? []).map((item) => [item.id, fxItem(item)]));
  const later: { time: number; item: FxItem }[] = [];
  const week = options.week ?? [];
  const requests: SeenRequest[] = [];
  const weekRequests: SeenRequest[] = [];
  const held = createHeldRequests();
  let fault: CalendarFault = { kind: 'none' };
  let weekFault: CalendarFault = { kind: 'none' };

  const put = (item: FxItem): void => void items.set(item.id, fxItem({ ...items.get(item.id), ...item }));
  const settle = (): void => {
    for (const { item } of later.filter(({ time }) => time <= options.now())) put(item);
    later.splice(0, later.length, ...later.filter(({ time }) => time > options.now()));
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const { searchParams: query, pathname: path } = url;
      const isWeek = path === '/ff_calendar_thisweek.json';
      if (!isWeek && !EVENT_DATES.test(path)) return new Response('Not found', { status: 404 });
      const seen = { at: options.now(), path, query, headers: request.headers };
      (isWeek ? weekRequests : requests).push(seen);
      const wrong = isWeek ? weekFault : fault;
      if (wrong.kind === 'hang') await held.hold();
      settle();
      const answer = (): Response =>
        isWeek ? shaped(week, weekFault) : eventDates(url, request.headers, [...items.values()], fault);
      return faultyAnswer(wrong, HTML) ?? answer();
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Requests to FXStreet with their time on the test’s clock, and fetches of the weekly file. */
    requests,
    weekRequests,
    setFault(next: CalendarFault): void {
      fault = next;
      held.release();
    },
    setWeekFault(next: CalendarFault): void {
      weekFault = next;
      held.release();
    },
    put: (...more: FxItem[]) => more.forEach(put),
    remove: (id: string) => void items.delete(id),
    /** Runs a change at a moment of the test’s clock, epoch ms. */
    putAt: (time: number, item: FxItem) => void later.push({ time, item }),
    async stop(): Promise<void> {
      held.release();
      await server.stop(true);
    },
  };
}
