import { type ReactNode, useMemo, useState } from 'react';
import { compareNames } from '#lib/unicode.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import type { AlertRow } from './alertRows.ts';

const ALL = 'all';
const NONE = 'none';
/** So that no group is called as one of the others. */
const idOf = (group: string): string => `group ${group}`;

/** The groups of alerts, and the rows of the one that is chosen. */
export function useGroups(all: readonly AlertRow[]) {
  const [chosen, choose] = useState<string>(ALL);
  const names = useMemo(
    () => [...new Set(all.map(({ group }) => group))].filter((name) => name !== '').sort(compareNames),
    [all],
  );
  // Of a group that is gone all are shown.
  const isThere = chosen === NONE || names.some((name) => idOf(name) === chosen);
  const shown = isThere && names.length > 0 ? chosen : ALL;
  const rows = useMemo(
    () =>
      shown === ALL
        ? all
        : all.filter(({ group }) => (shown === NONE ? group === '' : idOf(group) === shown)),
    [all, shown],
  );
  return { names, rows, shown, choose };
}

/** Shows the alerts of one group; there only where there are groups. */
export function GroupFilter({ names, shown, choose }: ReturnType<typeof useGroups>): ReactNode {
  if (names.length === 0) return null;
  const options = [
    { id: ALL, label: 'All groups' },
    ...names.map((name) => ({ id: idOf(name), label: name })),
    { id: NONE, label: 'Without a group' },
  ];
  return <NativeSelect label="Group" value={shown} options={options} onChoose={choose} />;
}
