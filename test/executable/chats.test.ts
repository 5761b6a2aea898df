import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { createRandom } from '../../src/lib/random.ts';
import { complaints } from '../support/deliveries.ts';
import { needExecutable, post, type Running, startBellbird, temporaryFolder } from '../support/executable.ts';
import { type FakeDiscord, startFakeDiscord } from '../support/fakeDiscord.ts';
import { type FakeTelegram, startFakeTelegram } from '../support/fakeTelegram.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();

/* Both platforms at once, with the executable: what is tried of one is tried of the other. */

const KEY = 'a key that only tests use';
const REPEAT = '(may be a repeat)';

type Platform = 'telegram' | 'discord';
const PLATFORMS = ['telegram', 'discord'] as const;
const IDS = {
  anna: { telegram: '4711', discord: '80351110224678912' },
  eve: { telegram: '4712', discord: '80351110224678999' },
  carl: { telegram: '4713', discord: '80351110224679001' },
};
type Person = keyof typeof IDS;
const GROUP = -100_777;
const SERVERS_CHANNEL = '800000000000000009';

let telegram: FakeTelegram;
let discord: FakeDiscord;
let dataDir: string;
let running: Running;
const tokens = {} as Record<Person, string>;
/** The tests of each platform trade a stock of their own, as both run at once. */
const STOCKS = { telegram: 'BHP', discord: 'CBA' };
const prices = { telegram: 10, discord: 10 };

const start = async (): Promise<void> => {
  running = await startBellbird({
    dataDir,
    pollMs: 5,
    env: {
      ...{ BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: KEY, BELLBIRD_TICK_MS: '100' },
      // The process itself is the server, so that nothing else is killed in its place.
      BELLBIRD_SUPERVISED: 'yes',
      ...{ BELLBIRD_TELEGRAM_URL: telegram.url, BELLBIRD_TELEGRAM_TOKEN: telegram.token },
      ...{ BELLBIRD_DISCORD_URL: discord.url, BELLBIRD_DISCORD_TOKEN: discord.token },
    },
  });
};

/** What stands in a chat, oldest first. */
const texts = (platform: Platform, person: Person): string[] =>
  platform === 'telegram'
    ? telegram.sent(Number(IDS[person].telegram)).map(({ text }) => text)
    : discord.sent(IDS[person].discord).map(({ content }) => content);
const say = (platform: Platform, person: Person, text: string): void =>
  platform === 'telegram'
    ? telegram.say(Number(IDS[person].telegram), text)
    : discord.say(IDS[person].discord, text);

/** Trades a platform's stock at the next whole dollar: above what one more alert waits for. */
async function trade(platform: Platform, by = 1): Promise<void> {
  prices[platform] += by;
  const last = prices[platform];
  const code = STOCKS[platform];
  const sent = await fetch(`${running.url}/api/ingest/market`, {
    method: 'POST',
    headers: { authorization: KEY, 'content-type': 'application/json' },
    body: JSON.stringify([{ code, name: code, status: 'Open', last, close: 10, volume: last }]),
  });
  expect(sent.status).toBe(200);
}

const nameOf = (platform: Platform, person: Person, above: number): string =>
  `${person}, ${STOCKS[platform]} above ${above}`;

type Wanted = { person?: Person; on?: readonly Platform[]; above: number };

/** An alert that fires once a platform's stock trades above a price. @returns its id */
async function alertAbove(platform: Platform, { person = 'anna', on = [platform], above }: Wanted) {
  const lhs = { type: 'field', field: 'last' };
  const conditions = [{ lhs, op: '>', rhs: { type: 'number', value: above } }];
  const alert = {
    ...{ symbol: STOCKS[platform], name: nameOf(platform, person, above), persistent: false },
    destinations: { telegram: on.includes('telegram'), discord: on.includes('discord') },
    logic_json: { op: 'AND', conditions },
  };
  const answer = await post(`${running.url}/api/alerts`, alert, tokens[person]);
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { id: number }).id;
}

/** An alert on the platform's chat of a person that the next trade fires. @returns what its message says */
async function nextAlert(platform: Platform, ...people: Person[]): Promise<string> {
  const above = prices[platform] + 0.5;
  for (const person of people) await alertAbove(platform, { person, above });
  await trade(platform);
  return `${STOCKS[platform]} above ${above}`;
}

const turns = { telegram: Promise.resolve(), discord: Promise.resolve() };
/** Tests of both platforms at once, those of each one after the other: they mostly wait. */
const testInTurn = (platform: Platform, name: string, run: () => Promise<void>): void =>
  test.concurrent(name, () => {
    const mine = turns[platform].then(run);
    // The next one's turn comes whatever became of this one, which tells it itself.
    turns[platform] = mine.catch(() => undefined);
    return mine;
  }, 120_000);

