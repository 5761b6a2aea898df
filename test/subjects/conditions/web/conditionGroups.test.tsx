import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { type Condition, MAX_CONDITIONS } from '../../../../src/subjects/conditions/rules/condition.ts';
import {
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { ConditionEditor } from '../../../../src/subjects/conditions/web/shared/ConditionEditor.tsx';
import { forgetCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import { aStock } from '../../../support/aStock.ts';
import { findings } from '../../../support/axe.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const over = (value: number): Condition => ({
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: { type: 'number', value },
});
const MARKET: ReadonlyMap<string, Stock> = new Map(
  ['Energy', 'Materials', 'Energy', null].map((sector, index) => {
    const code = `S${index}`;
    return [code, aStock({ code, sector, last: index })];
  }),
);

let server: ReturnType<typeof fakeApi>;
let edited: readonly DraftCondition[];

beforeEach(() => {
  server = fakeApi({ ...CATALOGS });
  forgetCatalogs();
  edited = [newCondition([])];
});
afterEach(() => server.restore());

function Screen({ wrong = null }: { wrong?: string | null }) {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
      conditions={conditions}
      stocks={MARKET}
      showsProblems={false}
      wrong={wrong}
      onChange={(next) => {
        edited = next;
        setConditions(next);
      }}
    />
  );
}
const start = (...members: (Condition | readonly Condition[])[]) => {
  edited = draftOf({
    op: 'AND',
    conditions: members.map((member) =>
      'op' in member ? member : { op: 'OR' as const, conditions: [...member] },
    ),
  });
  render(<Screen />);
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const click = (name: string) => userEvent.click(button(name));
const item = (name: string) => within(screen.getByRole('listitem', { name }));
const focused = () => document.activeElement?.getAttribute('aria-label');

describe('groups', () => {
  test('are added, named and filled by keyboard alone', async () => {
    start(over(1));
    button('Add group (any of)').focus();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement === item('Condition 2').getByLabelText('Value')).toBe(true);
    await userEvent.selectOptions(item('Condition 2').getByLabelText('Compared with'), 'Number');
    await userEvent.type(item('Condition 2').getByLabelText('Number'), '2');
    button('Add condition to group 1').focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.selectOptions(item('Condition 3').getByLabelText('Compared with'), 'Number');
    await userEvent.type(item('Condition 3').getByLabelText('Number'), '3');
    expect(logicOf(edited).conditions).toEqual([over(1), { op: 'OR', conditions: [over(2), over(3)] }]);
    const group = item('Any of group 1');
    expect(group.getByRole('list', { name: 'Conditions of group 1, any of which must hold' })).toBeDefined();
    expect(group.getAllByRole('listitem')).toHaveLength(2);
    expect(await findings(document.body)).toEqual([]);
  });

  test('go with their last condition, or at once', async () => {
    start(over(1), [over(2)], [over(3), over(4)]);
    await click('Remove Condition 2');
    expect(logicOf(edited).conditions).toEqual([over(1), { op: 'OR', conditions: [over(3), over(4)] }]);
    await click('Remove group 1');
    expect(logicOf(edited).conditions).toEqual([over(1)]);
  });

  test('mark the side that the server refused', () => {
    edited = draftOf({ op: 'AND', conditions: [over(1), { op: 'OR', conditions: [over(2), over(3)] }] });
    render(<Screen wrong="logic.conditions[1].conditions[1].rhs.value" />);
    const marked = (name: string) => item(name).getByLabelText('Compared with').getAttribute('aria-invalid');
    expect([marked('Condition 1'), marked('Condition 2'), marked('Condition 3')]).toEqual([
      null,
      null,
      'true',
    ]);
  });

  test('are bounded with a sentence', async () => {
    start(...Array.from({ length: MAX_CONDITIONS }, (_, index) => over(index)));
    await click('Add condition');
    expect(screen.getByText(`A scan has at most ${MAX_CONDITIONS} conditions.`)).toBeDefined();
    expect(edited).toHaveLength(MAX_CONDITIONS);
  });
});

