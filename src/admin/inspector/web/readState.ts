import { isRecord } from '../../../lib/json.ts';
import { readCount, readList, readRecord, readText, readTime } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

export type Figure = number | string | boolean | null;
export type Stats = Record<string, Figure>;

/** A part of the server that can be looked into. */
export type StateSection = {
  key: string;
  label: string;
  description: string;
  type: string;
  stats: Stats;
  /** Why it could not be read; null when it could. */
  error: string | null;
};

export type StateSummary = { sections: StateSection[]; fetchedAt: number | null };

/** What a part holds. */
export type StateSnapshot = {
  type: string;
  description: string;
  summary: Stats;
  /** Anything that JSON can hold; undefined when the server did not say. */
  data: unknown;
  approxBytes: number | null;
  approxHumanSize: string;
  /** Epoch ms. */
  fetchedAt: number | null;
};

const isFigure = (value: unknown): value is Figure =>
  value === null || ['number', 'string', 'boolean'].includes(typeof value);

/** Figures by name; a text alone is one without a name. */
function readStats(value: unknown): Stats {
  const text = readText(value);
  if (text !== null && text !== '') return { '': text };
  return Object.fromEntries(
    Object.entries(readRecord(value)).map(([name, figure]) => [
      name,
      isFigure(figure) ? figure : (JSON.stringify(figure) ?? ''),
    ]),
  );
}

function readSection(value: unknown): StateSection | null {
  if (!isRecord(value)) return null;
  const key = readText(value.key);
  if (!key) return null;
  return {
    key,
    label: readText(value.label) || key,
    description: readText(value.description) ?? '',
    type: readText(value.type) ?? '',
    stats: readStats(value.stats),
    error: readText(value.error) || null,
  };
}

/** GET /admin/internal-state (specification 7.7). */
export function readSummary(body: unknown): StateSummary {
  const { sections, fetchedAt } = readAnswer(body);
  return { sections: readList(sections, readSection), fetchedAt: readTime(fetchedAt) };
}

/** GET /admin/internal-state/{key} (specification 7.7). */
export function readSnapshot(body: unknown): StateSnapshot {
  const { type, description, data, summary, approxBytes, approxHumanSize, fetchedAt } = readAnswer(body);
  return {
    type: readText(type) ?? '',
    description: readText(description) ?? '',
    summary: readStats(summary),
    data,
    approxBytes: readCount(approxBytes),
    approxHumanSize: readText(approxHumanSize) ?? '',
    fetchedAt: readTime(fetchedAt),
  };
}
