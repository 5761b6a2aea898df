import { isRecord, type JsonRecord, parseJson } from '#lib/json.ts';
import type { ServerWebSocket } from 'bun';

type Event = { op: 0; s: number; t: string; d: unknown };
type Session = { id: string; events: Event[]; seq: number; socket: ServerWebSocket<SocketData> | null };
type SocketData = { session: Session | null };

const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  ack: 11,
} as const;

/** Discord’s gateway: HELLO, heartbeats, IDENTIFY, READY, RESUME with missed events, INVALID SESSION, RECONNECT. */
function createFakeGateway(options: { token: string; heartbeatMs: number; readyData(): JsonRecord }) {
  const sockets = new Set<ServerWebSocket<SocketData>>();
  const sessions = new Map<string, Session>();
  const counts = { opened: 0, identified: 0, resumed: 0, heartbeats: 0 };
  let newest: Session | null = null;
  let identity: JsonRecord | null = null;
  let acks = true;
  let refusal: number | null = null;

  const send = (socket: ServerWebSocket<SocketData>, payload: unknown): void =>
    void socket.send(JSON.stringify(payload));
  const dispatchTo = (session: Session, t: string, d: unknown): void => {
    session.seq += 1;
    const event: Event = { op: OP.dispatch, s: session.seq, t, d };
    session.events.push(event);
    if (session.socket) send(session.socket, event);
  };

  const identify = (socket: ServerWebSocket<SocketData>, data: JsonRecord): void => {
    identity = data;
    counts.identified += 1;
    if (data['token'] !== options.token) return socket.close(4004, 'Authentication failed.');
    const session: Session = { id: crypto.randomUUID(), events: [], seq: 0, socket };
    socket.data.session = session;
    sessions.set(session.id, session);
    newest = session;
    dispatchTo(session, 'READY', { ...options.readyData(), session_id: session.id });
  };

  const resume = (socket: ServerWebSocket<SocketData>, data: JsonRecord): void => {
    counts.resumed += 1;
    const session = sessions.get(String(data['session_id']));
    if (!session || data['token'] !== options.token) return send(socket, { op: OP.invalid, d: false });
    socket.data.session = session;
    session.socket = socket;
    newest = session;
    for (const event of session.events) if (event.s > Number(data['seq'])) send(socket, event);
    dispatchTo(session, 'RESUMED', {});
  };

  return {
    /** The number of client messages by kind. */
    counts,
    handlers: {
      open(socket: ServerWebSocket<SocketData>) {
        counts.opened += 1;
        sockets.add(socket);
        send(socket, { op: OP.hello, d: { heartbeat_interval: options.heartbeatMs } });
      },
      message(socket: ServerWebSocket<SocketData>, text: string | Buffer) {
        const parsed = parseJson(String(text));
        if (!parsed.ok || !isRecord(parsed.value)) return socket.close(4002, 'Decode error.');
        const { op, d } = parsed.value;
        const data = isRecord(d) ? d : {};
        if (refusal !== null && (op === OP.identify || op === OP.resume)) return socket.close(refusal);
        if (op === OP.identify) identify(socket, data);
        if (op === OP.resume) resume(socket, data);
        if (op !== OP.heartbeat) return;
        counts.heartbeats += 1;
        if (acks) send(socket, { op: OP.ack });
      },
      close(socket: ServerWebSocket<SocketData>) {
        sockets.delete(socket);
        if (socket.data.session?.socket === socket) socket.data.session.socket = null;
      },
    },
    /** Sends an event to the newest session, now or when it resumes. */
    dispatch(type: string, data: unknown): void {
      if (!newest) throw new Error('No client has identified.');
      dispatchTo(newest, type, data);
    },
    /** Sends the newest event again, as a replay after a resume can. */
    repeatLast(): void {
      const event = newest?.events.findLast(({ t }) => t !== 'RESUMED');
      if (newest?.socket && event) send(newest.socket, event);
    },
    sendRaw(text: string): void {
      for (const socket of sockets) socket.send(text);
    },
    /** Asks every connection to reconnect and resume. */
    reconnect(): void {
      for (const socket of sockets) send(socket, { op: OP.reconnect, d: null });
    },
    invalidate(canResume: boolean): void {
      if (!canResume) sessions.clear();
      for (const socket of sockets) send(socket, { op: OP.invalid, d: canResume });
    },
    /** Drops every connection without a close frame, or closes it with a code. */
    kill(code?: number): void {
      for (const socket of sockets) {
        if (socket.data.session) socket.data.session.socket = null;
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    /** Closes every connection with a code, and each later one after it identifies; null ends it. */
    refuse(code: number | null): void {
      refusal = code;
      if (code !== null) for (const socket of sockets) socket.close(code);
    },
    setAcks: (on: boolean) => void (acks = on),
    identity: () => identity,
    isConnected: () => newest?.socket != null,
  };
}

type FakeGateway = ReturnType<typeof createFakeGateway>;

/** The current state of a message in a channel. */
export type DiscordMessage = {
  id: string;
  channel: string;
  content: string;
  buttons: { text: string; data: string }[];
  isEphemeral: boolean;
  edits: number;
  /** The whole of the last request. */
  payload: JsonRecord;
};

type Interaction = {
  token: string;
  channel: string;
  user: string;
  /** Epoch ms. */
  at: number;
  answered: boolean;
  /** The message whose button was pressed, or that the answer created. */
  message: DiscordMessage | null;
};

const createState = () => ({
  messages: new Array<DiscordMessage>(),
  interactions: new Map<string, Interaction>(),
  /** By the interaction’s id. */
  answers: new Map<string, { type: number; data: JsonRecord }>(),
  commands: new Array<JsonRecord>(),
  /** Users and channels that accept no messages. */
  blocked: new Set<string>(),
  /** What users wrote in channels, oldest first, as the API has it. */
  posts: new Array<JsonRecord>(),
});
type RestState = ReturnType<typeof createState>;

const EPHEMERAL = 64;
/** Discord allows 3 s, in which a test on a busy machine may not get its turn. */
const TIMELY_MS = 10_000;
const COMMAND_NAME = /^[-_\p{Ll}\p{N}]{1,32}$/u;

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ message, code }, { status });

