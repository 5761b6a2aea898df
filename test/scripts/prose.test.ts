import { expect, test } from 'bun:test';
import { habitsIn } from '#scripts/prose.ts';

const found = (text: string): string[] => habitsIn(text).map(({ habit }) => habit);

test.each([
  ['Messages go out. Who wants it off says so there.', 'headless who'],
  ['It ends. What is refused has one form.', 'headless what'],
  ['It is told once, and the page tells how.', 'telling things'],
  ['The key lies in the data folder.', 'standing things'],
  ['A device that logs out is no device.', 'is no'],
  ['It is loaded anew, and by itself.', 'old adverbs'],
  ['A backup is made every so many nights.', 'a X a Y'],
  ['The source is asked for, and the answer is looked at.', 'preposition passives'],
  ['It waits, as the disk is slow.', 'loose joints'],
  ['It sends nothing to anybody.', 'nobody and somebody'],
])('the prose check finds the habit in %p', (text, habit) => {
  expect(found(text)).toContain(habit);
});

test('the prose check finds nothing in plain sentences', () => {
  for (const text of [
    'Turn off messages in Settings.',
    'Errors have one format.',
    'If a value is missing, the alert is skipped.',
    'Who can see this? Only administrators.',
    'Bellbird makes one backup per day.',
  ])
    expect(found(text)).toEqual([]);
});
