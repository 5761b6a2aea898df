import { DAY_MS } from '#lib/units.ts';
import type { Config } from '../config/config.ts';
import { bad, doubtful, type CheckResult, good } from '../lib/checkResult.ts';
import type { Probe } from '../lib/httpClient/probe.ts';
import { parseJson } from '../lib/json.ts';
import { withoutEndSlashes } from '../lib/text.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { marketPage, readAnswer as readAsx } from './announcements/asx/item.ts';
import { eventsRequest, readAnswer as readFxStreet } from './calendar/fxstreet/fetchEvents.ts';
import { buildScanRequest, readAnswer as readScanRows } from './quotes/tradingview/scan.ts';
import { SCREENER_COLUMNS } from './quotes/tradingview/columns.ts';

const ROWS = 20;
const CHANGED_FORM = 'Update Bellbird. If there is no newer version, report the problem.';

const changed = (what: string, reason: string, who = what): CheckResult =>
  bad(what, `${who} ${reason}.`, CHANGED_FORM);
const bodyOf = (text: string): unknown => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : null;
};

function readScan(text: string, cookie: string | null): CheckResult {
  const what = 'TradingView';
  const answer = readScanRows(text, SCREENER_COLUMNS.length);
  if (answer.kind === 'unusable') return changed(what, answer.reason);
  const mode = SCREENER_COLUMNS.indexOf('update_mode');
  const isLive = answer.rows.some(({ d }) => d[mode] === 'streaming');
  if (cookie !== null && !isLive) {
    return doubtful(
      what,
      'TradingView answers, but its prices are delayed although a cookie is set.',
      'Log in to TradingView again and set BELLBIRD_TRADINGVIEW_COOKIE to the new cookie. The account needs a subscription to ASX data.',
    );
  }
  return good(what, `TradingView answers with ${isLive ? 'live' : 'delayed'} prices.`);
}

const scanProbe = ({ url, cookie }: Config['tradingview']): Probe => ({
  what: 'TradingView',
  tries: `Asks for ${ROWS} stocks, ${cookie === null ? 'without a cookie' : 'with the cookie'}.`,
  request: buildScanRequest({ url, cookie, columns: SCREENER_COLUMNS, timeoutMs: 15_000, rows: ROWS }),
  read: (text) => readScan(text, cookie),
  whenRefused: (status) =>
    cookie !== null && (status === 401 || status === 403)
      ? 'The cookie may have expired. Log in to TradingView again and set BELLBIRD_TRADINGVIEW_COOKIE to the new one.'
      : null,
});

const asxProbe = (url: string, now: number): Probe => ({
  what: 'ASX announcements',
  tries: 'Asks for today’s newest announcements.',
  who: 'ASX',
  request: marketPage(url, 0, sydneyDate(now)),
  read: (text) => {
    const answer = readAsx(bodyOf(text), { base: url, code: null, now });
    return answer.kind === 'unusable'
      ? changed('ASX announcements', answer.reason, 'ASX')
      : good('ASX announcements', `ASX answers with ${answer.items.length} announcements.`);
  },
});

const fxStreetProbe = (url: string, now: number): Probe => ({
  what: 'FXStreet',
  tries: 'Asks for the events of yesterday and today.',
  request: eventsRequest(url, { from: now - DAY_MS, until: now + DAY_MS }),
  read: (text) => {
    const answer = readFxStreet(bodyOf(text));
    return answer.kind === 'unusable'
      ? changed('FXStreet', answer.reason)
      : good('FXStreet', `FXStreet answers with ${answer.events.length} events for two days.`);
  },
});

/** Only connects to the address, because the file may be downloaded just once an hour. */
const weeklyFileProbe = (url: string): Probe => ({
  what: 'ForexFactory',
  tries: 'Asks whether the server answers. Does not download its file.',
  request: {
    method: 'GET',
    url: `${withoutEndSlashes(url.trim())}/`,
    endpoint: 'forexfactory/',
    timeoutMs: 15_000,
    maxBytes: 64 * 1024,
  },
  read: () => good('ForexFactory', 'ForexFactory can be reached. It is used only if FXStreet fails.'),
  anyAnswer: true,
});

export function sourceProbes(config: Config, now: number): Probe[] {
  const { feed, tradingview, news, calendar } = config;
  return [
    ...(feed === 'tradingview' ? [scanProbe(tradingview)] : []),
    ...(news.source === 'asx' ? [asxProbe(news.asxUrl, now)] : []),
    ...(calendar.source === 'fxstreet'
      ? [fxStreetProbe(calendar.fxstreetUrl, now), weeklyFileProbe(calendar.forexFactoryUrl)]
      : []),
  ];
}