function buttonsOf({ components }: JsonRecord): DiscordMessage['buttons'] {
  if (!Array.isArray(components)) return [];
  return components
    .filter(isRecord)
    .flatMap((row) => (Array.isArray(row['components']) ? row['components'] : []))
    .filter(isRecord)
    .map((button) => ({ text: String(button['label']), data: String(button['custom_id']) }));
}

const textOf = ({ content }: JsonRecord): string => (typeof content === 'string' ? content : '');

function problemOf(payload: JsonRecord): string | null {
  const { content, nonce } = payload;
  if (typeof content !== 'string' || content.trim() === '') return 'Cannot send an empty message';
  if (content.length > 2000) return 'Must be 2000 or fewer in length.';
  if (typeof nonce === 'string' && nonce.length > 25) return 'Must be 25 or fewer in length.';
  return buttonsOf(payload).some(({ data }) => data.length > 100) ? 'custom_id is too long' : null;
}

const apiMessage = ({ id, channel, content }: DiscordMessage): JsonRecord => ({
  id,
  channel_id: channel,
  content,
  timestamp: '2026-11-18T00:00:00.000Z',
});

function createChannels(state: RestState) {
  let next = 600_000_000_000_000_000n;
  return {
    add(channel: string, payload: JsonRecord): DiscordMessage {
      next += 1n;
      const message = {
        id: String(next),
        channel,
        content: textOf(payload),
        buttons: buttonsOf(payload),
        isEphemeral: (Number(payload['flags'] ?? 0) & EPHEMERAL) !== 0,
        edits: 0,
        payload,
      };
      state.messages.push(message);
      return message;
    },
    edit(message: DiscordMessage, payload: JsonRecord): void {
      message.payload = { ...message.payload, ...payload };
      message.content = textOf(message.payload);
      message.buttons = buttonsOf(message.payload);
      message.edits += 1;
    },
    create(channel: string, payload: JsonRecord): Response {
      if (state.blocked.has(channel)) return refusal(403, 50007, 'Cannot send messages to this user');
      const problem = problemOf(payload);
      if (problem) return refusal(400, 50035, problem);
      const known =
        payload['enforce_nonce'] === true &&
        state.messages.find(
          (message) => message.channel === channel && message.payload['nonce'] === payload['nonce'],
        );
      return Response.json(apiMessage(known || this.add(channel, payload)));
    },
  };
}

