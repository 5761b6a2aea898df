import { expect, test } from 'bun:test';
import { alertMessage, alertNote } from '../../../../src/subjects/alerts/rules/alertMessage.ts';
import { blindMessage, seesAgainMessage } from '../../../../src/subjects/alerts/rules/blindSpotMessage.ts';
import {
  goneMessage,
  snoozedMessage,
  switchedOffMessage,
  switchedOnMessage,
} from '../../../../src/subjects/alerts/rules/buttonMessage.ts';
import { confirmRequest } from '../../../../src/subjects/alerts/rules/linkMessage.ts';
import { anAlert, aTrigger, TEN_FORTY_TWO } from '../../../support/aTrigger.ts';

const shown = alertMessage(
  aTrigger(),
  alertNote(aTrigger(), anAlert(), { stock: null, label: 'Live' }),
  null,
);
const HOUR_MS = 3_600_000;

test('The answer to a button stands below the message, the newest instead of the one before', () => {
  const snoozed = snoozedMessage(shown, 3, TEN_FORTY_TWO + HOUR_MS);
  expect(snoozed.lines).toEqual([...shown.lines, '→ Snoozed until 11:42 Sydney.']);
  expect(snoozed.buttons).toEqual(shown.buttons);
  const off = switchedOffMessage(snoozed, 3);
  expect(off.lines).toEqual([...shown.lines, '→ Switched off.']);
  expect(off.buttons.map(({ action, target }) => [action, target])).toEqual([
    ['on', 3],
    ['why', 7],
  ]);
  const on = switchedOnMessage(off, 3, null);
  expect([on.lines.at(-1), on.buttons]).toEqual(['→ Switched on.', shown.buttons]);
  expect(switchedOnMessage(off, 3, 'until the open').lines.at(-1)).toBe('→ Switched on until the open.');
});

test('Without the message that was shown the answer stands alone, and no Why is made up', () => {
  expect(switchedOffMessage(null, 3)).toEqual({
    title: 'Bellbird',
    lines: ['→ Switched off.'],
    link: null,
    buttons: [{ action: 'on', target: 3, label: 'On' }],
  });
  expect(goneMessage(shown).buttons).toEqual([]);
});

test('A name that looks like an answer stays', () => {
  const named = { ...shown, lines: ['x', '→ my alert'] };
  expect(switchedOffMessage(named, 3).lines).toEqual(['x', '→ my alert', '→ Switched off.']);
});

test('The question whether a chat is one’s own has both answers', () => {
  const { title, lines, buttons } = confirmRequest('**eve**\n/x', 12);
  expect(title).toBe('Is this your chat?');
  expect(lines[0]).toBe('The Bellbird account **eve** /x wants to send its alerts here.');
  expect(buttons.map(({ action, target }) => [action, target])).toEqual([
    ['confirm', 12],
    ['refuse', 12],
  ]);
});

test('Blind spots: since when, until when, and which symbols moved', () => {
  const since = TEN_FORTY_TWO;
  const until = since + 65 * 60_000;
  const span = { since, until, now: until, marketMs: 65 * 60_000 };
  expect(blindMessage('stopped', since, since + 180_000).lines[0]).toBe(
    'No prices since 10:42 Sydney. Your alerts can’t fire until prices are back.',
  );
  expect(seesAgainMessage('stopped', span, ['BHP', 'CBA']).lines).toEqual([
    'There were no prices from 10:42 to 11:47 Sydney, 1 h 05 min of market hours.',
    '2 of your symbols moved through a condition in between: BHP, CBA.',
  ]);
  expect(blindMessage('late', since, since + 180_000).lines[0]).toBe(
    'Prices have been far too late since 10:42 Sydney, so your alerts fire late or not at all.',
  );
  expect(seesAgainMessage('late', span, []).lines[0]).toBe(
    'Prices were far too late from 10:42 to 11:47 Sydney, 1 h 05 min of market hours.',
  );
  const many = Array.from({ length: 100 }, (_, index) => `S${index}`);
  expect(seesAgainMessage('down', span, many).lines[1]).toContain('S11 and 88 more.');
  expect(seesAgainMessage('down', span, []).lines[1]).toBe(
    'None of your alerts fired when prices came back; a move through a condition and back in between was missed.',
  );
});
