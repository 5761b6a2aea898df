import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type FakeDiscord, startFakeDiscord } from '../support/fakeDiscord.ts';
import { type FakeTelegram, startFakeTelegram } from '../support/fakeTelegram.ts';
import { type FakeModel, startFakeModel, toolReply } from '../support/fakeModel.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { freePort, startBellbird } from '../support/executable.ts';
import { expectQuiet, type Stage, stageBefore, until } from '../support/stage.ts';

const ANNA = 4711;
const DORA = '80351110224678912';
const PASSWORD = 'amber-bill-7';

const EVE = 4712;
const EVES_DISCORD = '80351110224678999';
const MODEL_KEY = 'sk-marked-model-key';

let model: FakeModel;
let telegram: FakeTelegram;
let discord: FakeDiscord;
let stage: Stage;

beforeAll(async () => {
  model = startFakeModel({ key: MODEL_KEY, refuses: ['stream_options'] });
  telegram = startFakeTelegram();
  discord = startFakeDiscord();
  const port = await freePort();
  const bellbird = await startBellbird({
    port,
    env: {
      BELLBIRD_TEST: '1',
      ...FED,
      BELLBIRD_PUBLIC_URL: `http://127.0.0.1:${port}`,
      BELLBIRD_TELEGRAM_URL: telegram.url,
      BELLBIRD_TELEGRAM_TOKEN: telegram.token,
      BELLBIRD_DISCORD_URL: discord.url,
      BELLBIRD_DISCORD_TOKEN: discord.token,
      BELLBIRD_AI_URL: model.url,
      BELLBIRD_AI_KEY: MODEL_KEY,
      BELLBIRD_AI_MODEL: model.model,
    },
  });
  stage = await stageBefore(bellbird);
  await trade();
});
afterAll(async () => {
  await stage?.close();
  await telegram?.stop();
  await discord?.stop();
  await model?.stop();
});