type Channels = ReturnType<typeof createChannels>;

function answerInteraction(
  state: RestState,
  channels: Channels,
  [id = '', token = '']: string[],
  payload: JsonRecord,
): Response {
  const interaction = state.interactions.get(id);
  if (!interaction || interaction.token !== token || Date.now() - interaction.at > TIMELY_MS) {
    return refusal(404, 10062, 'Unknown interaction');
  }
  if (interaction.answered) return refusal(400, 40060, 'Interaction has already been acknowledged.');
  const type = Number(payload['type']);
  const data = isRecord(payload['data']) ? payload['data'] : {};
  const problem = type === 4 || type === 7 ? problemOf(data) : null;
  if (problem) return refusal(400, 50035, problem);
  interaction.answered = true;
  state.answers.set(id, { type, data });
  if (type === 4 || type === 5) interaction.message = channels.add(interaction.channel, data);
  if (type === 7 && interaction.message) channels.edit(interaction.message, data);
  return new Response(null, { status: 204 });
}

function editAnswer(state: RestState, channels: Channels, token: string, payload: JsonRecord): Response {
  const found = [...state.interactions.values()].find((interaction) => interaction.token === token);
  if (!found?.answered || !found.message) return refusal(404, 10015, 'Unknown Webhook');
  channels.edit(found.message, payload);
  return Response.json(apiMessage(found.message));
}

function setCommands(state: RestState, list: unknown): Response {
  const commands = Array.isArray(list) ? list.filter(isRecord) : [];
  const isWrong = commands.some(
    ({ name, description }) =>
      !COMMAND_NAME.test(String(name)) || String(description).length < 1 || String(description).length > 100,
  );
  if (isWrong) return refusal(400, 50035, 'Invalid Form Body');
  state.commands = commands;
  return Response.json(commands.map((command, index) => ({ ...command, id: String(index + 1) })));
}

/** The routes of Discord’s HTTP API that a bot uses. */
function createFakeDiscordRest(gatewayUrl: () => string) {
  const state = createState();
  const channels = createChannels(state);
  const routes: [string, RegExp, (parts: string[], payload: JsonRecord) => Response][] = [
    ['GET', /^\/users\/@me$/, () => Response.json({ id: BOT, username: USERNAME, bot: true })],
    ['GET', /^\/(?:oauth2\/)?applications\/@me$/, () => Response.json({ id: APPLICATION, name: 'x' })],
    [
      'GET',
      /^\/gateway\/bot$/,
      () =>
        Response.json({
          url: gatewayUrl(),
          shards: 1,
          session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
        }),
    ],
    ['PUT', /^\/applications\/(\d+)\/commands$/, (_, { list }) => setCommands(state, list)],
    [
      'POST',
      /^\/users\/@me\/channels$/,
      (_, payload) => Response.json({ id: dmChannelOf(String(payload['recipient_id'])), type: 1 }),
    ],
    [
      'GET',
      /^\/channels\/(\d+)\/messages$/,
      ([channel = '']) => {
        if (state.blocked.has(channel)) return refusal(403, 50001, 'Missing Access');
        return Response.json(state.posts.filter((post) => post['channel_id'] === channel).toReversed());
      },
    ],
    ['POST', /^\/channels\/(\d+)\/messages$/, ([channel = ''], payload) => channels.create(channel, payload)],
    [
      'PATCH',
      /^\/channels\/(\d+)\/messages\/(\d+)$/,
      ([channel, id], payload) => {
        const message = state.messages.find((one) => one.id === id && one.channel === channel);
        if (!message) return refusal(404, 10008, 'Unknown Message');
        channels.edit(message, payload);
        return Response.json(apiMessage(message));
      },
    ],
    [
      'POST',
      /^\/interactions\/(\d+)\/([^/]+)\/callback$/,
      (parts, payload) => answerInteraction(state, channels, parts, payload),
    ],
    [
      'PATCH',
      /^\/webhooks\/\d+\/([^/]+)\/messages\/(?:@|%40)original$/,
      ([token = ''], payload) => editAnswer(state, channels, token, payload),
    ],
  ];
  return {
    state,
    answer(method: string, path: string, payload: JsonRecord): Response {
      for (const [known, pattern, act] of routes) {
        const match = known === method ? pattern.exec(path) : null;
        if (match) return act(match.slice(1), payload);
      }
      return refusal(404, 0, '404: Not Found');
    },
  };
}

