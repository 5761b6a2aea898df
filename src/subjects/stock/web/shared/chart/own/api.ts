import type { Known } from '../../../../../../lib/contract/fields.ts';
import { dayEventsAnswer } from '../../../../../../market/auctions/rules/dayEventsAnswer.ts';
import type { ChartMark } from '../../../../../../market/bars/rules/chart.ts';
import { api, unwrap } from '../../../../../../../web/api/client.ts';
import { readerOf } from '../../../../../../../web/api/readerOf.ts';
import { searchAnswer } from '../../../../../announcements/answers/news.ts';
import type { Headline } from '../../../../../announcements/web/shared/api.ts';
import {
  type ChartedAlert,
  type OwnCall,
  readChartedAlerts,
  readOpenCalls,
  readTriggerMarks,
} from './readOwn.ts';

/** As many as the server gives at once. */
const MAX_HEADLINES = 50;
/** Alerts of a symbol whose triggers are asked for, those that fired. */
const MAX_FIRED = 5;

/** How a stock's day went. */
export type DayEvents = Known<typeof dayEventsAnswer>;

/** How a stock's day went. @throws ApiError with the server's sentence */
export const fetchDayEvents = (symbol: string): Promise<DayEvents> =>
  unwrap(api.data['day-events'].get({ query: { symbol } }), readerOf(dayEventsAnswer));

/** The newest announcements of a stock, those of earlier days too; for who is signed in. */
export async function fetchHeadlines(symbol: string): Promise<Headline[]> {
  const pending = api.data.news.search.get({ query: { symbol, limit: MAX_HEADLINES } });
  return (await unwrap(pending, readerOf(searchAnswer))).announcements;
}

/** The signed-in user's calls that are not over. */
export const fetchOpenCalls = async (): Promise<OwnCall[]> =>
  readOpenCalls(await unwrap(api.calls.mine.get()));

/** The signed-in user's alerts on a stock and when they fired on this source of prices. */
export async function fetchAlertMarks(
  symbol: string,
  source: string | null,
): Promise<{ alerts: ChartedAlert[]; marks: ChartMark[] }> {
  const alerts = readChartedAlerts(await unwrap(api.alerts.get({ query: { symbol } })));
  const fired = alerts.filter(({ hasFired }) => hasFired).slice(0, MAX_FIRED);
  const marks = await Promise.all(
    fired.map(async ({ id, name }) =>
      readTriggerMarks(name, source)(await unwrap(api.alerts({ id }).triggers.get())),
    ),
  );
  return { alerts, marks: marks.flat() };
}
