import type { ChosenScan } from '#subjects/odds/answers/odds.ts';
import { ODDS_PATH } from '../router/routes.ts';

export type OddsSubject = {
  scan: ChosenScan;
  /** What the variants are counted for: 'scan:1'; omit if the scan says it. */
  subject?: string;
  /** The name of conditions that have none in `scan`. */
  name?: string;
};

/** The address of the odds of a scan. Everything is in it, so that a reload, a new tab and a shared link work. */
export function oddsPath({ scan, subject, name }: OddsSubject): string {
  const query = new URLSearchParams({ scan: JSON.stringify(scan) });
  if (subject !== undefined) query.set('subject', subject);
  if (name !== undefined) query.set('name', name);
  return `${ODDS_PATH}?${query}`;
}