describe('the focus', () => {
  test('goes to the next condition after a removal, then to Add condition', async () => {
    start(over(1), over(2), over(3));
    await click('Remove Condition 2');
    expect(focused()).toBe('Remove Condition 2');
    await click('Remove Condition 2');
    expect(document.activeElement === button('Add condition')).toBe(true);
    await click('Add condition');
    expect(document.activeElement === item('Condition 2').getByLabelText('Value')).toBe(true);
  });

  test('stays with a condition that is moved, also at the end of its way', async () => {
    start(over(1), over(2), over(3));
    await click('Move Condition 1 down');
    expect(focused()).toBe('Move Condition 2 down');
    await click('Move Condition 2 down');
    expect(focused()).toBe('Move Condition 3 up');
  });
});

describe('a number', () => {
  const box = () => screen.getByLabelText<HTMLInputElement>('Number');

  test.each([
    ['100k', 100_000, '= 100,000'],
    ['1.5M', 1_500_000, '= 1,500,000'],
    ['250,000', 250_000, null],
    ['2 b', 2e9, '= 2,000,000,000'],
  ])('%s is understood, and said', async (text, value, said) => {
    start(over(1));
    await userEvent.clear(box());
    await userEvent.type(box(), text);
    expect(edited[0]?.rhs).toEqual({ type: 'number', value });
    if (said) expect(screen.getByText(said).id).toBe(box().getAttribute('aria-describedby') ?? '');
    await userEvent.tab();
    expect(box().value).toBe(String(value));
  });

  test('nonsense stays, and is explained', async () => {
    start(over(1));
    await userEvent.clear(box());
    await userEvent.type(box(), '5 apples');
    await userEvent.tab();
    expect(box().value).toBe('5 apples');
    expect(box().getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(/“5 apples” is not a number\. Write it like/)).toBeDefined();
    expect(logicOf(edited).conditions).toEqual([]);
  });

  test('arrows step it', async () => {
    start(over(1));
    box().focus();
    await userEvent.keyboard('{ArrowUp}{PageUp}');
    expect(edited[0]?.rhs).toEqual({ type: 'number', value: 12 });
  });
});

test('the sector is chosen from those in the market, and counted', async () => {
  start(over(1));
  await userEvent.selectOptions(screen.getByLabelText('Value'), 'Sector');
  const sectors = screen.getByLabelText<HTMLSelectElement>('Sectors');
  expect([...sectors.options].map(({ text }) => text)).toEqual(['Select sector', 'Energy', 'Materials']);
  expect([...screen.getByLabelText<HTMLSelectElement>('Comparison').options].map(({ text }) => text)).toEqual(
    ['= is one of', '≠ is none of'],
  );
  expect(screen.getByText('Choose at least one sector.')).toBeDefined();
  await userEvent.selectOptions(sectors, 'Energy');
  expect(screen.getByText('2 stocks meet this alone')).toBeDefined();
  await userEvent.selectOptions(screen.getByLabelText('Comparison'), '≠ is none of');
  expect(screen.getByText('1 stock meets this alone')).toBeDefined();
  expect(await findings(document.body)).toEqual([]);
  await click('Remove Energy');
  expect(document.activeElement === sectors).toBe(true);
  expect(edited[0]?.rhs).toEqual({ type: 'text', values: [] });
});

test('the fields beside the catalogue are found in the picker too, the sector on the left side only', async () => {
  start(over(1));
  await userEvent.selectOptions(screen.getByLabelText('Value'), 'Add indicator…');
  await userEvent.type(await screen.findByRole('searchbox'), 'since open{Enter}');
  expect(edited[0]?.lhs).toEqual({ type: 'field', key: 'minutes_since_open' });
  await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Add indicator…');
  await userEvent.type(await screen.findByRole('searchbox'), 'sector');
  expect(await screen.findByText('No matches found')).toBeDefined();
});
