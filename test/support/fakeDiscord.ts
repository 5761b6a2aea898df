import { isRecord, type JsonRecord } from '../../src/lib/json.ts';
import { createFakeDiscordRest, type DiscordMessage, type RestState } from './fakeDiscordRest.ts';
import { createFakeGateway, type FakeGateway, type SocketData } from './fakeDiscordGateway.ts';

export type { DiscordMessage } from './fakeDiscordRest.ts';

/** What the HTTP API does wrong; the part of a path it is set for says where. */
export type DiscordFault = {
  kind: 'status' | 'html' | 'garbage' | 'hang' | 'cut';
  status?: number;
  body?: JsonRecord;
  headers?: Record<string, string>;
  times?: number;
};

type In = { guild?: boolean; name?: string };

export type FakeDiscord = {
  /** The API's address, http://127.0.0.1:port/api. */
  url: string;
  token: string;
  username: string;
  gateway: FakeGateway;
  /** A person uses a slash command. @returns the interaction's id */
  command(user: string, name: string, options?: Record<string, string>, where?: In): string;
  /** A person writes the bot a direct message. */
  say(user: string, text: string, options?: { name?: string; bot?: boolean }): void;
  /** Presses the button of that label under the newest message that has it. @returns the interaction's id */
  press(user: string, label: string, by?: string): string;
  /** A press of a button that stands under no message of the bot. @returns the interaction's id */
  forge(user: string, data: string, where?: In): string;
  /** What stands in the chat with a person, oldest first. */
  sent(user: string): DiscordMessage[];
  /** What was sent to a channel, oldest first. */
  inChannel(channel: string): DiscordMessage[];
  /** Somebody writes in a channel. */
  post(channel: string, message: JsonRecord): void;
  /** The bot was thrown out of a channel. */
  closeChannel(channel: string): void;
  /** How interactions were answered, by their ids. */
  answers: RestState['answers'];
  /** Every request, oldest first, with its path below the version; `at` by the clock of `performance`, in ms. */
  requests: { method: string; path: string; payload: JsonRecord; at: number }[];
  /** The slash commands as they were registered last. */
  commands(): JsonRecord[];
  /** The person takes no direct messages. */
  block(user: string): void;
  /** Sets what goes wrong with paths that hold this text; null ends it. */
  setFault(part: string, fault: DiscordFault | null): void;
  stop(): Promise<void>;
};

const APPLICATION = '700000000000000001';
const BOT = '700000000000000002';

/** The channel of the direct messages with a person. */
export const dmChannelOf = (user: string): string => String(BigInt(user) + 1n);

const userOf = (id: string, name: string, bot = false): JsonRecord => ({
  id,
  username: name.toLowerCase(),
  global_name: name,
  discriminator: '0',
  avatar: null,
  bot,
});

async function faulty(
  faults: Map<string, DiscordFault>,
  hanging: Set<() => void>,
  path: string,
  act: () => Response,
): Promise<Response> {
  const found = [...faults].find(([part]) => path.includes(part));
  if (!found) return act();
  const [part, fault] = found;
  if (fault.times !== undefined) {
    fault.times -= 1;
    if (fault.times <= 0) faults.delete(part);
  }
  const { status = 500, body = { message: 'fault', code: 0 }, headers = {} } = fault;
  if (fault.kind === 'status') return Response.json(body, { status, headers });
  if (fault.kind === 'html') {
    return new Response('<html>502</html>', { status: 502, headers: { 'content-type': 'text/html' } });
  }
  if (fault.kind === 'garbage') return new Response('{"id":', { headers: { 'content-type': 'text/json' } });
  if (fault.kind === 'hang') {
    await new Promise<void>((wake) => hanging.add(wake));
    return act();
  }
  return new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) }));
}

