import type { Family, FieldOption } from './types.ts';
import { wordsOf } from '#lib/text.ts';
import { compareNames } from '#lib/unicode.ts';

export type PickItem = { id: string; label: string; detail: string; reason: string | null } & (
  | { kind: 'family'; family: Family }
  | { kind: 'htf' }
  | { kind: 'field'; key: string }
);

export type PickGroup = { title: string; items: PickItem[] };

export type PickSource = {
  indicators: Readonly<Record<string, Family>>;
  unavailable: readonly string[];
  fields: readonly FieldOption[];
  /** Columns that other tables have too, by id; listed first. */
  columns?: readonly FieldOption[] | undefined;
  custom: { label: string; fullName: string } | null;
};

const NO_VALUES = 'Not available from the current data source';

const byLabel = (a: PickItem, b: PickItem): number =>
  Number(a.reason !== null) - Number(b.reason !== null) || compareNames(a.label, b.label);

function familyItems({ indicators, unavailable }: PickSource): PickItem[] {
  const without = new Set(unavailable);
  return Object.values(indicators)
    .map((family): PickItem => {
      const { familySlug, label, fullName } = family;
      const reason = without.has(familySlug) ? NO_VALUES : null;
      return { kind: 'family', id: `family:${familySlug}`, label, detail: fullName, reason, family };
    })
    .sort(byLabel);
}

/** How well an item matches: 0 as a whole, 1 at its start, 2 at a word's start, 3 anywhere; or null. */
function rank(item: PickItem, words: readonly string[]): number | null {
  const label = item.label.toLowerCase();
  const text = `${label} ${item.detail.toLowerCase()} ${item.id}`;
  if (!words.every((word) => text.includes(word))) return null;
  if (label === words.join(' ')) return 0;
  if (words[0] !== undefined && label.startsWith(words[0])) return 1;
  const starts = text.split(/[^a-z\d]/);
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 2 : 3;
}

const fieldItem = ({ key, label }: FieldOption, detail: string): PickItem => ({
  kind: 'field',
  id: `field:${key}`,
  key,
  label,
  detail,
  reason: null,
});

const found = (items: readonly PickItem[], words: readonly string[]): PickItem[] =>
  items
    .flatMap((item) => {
      const fit = rank(item, words);
      return fit === null ? [] : [{ item, order: fit + (item.reason === null ? 0 : 10) }];
    })
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

/**
 * The picker's groups (specification, section 2.9). Available items first, then by name or by match. Empty
 * groups are dropped.
 * @param query words that must all appear in the label, the full name or the key; '' shows everything
 */
export function pickGroups(source: PickSource, query: string): PickGroup[] {
  const { custom, fields, columns = [] } = source;
  const words = wordsOf(query.toLowerCase());
  const groups: PickGroup[] = [
    { title: 'Columns', items: columns.map((one) => fieldItem(one, one.label)) },
    { title: 'Charting-platform indicators', items: familyItems(source) },
    {
      title: 'Custom indicators',
      items: custom
        ? [
            {
              kind: 'htf',
              id: 'custom:htf_candle',
              label: custom.label,
              detail: custom.fullName,
              reason: null,
            },
          ]
        : [],
    },
    {
      title: 'Broker fields',
      items: fields.map((one) => fieldItem(one, one.key)),
    },
  ];
  return groups
    .map(({ title, items }) => ({ title, items: words.length === 0 ? items : found(items, words) }))
    .filter(({ items }) => items.length > 0);
}
