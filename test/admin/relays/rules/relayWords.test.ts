import { expect, test } from 'bun:test';
import { engineWords, versionNote } from '../../../../src/admin/relays/rules/relayWords.ts';
import { aRelayState } from '../../../support/relayStates.ts';

test('an engine that is down is said with its reason, and with what goes on', () => {
  const engine = { isUp: false, problem: 'Nothing answers at the address of the engine.' };
  expect(engineWords(aRelayState({ engine, isPublishing: false }))).toEqual({
    variant: 'error',
    words:
      'The message engine can not be used. Nothing answers at the address of the engine. ' +
      'Pages of this server go on; those of relays reconnect until it is back.',
  });
  expect(engineWords(aRelayState({ engine: { isUp: false, problem: null } })).words).toStartWith(
    'The message engine can not be used. Pages of',
  );
});

test('an engine to which nothing is published says why, or that it has not begun', () => {
  const problem = 'Another server holds the lease.';
  expect(engineWords(aRelayState({ isPublishing: false, problem }))).toEqual({
    variant: 'warn',
    words: 'Nothing is published to relays. Another server holds the lease.',
  });
  expect(engineWords(aRelayState({ isPublishing: false }))).toEqual({
    variant: 'warn',
    words: 'The message engine is up. Publishing to it has not begun yet.',
  });
});

test('an engine that has everything is a plain sentence', () => {
  expect(engineWords(aRelayState())).toEqual({
    variant: null,
    words: 'The message engine is up, and every change is published to it.',
  });
});

test('what follows from a relay’s version is said where it is not this server’s', () => {
  expect(versionNote({ isSameVersion: true, speaksProtocol: true })).toBeNull();
  expect(versionNote({ isSameVersion: false, speaksProtocol: true })).toStartWith('Another version:');
  expect(versionNote({ isSameVersion: false, speaksProtocol: false })).toStartWith('Another protocol:');
});