const withText = (platform: Platform, person: Person, text: string): string[] =>
  texts(platform, person).filter((one) => one.includes(text));
const isActive = async (person: Person, id: number): Promise<boolean | undefined> => {
  const answer = await fetch(`${running.url}/api/alerts`, { headers: { authorization: tokens[person] } });
  const { alerts } = (await answer.json()) as { alerts: { id: number; active: boolean }[] };
  return alerts.find((alert) => alert.id === id)?.active;
};

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isSo()) return;
    await Bun.sleep(25);
  }
  throw new Error(`Nothing came of waiting for ${what}.`);
}

const linkTokenIn = (text: string): string =>
  /linkToken=([\w-]{10,})/.exec(text.replaceAll('\\', ''))?.[1] ?? '';
async function claim(person: Person, text: string): Promise<void> {
  const answer = await post(`${running.url}/api/link/claim`, { token: linkTokenIn(text) }, tokens[person]);
  if (!answer.ok) throw new Error(await answer.text());
}

async function join(person: Person): Promise<void> {
  const body = { username: person, password: 'amber-bill-7', platform: 'web' };
  const answer = await post(`${running.url}/api/register`, body);
  tokens[person] = ((await answer.json()) as { accessToken: string }).accessToken;
  for (const platform of PLATFORMS) {
    say(platform, person, '/link');
    await waitUntil('the link', () => withText(platform, person, 'linkToken=').length > 0);
    await claim(person, withText(platform, person, 'linkToken=')[0] ?? '');
    await waitUntil('the chat to be told', () => withText(platform, person, 'Chat linked').length > 0);
  }
}

