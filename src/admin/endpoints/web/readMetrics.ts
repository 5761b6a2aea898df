import { isRecord } from '../../../lib/json.ts';
import { readCount, readList, readText, readTime } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

/** Calls of one method to one endpoint on a day; what is not known is null. */
export type EndpointMetric = {
  method: string;
  endpoint: string;
  count: number | null;
  errors: number | null;
  averageMs: number | null;
  slowestMs: number | null;
  /** Epoch ms. */
  lastSuccessAt: number | null;
  lastError: string | null;
};

export type DayOfMetrics = {
  metrics: EndpointMetric[];
  /** YYYY-MM-DD, in Sydney; null when the server does not say it. */
  date: string | null;
  /** The days of which there are calls, newest first. */
  days: string[];
};

function readMetric(value: unknown): EndpointMetric | null {
  if (!isRecord(value)) return null;
  const endpoint = readText(value.endpoint);
  if (!endpoint) return null;
  return {
    method: readText(value.method) ?? '',
    endpoint,
    count: readCount(value.count),
    errors: readCount(value.errors),
    averageMs: readCount(value.averageMs),
    slowestMs: readCount(value.slowestMs),
    lastSuccessAt: readTime(value.lastSuccessAt),
    lastError: readText(value.lastError) || null,
  };
}

/** A day; some servers write it with a time behind it. */
const readDay = (value: unknown): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(readText(value) ?? '')?.[0] ?? null;

/** GET /admin/external-metrics (specification 7.7). */
export function readMetrics(body: unknown): DayOfMetrics {
  const { metrics, date, days } = readAnswer(body);
  return { metrics: readList(metrics, readMetric), date: readDay(date), days: readList(days, readDay) };
}
