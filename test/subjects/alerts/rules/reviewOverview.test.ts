import { expect, test } from 'bun:test';
import { NOWHERE } from '../../../../src/subjects/alerts/rules/alert.ts';
import type { Places } from '../../../../src/subjects/alerts/rules/review/brokenPlaces.ts';
import { nothingFoundText, overviewOf } from '../../../../src/subjects/alerts/rules/review/overview.ts';

const chat = { platform: 'telegram', isConfirmed: true, brokenReason: null } as const;
const phone = { id: 7, name: 'Phone', trouble: null };
const alert = (destinations = {}, lastFiredAt: number | null = 1) => ({
  lastFiredAt,
  destinations: { ...NOWHERE, ...destinations },
});
const unsent = (destinations: object, places: Partial<Places>): number =>
  overviewOf([alert(destinations)], { chats: [], devices: [], ...places }).unsent;

test('an alert reaches its owner if one chat or device of its destinations takes messages', () => {
  expect(unsent({}, { chats: [chat], devices: [phone] })).toBe(1);
  expect(unsent({ telegram: true }, { chats: [chat] })).toBe(0);
  expect(unsent({ discord: true }, { chats: [chat] })).toBe(1);
  expect(unsent({ telegram: true }, { chats: [{ ...chat, isConfirmed: false }] })).toBe(1);
  expect(unsent({ telegram: true }, { chats: [{ ...chat, brokenReason: 'Blocked.' }] })).toBe(1);
  expect(unsent({ telegram: true }, { chats: [{ ...chat, brokenReason: 'Blocked.' }, chat] })).toBe(0);
  expect(unsent({ devices: 'all' }, { devices: [phone] })).toBe(0);
  expect(unsent({ devices: 'all' }, {})).toBe(1);
  expect(unsent({ devices: [7] }, { devices: [phone] })).toBe(0);
  expect(unsent({ devices: [8] }, { devices: [phone] })).toBe(1);
  expect(unsent({ devices: [7] }, { devices: [{ ...phone, trouble: 'Gone.' }] })).toBe(1);
});

test('counts the alerts that never fired', () => {
  const places = { chats: [chat], devices: [] };
  const all = [alert({ telegram: true }), alert({}, null), alert({ telegram: true }, null)];
  expect(overviewOf(all, places)).toEqual({ on: 3, unfired: 2, unsent: 1 });
});

test('says no more than is known', () => {
  const text = (on: number, unfired: number, unsentCount: number) =>
    nothingFoundText({ on, unfired, unsent: unsentCount });
  expect(nothingFoundText(null)).toBe('Nothing to look at.');
  expect(text(0, 0, 0)).toBe('No alert is on, so there is nothing to look at.');
  expect(text(1, 0, 0)).toBe('Nothing to look at in the alert that is on.');
  expect(text(1, 1, 1)).toBe(
    'Nothing to look at in the alert that is on. It has not fired yet. It reaches no chat or device: you see it only in an open window.',
  );
  expect(text(3, 3, 1)).toBe(
    'Nothing to look at in the 3 alerts that are on. None of them has fired yet. One of them reaches no chat or device: you see it only in an open window.',
  );
  expect(text(5, 1, 2)).toBe(
    'Nothing to look at in the 5 alerts that are on. One of them has not fired yet. 2 of them reach no chat or device: you see them only in an open window.',
  );
});
