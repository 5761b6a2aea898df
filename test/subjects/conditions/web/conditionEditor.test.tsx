import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { Condition } from '../../../../src/subjects/conditions/rules/condition.ts';
import {
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import type { Ref } from '../../../../src/subjects/conditions/rules/operand.ts';
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
let picked: Ref[];

beforeEach(() => {
  server = fakeApi({ ...CATALOGS });
  forgetCatalogs();
  edited = [newCondition([])];
  picked = [];
});
afterEach(() => server.restore());

/** A screen that holds the list, as every caller of the editor does. */
function Screen(given: { stocks?: ReadonlyMap<string, Stock>; wrong?: string }) {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
      {...given}
      conditions={conditions}
      showsProblems={false}
      onChange={(next) => {
        edited = next;
        setConditions(next);
      }}
      onIndicatorsPicked={(indicators) => picked.push(...indicators)}
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
  render(<Screen stocks={MARKET} />);
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const click = (name: string) => userEvent.click(button(name));
const item = (name: string) => within(screen.getByRole('listitem', { name }));
const focused = () => document.activeElement?.getAttribute('aria-label');

test('adds, changes, moves and removes conditions, and hands over the list each time', async () => {
  render(<Screen />);
  await userEvent.selectOptions(item('Condition 1').getByLabelText('Compared with'), 'Number');
  await userEvent.type(item('Condition 1').getByLabelText('Number'), '2');
  await click('Add condition');
  await userEvent.selectOptions(item('Condition 2').getByLabelText('Value'), 'Volume');
  await userEvent.selectOptions(item('Condition 2').getByLabelText('Comparison'), 'crosses above');
  await userEvent.selectOptions(item('Condition 2').getByLabelText('Compared with'), 'Open');
  const crossing = {
    lhs: { type: 'field', key: 'volume' },
    op: 'crosses_above',
    rhs: { type: 'field', key: 'open' },
  } as const;
  expect(logicOf(edited).conditions).toEqual([over(2), crossing]);
  await click('Move Condition 2 up');
  expect(logicOf(edited).conditions).toEqual([crossing, over(2)]);
  await click('Remove Condition 1');
  expect(logicOf(edited).conditions).toEqual([over(2)]);
  expect(await findings(document.body)).toEqual([]);
});

test('without a market it counts nothing; with one it counts each condition, live', async () => {
  const view = render(<Screen />);
  await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Open');
  expect(screen.queryByText(/this alone/)).toBeNull();
  const market = new Map([
    ['AAA', aStock({ code: 'AAA', last: 2, open: 1 })],
    ['BBB', aStock({ code: 'BBB', last: 1, open: 2 })],
  ]);
  view.rerender(<Screen stocks={market} />);
  expect(screen.getByText('1 stock meets this alone')).toBeDefined();
  view.rerender(<Screen stocks={new Map([...market, ['BBB', aStock({ code: 'BBB', last: 3, open: 2 })]])} />);
  expect(screen.getByText('2 stocks meet this alone')).toBeDefined();
});

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
