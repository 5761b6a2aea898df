import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createRandom } from '../../src/lib/random.ts';
import {
  type ChatsStage,
  GROUP,
  IDS,
  nameOf,
  openChatsStage,
  type Platform,
  PLATFORMS,
  REPEAT,
  SERVERS_CHANNEL,
} from '../support/chatsStage.ts';
import { complaints } from '../support/deliveries.ts';
import { needExecutable } from '../support/executable.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();

/* Both platforms at once, with the executable: what is tried of one is tried of the other. */

let stage: ChatsStage;

const turns = { telegram: Promise.resolve(), discord: Promise.resolve() };
/** Tests of both platforms at once, those of each one after the other: they mostly wait. */
const testInTurn = (platform: Platform, name: string, run: () => Promise<void>): void =>
  test.concurrent(name, () => {
    const mine = turns[platform].then(run);
    // The next one's turn comes whatever became of this one, which tells it itself.
    turns[platform] = mine.catch(() => undefined);
    return mine;
  }, 120_000);

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isSo()) return;
    await Bun.sleep(25);
  }
  throw new Error(`Nothing came of waiting for ${what}.`);
}

beforeAll(async () => {
  stage = await openChatsStage();
}, 60_000);
afterAll(async () => {
  for (const token of [stage.telegram.token, stage.discord.token]) expect(stage.log()).not.toContain(token);
  await stage.close();
});

