import { beforeEach, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ALERT_LOGIC, type Condition, SCAN_LOGIC } from '#subjects/conditions/rules/condition.ts';
import { type DraftCondition, draftOf, logicOf, newCondition } from '#subjects/conditions/rules/draft.ts';
import { ConditionEditor } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { forgetCatalogs } from '#web/shared/indicators/catalog.ts';
import { aStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { CATALOGS } from '#support/catalogs.ts';
import { pageApi } from '#support/fakeApi.ts';

const LABEL = 'Price-Sensitive Announcement Today';
const asks = (op: Condition['op'], value: number): Condition => ({
  lhs: { type: 'field', key: 'sensitive_today' },
  op,
  rhs: { type: 'number', value },
});
const MARKET = new Map(
  [1, 0, null].map((count, index) => [
    `S${index}`,
    aStock({ code: `S${index}`, sensitiveAnnouncements: count }),
  ]),
);

pageApi(() => ({ ...CATALOGS }));
let edited: readonly DraftCondition[];
beforeEach(() => forgetCatalogs());

function Screen({ kind }: { kind: typeof SCAN_LOGIC }) {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
      conditions={conditions}
      kind={kind}
      stocks={MARKET}
      showsProblems={false}
      onChange={(next) => {
        edited = next;
        setConditions(next);
      }}
    />
  );
}
const edit = (conditions: Condition[], kind = SCAN_LOGIC) => {
  edited = conditions.length === 0 ? [newCondition([])] : draftOf({ op: 'AND', conditions });
  render(<Screen kind={kind} />);
};
const box = (name: string) => screen.queryByRole<HTMLSelectElement>('combobox', { name });
const choose = (name: string, label: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name }), label);

test.each([SCAN_LOGIC, ALERT_LOGIC])(
  'a condition on a price-sensitive announcement is answered with yes or no: %o',
  async (kind) => {
    edit([], kind);
    await choose('Value', LABEL);
    expect([box('Comparison'), box('Compared with'), box('Answer')?.value]).toEqual([null, null, 'yes']);
    expect(logicOf(edited).conditions).toEqual([asks('==', 1)]);
    expect(screen.getByText('1 stock meets this condition')).toBeTruthy();
    await choose('Answer', 'No');
    expect(logicOf(edited).conditions).toEqual([asks('==', 0)]);
    expect(screen.getByText('2 stocks meet this condition')).toBeTruthy();
    expect(await results(document.body)).toEqual([]);
    await choose('Value', 'Last');
    expect(edited.map(({ op, rhs }) => [op, rhs])).toEqual([['>', null]]);
    const offered = within(screen.getByRole('combobox', { name: 'Compared with' }));
    expect(offered.queryByRole('option', { name: LABEL })).toBeNull();
    if (kind === SCAN_LOGIC) {
      await choose('Value', 'Sector');
      await choose('Value', LABEL);
      expect(logicOf(edited).conditions).toEqual([asks('==', 1)]);
    }
  },
);
