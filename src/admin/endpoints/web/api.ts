import { api, unwrap } from '../../../../web/api/client.ts';
import { type DayOfMetrics, readMetrics } from './readMetrics.ts';

/** Calls to other servers. @param date YYYY-MM-DD; today in Sydney when null */
export const fetchMetrics = (date: string | null): Promise<DayOfMetrics> =>
  unwrap(api.admin['external-metrics'].get({ query: date === null ? {} : { date } }), readMetrics);
