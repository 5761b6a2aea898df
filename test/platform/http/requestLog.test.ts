import { describe, expect, test } from 'bun:test';
import { eachApp } from '#support/eachApp.ts';

/** Lines are written after the answer is sent. */
const settled = () => Bun.sleep(0);

describe('the requests of a whole application', () => {
  const app = eachApp();
  const lines = () => app.lines.filter(({ name }) => name === 'bellbird.http');
  const ask = async (count: number, path: string, as: 'guest' | 'free' = 'guest') => {
    for (let index = 0; index < count; index += 1) await app.request('GET', path, { as });
    await settled();
  };

  test('a request refused before the application saw it is logged and counted too', () => {
    const request = new Request('http://bellbird/api/calls?token=secret', { method: 'POST' });
    app.parts.requestLog.service.refused(request, 413);
    expect(lines().map(({ message, properties }) => [message, properties])).toEqual([
      ['Request', { method: 'POST', path: '/api/calls', status: 413 }],
    ]);
    expect(app.parts.requestLog.inspect().data().byRoute).toEqual({ 'refused before any route': 1 });
  });

  test('only ten per minute are logged for callers without a session; others keep theirs', async () => {
    await ask(30, '/api/test/status');
    await ask(30, '/api/nothing');
    await ask(30, '/api/settings');
    await ask(30, '/api/settings', 'free');
    const paths = lines().map(
      ({ properties }) => `${String(properties['path'])} ${String(properties['status'])}`,
    );
    expect(paths).toEqual([
      ...Array.from({ length: 10 }, () => '/api/test/status 200'),
      ...Array.from({ length: 30 }, () => '/api/settings 200'),
    ]);
    await app.parts.requestLog.stop();
    const { message, properties } = lines().at(-1) ?? {};
    expect([message, properties]).toEqual([
      'Further requests',
      {
        count: 80,
        byStatus: '404 30, 401 30, 200 20',
        byRoute: 'no such address 30, /api/settings 30, /api/test/status 20',
      },
    ]);
    await app.parts.requestLog.stop();
    expect(lines().at(-1)).toEqual(expect.objectContaining({ properties }));
  });
});
