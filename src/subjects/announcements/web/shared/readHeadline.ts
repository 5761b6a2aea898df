import { readBoolean, readIsoTime, readRecord, readText } from '../../../../lib/read.ts';

/** An announcement that a search found. */
export type Headline = {
  id: string;
  /** Upper case. */
  code: string;
  headline: string;
  url: string | null;
  /** ISO 8601; '' when it is not known. */
  time: string;
  isPriceSensitive: boolean;
};

/** @returns null for what has no code or no headline */
export function readHeadline(value: unknown): Headline | null {
  const given = readRecord(value);
  const code = readText(given.code)?.trim().toUpperCase();
  const headline = readText(given.headline)?.trim();
  if (!code || !headline) return null;
  return {
    id: readText(given.id) ?? `${code} ${headline}`,
    code,
    headline,
    url: readText(given.url),
    time: readIsoTime(given.time) ?? '',
    isPriceSensitive: readBoolean(given.isPriceSensitive) ?? false,
  };
}