async function call(token: string | null, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${stage.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function register(username: string): Promise<string> {
  const body = { username, password: PASSWORD, platform: 'web' };
  const { accessToken } = (await call(null, 'POST', '/register', body)) as { accessToken: string };
  return accessToken;
}

let cents = 4100;
/** A trade of BHP, ten cents higher. */
const trade = (): Promise<void> => {
  cents += 10;
  return feed(stage.url, { code: 'BHP', close: 40, last: cents / 100, volume: cents * 1000 });
};

type Evaluated = { at: string | null };
const evaluatedAt = async (token: string, id: number): Promise<string | null> =>
  ((await call(token, 'GET', `/alerts/${id}/evaluation`)) as Evaluated).at;

/** An alert that the next trade of BHP makes true. */
async function setAlert(token: string, destinations: Record<string, boolean>): Promise<number> {
  // Nothing is evaluated on prices of a source that was silent for a minute.
  await feed(stage.url, { code: 'BHP' });
  const conditions = [
    { lhs: { type: 'field', field: 'last' }, op: '>', rhs: { type: 'number', value: cents / 100 } },
  ];
  const logic_json = { op: 'AND', conditions };
  const alert = { symbol: 'BHP', name: 'Any price', persistent: true, logic_json, destinations };
  const { id } = (await call(token, 'POST', '/alerts', alert)) as { id: number };
  // What holds at its first evaluation waits five seconds.
  await until('it does not hold yet', async () => (await evaluatedAt(token, id)) !== null);
  return id;
}

type Fired = { delivery: string | null; deactivated: boolean; seen: { left: { value: number | null } }[] };

const triggersOf = async (token: string, id: number): Promise<Fired[]> =>
  ((await call(token, 'GET', `/alerts/${id}/triggers`)) as { triggers: Fired[] }).triggers;

describe('from linking a chat to the message with its button', () => {
  test('Telegram: the one-time link of a visitor who has to log in first', async () => {
    const token = await register('Anna');
    telegram.say(ANNA, '/link');
    await until('the bot answers', () => telegram.sent(ANNA).length === 1);
    const [link] = telegram.sent(ANNA)[0]?.entities.filter(({ type }) => type === 'text_link') ?? [];
    expect(link?.url).toStartWith(`${stage.url}/#/settings?linkToken=`);

    const visitor = await stage.visit('/calls', { as: null });
    const { page } = visitor;
    await page.goto(link?.url ?? '');
    await page.waitForURL(/#\/login/);
    await page.getByLabel('Username').fill('Anna');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Login' }).click();
    await page.waitForURL(/#\/settings/);
    await page.getByText('Link the Telegram chat Anna to your account?').waitFor();
    expect(telegram.sent(ANNA).some(({ text }) => text.includes('Chat linked'))).toBe(false);
    await page.getByRole('button', { name: 'Link', exact: true }).first().click();
    await page.getByText('Chat linked successfully.').first().waitFor();
    await until('the chat is told', () =>
      telegram.sent(ANNA).some(({ text }) => text.includes('Chat linked')),
    );
    await page.waitForURL((url) => !url.href.includes('linkToken'));
    expectQuiet(stage, visitor);

    const id = await setAlert(token, { telegram: true });
    await trade();
    await visitor.context.close();
    const alerts = () =>
      telegram.sent(ANNA).filter(({ buttons }) => buttons.some(({ text }) => text === 'Why'));
    await until('the phone has the alert', () => alerts().length > 0);
    const [message] = alerts();
    expect(message?.text).toMatch(/^BHP \d+\.\d+/);
    expect(message?.text).toContain('Any price');
    expect(message?.text).toContain('Delay not measured yet');
    const [, price] = /last (\d+\.\d+) above 41\.10 · \d\d:\d\d Sydney/.exec(message?.text ?? '') ?? [];
    const [trigger] = await triggersOf(token, id);
    expect(Number(price)).toBeCloseTo(trigger?.seen[0]?.left.value ?? 0, 2);
    expect(trigger?.deactivated).toBe(false);
    await until('it is known to be delivered', async () => {
      const [known] = await triggersOf(token, id);
      return known?.delivery === 'sent';
    });

    // It still holds, and that is no reason to say it again.
    for (let trades = 0; trades < 3; trades += 1) {
      const before = await evaluatedAt(token, id);
      await trade();
      await until('it is evaluated again', async () => (await evaluatedAt(token, id)) !== before);
    }
    expect(await triggersOf(token, id)).toHaveLength(1);
    expect(alerts()).toHaveLength(1);

    telegram.press(ANNA, 'Off');
    await until('the message says so', () => alerts()[0]?.text.includes('Switched off.') ?? false);
    expect(await call(token, 'GET', '/alerts')).toMatchObject({ alerts: [{ id, active: false }] });
    expect(alerts()).toHaveLength(1);
    expect(stage.bellbird.log()).not.toContain(telegram.token);
  });

  test('Discord: a typed ID is silent until the person confirms there', async () => {
    const token = await register('Dora');
    await call(token, 'POST', '/settings/link-chat', { chatUserId: DORA, platform: 'discord' });
    const id = await setAlert(token, { discord: true });
    await trade();
    await until('the chat is asked', () => discord.sent(DORA).length === 1);
    await until('the alert fires', async () => (await triggersOf(token, id)).length === 1);
    expect(discord.sent(DORA)).toHaveLength(1);

    const confirmation = discord.press(DORA, 'Yes, send alerts here');
    await until('the answer', () => discord.answers.has(confirmation));
    await until('the chat is told', () => discord.sent(DORA)[0]?.content.includes('Chat linked') ?? false);
    await call(token, 'PATCH', `/alerts/${id}`, { active: false });
    await setAlert(token, { discord: true });
    await trade();
    await until('the phone has the alert', () => discord.sent(DORA).length === 2);
    expect(discord.sent(DORA)[1]?.content).toContain('**BHP ');
    const why = discord.press(DORA, 'Why');
    await until('why it fired', () => discord.answers.has(why));
    expect(JSON.stringify(discord.answers.get(why))).toContain('why it fired');
    expect(stage.bellbird.log()).not.toContain(discord.token);
    expect(stage.complaints()).toEqual([]);
  });
});

describe('a question to the model', () => {
  test('is answered on both platforms from the market, and holds up no other command', async () => {
    const seeded = (await call(null, 'POST', '/test/seed', { username: 'admin' })) as { accessToken: string };
    const token = seeded.accessToken;
    telegram.say(EVE, '/link');
    await until('the bot answers', () => telegram.sent(EVE).length === 1);
    const link = telegram.sent(EVE)[0]?.entities.find(({ type }) => type === 'text_link')?.url ?? '';
    await call(token, 'POST', '/link/claim', { token: link.slice(link.indexOf('=') + 1) });
    await call(token, 'POST', '/settings/link-chat', { chatUserId: EVES_DISCORD, platform: 'discord' });
    await until('the chat is asked', () => discord.sent(EVES_DISCORD).length === 1);
    const yes = discord.press(EVES_DISCORD, 'Yes, send alerts here');
    await until('the answer', () => discord.answers.has(yes));

    const told = (text: string) => () => telegram.sent(EVE).some((message) => message.text.includes(text));
    model.say(toolReply('quote', { symbol: 'BHP' }), 'BHP was at its price.');
    const release = model.hold();
    telegram.say(EVE, '/ask What is BHP worth?');
    await until('it is announced', told('Looking into it'));
    telegram.say(EVE, '/price BHP');
    await until('another command is answered', told('P. Close'));
    telegram.say(EVE, '/ask And CBA?');
    await until('a second question is not', told('Your last question is still being answered'));
    expect(told('BHP was at its price')()).toBe(false);
    release();
    await until('the answer is there', told('BHP was at its price.'));
    const data = model.requests.at(-1)?.messages.at(-1)?.content ?? '';
    expect(data).toMatch(
      /^<data>\n\{"source":"Delay not measured yet","as_of":".{30,80}Sydney time","code":"BHP"/,
    );

    model.say(toolReply('calendar'), 'Nothing comes today.');
    const asked = discord.command(EVES_DISCORD, 'ask', { question: 'What comes today?' });
    await until('the answer', () =>
      discord.sent(EVES_DISCORD).some(({ content }) => content.includes('Nothing comes today.')),
    );
    expect(discord.answers.get(asked)?.type).toBe(5);
    expect(discord.commands().map(({ name }) => name)).toContain('ask');
    expect(stage.bellbird.log()).not.toContain(MODEL_KEY);
    expect(stage.complaints()).toEqual([]);
  });
});
