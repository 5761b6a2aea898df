import type { Outcome, Note, TransferKindName } from './kind.ts';

type Words = { label: string; one: string; many: string };

const KIND_WORDS: Readonly<Record<TransferKindName, Words>> = {
  columns: { label: 'Columns', one: 'table', many: 'tables' },
  indicators: { label: 'Indicators of the custom scanner', one: 'list', many: 'lists' },
  scans: { label: 'Scans', one: 'scan', many: 'scans' },
  watchlists: { label: 'Watchlists', one: 'entry', many: 'entries' },
  alerts: { label: 'Alerts', one: 'alert', many: 'alerts' },
  scanAlerts: { label: 'Scan alerts', one: 'scan alert', many: 'scan alerts' },
  odds: { label: 'Saved odds', one: 'scan', many: 'scans' },
  chartLevels: { label: 'Levels in charts', one: 'stock', many: 'stocks' },
  follows: { label: 'Followed submitters and muted stocks', one: 'entry', many: 'entries' },
  preferences: { label: 'Preferences', one: 'choice', many: 'choices' },
  quietHours: { label: 'Quiet hours', one: 'setting', many: 'settings' },
};

export const kindLabel = (kind: TransferKindName): string => KIND_WORDS[kind].label;

const sum = (all: readonly Note[]): number => all.reduce((total, { count }) => total + count, 0);

export type KindPreview = Outcome & { kind: TransferKindName; found: number; isChosen: boolean };

/** The outcome of a kind: '12 alerts: 9 new, 2 unchanged, 1 left out', '1 scan: new', '4 entries: all unchanged'. */
export function kindText({ kind, found, isChosen, added, changed, same, leftOut }: KindPreview): string {
  const { one, many } = KIND_WORDS[kind];
  const things = `${found} ${found === 1 ? one : many}`;
  if (!isChosen) return `${things}, not imported`;
  const counts = [
    [added, 'new'],
    [changed, 'changed'],
    [same, 'unchanged'],
    [sum(leftOut), 'left out'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  if (parts.length === 0) return `${things}, nothing to import`;
  const [only] = counts.flatMap(([count, word]) => (count === found ? word : []));
  if (only !== undefined) return `${things}: ${found === 1 ? '' : 'all '}${only}`;
  return `${things}: ${parts.join(', ')}`;
}

export function namesText({ names, count }: Note): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more.` : `${names.join(', ')}.`;
}

/** Why the calls of a file are not imported; null if it has none. */
export function callsText(calls: number): string | null {
  if (calls === 0) return null;
  const stay =
    calls === 1 ? '1 call in the file is not imported' : `${calls} calls in the file are not imported`;
  return `${stay}: a call counts only from the moment it was posted.`;
}

export const importedCount = (kinds: readonly KindPreview[]): number =>
  kinds.reduce((total, { added, changed }) => total + added + changed, 0);