test('killed at random moments while alerts go out: none is lost, and none doubled without a word', async () => {
  const ROUNDS = 4;
  const random = createRandom(20_261_126);
  const levels = Array.from({ length: ROUNDS }, (_, round) => stage.prices.telegram + round + 0.5);
  const people = ['anna', 'carl'] as const;
  for (const level of levels)
    for (const person of people) await stage.alertAbove('telegram', { person, on: PLATFORMS, above: level });
  for (let round = 0; round < ROUNDS; round += 1) {
    await stage.trade('telegram');
    await Bun.sleep(Math.floor(random() * 300));
    await stage.killAndStart();
  }
  // What was fed right before a kill was perhaps not looked at.
  for (const platform of PLATFORMS) await stage.trade(platform, 0);
  for (const person of people) {
    const names = levels.map((level) => nameOf('telegram', person, level));
    for (const platform of PLATFORMS) {
      const arrived = () =>
        stage
          .texts(platform, person)
          .flatMap((text) => names.filter((name) => text.includes(name)).map((name) => ({ name, text })));
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

for (const platform of PLATFORMS) {
  testInTurn(
    platform,
    `${platform} asks one chat to wait: it is left alone for so long, then gets its message once`,
    async () => {
      const waitMs = platform === 'telegram' ? 1000 : 700;
      const body = { message: 'You are being rate limited.', retry_after: waitMs / 1000, global: false };
      if (platform === 'telegram') {
        stage.telegram.setFault('sendMessage', {
          kind: 'status',
          code: 429,
          retryAfter: waitMs / 1000,
          times: 1,
        });
      } else stage.discord.setFault('/messages', { kind: 'status', status: 429, body, times: 1 });
      const since = performance.now();
      const text = await stage.nextAlert(platform, 'anna');
      await waitUntil('the alert', () => stage.withText(platform, 'anna', text).length > 0);
      const [refused = 0, again = 0, ...more] = stage.sendings(platform, since);
      expect(again - refused).toBeGreaterThanOrEqual(waitMs - 20);
      expect(more).toEqual([]);
      expect(stage.withText(platform, 'anna', text)).toHaveLength(1);
      expect(stage.withText(platform, 'anna', REPEAT).filter((one) => one.includes(text))).toEqual([]);
    },
  );

  testInTurn(
    platform,
    `${platform} is away, and comes back: nothing is lost, the server serves meanwhile, and the bot answers again`,
    async () => {
      const setAway = (isAway: boolean): void =>
        platform === 'telegram'
          ? stage.telegram.setFault('*', isAway ? { kind: 'html', code: 502 } : null)
          : stage.discord.setFault('/', isAway ? { kind: 'html' } : null);
      setAway(true);
      if (platform === 'discord') {
        stage.discord.gateway.forgetSessions();
        stage.discord.gateway.kill();
      } else stage.telegram.cutPolls();
      const since = performance.now();
      const text = await stage.nextAlert(platform, 'anna');
      await waitUntil('an attempt', () =>
        platform === 'telegram'
          ? stage.telegram.requests.some(({ at }) => at > since)
          : stage.discord.requests.some(({ at }) => at > since),
      );
      expect((await fetch(`${stage.url()}/healthz`)).status).toBe(200);
      expect(stage.withText(platform, 'anna', text)).toEqual([]);
      setAway(false);
      await waitUntil('the alert', () => stage.withText(platform, 'anna', text).length > 0);
      if (platform === 'discord') await waitUntil('a new session', stage.discord.gateway.isConnected);
      stage.say(platform, 'anna', '/price BHP');
      await waitUntil('an answer', () => stage.withText(platform, 'anna', 'P. Close').length > 0);
      const unmarked = stage.withText(platform, 'anna', text).filter((one) => !one.includes(REPEAT));
      expect(unmarked.length).toBeLessThanOrEqual(1);
    },
  );

  testInTurn(
    platform,
    `${platform}: a stranger gets no prices, and no button of somebody else’s alert obeys`,
    async () => {
      stage.say(platform, 'eve', '/price BHP');
      await waitUntil('an answer', () => stage.texts(platform, 'eve').length > 0);
      expect(stage.texts(platform, 'eve').join()).not.toContain('P. Close');
      const alert = await stage.alertAbove(platform, { above: stage.prices[platform] + 1000 });
      if (platform === 'telegram') {
        stage.telegram.push({
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
        await waitUntil('the press', () => stage.telegram.answered.has('forged'));
      } else {
        const forged = stage.discord.forge(IDS.eve.discord, `off:${alert}`);
        await waitUntil('the press', () => stage.discord.answers.has(forged));
      }
      expect(await stage.isActive('anna', alert)).toBe(true);
    },
  );
}

testInTurn('discord', 'Discord asks everybody to wait: nobody is sent anything meanwhile', async () => {
  const headers = { 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' };
  const body = { message: 'You are being rate limited.', retry_after: 0.9, global: true };
  stage.discord.setFault('/messages', { kind: 'status', status: 429, body, headers, times: 1 });
  const since = performance.now();
  const text = await stage.nextAlert('discord', 'anna', 'carl');
  for (const person of ['anna', 'carl'] as const) {
    await waitUntil('the alert', () => stage.withText('discord', person, text).length > 0);
    expect(stage.withText('discord', person, text)).toHaveLength(1);
  }
  const [refused = 0, ...others] = stage.sendings('discord', since);
  // The two begin together; what had left before the answer came is no breach.
  const late = others.filter((at) => at - refused > 100);
  expect(late.length).toBeGreaterThan(0);
  expect(Math.min(...late) - refused).toBeGreaterThanOrEqual(880);
});

testInTurn('discord', 'Discord’s gateway: cut off, or asked to reconnect, it resumes', async () => {
  const { gateway } = stage.discord;
  const before = { ...gateway.counts };
  const hears = async (text: string): Promise<void> => {
    const count = stage.texts('discord', 'carl').length;
    stage.say('discord', 'carl', text);
    await waitUntil(`an answer to ${text}`, () => stage.texts('discord', 'carl').length > count);
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
    const link = stage.discord.command(IDS.eve.discord, 'link', {}, guild);
    await waitUntil('the answer', () => stage.discord.answers.has(link));
    // Seen by the person alone.
    expect(stage.discord.answers.get(link)?.data['flags']).toBe(
      64 | Number(stage.discord.answers.get(link)?.data['flags']),
    );
    await waitUntil('it stands there', () => stage.discord.inChannel(SERVERS_CHANNEL).length > 0);
    expect(stage.discord.inChannel(SERVERS_CHANNEL).every(({ isEphemeral }) => isEphemeral)).toBe(true);
    const alert = await stage.alertAbove('discord', { above: stage.prices.discord + 1000 });
    for (const user of [IDS.eve.discord, IDS.anna.discord])
      for (const data of [`off:${alert}`, `snooze:${alert}`, 'refuse:1', 'why:1']) {
        const forged = stage.discord.forge(user, data, guild);
        await waitUntil('the answer', () => stage.discord.answers.has(forged));
        expect(JSON.stringify(stage.discord.answers.get(forged))).toContain('That button is gone');
      }
    expect(await stage.isActive('anna', alert)).toBe(true);
    // The chat that was linked before still is, and gets its alerts alone.
    const text = await stage.nextAlert('discord', 'anna');
    await waitUntil('the alert', () => stage.withText('discord', 'anna', text).length === 1);
    expect(JSON.stringify(stage.discord.inChannel(SERVERS_CHANNEL))).not.toContain(text);
  },
);

testInTurn(
  'telegram',
  'a Telegram group: linked by its owner, obeyed where a button stands, and unlinked by nobody else',
  async () => {
    const [anna, eve] = [Number(IDS.anna.telegram), Number(IDS.eve.telegram)];
    const inGroup = () => stage.telegram.sent(GROUP).map(({ text }) => text);
    const told = (text: string) => waitUntil(`"${text}"`, () => inGroup().some((one) => one.includes(text)));
    stage.telegram.say(GROUP, `/link@${stage.telegram.username}`, { from: anna });
    await told('linkToken=');
    await stage.claim('anna', inGroup().find((text) => text.includes('linkToken=')) ?? '');
    await told('Chat linked');
    const above = stage.prices.telegram + 0.5;
    const alert = await stage.alertAbove('telegram', { above });
    const other = await stage.alertAbove('telegram', { above: above + 1000 });
    await stage.trade('telegram');
    await told(nameOf('telegram', 'anna', above));

    const forge = async (data: string): Promise<void> => {
      const id = `group ${data}`;
      const chat = { id: GROUP, type: 'supergroup', title: 'A group' };
      stage.telegram.push({
        callback_query: {
          ...{ id, from: { id: eve, is_bot: false, first_name: 'Eve' }, chat_instance: '1', data },
          message: { message_id: 1, date: 1, chat, text: 'Made up' },
        },
      });
      await waitUntil('the press', () => stage.telegram.answered.has(id));
    };
    for (const data of [`off:${other}`, `on:${alert}`, 'refuse:1']) await forge(data);
    expect([await stage.isActive('anna', other), await stage.isActive('anna', alert)]).toEqual([true, false]);
    // It fired once and is off; the button for that stands under its message, and any member may press it.
    stage.telegram.press(GROUP, 'On', eve);
    await eventually('it is on', async () => (await stage.isActive('anna', alert)) === true);

    stage.telegram.say(GROUP, `/unlink@${stage.telegram.username}`, { from: eve, name: 'Eve' });
    const count = inGroup().length;
    await waitUntil(
      'an answer',
      () => inGroup().length > count || inGroup().at(-1)?.includes('owner') === true,
    );
    stage.telegram.say(GROUP, `/user_id@${stage.telegram.username}`, { from: eve, name: 'Eve' });
    await told('The Telegram ID of this group');
    const linked = () => stage.linkedChats('anna');
    expect(await linked()).toContain(String(GROUP));
    stage.telegram.say(GROUP, `/unlink@${stage.telegram.username}`, { from: anna });
    await eventually('it is unlinked', async () => !(await linked()).includes(String(GROUP)));
  },
);
