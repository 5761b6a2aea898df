import { type ReactNode, useMemo } from 'react';
import type { Logic } from '../../../conditions/rules/condition.ts';
import { logicText } from '../../../conditions/rules/logicText.ts';
import type { Catalog } from '../../../../market/indicators/rules/types.ts';
import './ScanWords.css';

type ScanWordsProps = { logic: Logic; catalog: Catalog | null };

/** The scan that filters, in words; in one line, the whole of it as its tooltip. */
export function ScanWords({ logic, catalog }: ScanWordsProps): ReactNode {
  const text = useMemo(() => logicText(logic, catalog), [logic, catalog]);
  return (
    <p className="scan-words" title={text}>
      {text}
    </p>
  );
}
