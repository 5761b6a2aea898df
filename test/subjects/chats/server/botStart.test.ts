import { afterEach, expect, test } from 'bun:test';
import { startFakeDiscord } from '#support/fakeDiscord.ts';
import { startFakeTelegram } from '#support/fakeTelegram.ts';
import { temporaryFolder } from '#support/executable.ts';
import { startTestServer, type TestServer } from '#support/testServer.ts';
import { waitUntil } from '#support/waitUntil.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function startBoth(
  prepare: (fakes: {
    telegram: ReturnType<typeof startFakeTelegram>;
    discord: ReturnType<typeof startFakeDiscord>;
  }) => void,
) {
  const telegram = startFakeTelegram();
  const discord = startFakeDiscord();
  prepare({ telegram, discord });
  const server: TestServer = await startTestServer(await temporaryFolder(), {
    BELLBIRD_TELEGRAM_URL: telegram.url,
    BELLBIRD_TELEGRAM_TOKEN: telegram.token,
    BELLBIRD_DISCORD_URL: discord.url,
    BELLBIRD_DISCORD_TOKEN: discord.token,
  });
  stops.push(telegram.stop, discord.stop, server.stop);
  return { telegram, discord, server };
}

test('the server starts while neither platform answers, and stops without waiting for them', async () => {
  const { server, telegram, discord } = await startBoth((fakes) => {
    fakes.telegram.setFault('*', { kind: 'hang' });
    fakes.discord.setFault('/', { kind: 'hang' });
  });
  await waitUntil('both requests', () => telegram.requests.length > 0 && discord.requests.length > 0);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const begun = performance.now();
  await server.stop();
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('both bots answer once their platforms do', async () => {
  const { telegram, discord } = await startBoth((fakes) => {
    fakes.telegram.setFault('*', { kind: 'status', code: 502, times: 2 });
    fakes.discord.setFault('/gateway/bot', { kind: 'html', times: 1 });
  });
  telegram.write(4711, '/user_id');
  await waitUntil('Telegram', () => telegram.sent(4711).length === 1);
  await waitUntil('a session', discord.gateway.isConnected);
  discord.write('80351110224678912', '/user_id');
  await waitUntil('Discord', () => discord.sent('80351110224678912').length === 1);
  expect(telegram.sent(4711)[0]?.text).toContain('4711');
});
