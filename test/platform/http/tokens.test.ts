import { expect, test } from 'bun:test';
import { keyedHash } from '#lib/secrets.ts';
import { createConnections } from '#platform/http/connections.ts';
import { createRelayCheck, RELAY_HEADER, relayToken } from '#platform/http/keyChecks.ts';
import { requestToken } from '#platform/http/requestToken.ts';

const SECRET = 'the secret of the relays of tests';

test('a request is a relay’s only with the token derived from the secret', () => {
  const isRelay = createRelayCheck(SECRET);
  const asked = (value: string | null): boolean =>
    isRelay(new Request('http://localhost/', { headers: value === null ? {} : { [RELAY_HEADER]: value } }));
  expect(relayToken(SECRET)).toMatch(/^[0-9a-f]{64}$/);
  expect([relayToken(SECRET), SECRET, '', relayToken('other'), null].map(asked)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  const none = createRelayCheck(null);
  expect(none(new Request('http://localhost/', { headers: { [RELAY_HEADER]: relayToken('') } }))).toBe(false);
});

test('only a relay is trusted about its caller, from any address', async () => {
  const connections = createConnections([], createRelayCheck(SECRET));
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      connections.note(request, request, own);
      return Response.json([connections.clientAddress(request), connections.isHttps(request, own)]);
    },
  });
  const ask = async (more: Record<string, string>): Promise<unknown> => {
    const headers = { 'x-forwarded-for': '192.0.2.9, 198.51.100.7', 'x-forwarded-proto': 'https', ...more };
    return (await fetch(server.url, { headers })).json();
  };
  try {
    expect(await ask({ [RELAY_HEADER]: relayToken(SECRET) })).toEqual(['198.51.100.7', true]);
    expect(await ask({})).toEqual(['127.0.0.1', false]);
    expect(await ask({ [RELAY_HEADER]: 'x' })).toEqual(['127.0.0.1', false]);
  } finally {
    await server.stop(true);
  }
});

const tokenOf = (headers: Record<string, string>): string | null =>
  requestToken(new Request('http://localhost/', { headers }));

test('the token is the value of Authorization, with or without Bearer', () => {
  expect(tokenOf({ authorization: 'a.b.c' })).toBe('a.b.c');
  expect(tokenOf({ authorization: 'Bearer a.b.c' })).toBe('a.b.c');
  expect(tokenOf({})).toBeNull();
});

test('the credentials of a proxy are not a token; the token then has its own header', () => {
  expect(tokenOf({ authorization: 'Basic dXNlcjp3b3Jk' })).toBeNull();
  expect(tokenOf({ authorization: 'Basic dXNlcjp3b3Jk', 'x-access-token': 'a.b.c' })).toBe('a.b.c');
});

const VECTOR = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
const hash = (): string => keyedHash('Jefe', 'what do ya want for nothing?', 'hex');

test('a keyed hash matches RFC 4231, case 2', () => {
  expect(hash()).toBe(VECTOR);
});

test('a keyed hash does not fail for a public key that was rejected before it', async () => {
  const onNoCurve = new Uint8Array(65).fill(7, 1);
  onNoCurve[0] = 4;
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const refused = await crypto.subtle.importKey('raw', onNoCurve, curve, true, []).catch(String);
  expect(refused).toContain('DataError');
  expect(hash()).toBe(VECTOR);
});
