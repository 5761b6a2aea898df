import { describe, expect, test } from 'bun:test';
import { ApiError } from '#web/api/client.ts';
import { AlertEditor, type SaveAnswer } from '#subjects/alerts/web/watchlist/alerts/alertEditor.ts';
import {
  type EditorState,
  isUnsaved,
  stateOfNew,
  stateOfSaved,
  type Step,
  type SavedAlert,
} from '#subjects/alerts/web/watchlist/alerts/editorState.ts';
import { readAlerts } from '#subjects/alerts/web/watchlist/api.ts';
import { type AlertPayload, newAlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import { fakeTimers } from '#support/fakeEventSource.ts';

const over = (value: number) => ({ id: 0, ...is(LAST, '>', value) });
const logicOver = (value: number) => allOf(is(LAST, '>', value));

/** A saved alert on BHP, version 1, 'Last above 50'. */
function aSavedAlert(change: Partial<SavedAlert> = {}): SavedAlert {
  const usual = { id: 7, active: true, persistent: false, logic_json: logicOver(50), version: 1 };
  const [alert] = readAlerts('BHP')({ alerts: [usual] }).alerts;
  if (!alert) throw new Error('There is no alert.');
  return { ...alert, ...change };
}

const settled = () => new Promise<void>((done) => setTimeout(done, 0));
const serverError = (status: number, error?: string) => new ApiError('x', status, error ? { error } : {});

/** An editor whose requests the test answers, on a clock that the test moves. */
function editorUnderTest(start: EditorState) {
  const timers = fakeTimers();
  const sent: {
    step: Step;
    answer(answer: Partial<SaveAnswer>): Promise<void>;
    fail(problem: unknown): Promise<void>;
  }[] = [];
  const reported: string[] = [];
  /** The lookups on the server, and the alert that they find. */
  const previewed: AlertPayload[] = [];
  const there: { alert: SavedAlert | null } = { alert: null };
  const editor = new AlertEditor('one', start, {
    send: (_, step) => {
      const { promise, resolve, reject } = Promise.withResolvers<SaveAnswer>();
      sent.push({
        step,
        answer: (answer) => {
          resolve({ isConflict: false, alert: null, ...answer });
          return settled();
        },
        fail: (problem) => {
          reject(problem);
          return settled();
        },
      });
      return promise;
    },
    find: (_, payload) => {
      previewed.push(payload);
      return Promise.resolve(there.alert);
    },
    after: timers.after,
    onSaved: (_, step) => reported.push(`saved ${step.kind}`),
    onTrouble: () => reported.push('trouble'),
  });
  /** The newest request. */
  const last = () => {
    const newest = sent.at(-1);
    if (!newest) throw new Error('Nothing was sent.');
    return newest;
  };
  return { editor, timers, reported, sent, previewed, there, last, state: () => editor.state.peek() };
}
const ofSaved = () => editorUnderTest(stateOfSaved(aSavedAlert()));
const ofNew = () => editorUnderTest(stateOfNew('BHP', newAlertDraft(NOWHERE)));

test('autosave waits for 500 ms without typing and sends the newest version', () => {
  const { editor, timers, sent, last } = ofSaved();
  editor.type({ name: 'B' });
  timers.pass(499);
  editor.type({ name: 'Breakout' });
  timers.pass(499);
  expect(sent).toHaveLength(0);
  timers.pass(1);
  expect(sent).toHaveLength(1);
  expect(last().step).toMatchObject({ kind: 'change', id: 7, version: 1, payload: { name: 'Breakout' } });
});

test('after a creation without an answer the editor finds the alert and adds later edits to it', async () => {
  const { editor, sent, last, previewed, there, state, reported } = ofNew();
  editor.choose({ conditions: [over(50)] });
  await last().fail(new ApiError('Network error. Try again.', 503, null));
  there.alert = aSavedAlert();
  editor.type({ name: 'Breakout' });
  editor.flush();
  await settled();
  expect(previewed).toMatchObject([{ name: null, logic_json: logicOver(50) }]);
  expect(sent.map(({ step }) => step.kind)).toEqual(['create', 'change']);
  expect(last().step).toMatchObject({ id: 7, version: 1, payload: { name: 'Breakout' } });
  await last().answer({ alert: aSavedAlert({ name: 'Breakout', version: 2 }) });
  expect(isUnsaved(state())).toBe(false);
  expect(reported).toEqual(['trouble', 'saved create', 'saved change']);
});

describe('a change whose answer was lost, for example in a restart', () => {
  const lost = async () => {
    const run = ofSaved();
    run.editor.type({ name: 'Break' });
    run.editor.flush();
    await run.last().fail(new ApiError('Network error. Try again.', 503, null));
    run.editor.type({ name: 'Breakout' });
    run.editor.flush();
    return run;
  };

  test('is not a conflict if it was saved, and later edits are saved on top', async () => {
    const { last, state, sent } = await lost();
    await last().answer({ isConflict: true, alert: aSavedAlert({ name: 'Break', version: 2 }) });
    expect(state().conflict).toBeNull();
    expect(last().step).toMatchObject({ version: 2, payload: { name: 'Breakout' } });
    await last().answer({ alert: aSavedAlert({ name: 'Breakout', version: 3 }) });
    expect([isUnsaved(state()), state().refusal, sent.length]).toEqual([false, null, 3]);
  });

  test('is a conflict if another window changed the alert', async () => {
    const { last, state } = await lost();
    await last().answer({ isConflict: true, alert: aSavedAlert({ name: 'Theirs', version: 2 }) });
    expect(state().conflict).toMatchObject({ kind: 'changed', theirs: { name: 'Theirs' } });
  });
});

test('the active toggle changes immediately and goes back on failure', async () => {
  const { editor, last, state } = ofSaved();
  editor.setActive(false);
  expect(state().draft.active).toBe(false);
  expect(last().step).toEqual({ kind: 'active', id: 7, active: false });
  await last().fail(serverError(500));
  expect(state().draft.active).toBe(true);
  expect(state().refusal?.message).toBe('Failed to toggle active');
});

describe('a save after another window’s change', () => {
  const conflicting = async (theirs: Partial<SavedAlert> = { name: 'Theirs' }) => {
    const under = ofSaved();
    under.editor.type({ name: 'Mine' });
    under.editor.flush();
    await under.last().answer({ isConflict: true, alert: aSavedAlert({ ...theirs, version: 5 }) });
    return under;
  };

  test('keeps both versions until the user chooses, and sends nothing until then', async () => {
    const { editor, state, sent, timers } = await conflicting();
    expect(state().conflict).toMatchObject({ kind: 'changed', theirs: { name: 'Theirs' } });
    expect(state().draft.name).toBe('Mine');
    editor.type({ name: 'Mine too' });
    timers.pass(500);
    editor.choose({ persistent: true });
    expect(sent).toHaveLength(1);
  });

  test('can be replaced by the other version', async () => {
    const { editor, state, sent, timers } = await conflicting();
    editor.acceptTheirs();
    timers.pass(5000);
    expect(state().draft.name).toBe('Theirs');
    expect([isUnsaved(state()), sent.length]).toEqual([false, 1]);
  });

  test('is not a conflict if both made the same change', async () => {
    const { state } = await conflicting({ name: 'Mine' });
    expect([state().conflict, isUnsaved(state())]).toEqual([null, false]);
  });

  test('is sent again if the other window only switched the alert', async () => {
    const { last, state } = await conflicting({ active: false });
    expect(state().conflict).toBeNull();
    expect(last().step).toMatchObject({ version: 5, payload: { name: 'Mine' } });
  });

  test('of a deleted alert creates a new one or is dropped', async () => {
    const { editor, last, state } = ofSaved();
    editor.type({ name: 'Mine' });
    editor.flush();
    await last().fail(serverError(404, 'That alert does not exist any more.'));
    expect(state().conflict).toEqual({ kind: 'gone' });
    editor.keepMine();
    expect(last().step).toMatchObject({ kind: 'create', payload: { name: 'Mine' } });
  });
});

describe('an update from the server', () => {
  test('keeps the fields being edited but takes the triggers, so the save reports the conflict', async () => {
    const { editor, state, last } = ofSaved();
    editor.type({ name: 'Mine' });
    const at = '2026-11-20T01:00:00.000Z';
    editor.receive(aSavedAlert({ name: 'Theirs', version: 2, last_triggered_at: at, active: false }));
    expect(state().draft).toMatchObject({ name: 'Mine', active: false });
    expect(state().saved?.last_triggered_at).toBe(at);
    editor.flush();
    expect(last().step).toMatchObject({ version: 1 });
  });

  test('is ignored if it is older than a save', async () => {
    const { editor, state, last } = ofSaved();
    editor.choose({ persistent: true });
    editor.receive(aSavedAlert());
    await last().answer({ alert: aSavedAlert({ persistent: true, version: 2 }) });
    editor.receive(aSavedAlert());
    expect(state().draft.persistent).toBe(true);
  });
});

test('any order of edits, toggles and answers ends with the editor’s state on the server', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    let random = seed;
    const next = (below: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % below;
    };
    const { editor, timers, sent, state } = ofNew();
    let server = aSavedAlert({ id: 7, version: 0 });
    let answered = 0;
    const answer = async () => {
      const request = sent[answered];
      if (!request) return;
      answered += 1;
      if (next(4) === 0) return request.fail(serverError(500));
      const { step } = request;
      if (step.kind === 'active') server = { ...server, active: step.active };
      else server = { ...server, ...step.payload, version: (server.version ?? 0) + 1 };
      await request.answer({ alert: server });
    };
    for (let turn = 0; turn < 25; turn += 1) {
      const what = next(6);
      if (what === 0) editor.type({ name: `n${next(5)}` });
      if (what === 1) editor.type({ conditions: [over(next(9))] });
      if (what === 2) editor.choose({ persistent: next(2) === 0 });
      if (what === 3) editor.setActive(next(2) === 0);
      if (what === 4) timers.pass(next(700));
      if (what === 5) await answer();
      expect(sent.length - answered).toBeLessThanOrEqual(1);
    }
    editor.type({ conditions: [over(99)] });
    for (let turn = 0; turn < 60; turn += 1) {
      editor.flush();
      await answer();
    }
    const { draft } = state();
    expect([seed, isUnsaved(state())]).toEqual([seed, false]);
    expect([seed, server.name, server.persistent, server.active]).toEqual([
      seed,
      draft.name,
      draft.persistent,
      draft.active,
    ]);
    expect(server.logic_json).toEqual(logicOver(99));
  }
});

test('a number being typed is not saved, and delays other changes of the conditions', async () => {
  const typing = { condition: 0, value: 5 };
  const { editor, timers, sent, last, state } = ofSaved();
  editor.type({ conditions: [{ ...over(50), op: '<' }] });
  editor.setTyping(typing);
  timers.pass(5000);
  editor.flush();
  expect(sent).toHaveLength(0);
  expect(isUnsaved(state())).toBe(true);
  editor.choose({ persistent: true });
  expect(last().step).toMatchObject({ payload: { persistent: true, logic_json: logicOver(50) } });
  await last().answer({ alert: aSavedAlert({ persistent: true, version: 2 }) });
  expect(sent).toHaveLength(1);
  editor.setTyping(null);
  editor.type({ conditions: [{ ...over(60), op: '<' }] });
  timers.pass(500);
  expect(last().step).toMatchObject({
    payload: { logic_json: { conditions: [{ op: '<', rhs: { value: 60 } }] } },
  });
});