/** What people do in front of their phones. */
function createHands(
  gateway: FakeGateway,
  rest: RestState,
): Pick<FakeDiscord, 'command' | 'say' | 'press' | 'forge'> {
  let next = 900_000_000_000_000_000n;
  const newId = (): string => String((next += 1n));
  const begin = (user: string, more: JsonRecord, { guild = false, name = 'Anna' }: In = {}): string => {
    const id = newId();
    const token = `interaction-token-${id}`;
    const channel = guild ? '800000000000000009' : dmChannelOf(user);
    rest.interactions.set(id, { token, channel, user, at: Date.now(), answered: false, message: null });
    const person = userOf(user, name);
    const by = guild
      ? { guild_id: '800000000000000001', member: { user: person, roles: [] } }
      : { user: person };
    gateway.dispatch('INTERACTION_CREATE', {
      id,
      application_id: APPLICATION,
      token,
      version: 1,
      locale: 'en-GB',
      channel_id: channel,
      channel: { id: channel, type: guild ? 0 : 1 },
      context: guild ? 0 : 1,
      ...by,
      ...more,
    });
    return id;
  };
  return {
    command: (user, name, options = {}, where) => {
      const list = Object.entries(options).map(([key, value]) => ({ name: key, type: 3, value }));
      return begin(user, { type: 2, data: { id: newId(), name, type: 1, options: list } }, where);
    },
    say: (user, text, { name = 'Anna', bot = false } = {}) => {
      gateway.dispatch('MESSAGE_CREATE', {
        id: newId(),
        channel_id: dmChannelOf(user),
        author: userOf(user, name, bot),
        content: text,
        type: 0,
        timestamp: '2026-11-18T00:00:00.000Z',
      });
    },
    forge: (user, data, where) =>
      begin(
        user,
        {
          type: 3,
          data: { custom_id: data, component_type: 2 },
          message: { id: newId(), content: 'Made up', author: userOf(BOT, 'Bellbird', true) },
        },
        where,
      ),
    press: (user, label, by = user) => {
      const inChat = rest.messages.filter(({ channel }) => channel === dmChannelOf(user));
      const message = inChat.findLast(({ buttons }) => buttons.some(({ text }) => text === label));
      const button = message?.buttons.find(({ text }) => text === label);
      if (!message || !button) throw new Error(`There is no button "${label}" in the chat with ${user}.`);
      const id = begin(by, {
        type: 3,
        data: { custom_id: button.data, component_type: 2 },
        message: {
          ...message.payload,
          id: message.id,
          channel_id: message.channel,
          author: userOf(BOT, 'Bellbird', true),
        },
      });
      const interaction = rest.interactions.get(id);
      if (interaction) interaction.message = message;
      return id;
    },
  };
}

/**
 * Discord's HTTP API and gateway on one free port of 127.0.0.1, as far as a bot uses them.
 *
 * @param options.gatewayToken what the gateway takes, if that is another
 * @param options.port to come back at the same address after a stop
 */
export function startFakeDiscord(
  options: { token?: string; gatewayToken?: string; port?: number; heartbeatMs?: number } = {},
): FakeDiscord {
  const { token = 'fake.discord.token-of-the-tests', port = 0, heartbeatMs = 41_250 } = options;
  const { gatewayToken = token } = options;
  const username = 'bellbird-test';
  const requests: FakeDiscord['requests'] = [];
  const faults = new Map<string, DiscordFault>();
  const hanging = new Set<() => void>();
  const gatewayUrl = (): string => `ws://127.0.0.1:${server.port}/gateway`;
  const rest = createFakeDiscordRest({
    application: APPLICATION,
    bot: BOT,
    username,
    gatewayUrl,
    dmChannelOf,
  });
  const gateway = createFakeGateway({
    token: gatewayToken,
    heartbeatMs,
    readyData: () => ({
      v: 10,
      user: userOf(BOT, username, true),
      guilds: [],
      resume_gateway_url: gatewayUrl(),
      application: { id: APPLICATION, flags: 0 },
    }),
  });
  const server = Bun.serve<SocketData>({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    websocket: gateway.handlers,
    async fetch(request, self) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/gateway')) {
        if (self.upgrade(request, { data: { session: null } })) return undefined;
        return new Response('Upgrade expected', { status: 426 });
      }
      const body: unknown = await request.json().catch(() => ({}));
      const payload: JsonRecord = isRecord(body) ? body : { list: body };
      const path = pathname.replace(/^\/api\/v10/, '');
      requests.push({ method: request.method, path, payload, at: performance.now() });
      const isOpen = /^\/(interactions|webhooks)\//.test(path);
      if (!isOpen && request.headers.get('authorization') !== `Bot ${token}`) {
        return Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 });
      }
      return faulty(faults, hanging, path, () => rest.answer(request.method, path, payload));
    },
  });
  const wakeAll = (): void => {
    for (const wake of hanging) wake();
    hanging.clear();
  };
  return {
    url: `http://127.0.0.1:${server.port}/api`,
    token,
    username,
    gateway,
    ...createHands(gateway, rest.state),
    sent: (user) => rest.state.messages.filter(({ channel }) => channel === dmChannelOf(user)),
    inChannel: (channel) => rest.state.messages.filter((message) => message.channel === channel),
    post: (channel, message) => void rest.state.posts.push({ ...message, channel_id: channel }),
    closeChannel: (channel) => void rest.state.blocked.add(channel),
    answers: rest.state.answers,
    requests,
    commands: () => rest.state.commands,
    block: (user) => void rest.state.blocked.add(dmChannelOf(user)),
    setFault(part, fault) {
      if (fault) faults.set(part, { ...fault });
      else faults.delete(part);
      wakeAll();
    },
    async stop() {
      wakeAll();
      await server.stop(true);
    },
  };
}
