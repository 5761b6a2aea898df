import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { Condition } from '#subjects/conditions/rules/condition.ts';
import { type DraftCondition, draftOf, logicOf, newCondition } from '#subjects/conditions/rules/draft.ts';
import type { Ref } from '#subjects/conditions/rules/operand.ts';
import type { Stock } from '#market/rules/stock.ts';
import { ConditionEditor } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { forgetCatalogs } from '#web/shared/indicators/catalog.ts';
import { aStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { CATALOGS } from '#support/catalogs.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { loadAppInfo } from '#web/shared/appInfo.ts';
import { allOf, field, is, LAST } from '#support/conditions.ts';
import { PHRASE_CATALOG } from '#support/phrases.ts';
import { pageApi } from '#support/fakeApi.ts';

const over = (value: number) => is(LAST, '>', value);
const MARKET: ReadonlyMap<string, Stock> = new Map(
  ['Energy', 'Materials', 'Energy', null].map((sector, index) => {
    const code = `S${index}`;
    return [code, aStock({ code, sector, last: index })];
  }),
);

const server = pageApi(() => ({ ...CATALOGS }));
let edited: readonly DraftCondition[];
let picked: Ref[];
let changes: number;

beforeEach(() => {
  forgetCatalogs();
  edited = [newCondition([])];
  [picked, changes] = [[], 0];
});

/** A screen that holds the list, like every caller of the editor. */
function Screen(given: { stocks?: ReadonlyMap<string, Stock>; wrong?: string }) {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
      {...given}
      conditions={conditions}
      showsProblems={false}
      onChange={(next) => {
        edited = next;
        changes += 1;
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

test('adds, changes, moves and removes conditions, and passes on the list each time', async () => {
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
  expect(await results(document.body)).toEqual([]);
});

test('counts nothing without a market, and counts each condition live with one', async () => {
  const view = render(<Screen />);
  await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Open');
  expect(screen.queryByText(/this condition/)).toBeNull();
  const market = new Map([
    ['AAA', aStock({ code: 'AAA', last: 2, open: 1 })],
    ['BBB', aStock({ code: 'BBB', last: 1, open: 2 })],
  ]);
  view.rerender(<Screen stocks={market} />);
  expect(screen.getByText('1 stock meets this condition')).toBeDefined();
  view.rerender(<Screen stocks={new Map([...market, ['BBB', aStock({ code: 'BBB', last: 3, open: 2 })]])} />);
  expect(screen.getByText('2 stocks meet this condition')).toBeDefined();
});

describe('groups', () => {
  test('are added, named and filled by keyboard only', async () => {
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
    expect(await results(document.body)).toEqual([]);
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

test('the focus moves to the next condition after a removal, then to Add condition', async () => {
  start(over(1), over(2), over(3));
  await click('Remove Condition 2');
  expect(focused()).toBe('Remove Condition 2');
  await click('Remove Condition 2');
  expect(document.activeElement === button('Add condition')).toBe(true);
  await click('Add condition');
  expect(document.activeElement === item('Condition 2').getByLabelText('Value')).toBe(true);
});

describe('a number', () => {
  const box = () => screen.getByLabelText<HTMLInputElement>('Number');

  test.each([
    ['100k', 100_000, '= 100,000'],
    ['1.5M', 1_500_000, '= 1,500,000'],
    ['250,000', 250_000, null],
    ['2 b', 2e9, '= 2,000,000,000'],
  ])('%s is understood, and shown', async (text, value, message) => {
    start(over(1));
    await userEvent.clear(box());
    await userEvent.type(box(), text);
    expect(edited[0]?.rhs).toEqual({ type: 'number', value });
    if (message) expect(screen.getByText(message).id).toBe(box().getAttribute('aria-describedby') ?? '');
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
  expect(screen.getByText('2 stocks meet this condition')).toBeDefined();
  await userEvent.selectOptions(screen.getByLabelText('Comparison'), '≠ is none of');
  expect(screen.getByText('1 stock meets this condition')).toBeDefined();
  expect(await results(document.body)).toEqual([]);
  await click('Remove Energy');
  expect(document.activeElement === sectors).toBe(true);
  expect(edited[0]?.rhs).toEqual({ type: 'text', values: [] });
});

describe('conditions in words', () => {
  const flight = new Map([['FLT', aStock({ code: 'FLT', sector: 'Energy' })]]);
  const show = () => render(<Screen stocks={flight} />);
  const words = () => screen.getByRole('textbox', { name: 'Say it in words' });
  const enterPhrase = async (text: string) => {
    await userEvent.type(words(), `${text}{Enter}`);
    return within(await screen.findByRole('region', { name: 'What was read' }));
  };
  const use = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }));
  const inWords = () => logicText(logicOf(edited), PHRASE_CATALOG);

  test('are proposed with their words, and change nothing before confirmation', async () => {
    const { container } = show();
    const found = await enterPhrase('above its 20-day average, twice its usual volume and gapping over 3%');
    const rows = within(found.getByRole('list', { name: 'Proposed conditions' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      'Last above SMA(20) 1Dfrom “above its 20-day average”',
      'Rel Vol at or above 2from “twice its usual volume”',
      'Gap % above 3from “gapping over 3%”Read as a gap up. For a gap down, write “gapping down over 3%”.',
    ]);
    await waitFor(() =>
      expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('3 conditions found.'),
    );
    expect(document.activeElement).toBe(words());
    expect(changes).toBe(0);
    expect(await results(container)).toEqual([]);

    await use(/^Use these 3 conditions$/);
    expect(inWords()).toBe('Last above SMA(20) 1D and Rel Vol at or above 2 and Gap % above 3');
    expect(changes).toBe(1);
    expect(picked).toMatchObject([{ key: 'sma_20' }]);
    expect(screen.queryByRole('region', { name: 'What was read' })).toBeNull();
    const first = within(screen.getByRole('listitem', { name: 'Condition 1' }));
    expect(document.activeElement).toBe(first.getByLabelText('Value'));
  });

  test('are used only after a tick if ambiguous, and never after a removal', async () => {
    show();
    const found = await enterPhrase('has news, price above 5 and in energy');
    const doubtful = found.getByRole<HTMLInputElement>('checkbox', {
      name: 'Price-Sensitive Announcement Today is yes',
    });
    expect(doubtful.checked).toBe(false);
    expect(found.getByText('Conditions can only use price-sensitive announcements.')).toBeTruthy();
    await userEvent.click(doubtful);
    await userEvent.click(found.getByRole('button', { name: 'Remove Last above 5' }));
    expect(document.activeElement).toBe(found.getByRole('button', { name: 'Remove Sector is Energy' }));
    await use(/^Use these 2 conditions$/);
    expect(inWords()).toBe('Price-Sensitive Announcement Today is yes and Sector is Energy');
  });

  test('can be added to the existing conditions or replace them', async () => {
    edited = [{ id: 4, ...over(2) }];
    const { unmount } = show();
    await enterPhrase('RSI below 30 or above 70');
    await use(/^Add these 2 conditions$/);
    expect(inWords()).toBe('Last above 2 and any of (RSI(14) 1D below 30 or RSI(14) 1D above 70)');
    unmount();

    show();
    await enterPhrase('up 5%');
    await use(/^Replace all with this condition$/);
    expect(inWords()).toBe('Change % at or above 5');
  });

  describe('the model', () => {
    const ASK = 'POST /api/conditions/read';
    const PIECE = 'buyers are piling in';
    const PROPOSED = { logic: allOf(is(field('relativeVolume'), '>=', 3)), said: PIECE };
    const info = (hasModel: boolean) => ({ body: { name: 'Bellbird', hasModel } });

    const begin = async ({ hasModel = true, accessLevel = 3 } = {}) => {
      server.answers['GET /api/app'] = info(hasModel);
      server.answers[ASK] = { body: { proposals: [PROPOSED], missed: [] } };
      await act(loadAppInfo);
      act(() => startSession({ accessToken: 't', accessLevel }));
      return show();
    };
    afterEach(async () => {
      server.answers['GET /api/app'] = info(false);
      await act(loadAppInfo);
      act(endSession);
    });
    const askButton = () => screen.queryByRole('button', { name: 'Ask the model' });

    test('is called only by the user for unread parts, and its proposals are ticked by the user', async () => {
      const { container } = await begin();
      const found = await enterPhrase(`up 5%, ${PIECE}`);
      expect(server.to('/api/conditions/read')).toEqual([]);
      await userEvent.click(found.getByRole('button', { name: 'Ask the model' }));
      const box = await found.findByRole<HTMLInputElement>('checkbox', { name: 'Rel Vol at or above 3' });
      expect(box.checked).toBe(false);
      expect(server.to('/api/conditions/read')[0]?.body).toEqual({
        text: `up 5%, ${PIECE}`,
        pieces: [PIECE],
        kind: 'scan',
      });
      expect(found.getByText('Proposed by the model: check it before you use it.')).toBeTruthy();
      expect(askButton()).toBeNull();
      expect(await results(container)).toEqual([]);
      await userEvent.click(box);
      await userEvent.click(found.getByRole('button', { name: 'Use these 2 conditions' }));
      expect(inWords()).toBe('Change % at or above 5 and Rel Vol at or above 3');
    });

    test('shows failures and keeps proposals, and names the parts that it cannot express', async () => {
      await begin();
      server.answers[ASK] = { status: 429, body: { error: 'You have used your 50 questions for today.' } };
      const found = await enterPhrase(`up 5%, ${PIECE}`);
      await userEvent.click(found.getByRole('button', { name: 'Ask the model' }));
      expect(await found.findByText('You have used your 50 questions for today.')).toBeTruthy();
      expect(found.getByRole('checkbox', { name: 'Change % at or above 5' })).toBeTruthy();
      server.answers[ASK] = {
        body: { proposals: [], missed: [{ said: PIECE, why: 'The model says: no field.' }] },
      };
      await userEvent.click(found.getByRole('button', { name: 'Ask the model' }));
      expect(await found.findByText('The model says: no field.', { exact: false })).toBeTruthy();
    });

    test.each([
      ['without a model', { hasModel: false }],
      ['to a plan without questions', { accessLevel: 2 }],
    ])('is not offered %s', async (_, more) => {
      await begin(more);
      const found = await enterPhrase(PIECE);
      expect(found.getByRole('list', { name: 'Not understood' })).toBeTruthy();
      expect(askButton()).toBeNull();
    });
  });
});
