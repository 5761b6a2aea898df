import { isRecord, type JsonRecord } from '../../src/lib/json.ts';

/** A message as it stands in a channel now. */
export type DiscordMessage = {
  id: string;
  channel: string;
  content: string;
  buttons: { text: string; data: string }[];
  isEphemeral: boolean;
  edits: number;
  /** The whole of what was sent last. */
  payload: JsonRecord;
};

type Interaction = {
  token: string;
  channel: string;
  user: string;
  /** Epoch ms. */
  at: number;
  answered: boolean;
  /** The message whose button was pressed, or what the answer made. */
  message: DiscordMessage | null;
};

export type RestState = {
  messages: DiscordMessage[];
  interactions: Map<string, Interaction>;
  /** By the interaction's id. */
  answers: Map<string, { type: number; data: JsonRecord }>;
  commands: JsonRecord[];
  /** Users and channels that take nothing. */
  blocked: Set<string>;
  /** What people wrote in channels, oldest first, as the API has it. */
  posts: JsonRecord[];
};

type Needs = {
  application: string;
  bot: string;
  username: string;
  gatewayUrl(): string;
  dmChannelOf(user: string): string;
};

const EPHEMERAL = 64;
/** Discord gives 3 s, in which a test on a busy machine may not get its turn. */
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

/** The messages of all channels. */
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

/** The routes of Discord's HTTP API that a bot uses. */
export function createFakeDiscordRest(needs: Needs) {
  const state: RestState = {
    messages: [],
    interactions: new Map(),
    answers: new Map(),
    commands: [],
    blocked: new Set(),
    posts: [],
  };
  const channels = createChannels(state);
  const routes: [string, RegExp, (parts: string[], payload: JsonRecord) => Response][] = [
    ['GET', /^\/users\/@me$/, () => Response.json({ id: needs.bot, username: needs.username, bot: true })],
    ['GET', /^\/(?:oauth2\/)?applications\/@me$/, () => Response.json({ id: needs.application, name: 'x' })],
    [
      'GET',
      /^\/gateway\/bot$/,
      () =>
        Response.json({
          url: needs.gatewayUrl(),
          shards: 1,
          session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
        }),
    ],
    ['PUT', /^\/applications\/(\d+)\/commands$/, (_, { list }) => setCommands(state, list)],
    [
      'POST',
      /^\/users\/@me\/channels$/,
      (_, payload) => Response.json({ id: needs.dmChannelOf(String(payload['recipient_id'])), type: 1 }),
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
