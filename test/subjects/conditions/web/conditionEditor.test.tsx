import { afterEach, beforeEach, expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import {
  type DraftCondition,
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
import type { Ref } from '../../../../src/subjects/conditions/rules/operand.ts';

const EMA: Ref = {
  type: 'indicator',
  family: 'ema',
  params: { length: '20' },
  tf: 'D',
  key: 'ema_20',
  valueKey: 'now',
};

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

type Given = { stocks?: ReadonlyMap<string, Stock>; indicators?: readonly Ref[]; showsProblems?: boolean };

/** A screen that holds the list, as every caller of the editor does. */
function Screen({ showsProblems = false, ...given }: Given) {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
      {...given}
      conditions={conditions}
      showsProblems={showsProblems}
      onChange={(next) => {
        edited = next;
        setConditions(next);
      }}
      onIndicatorsPicked={(indicators) => picked.push(...indicators)}
    />
  );
}

const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const row = (number: number) => within(screen.getByRole('listitem', { name: `Condition ${number}` }));
const optionsOf = (label: string) =>
  [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);

test('adds, changes, moves and removes conditions, and hands over the list each time', async () => {
  render(<Screen />);
  await userEvent.selectOptions(row(1).getByLabelText('Compared with'), 'Number');
  await userEvent.type(row(1).getByLabelText('Number'), '2');
  await click('Add condition');
  await userEvent.selectOptions(row(2).getByLabelText('Value'), 'Volume');
  await userEvent.selectOptions(row(2).getByLabelText('Comparison'), 'crosses above');
  await userEvent.selectOptions(row(2).getByLabelText('Compared with'), 'Open');
  const overTwo = {
    lhs: { type: 'field', key: 'last' },
    op: '>',
    rhs: { type: 'number', value: 2 },
  } as const;
  const crossing = {
    lhs: { type: 'field', key: 'volume' },
    op: 'crosses_above',
    rhs: { type: 'field', key: 'open' },
  } as const;
  expect(logicOf(edited).conditions).toEqual([overTwo, crossing]);
  await click('Move Condition 2 up');
  expect(logicOf(edited).conditions).toEqual([crossing, overTwo]);
  await click('Remove Condition 1');
  expect(logicOf(edited).conditions).toEqual([overTwo]);
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

test('says what is missing, and marks it only when it is asked to', () => {
  const view = render(<Screen />);
  const side = () => screen.getByLabelText('Compared with');
  const problem = () => screen.getByText('Choose what to compare with, or enter a number.');
  expect(side().getAttribute('aria-invalid')).toBeNull();
  expect(problem().className).toBe('field-help');
  view.rerender(<Screen showsProblems />);
  expect(side().getAttribute('aria-invalid')).toBe('true');
  expect(problem().className).toBe('field-error');
});

test('an indicator from the picker becomes the operand, and the caller hears of it', async () => {
  render(<Screen />);
  await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Add indicator…');
  await userEvent.type(await screen.findByRole('searchbox'), 'ema{Enter}');
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
  expect(edited.map(({ rhs }) => rhs)).toEqual([EMA]);
  expect(picked).toEqual([EMA]);
  expect(screen.getByLabelText<HTMLSelectElement>('Compared with').selectedOptions[0]?.text).toBe(
    'EMA(20) 1D',
  );
});

test('a field from the picker becomes the operand, and its values need not be asked for', async () => {
  render(<Screen />);
  await userEvent.selectOptions(screen.getByLabelText('Value'), 'Add indicator…');
  await userEvent.click(await screen.findByRole('button', { name: /^Match Volume / }));
  await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
  expect(edited.map(({ lhs }) => lhs)).toEqual([{ type: 'field', key: 'match_vol' }]);
  expect(picked).toEqual([]);
});

test('offers the given indicators on both sides, by their names in the catalog', async () => {
  render(<Screen indicators={[EMA]} />);
  for (const label of ['Value', 'Compared with']) {
    await waitFor(() => expect(optionsOf(label)).toContain('EMA(20) 1D'));
  }
});

test('says why indicators can not be chosen when no catalog loads', async () => {
  server.answers['GET /api/indicators/catalog/tv'] = { status: 500, body: {} };
  server.answers['GET /api/indicators/catalog/custom'] = { status: 500, body: {} };
  render(<Screen />);
  await screen.findByText('Failed to load indicator catalog');
  Object.assign(server.answers, CATALOGS);
  await click('Retry');
  await waitFor(() => expect(screen.queryByText('Failed to load indicator catalog')).toBeNull());
});
