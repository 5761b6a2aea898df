import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type FakeDiscord, startFakeDiscord } from '../support/fakeDiscord.ts';
import { type FakeTelegram, startFakeTelegram } from '../support/fakeTelegram.ts';
import { type FakeModel, startFakeModel, toolReply } from '../support/fakeModel.ts';
import { freePort, startBellbird } from '../support/executable.ts';
import { expectQuiet, type Stage, stageBefore, until } from '../support/stage.ts';

const ANNA = 4711;
const DORA = '80351110224678912';
const PASSWORD = 'amber-bill-7';

const EVE = 4712;
const EVES_DISCORD = '80351110224678999';
const FRED = 4713;
const STRANGER = 4799;
const GINA = '80351110224678955';
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
      BELLBIRD_SIM_START: '11:00',
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

const LOGIC = {
  op: 'AND',
  conditions: [{ lhs: { type: 'field', field: 'last' }, op: '>', rhs: { type: 'number', value: 0.001 } }],
};

/** An alert on a simulated stock that holds from the start. */
const setAlert = async (token: string, destinations: Record<string, boolean>): Promise<number> => {
  const alert = { symbol: 'BHP', name: 'Any price', persistent: true, logic_json: LOGIC, destinations };
  return ((await call(token, 'POST', '/alerts', alert)) as { id: number }).id;
};

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
    expect(page.url()).not.toContain('linkToken');
    expectQuiet(stage, visitor);

    const id = await setAlert(token, { telegram: true });
    await visitor.context.close();
    const alerts = () =>
      telegram.sent(ANNA).filter(({ buttons }) => buttons.some(({ text }) => text === 'Why'));
    await until('the phone has the alert', () => alerts().length > 0);
    const [message] = alerts();
    expect(message?.text).toMatch(/^BHP \d+\.\d+/);
    expect(message?.text).toContain('Any price');
    expect(message?.text).toContain('Simulated');
    const [, price] = /last (\d+\.\d+) above 0\.001 · \d\d:\d\d Sydney/.exec(message?.text ?? '') ?? [];
    const [trigger] = await triggersOf(token, id);
    expect(Number(price)).toBeCloseTo(trigger?.seen[0]?.left.value ?? 0, 2);
    expect(trigger?.deactivated).toBe(false);
    await until('it is known to be delivered', async () => {
      const [known] = await triggersOf(token, id);
      return known?.delivery === 'sent';
    });

    // It still holds, and that is no reason to say it again.
    let evaluatedAt = '';
    for (let evaluations = 0; evaluations < 3; evaluations += 1) {
      const before = evaluatedAt;
      await until('it is evaluated again', async () => {
        const { at } = (await call(token, 'GET', `/alerts/${id}/evaluation`)) as { at: string | null };
        evaluatedAt = at ?? '';
        return evaluatedAt !== before;
      });
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
    await until('the chat is asked', () => discord.sent(DORA).length === 1);
    await until('the alert fires', async () => (await triggersOf(token, id)).length === 1);
    expect(discord.sent(DORA)).toHaveLength(1);

    const confirmation = discord.press(DORA, 'Yes, send alerts here');
    await until('the answer', () => discord.answers.has(confirmation));
    expect(discord.sent(DORA)[0]?.content).toContain('Chat linked');
    await call(token, 'PATCH', `/alerts/${id}`, { active: false });
    await setAlert(token, { discord: true });
    await until('the phone has the alert', () => discord.sent(DORA).length === 2);
    expect(discord.sent(DORA)[1]?.content).toContain('**BHP ');
    const why = discord.press(DORA, 'Why');
    await until('why it fired', () => discord.answers.has(why));
    expect(JSON.stringify(discord.answers.get(why))).toContain('why it fired');
    expect(stage.bellbird.log()).not.toContain(discord.token);
    expect(stage.complaints()).toEqual([]);
  });
});

