import type { SystemClock } from '#lib/clock.ts';
import { failureText, type HttpClient } from '#lib/httpClient/client.ts';
import type { Log } from '#lib/log.ts';
import { readNumber } from '#lib/read.ts';
import { HOUR_MS, MINUTE_MS } from '#lib/units.ts';
import { OVERNIGHT_IDS, type OvernightFigure, type OvernightId } from '#market/rules/overnight.ts';
import { readAnswer, scanRequest } from './scan.ts';

const TICKERS: Readonly<Record<OvernightId, string>> = {
  spi: 'ASX24:AP1!',
  spx: 'SP:SPX',
  xjo: 'ASX:XJO',
  ironOre: 'SGX:FEF1!',
  gold: 'TVC:GOLD',
  oil: 'TVC:UKOIL',
  aud: 'FX_IDC:AUDUSD',
};

const COLUMNS = ['close', 'change'];
const TIMEOUT_MS = 15_000;
/** Time between two requests, also after a failure. */
const EVERY_MS = 5 * MINUTE_MS;
/** Older figures are of another night, or the platform no longer sends them. */
const KEPT_MS = 2 * HOUR_MS;

const BODY = JSON.stringify({
  symbols: { query: { types: [] }, tickers: Object.values(TICKERS) },
  columns: COLUMNS,
});

/**
 * Reads the figures of an answer. Unknown tickers and those without a price or a change are left out.
 * @param time epoch ms
 * @returns null if the answer is unusable
 */
export function readOvernight(text: string, time: number): OvernightFigure[] | null {
  const answer = readAnswer(text, COLUMNS.length);
  if (answer.kind === 'unusable') return null;
  const cells = new Map(answer.rows.map(({ s, d }) => [s, d]));
  return OVERNIGHT_IDS.flatMap((id) => {
    const [last, change] = (cells.get(TICKERS[id]) ?? []).map(readNumber);
    return change == null || last == null || last <= 0 ? [] : [{ id, last, change, time }];
  });
}

/** The figures of other markets, loaded on use, so that an idle server requests nothing. */
export function createOvernight(options: {
  url: string;
  cookie: string | null;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
}) {
  const { wall, log, http } = options;
  const stopped = new AbortController();
  let known: { figures: readonly OvernightFigure[]; at: number } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;

  async function load(): Promise<void> {
    const request = scanRequest('global', { ...options, timeoutMs: TIMEOUT_MS }, BODY);
    const outcome = await http.text({ ...request, signal: stopped.signal });
    const figures = outcome.kind === 'ok' ? readOvernight(outcome.body, wall.now()) : null;
    if (figures) known = { figures, at: wall.monotonic() };
    else if (!hasFailed && !stopped.signal.aborted) {
      const reason = outcome.kind === 'ok' ? 'sent data in an unknown format' : failureText(outcome);
      log.warn(`Figures of other markets are missing: TradingView ${reason}`);
    }
    hasFailed = figures === null;
  }

  return {
    figures(): readonly OvernightFigure[] {
      const now = wall.monotonic();
      if (now - askedAt >= EVERY_MS && !stopped.signal.aborted) {
        askedAt = now;
        void load();
      }
      return known !== null && now - known.at < KEPT_MS ? known.figures : [];
    },
    stop: () => stopped.abort(),
  };
}
