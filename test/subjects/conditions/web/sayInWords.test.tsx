import { afterEach, beforeEach, expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import {
  ALERT_LOGIC,
  type LogicKind,
  SCAN_LOGIC,
} from '../../../../src/subjects/conditions/rules/condition.ts';
import {
  type DraftCondition,
  logicOf,
  newCondition,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { ConditionEditor } from '../../../../src/subjects/conditions/web/shared/ConditionEditor.tsx';
import { forgetCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import { aStock } from '../../../support/aStock.ts';
import { findings } from '../../../support/axe.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import { is, LAST } from '../../../support/conditions.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { PHRASE_CATALOG } from '../../../support/phrases.ts';

let server: ReturnType<typeof fakeApi>;
let edited: readonly DraftCondition[];
let changes: number;
let asked: string[];

beforeEach(() => {
  server = fakeApi({ ...CATALOGS });
  forgetCatalogs();
  edited = [newCondition([])];
  changes = 0;
  asked = [];
});
afterEach(() => server.restore());

function Screen({ kind = SCAN_LOGIC }: { kind?: LogicKind }) {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
      kind={kind}
      conditions={conditions}
      stocks={new Map([['FLT', aStock({ code: 'FLT', sector: 'Energy' })]])}
      showsProblems={false}
      onChange={(next) => {
        edited = next;
        changes += 1;
        setConditions(next);
      }}
      onIndicatorsPicked={(indicators) =>
        asked.push(...indicators.map((one) => (one.type === 'indicator' ? one.key : one.type)))
      }
    />
  );
}

const box = () => screen.getByRole('textbox', { name: 'Say it in words' });
const say = async (text: string) => {
  await userEvent.type(box(), `${text}{Enter}`);
  return within(await screen.findByRole('region', { name: 'What was read' }));
};
const use = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }));
const inWords = () => logicText(logicOf(edited), PHRASE_CATALOG);

test('proposes conditions with the words that they came from, and changes nothing before they are confirmed', async () => {
  const { container } = render(<Screen />);
  const found = await say('above its 20-day average, twice its usual volume and gapping over 3 %');
  const rows = within(found.getByRole('list', { name: 'Proposed conditions' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Last above SMA(20) 1Dfrom “above its 20-day average”',
    'Rel Vol at or above 2from “twice its usual volume”',
    'Gap % above 3from “gapping over 3 %”A gap up. For one down, say “gapping down over 3 %”.',
  ]);
  await waitFor(() =>
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('3 conditions read.'),
  );
  expect(document.activeElement).toBe(box());
  expect(changes).toBe(0);
  expect(await findings(container)).toEqual([]);

  await use(/^Use these 3 conditions$/);
  expect(inWords()).toBe('Last above SMA(20) 1D and Rel Vol at or above 2 and Gap % above 3');
  expect(changes).toBe(1);
  expect(asked).toEqual(['sma_20']);
  expect(screen.queryByRole('region', { name: 'What was read' })).toBeNull();
  const first = within(screen.getByRole('listitem', { name: 'Condition 1' }));
  expect(document.activeElement).toBe(first.getByLabelText('Value'));
});

test('names what it did not understand, and why', async () => {
  render(<Screen />);
  const found = await say('short interest over 5%, volume over 1m');
  const missed = within(found.getByRole('list', { name: 'Not understood' }));
  expect(missed.getByRole('listitem').textContent).toBe(
    'Not understood: “short interest over 5%” Conditions know nothing of short interest.',
  );
  expect(found.getByText('1 condition read; 1 piece not understood.')).toBeTruthy();
  await use(/^Use this condition$/);
  expect(inWords()).toBe('Volume above 1,000,000');
});

test('what may be meant otherwise is used only once it is ticked, and what is removed never', async () => {
  render(<Screen />);
  const found = await say('has news, price above 5 and in energy');
  const doubtful = found.getByRole<HTMLInputElement>('checkbox', {
    name: 'Price-Sensitive Announcement Today is yes',
  });
  expect(doubtful.checked).toBe(false);
  expect(found.getByText('Only price-sensitive announcements are known to conditions.')).toBeTruthy();
  await userEvent.click(doubtful);
  await userEvent.click(found.getByRole('button', { name: 'Remove Last above 5' }));
  expect(document.activeElement).toBe(found.getByRole('button', { name: 'Remove Sector is Energy' }));
  await use(/^Use these 2 conditions$/);
  expect(inWords()).toBe('Price-Sensitive Announcement Today is yes and Sector is Energy');
});

test('asks whether to add to the conditions that are there or to replace them', async () => {
  edited = [{ id: 4, ...is(LAST, '>', 2) }];
  const { unmount } = render(<Screen />);
  await say('RSI below 30 or above 70');
  await use(/^Add these 2 conditions$/);
  expect(inWords()).toBe('Last above 2 and any of (RSI(14) 1D below 30 or RSI(14) 1D above 70)');
  unmount();

  render(<Screen />);
  await say('up 5%');
  await use(/^Replace all with this condition$/);
  expect(inWords()).toBe('Change % at or above 5');
});

test('refuses more than the list may have, and keeps both as they are', async () => {
  edited = Array.from({ length: 20 }, (_, id) => ({ id, ...is(LAST, '>', id) }));
  render(<Screen kind={ALERT_LOGIC} />);
  await say('up 5%');
  await use(/^Add this condition$/);
  expect(screen.getByText('An alert has at most 20 conditions.')).toBeTruthy();
  expect(changes).toBe(0);
  expect(screen.getByRole('region', { name: 'What was read' })).toBeTruthy();
});

test('is discarded without a trace, and reads nothing of nothing', async () => {
  render(<Screen />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Read' }).disabled).toBe(true);
  await userEvent.type(box(), '   {Enter}');
  expect(screen.queryByRole('region', { name: 'What was read' })).toBeNull();
  await say('up 5%');
  await use(/^Discard$/);
  expect(screen.queryByRole('region', { name: 'What was read' })).toBeNull();
  expect(document.activeElement).toBe(box());
  expect(changes).toBe(0);
});

test('says when the list of indicators is missing, and reads once it is there', async () => {
  server.answers['GET /api/indicators/catalog/tv'] = { status: 500, body: { error: 'The server is busy.' } };
  render(<Screen />);
  await userEvent.type(box(), 'up 5%{Enter}');
  const sentence = /^Nothing was read: the list of indicators is missing/;
  // Reading asked once more for what the editor had asked for in vain.
  await waitFor(() => expect(server.to('/api/indicators/catalog/tv')).toHaveLength(2));
  await screen.findByText(sentence);
  Object.assign(server.answers, CATALOGS);
  await userEvent.click(
    within(screen.getByText(sentence).parentElement ?? document.body).getByRole('button'),
  );
  expect(await screen.findByRole('region', { name: 'What was read' })).toBeTruthy();
});