beforeAll(async () => {
  telegram = startFakeTelegram();
  discord = startFakeDiscord();
  dataDir = await temporaryFolder();
  await start();
  await waitUntil('both bots', () => telegram.isPolled() && discord.gateway.isConnected());
  for (const platform of PLATFORMS) await trade(platform, 0);
  await join('anna');
  await join('carl');
}, 60_000);
afterAll(async () => {
  await running?.stop();
  for (const token of [telegram.token, discord.token]) expect(running.log()).not.toContain(token);
  await telegram?.stop();
  await discord?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('killed at random moments while alerts go out: none is lost, and none doubled without a word', async () => {
  const ROUNDS = 4;
  const random = createRandom(20_261_126);
  const levels = Array.from({ length: ROUNDS }, (_, round) => prices.telegram + round + 0.5);
  const people = ['anna', 'carl'] as const;
  for (const level of levels)
    for (const person of people) await alertAbove('telegram', { person, on: PLATFORMS, above: level });
  for (let round = 0; round < ROUNDS; round += 1) {
    await trade('telegram');
    await Bun.sleep(Math.floor(random() * 300));
    await running.stop('SIGKILL');
    await start();
  }
  // What was fed right before a kill was perhaps not looked at.
  for (const platform of PLATFORMS) await trade(platform, 0);
  for (const person of people) {
    const names = levels.map((level) => nameOf('telegram', person, level));
    for (const platform of PLATFORMS) {
      const arrived = () =>
        texts(platform, person).flatMap((text) =>
          names.filter((name) => text.includes(name)).map((name) => ({ name, text })),
        );
      await waitUntil(`all alerts on ${platform}`, () =>
        names.every((name) => arrived().some((one) => one.name === name)),
      );
      // What was not looked at before a kill fires with what came later, in no order: each counts as a chat of its own.
      const came = arrived().map(({ name, text }) => ({
        ...{ chatId: name, text: name, isMarked: text.includes(REPEAT), at: 0 },
      }));
      expect(
        complaints(
          names.map((name) => ({ chatId: name, text: name })),
          came,
        ),
      ).toEqual([]);
      // Discord knows a message again by its nonce.
      if (platform === 'discord') expect(came).toHaveLength(names.length);
    }
  }
}, 120_000);

/** When the platform was asked to send a message. */
const sendings = (platform: Platform, since: number): number[] =>
  (platform === 'telegram'
    ? telegram.requests.filter(({ method }) => method === 'sendMessage')
    : discord.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
  )
    .map(({ at }) => at)
    .filter((at) => at >= since);

for (const platform of PLATFORMS) {
  testInTurn(
    platform,
    `${platform} asks one chat to wait: it is left alone for so long, then gets its message once`,
    async () => {
      const waitMs = platform === 'telegram' ? 1000 : 700;
      const body = { message: 'You are being rate limited.', retry_after: waitMs / 1000, global: false };
      if (platform === 'telegram') {
        telegram.setFault('sendMessage', { kind: 'status', code: 429, retryAfter: waitMs / 1000, times: 1 });
      } else discord.setFault('/messages', { kind: 'status', status: 429, body, times: 1 });
      const since = performance.now();
      const text = await nextAlert(platform, 'anna');
      await waitUntil('the alert', () => withText(platform, 'anna', text).length > 0);
      const [refused = 0, again = 0, ...more] = sendings(platform, since);
      expect(again - refused).toBeGreaterThanOrEqual(waitMs - 20);
      expect(more).toEqual([]);
      expect(withText(platform, 'anna', text)).toHaveLength(1);
      expect(withText(platform, 'anna', REPEAT).filter((one) => one.includes(text))).toEqual([]);
    },
  );

  testInTurn(
    platform,
    `${platform} is away, and comes back: nothing is lost, the server serves meanwhile, and the bot answers again`,
    async () => {
      const setAway = (isAway: boolean): void =>
        platform === 'telegram'
          ? telegram.setFault('*', isAway ? { kind: 'html', code: 502 } : null)
          : discord.setFault('/', isAway ? { kind: 'html' } : null);
      setAway(true);
      if (platform === 'discord') {
        discord.gateway.forgetSessions();
        discord.gateway.kill();
      } else telegram.cutPolls();
      const since = performance.now();
      const text = await nextAlert(platform, 'anna');
      await waitUntil('an attempt', () =>
        platform === 'telegram'
          ? telegram.requests.some(({ at }) => at > since)
          : discord.requests.some(({ at }) => at > since),
      );
      expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
      expect(withText(platform, 'anna', text)).toEqual([]);
      setAway(false);
      await waitUntil('the alert', () => withText(platform, 'anna', text).length > 0);
      if (platform === 'discord') await waitUntil('a new session', discord.gateway.isConnected);
      say(platform, 'anna', '/price BHP');
      await waitUntil('an answer', () => withText(platform, 'anna', 'P. Close').length > 0);
      const unmarked = withText(platform, 'anna', text).filter((one) => !one.includes(REPEAT));
      expect(unmarked.length).toBeLessThanOrEqual(1);
    },
  );

  testInTurn(
    platform,
    `${platform}: a stranger gets no prices, and no button of somebody else’s alert obeys`,
    async () => {
      say(platform, 'eve', '/price BHP');
      await waitUntil('an answer', () => texts(platform, 'eve').length > 0);
      expect(texts(platform, 'eve').join()).not.toContain('P. Close');
      const alert = await alertAbove(platform, { above: prices[platform] + 1000 });
      if (platform === 'telegram') {
        telegram.push({
          callback_query: {
            ...{ id: 'forged', from: { id: Number(IDS.eve.telegram), is_bot: false, first_name: 'Eve' } },
            ...{ chat_instance: '1', data: `off:${alert}` },
            message: {
              message_id: 1,
              date: 1,
              chat: { id: Number(IDS.eve.telegram), type: 'private' },
              text: 'x',
            },
          },
        });
        await waitUntil('the press', () => telegram.answered.has('forged'));
      } else {
        const forged = discord.forge(IDS.eve.discord, `off:${alert}`);
        await waitUntil('the press', () => discord.answers.has(forged));
      }
      expect(await isActive('anna', alert)).toBe(true);
    },
  );
}

testInTurn('discord', 'Discord asks everybody to wait: nobody is sent anything meanwhile', async () => {
  const headers = { 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' };
  const body = { message: 'You are being rate limited.', retry_after: 0.9, global: true };
  discord.setFault('/messages', { kind: 'status', status: 429, body, headers, times: 1 });
  const since = performance.now();
  const text = await nextAlert('discord', 'anna', 'carl');
  for (const person of ['anna', 'carl'] as const) {
    await waitUntil('the alert', () => withText('discord', person, text).length > 0);
    expect(withText('discord', person, text)).toHaveLength(1);
  }
  const [refused = 0, ...others] = sendings('discord', since);
  // The two begin together; what had left before the answer came is no breach.
  const late = others.filter((at) => at - refused > 100);
  expect(late.length).toBeGreaterThan(0);
  expect(Math.min(...late) - refused).toBeGreaterThanOrEqual(880);
});

testInTurn('discord', 'Discord’s gateway: cut off, or asked to reconnect, it resumes', async () => {
  const { gateway } = discord;
  const before = { ...gateway.counts };
  const hears = async (text: string): Promise<void> => {
    const count = texts('discord', 'carl').length;
    say('discord', 'carl', text);
    await waitUntil(`an answer to ${text}`, () => texts('discord', 'carl').length > count);
  };
  gateway.kill();
  await hears('after the cut');
  await waitUntil('the session', gateway.isConnected);
  gateway.reconnect();
  await waitUntil('another connection', () => gateway.counts.opened >= before.opened + 2);
  await hears('after the reconnect');
  expect(gateway.counts).toMatchObject({ identified: before.identified, resumed: before.resumed + 2 });
});

testInTurn(
  'discord',
  'a channel of a Discord server links nobody else’s chat, and no button made up there obeys',
  async () => {
    const guild = { guild: true, name: 'Eve' };
    const link = discord.command(IDS.eve.discord, 'link', {}, guild);
    await waitUntil('the answer', () => discord.answers.has(link));
    // Seen by the person alone.
    expect(discord.answers.get(link)?.data['flags']).toBe(
      64 | Number(discord.answers.get(link)?.data['flags']),
    );
    await waitUntil('it stands there', () => discord.inChannel(SERVERS_CHANNEL).length > 0);
    expect(discord.inChannel(SERVERS_CHANNEL).every(({ isEphemeral }) => isEphemeral)).toBe(true);
    const alert = await alertAbove('discord', { above: prices.discord + 1000 });
    for (const user of [IDS.eve.discord, IDS.anna.discord])
      for (const data of [`off:${alert}`, `snooze:${alert}`, 'refuse:1', 'why:1']) {
        const forged = discord.forge(user, data, guild);
        await waitUntil('the answer', () => discord.answers.has(forged));
        expect(JSON.stringify(discord.answers.get(forged))).toContain('That button is gone');
      }
    expect(await isActive('anna', alert)).toBe(true);
    // The chat that was linked before still is, and gets its alerts alone.
    const text = await nextAlert('discord', 'anna');
    await waitUntil('the alert', () => withText('discord', 'anna', text).length === 1);
    expect(JSON.stringify(discord.inChannel(SERVERS_CHANNEL))).not.toContain(text);
  },
);

testInTurn(
  'telegram',
  'a Telegram group: linked by its owner, obeyed where a button stands, and unlinked by nobody else',
  async () => {
    const [anna, eve] = [Number(IDS.anna.telegram), Number(IDS.eve.telegram)];
    const inGroup = () => telegram.sent(GROUP).map(({ text }) => text);
    const told = (text: string) => waitUntil(`"${text}"`, () => inGroup().some((one) => one.includes(text)));
    telegram.say(GROUP, `/link@${telegram.username}`, { from: anna });
    await told('linkToken=');
    await claim('anna', inGroup().find((text) => text.includes('linkToken=')) ?? '');
    await told('Chat linked');
    const above = prices.telegram + 0.5;
    const alert = await alertAbove('telegram', { above });
    const other = await alertAbove('telegram', { above: above + 1000 });
    await trade('telegram');
    await told(nameOf('telegram', 'anna', above));

    const forge = async (data: string): Promise<void> => {
      const id = `group ${data}`;
      const chat = { id: GROUP, type: 'supergroup', title: 'A group' };
      telegram.push({
        callback_query: {
          ...{ id, from: { id: eve, is_bot: false, first_name: 'Eve' }, chat_instance: '1', data },
          message: { message_id: 1, date: 1, chat, text: 'Made up' },
        },
      });
      await waitUntil('the press', () => telegram.answered.has(id));
    };
    for (const data of [`off:${other}`, `on:${alert}`, 'refuse:1']) await forge(data);
    expect([await isActive('anna', other), await isActive('anna', alert)]).toEqual([true, false]);
    // It fired once and is off; the button for that stands under its message, and any member may press it.
    telegram.press(GROUP, 'On', eve);
    await eventually('it is on', async () => (await isActive('anna', alert)) === true);

    telegram.say(GROUP, `/unlink@${telegram.username}`, { from: eve, name: 'Eve' });
    const count = inGroup().length;
    await waitUntil(
      'an answer',
      () => inGroup().length > count || inGroup().at(-1)?.includes('owner') === true,
    );
    telegram.say(GROUP, `/user_id@${telegram.username}`, { from: eve, name: 'Eve' });
    await told('The Telegram ID of this group');
    const linked = async (): Promise<string> =>
      (
        await fetch(`${running.url}/api/settings/linked-chats`, { headers: { authorization: tokens.anna } })
      ).text();
    expect(await linked()).toContain(String(GROUP));
    telegram.say(GROUP, `/unlink@${telegram.username}`, { from: anna });
    await eventually('it is unlinked', async () => !(await linked()).includes(String(GROUP)));
  },
);
