import { expect, test } from 'bun:test';
import { pageOf } from '../../../../web/router/pageOf.ts';
import { resolveRoute } from '../../../../web/router/resolveRoute.ts';
import { callPath, recordPath } from '../../../../src/subjects/calls/web/addresses.ts';

const now = Date.UTC(2026, 10, 10, 1);
const visitor = { signedIn: false, accessLevel: 0, now };

test('addresses below Calls are open to visitors and members alike, those below other screens are not there', () => {
  for (const path of [callPath('a-B_9'), recordPath('Anna B')]) {
    expect(resolveRoute(`#${path}`, visitor)).toEqual({ kind: 'show', path });
    expect(resolveRoute(`#${path}`, { ...visitor, signedIn: true, accessLevel: 1 })).toEqual({
      kind: 'show',
      path,
    });
  }
  expect(resolveRoute('#/callsx/1', visitor)).toEqual({ kind: 'redirect', to: '/calls' });
  expect(resolveRoute('#/settings/1', { ...visitor, signedIn: true, accessLevel: 1 })).toEqual({
    kind: 'notFound',
  });
});

test('a name comes back from its address whatever is in it, and a broken address breaks nothing', () => {
  for (const name of ['Anna B', 'a/b?c#d%', 'by', '..', '😀', 'ä'.repeat(50)]) {
    expect(pageOf(`#${recordPath(name)}`, '/calls')).toEqual(['by', name]);
  }
  expect(pageOf('#/calls', '/calls')).toEqual([]);
  expect(pageOf('#/calls/by/50%', '/calls')).toEqual(['by', '50%']);
});
