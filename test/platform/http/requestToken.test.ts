import { expect, test } from 'bun:test';
import { requestToken } from '../../../src/platform/http/requestToken.ts';

const tokenOf = (headers: Record<string, string>): string | null =>
  requestToken(new Request('http://localhost/', { headers }));

test('the token is the value of Authorization, with or without Bearer', () => {
  expect(tokenOf({ authorization: 'a.b.c' })).toBe('a.b.c');
  expect(tokenOf({ authorization: 'Bearer a.b.c' })).toBe('a.b.c');
  expect(tokenOf({})).toBeNull();
});

test('the name and password of a proxy are no token, and leave it a header of its own', () => {
  expect(tokenOf({ authorization: 'Basic dXNlcjp3b3Jk' })).toBeNull();
  expect(tokenOf({ authorization: 'Basic dXNlcjp3b3Jk', 'x-access-token': 'a.b.c' })).toBe('a.b.c');
});
