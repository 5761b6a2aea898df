import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import {
  type DraftCondition,
  logicOf,
  newCondition,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { ConditionEditor } from '../../../../src/subjects/conditions/web/shared/ConditionEditor.tsx';
import { forgetCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadAppInfo } from '../../../../web/shared/appInfo.ts';
import { aStock } from '../../../support/aStock.ts';
import { findings } from '../../../support/axe.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import { allOf, field, is, LAST } from '../../../support/conditions.ts';
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

function Screen() {
  const [conditions, setConditions] = useState(edited);
  return (
    <ConditionEditor
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

describe('where there is a model', () => {
  const ASK = 'POST /api/conditions/read';
  const PIECE = 'buyers are piling in';
  const PROPOSED = { logic: allOf(is(field('relativeVolume'), '>=', 3)), said: PIECE };
  const info = (hasModel: boolean) => ({ body: { name: 'Bellbird', hasModel } });

  const begin = async ({ hasModel = true, accessLevel = 3 } = {}) => {
    server.answers['GET /api/app'] = info(hasModel);
    server.answers[ASK] = { body: { proposals: [PROPOSED], missed: [] } };
    await act(loadAppInfo);
    act(() => startSession({ accessToken: 't', accessLevel }));
    return render(<Screen />);
  };
  afterEach(async () => {
    server.answers['GET /api/app'] = info(false);
    await act(loadAppInfo);
    act(endSession);
  });
  const askButton = () => screen.queryByRole('button', { name: 'Ask the model' });

  test('the model is asked by hand alone, for what was not understood, and its proposals are ticked by hand', async () => {
    const { container } = await begin();
    const found = await say(`up 5%, ${PIECE}`);
    expect(server.to('/api/conditions/read')).toEqual([]);
    await userEvent.click(found.getByRole('button', { name: 'Ask the model' }));
    const box = await found.findByRole<HTMLInputElement>('checkbox', { name: 'Rel Vol at or above 3' });
    expect(box.checked).toBe(false);
    expect(server.to('/api/conditions/read')[0]?.body).toEqual({
      ...{ text: `up 5%, ${PIECE}`, pieces: [PIECE], kind: 'scan' },
    });
    expect(found.getByText('Proposed by the model: check it before you use it.')).toBeTruthy();
    expect(askButton()).toBeNull();
    expect(await findings(container)).toEqual([]);
    await userEvent.click(box);
    await userEvent.click(found.getByRole('button', { name: 'Use these 2 conditions' }));
    expect(inWords()).toBe('Change % at or above 5 and Rel Vol at or above 3');
  });

  test('why it failed is said, and what was read stays; what it can’t say is named', async () => {
    await begin();
    server.answers[ASK] = { status: 429, body: { error: 'You have used your 50 questions for today.' } };
    const found = await say(`up 5%, ${PIECE}`);
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
    ['for a plan without questions', { accessLevel: 2 }],
  ])('there is no trace of it %s', async (_, more) => {
    await begin(more);
    const found = await say(PIECE);
    expect(found.getByRole('list', { name: 'Not understood' })).toBeTruthy();
    expect(askButton()).toBeNull();
  });
});