/** A fault of the HTTP API; the part of a path it is set for decides where. */
export type DiscordFault = {
  kind: 'status' | 'html' | 'garbage' | 'hang' | 'cut';
  status?: number;
  body?: JsonRecord;
  headers?: Record<string, string>;
  times?: number;
};

type In = { guild?: boolean; name?: string };

const APPLICATION = '700000000000000001';
const BOT = '700000000000000002';
const USERNAME = 'bellbird-test';

/** The channel for direct messages with a user. */
const dmChannelOf = (user: string): string => String(BigInt(user) + 1n);

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

/** Actions of users on their phones. */
function createHands(gateway: FakeGateway, rest: RestState) {
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
    /** A user runs a slash command. @returns the interaction’s id */
    command: (user: string, name: string, options: Record<string, string> = {}, where?: In): string => {
      const list = Object.entries(options).map(([key, value]) => ({ name: key, type: 3, value }));
      return begin(user, { type: 2, data: { id: newId(), name, type: 1, options: list } }, where);
    },
    write: (user: string, text: string, { name = 'Anna', bot = false } = {}): void => {
      gateway.dispatch('MESSAGE_CREATE', {
        id: newId(),
        channel_id: dmChannelOf(user),
        author: userOf(user, name, bot),
        content: text,
        type: 0,
        timestamp: '2026-11-18T00:00:00.000Z',
      });
    },
    /** Presses the button with that label under the newest message that has it. @returns the interaction’s id */
    press: (user: string, label: string, by = user): string => {
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
 * Discord’s HTTP API and gateway on one free port of 127.0.0.1, as far as a bot uses them.
 * @param options.port to use the same address again after a stop
 */
export function startFakeDiscord(options: { token?: string; port?: number; heartbeatMs?: number } = {}) {
  const { token = 'fake.discord.token-of-the-tests', port = 0, heartbeatMs = 41_250 } = options;
  const requests: { method: string; path: string; payload: JsonRecord; at: number }[] = [];
  const faults = new Map<string, DiscordFault>();
  const hanging = new Set<() => void>();
  const gatewayUrl = (): string => `ws://127.0.0.1:${server.port}/gateway`;
  const rest = createFakeDiscordRest(gatewayUrl);
  const gateway = createFakeGateway({
    token,
    heartbeatMs,
    readyData: () => ({
      v: 10,
      user: userOf(BOT, USERNAME, true),
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
    username: USERNAME,
    gateway,
    ...createHands(gateway, rest.state),
    /** The messages in the chat with a user, oldest first. */
    sent: (user: string) => rest.state.messages.filter(({ channel }) => channel === dmChannelOf(user)),
    /** A user writes in a channel. */
    post: (channel: string, message: JsonRecord) =>
      void rest.state.posts.push({ ...message, channel_id: channel }),
    /** The answers to interactions, by their ids. */
    answers: rest.state.answers,
    /** Every request, oldest first, with its path below the version; `at` uses the clock of `performance`, in ms. */
    requests,
    /** The slash commands that were registered last. */
    commands: () => rest.state.commands,
    block: (user: string) => void rest.state.blocked.add(dmChannelOf(user)),
    /** Sets the fault of paths that contain this text; null ends it. */
    setFault(part: string, fault: DiscordFault | null): void {
      if (fault) faults.set(part, { ...fault });
      else faults.delete(part);
      wakeAll();
    },
    async stop(): Promise<void> {
      wakeAll();
      await server.stop(true);
    },
  };
}

export type FakeDiscord = ReturnType<typeof startFakeDiscord>;
