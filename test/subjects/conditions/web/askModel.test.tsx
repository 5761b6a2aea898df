import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import {
  type DraftCondition,
  logicOf,
  newCondition,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { ConditionEditor } from '../../../../src/subjects/conditions/web/shared/ConditionEditor.tsx';
import { forgetCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import { loadAppInfo } from '../../../../web/shared/appInfo.ts';
import { findings } from '../../../support/axe.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import { allOf, field, is } from '../../../support/conditions.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { PHRASE_CATALOG } from '../../../support/phrases.ts';

const ASK = 'POST /api/conditions/read';
const PIECE = 'buyers are piling in';
const PROPOSED = { logic: allOf(is(field('relativeVolume'), '>=', 3)), said: PIECE };
const info = (hasModel: boolean) => ({ body: { name: 'Bellbird', hasModel } });

let server: ReturnType<typeof fakeApi>;
let edited: readonly DraftCondition[];

const begin = async ({ hasModel = true, accessLevel = 3 } = {}) => {
  server.answers['GET /api/app'] = info(hasModel);
  await act(loadAppInfo);
  act(() => startSession({ accessToken: 't', accessLevel }));
  return render(<Screen />);
};

beforeEach(() => {
  server = fakeApi({ ...CATALOGS, [ASK]: { body: { proposals: [PROPOSED], missed: [] } } });
  forgetCatalogs();
  edited = [newCondition([])];
});
afterEach(async () => {
  server.answers['GET /api/app'] = info(false);
  await act(loadAppInfo);
  act(endSession);
  server.restore();
});

function Screen() {
  const [conditions, setConditions] = useState(edited);
  const change = (next: readonly DraftCondition[]) => {
    edited = next;
    setConditions(next);
  };
  return <ConditionEditor conditions={conditions} showsProblems={false} onChange={change} />;
}

const say = async (text: string) => {
  await userEvent.type(screen.getByRole('textbox', { name: 'Say it in words' }), `${text}{Enter}`);
  return within(await screen.findByRole('region', { name: 'What was read' }));
};
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
  expect(logicText(logicOf(edited), PHRASE_CATALOG)).toBe('Change % at or above 5 and Rel Vol at or above 3');
});

test('what it proposes for an alternative stays one', async () => {
  await begin();
  const found = await say(`up 5% or ${PIECE}`);
  await userEvent.click(found.getByRole('button', { name: 'Ask the model' }));
  await userEvent.click(await found.findByRole('checkbox', { name: 'Rel Vol at or above 3' }));
  await userEvent.click(found.getByRole('checkbox', { name: 'Change % at or above 5' }));
  await userEvent.click(found.getByRole('button', { name: 'Use these 2 conditions' }));
  expect(logicText(logicOf(edited), PHRASE_CATALOG)).toBe(
    'any of (Change % at or above 5 or Rel Vol at or above 3)',
  );
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

test('there is nothing to ask where all was understood', async () => {
  await begin();
  await say('up 5%');
  await waitFor(() => expect(askButton()).toBeNull());
});
