import { rm } from 'node:fs/promises';
import { post, type Running, startBellbird, temporaryFolder } from './executable.ts';
import { startFakeDiscord } from './fakeDiscord.ts';
import { startFakeTelegram } from './fakeTelegram.ts';
import { waitUntil } from './waitUntil.ts';

const KEY = 'a key that only tests use';
export const REPEAT = '(may be a repeat)';

export type Platform = 'telegram' | 'discord';
export const PLATFORMS = ['telegram', 'discord'] as const;
export const IDS = {
  anna: { telegram: '4711', discord: '80351110224678912' },
  eve: { telegram: '4712', discord: '80351110224678999' },
  carl: { telegram: '4713', discord: '80351110224679001' },
};
export type Person = keyof typeof IDS;
export const GROUP = -100_777;
export const SERVERS_CHANNEL = '800000000000000009';

/** The tests of each platform trade a stock of their own, as both run at once. */
const STOCKS = { telegram: 'BHP', discord: 'CBA' };

/** What an alert of `alertAbove` is called. */
export const nameOf = (platform: Platform, person: Person, above: number): string =>
  `${person}, ${STOCKS[platform]} above ${above}`;

type Wanted = { person?: Person; on?: readonly Platform[]; above: number };

const linkTokenIn = (text: string): string =>
  /linkToken=([\w-]{10,})/.exec(text.replaceAll('\\', ''))?.[1] ?? '';

/** Telegram, Discord and the executable, with two people whose chats on both are linked: Anna and Carl. */
export async function openChatsStage() {
  const telegram = startFakeTelegram();
  const discord = startFakeDiscord();
  const dataDir = await temporaryFolder();
  const tokens = {} as Record<Person, string>;
  const prices = { telegram: 10, discord: 10 };
  const start = (): Promise<Running> =>
    startBellbird({
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
  let running = await start();

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
    if (!sent.ok) throw new Error(await sent.text());
  }

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

  const withText = (platform: Platform, person: Person, text: string): string[] =>
    texts(platform, person).filter((one) => one.includes(text));
  const isActive = async (person: Person, id: number): Promise<boolean | undefined> => {
    const answer = await fetch(`${running.url}/api/alerts`, { headers: { authorization: tokens[person] } });
    const { alerts } = (await answer.json()) as { alerts: { id: number; active: boolean }[] };
    return alerts.find((alert) => alert.id === id)?.active;
  };

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

  /** When the platform was asked to send a message. */
  const sendings = (platform: Platform, since: number): number[] =>
    (platform === 'telegram'
      ? telegram.requests.filter(({ method }) => method === 'sendMessage')
      : discord.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
    )
      .map(({ at }) => at)
      .filter((at) => at >= since);

  await waitUntil('both bots', () => telegram.isPolled() && discord.gateway.isConnected());
  for (const platform of PLATFORMS) await trade(platform, 0);
  await join('anna');
  await join('carl');
  return {
    ...{
      telegram,
      discord,
      prices,
      texts,
      withText,
      say,
      trade,
      alertAbove,
      nextAlert,
      isActive,
      claim,
      sendings,
    },
    url: () => running.url,
    /** Everything that the process which runs now has printed. */
    log: () => running.log(),
    async linkedChats(person: Person): Promise<string> {
      const headers = { authorization: tokens[person] };
      return (await fetch(`${running.url}/api/settings/linked-chats`, { headers })).text();
    },
    /** Kills the process as a power cut does, and starts it again. */
    async killAndStart(): Promise<void> {
      await running.stop('SIGKILL');
      running = await start();
    },
    async close(): Promise<void> {
      await running.stop();
      await telegram.stop();
      await discord.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type ChatsStage = Awaited<ReturnType<typeof openChatsStage>>;
