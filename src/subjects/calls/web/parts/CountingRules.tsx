import type { ReactNode } from 'react';
import { Disclosure } from '#ui/Disclosure.tsx';
import { RANK_RULE, VERIFIED_RULE } from '#subjects/calls/rules/rankBounds.ts';

/** How results and ranks come about, folded. */
export const CountingRules = (): ReactNode => (
  <Disclosure label="How results are counted">
    <div className="stack prose muted">
      <p>{VERIFIED_RULE}</p>
      <p>{RANK_RULE}</p>
    </div>
  </Disclosure>
);
