import { expect, test } from 'bun:test';
import { startAfterTrial } from '../../src/compose/startAfterTrial.ts';
import type { Trial } from '../../src/platform/install/shared/processControl.ts';
import { createLog } from '../../src/lib/log.ts';

function setting() {
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  const trial: Trial = {
    isRunning: () => true,
    holdsChanges: () => true,
    whenOver: () => undefined,
    whenChangesOpen: (run) => void waiting.push(run),
  };
  const part = (name: string, fails = false) => ({
    name,
    start: () => {
      said.push(`${name} starts`);
      if (fails) throw new Error('no network');
    },
    stop: () => void said.push(`${name} stops`),
  });
  const lines: string[] = [];
  const log = createLog(({ message }) => lines.push(message));
  return { said, lines, log, trial, part, open: () => waiting.splice(0).forEach((run) => run()) };
}

test('parts wait for the end of the trial, each by itself', () => {
  const { said, lines, log, trial, part, open } = setting();
  for (const one of [part('outbox', true), part('bot')]) void startAfterTrial(trial, log, one).start?.();
  expect(said).toEqual([]);
  open();
  expect(said).toEqual(['outbox starts', 'bot starts']);
  expect(lines).toEqual(['A part did not start after the trial of an update']);
});

test('a part that was stopped meanwhile does not start any more', () => {
  const { said, log, trial, part, open } = setting();
  const held = startAfterTrial(trial, log, part('bot'));
  void held.start?.();
  void held.stop?.();
  open();
  expect(said).toEqual(['bot stops']);
});

test('where nothing is held a part is as it is', () => {
  const { log, part } = setting();
  const bot = part('bot');
  expect(startAfterTrial(undefined, log, bot)).toBe(bot);
});