describe('an alert on a whole scan', () => {
  type Listed = { id: number; active: boolean; muted_today: string[]; snoozed_until: string | null };
  const listed = async (token: string): Promise<Listed | undefined> =>
    ((await call(token, 'GET', '/scan-alerts')) as { scan_alerts: Listed[] }).scan_alerts[0];
  /** With two thousand stocks one crosses its open every moment. */
  const LOGIC = {
    op: 'AND',
    conditions: [
      { lhs: { type: 'field', key: 'last' }, op: 'crosses_above', rhs: { type: 'field', key: 'open' } },
    ],
  };
  async function addScanAlert(token: string, destinations: Record<string, boolean>): Promise<number> {
    const kept = await call(token, 'POST', '/indicators/scans', { name: 'Over the open', logic: LOGIC });
    const { id } = (kept as { scan: { id: number } }).scan;
    const alert = { scan: { type: 'scan', id }, minute_maximum: 1, destinations };
    return ((await call(token, 'POST', '/scan-alerts', alert)) as { id: number }).id;
  }
  const MUTE = 'Not this stock today';

  test('Telegram: tells which stock entered; its buttons act for their owner and for nobody else', async () => {
    const token = await register('Fred');
    telegram.say(FRED, '/link');
    await until('the bot answers', () => telegram.sent(FRED).length === 1);
    const link = telegram.sent(FRED)[0]?.entities.find(({ type }) => type === 'text_link')?.url ?? '';
    await call(token, 'POST', '/link/claim', { token: link.slice(link.indexOf('=') + 1) });
    const id = await addScanAlert(token, { telegram: true });
    const told = () => telegram.sent(FRED).find(({ buttons }) => buttons.some(({ text }) => text === MUTE));
    await until('the phone has the alert', () => told() !== undefined);
    const [, code = ''] = /^([A-Z0-9]{3,6}) \d/.exec(told()?.text ?? '') ?? [];
    expect(told()?.text).toContain('Entered my scan Over the open');
    expect(told()?.text).toContain('Simulated');

    // Data that somebody made up, in a chat and in a group of their own.
    for (const chat of [STRANGER, -STRANGER])
      for (const data of [`scanoff:${id}`, `scansnooze:${id}`, 'scanmute:1', 'scanwhy:1'])
        telegram.push({
          callback_query: {
            id: `${chat} ${data}`,
            from: { id: STRANGER, is_bot: false, first_name: 'Mallory' },
            message: {
              message_id: 1,
              date: 0,
              chat: { id: chat, type: chat < 0 ? 'supergroup' : 'private' },
            },
            data,
          },
        });
    await until('all are answered', () => telegram.answered.has(`${-STRANGER} scanwhy:1`));
    const answers = [...telegram.sent(STRANGER), ...telegram.sent(-STRANGER)].map(({ text }) => text);
    expect(answers.join('\n')).not.toContain(code);
    expect(await listed(token)).toMatchObject({ active: true, snoozed_until: null, muted_today: [] });

    telegram.press(FRED, MUTE);
    await until(
      'the message says so',
      () => told()?.text.includes(`${code} is not told again today.`) ?? false,
    );
    expect((await listed(token))?.muted_today).toEqual([code]);
    telegram.press(FRED, 'Off');
    await until('it is off', async () => (await listed(token))?.active === false);
  });

  test('Discord: Snooze and Why', async () => {
    const token = await register('Gina');
    await call(token, 'POST', '/settings/link-chat', { chatUserId: GINA, platform: 'discord' });
    await until('the chat is asked', () => discord.sent(GINA).length === 1);
    const yes = discord.press(GINA, 'Yes, send alerts here');
    await until('the answer', () => discord.answers.has(yes));
    await addScanAlert(token, { discord: true });
    const told = () => discord.sent(GINA).find(({ buttons }) => buttons.some(({ text }) => text === MUTE));
    await until('the phone has the alert', () => told() !== undefined);
    const why = discord.press(GINA, 'Why');
    await until('why it entered', () => discord.answers.has(why));
    expect(JSON.stringify(discord.answers.get(why))).toContain('Entered my scan Over the open');
    discord.press(GINA, 'Snooze 1 h');
    await until('it is quiet', async () => (await listed(token))?.snoozed_until !== null);
    expect(stage.complaints()).toEqual([]);
  });
});

describe('a question to the model', () => {
  test('is answered on both platforms from the simulated market, and holds up no other command', async () => {
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
    model.say(toolReply('quote', { symbol: 'BHP' }), 'BHP was at its price (Simulated).');
    const release = model.hold();
    telegram.say(EVE, '/ask What is BHP worth?');
    await until('it is announced', told('Looking into it'));
    telegram.say(EVE, '/price BHP');
    await until('another command is answered', told('P. Close'));
    telegram.say(EVE, '/ask And CBA?');
    await until('a second question is not', told('Your last question is still being answered'));
    expect(told('BHP was at its price')()).toBe(false);
    release();
    await until('the answer is there', told('BHP was at its price (Simulated).'));
    const data = model.requests.at(-1)?.messages.at(-1)?.content ?? '';
    expect(data).toMatch(/^<data>\n\{"source":"Simulated","as_of":".{30,80}Sydney time","code":"BHP"/);

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
