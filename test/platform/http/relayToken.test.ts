import { expect, test } from 'bun:test';
import { createConnections } from '../../../src/platform/http/connections.ts';
import { createRelayCheck, RELAY_HEADER, relayToken } from '../../../src/platform/http/relayToken.ts';

const SECRET = 'the secret of the relays of tests';

test('a request is a relay’s only with what is made of the secret', () => {
  const isRelay = createRelayCheck(SECRET);
  const asked = (value: string | null): boolean =>
    isRelay(new Request('http://localhost/', { headers: value === null ? {} : { [RELAY_HEADER]: value } }));
  expect(relayToken(SECRET)).toMatch(/^[0-9a-f]{64}$/);
  expect([relayToken(SECRET), SECRET, '', relayToken('other'), null].map(asked)).toEqual([
    ...[true, false, false, false, false],
  ]);
  const none = createRelayCheck(null);
  expect(none(new Request('http://localhost/', { headers: { [RELAY_HEADER]: relayToken('') } }))).toBe(false);
});

test('a relay is believed about its caller wherever it calls from, and nobody else is', async () => {
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
