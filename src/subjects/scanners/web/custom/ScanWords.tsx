import { type ReactNode, useMemo } from 'react';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { type ScanLists, scanListsText } from '#subjects/conditions/rules/scanLists.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import './ScanWords.css';

type ScanWordsProps = { logic: Logic; lists: ScanLists | null; catalog: Catalog | null };

/** The scan that filters, in words; in one line, the whole of it as its tooltip. */
export function ScanWords({ logic, lists, catalog }: ScanWordsProps): ReactNode {
  const conditions = useMemo(() => logicText(logic, catalog), [logic, catalog]);
  const text = lists === null ? conditions : `Only ${scanListsText(lists)}: ${conditions}`;
  return (
    <p className="scan-words" title={text}>
      {text}
    </p>
  );
}
