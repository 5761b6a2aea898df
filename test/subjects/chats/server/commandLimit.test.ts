import { expect, test } from 'bun:test';
import { type Asker, createCommandLimit } from '../../../../src/subjects/chats/server/chatCommands/index.ts';

const inGroup = (group: number, person: string): Asker => ({ chat: `-${group}`, person, isLinked: false });

test('a stranger may ask no more by making groups', () => {
  const admit = createCommandLimit({ monotonic: () => 0 });
  const kinds = Array.from({ length: 60 }, (_, group) => admit(inGroup(group, '13')).kind);
  expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(20);
  expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(1);
  // Somebody else in one of those groups is no worse for it.
  expect(admit(inGroup(0, '14'))).toEqual({ kind: 'admitted' });
});

test('a group that nobody linked may ask as often as one stranger, whoever asks', () => {
  const admit = createCommandLimit({ monotonic: () => 0 });
  const kinds = Array.from({ length: 60 }, (_, person) => admit(inGroup(1, `${person}`)).kind);
  expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(20);
  expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(1);
});

test('what is asked in linked chats is counted by chat', () => {
  const admit = createCommandLimit({ monotonic: () => 0 });
  const asker: Asker = { chat: '5', person: '5', isLinked: true };
  for (let n = 0; n < 60; n += 1) expect(admit(asker).kind).toBe('admitted');
  expect(admit(asker)).toMatchObject({ kind: 'refused', seconds: 60 });
  expect(admit({ ...asker, chat: '-6' }).kind).toBe('admitted');
});
