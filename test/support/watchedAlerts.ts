import {
  type AlertDraft,
  type AlertPayload,
  newAlertDraft,
} from '../../src/subjects/alerts/rules/alertDraft.ts';
import type { Logic } from '../../src/subjects/conditions/rules/condition.ts';
import type { DraftCondition } from '../../src/subjects/conditions/rules/draft.ts';
import {
  AlertEditor,
  type EditorDeps,
  type SaveAnswer,
} from '../../src/subjects/alerts/web/watchlist/alerts/alertEditor.ts';
import {
  type EditorState,
  stateOfNew,
  stateOfSaved,
  type Step,
} from '../../src/subjects/alerts/web/watchlist/alerts/editorState.ts';
import type { SavedAlert } from '../../src/subjects/alerts/web/watchlist/savedAlert.ts';
import { fakeTimers } from './fakeEventSource.ts';

export const over = (value: number): DraftCondition => ({
  id: 0,
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: { type: 'number', value },
});

export const logicOver = (value: number): Logic => ({
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value } }],
});

/** A saved alert on BHP, version 1, 'Last above 50'. */
export const aSavedAlert = (change: Partial<SavedAlert> = {}): SavedAlert => ({
  id: 7,
  symbol: 'BHP',
  name: null,
  active: true,
  persistent: false,
  logic_json: logicOver(50),
  destinations: { telegram: false, discord: false, devices: [] },
  last_triggered_at: null,
  last_triggered_market_time: null,
  version: 1,
  snoozed_until: null,
  stopped_reason: null,
  note: null,
  expires_at: null,
  event_guard: null,
  cooldown_minutes: 1,
  urgent: false,
  group: null,
  sound: null,
  armsAt: null,
  delivery: null,
  problem: null,
  until_open: false,
  ...change,
});

type Waiting = {
  step: Step;
  answer(answer: Partial<SaveAnswer>): Promise<void>;
  fail(problem: unknown): Promise<void>;
};

/** An editor whose requests wait until a test answers them, and whose clock a test moves. */
export function editorUnderTest(start: EditorState) {
  const timers = fakeTimers();
  const sent: Waiting[] = [];
  const told: string[] = [];
  const looked: AlertPayload[] = [];
  const there: { alert: SavedAlert | null } = { alert: null };
  const settle = () => new Promise<void>((done) => setTimeout(done, 0));
  const deps: EditorDeps = {
    send: (_, step) => {
      const { promise, resolve, reject } = Promise.withResolvers<SaveAnswer>();
      sent.push({
        step,
        answer: (answer) => {
          resolve({ isConflict: false, alert: null, ...answer });
          return settle();
        },
        fail: (problem) => {
          reject(problem);
          return settle();
        },
      });
      return promise;
    },
    find: (_, payload) => {
      looked.push(payload);
      return Promise.resolve(there.alert);
    },
    after: timers.after,
    onSaved: (_, step) => told.push(`saved ${step.kind}`),
    onTrouble: () => told.push('trouble'),
  };
  const editor = new AlertEditor('one', start, deps);
  return {
    editor,
    timers,
    told,
    sent,
    /** What was looked for on the server. */
    looked,
    /** What is found there. */
    there,
    state: () => editor.state.peek(),
    /** The newest request. */
    last: (): Waiting => {
      const newest = sent.at(-1);
      if (!newest) throw new Error('Nothing was sent.');
      return newest;
    },
  };
}

export const ofSaved = (change: Partial<SavedAlert> = {}) =>
  editorUnderTest(stateOfSaved(aSavedAlert(change)));

export const ofNew = (change: Partial<AlertDraft> = {}) =>
  editorUnderTest(
    stateOfNew('BHP', { ...newAlertDraft({ telegram: false, discord: false, devices: [] }), ...change }),
  );
