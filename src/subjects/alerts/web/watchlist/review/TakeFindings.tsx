import type { ReactNode } from 'react';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import type { TakenColumn } from '#ui/table/types.ts';
import type { FindingShown } from './api.ts';
import { KIND_TITLES } from './words.ts';

const TAKEN: readonly TakenColumn<FindingShown>[] = [
  { label: 'Kind', value: ({ kind }) => KIND_TITLES[kind] },
  { label: 'Alerts', value: ({ alerts }) => alerts.map(({ called }) => called).join(', ') },
  { label: 'Finding', value: ({ text }) => text },
];

/** Copies or saves what is to be looked at, a row a finding. */
export const TakeFindings = ({ findings }: { findings: readonly FindingShown[] }): ReactNode => (
  <TakeButton label="Review of alerts" columns={TAKEN} rows={() => findings} />
);

/** In the place of what is done with many, where there is one finding alone. */
export const OneFinding = ({ findings }: { findings: readonly FindingShown[] }): ReactNode => (
  <div className="review-many row">
    <span className="muted">1 to look at</span>
    <TakeFindings findings={findings} />
  </div>
);
