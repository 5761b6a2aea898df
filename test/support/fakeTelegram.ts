import { isRecord, type JsonRecord } from '#lib/json.ts';

/** A fault of the server, by method; `times` counts down, and without it the fault stays. */
export type TelegramFault = {
  kind: 'status' | 'html' | 'garbage' | 'hang' | 'cut' | 'cutAfter';
  /** For `status`. */
  code?: number;
  description?: string;
  retryAfter?: number;
  times?: number;
};

type FakeButton = { text: string; data: string };

/** The current state of a message in a chat. */
export type FakeMessage = {
  id: number;
  chatId: string;
  text: string;
  /** Texts of its entities by kind: `bold`, `text_link`. */
  entities: { type: string; text: string; url: string | null }[];
  buttons: FakeButton[];
  edits: number;
  payload: JsonRecord;
};

const failure = (code: number, description: string, parameters: JsonRecord = {}): Response =>
  Response.json({ ok: false, error_code: code, description, parameters }, { status: code });
const success = (result: unknown): Response => Response.json({ ok: true, result });

/** An answer whose connection breaks off in the middle. */
const cutAnswer = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"ok":true,"res'));
      },
      pull: (controller) => controller.error(new Error('cut')),
    }),
    { headers: { 'content-type': 'application/json' } },
  );

function entitiesOf(text: string, payload: JsonRecord): FakeMessage['entities'] {
  const list = Array.isArray(payload['entities']) ? payload['entities'] : [];
  return list.filter(isRecord).map(({ type, offset, length, url }) => ({
    type: String(type),
    text: text.slice(Number(offset), Number(offset) + Number(length)),
    url: typeof url === 'string' ? url : null,
  }));
}

function buttonsOf(payload: JsonRecord): FakeButton[] {
  const markup = payload['reply_markup'];
  if (!isRecord(markup) || !Array.isArray(markup['inline_keyboard'])) return [];
  return markup['inline_keyboard']
    .flat()
    .filter(isRecord)
    .map((button) => ({ text: String(button['text']), data: String(button['callback_data']) }));
}

/** Telegram’s reason to refuse a text; null if it accepts it. */
function textProblem(payload: JsonRecord): string | null {
  const { text } = payload;
  if (typeof text !== 'string' || text.trim() === '') return 'Bad Request: message text is empty';
  if (text.length > 4096) return 'Bad Request: message is too long';
  const isTooLong = buttonsOf(payload).some(({ data }) => Buffer.byteLength(data) > 64);
  return isTooLong ? 'Bad Request: BUTTON_DATA_INVALID' : null;
}

const createState = () => ({
  /** The answered callback queries by id, with their texts. */
  answered: new Map<string, string | null>(),
  /** The commands of the last setMyCommands. */
  commands: new Array<{ command: string; description: string }>(),
  updates: new Array<JsonRecord & { update_id: number }>(),
  messages: new Array<FakeMessage>(),
  faults: new Map<string, TelegramFault>(),
  webhook: null as string | null,
  poll: null as { end(response: Response | null): void } | null,
  hanging: new Set<() => void>(),
  nextUpdate: 1000,
  nextMessage: 0,
});
type State = ReturnType<typeof createState>;

const HOOKED =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

/** Answers with waiting updates, with new ones when they arrive, or with none after the requested time. */
async function getUpdates(state: State, payload: JsonRecord): Promise<Response> {
  const offset = Number(payload['offset'] ?? 0);
  const seconds = Number(payload['timeout'] ?? 0);
  const limit = Number(payload['limit'] ?? 100);
  // As on Telegram, the older of two pollers is refused.
  state.poll?.end(failure(409, 'Conflict: terminated by other getUpdates request'));
  if (state.webhook !== null) return failure(409, HOOKED);
  state.updates = state.updates.filter(({ update_id }) => !(update_id < offset));
  const now = (): Response | null =>
    state.updates.length === 0 ? null : success(state.updates.slice(0, limit));
  const ready = now();
  if (ready) return ready;
  const response = await new Promise<Response | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), seconds * 1000);
    const poll = {
      end: (answer: Response | null) => {
        clearTimeout(timer);
        if (state.poll === poll) state.poll = null;
        resolve(answer);
      },
    };
    state.poll = poll;
  });
  return response ?? now() ?? success([]);
}

function sendMessage(state: State, payload: JsonRecord): Response {
  const chatId = String(payload['chat_id']);
  const problem = textProblem(payload);
  if (problem) return failure(400, problem);
  state.nextMessage += 1;
  const text = String(payload['text']);
  const id = state.nextMessage;
  const entities = entitiesOf(text, payload);
  state.messages.push({ id, chatId, text, entities, buttons: buttonsOf(payload), edits: 0, payload });
  return success({ message_id: id, date: 1, chat: { id: Number(chatId), type: 'private' }, text });
}

function editMessageText(state: State, payload: JsonRecord): Response {
  const message = state.messages.find(({ id }) => id === Number(payload['message_id']));
  if (!message || message.chatId !== String(payload['chat_id'])) {
    return failure(400, 'Bad Request: message to edit not found');
  }
  const problem = textProblem(payload);
  if (problem) return failure(400, problem);
  const text = String(payload['text']);
  const buttons = buttonsOf(payload);
  if (text === message.text && JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
    return failure(400, 'Bad Request: message is not modified');
  }
  Object.assign(message, {
    text,
    buttons,
    entities: entitiesOf(text, payload),
    edits: message.edits + 1,
    payload,
  });
  return success({ message_id: message.id, date: 1, chat: { id: Number(message.chatId) }, text });
}

async function faulty(
  state: State,
  method: string,
  act: () => Response | Promise<Response>,
): Promise<Response> {
  const key = state.faults.has(method) ? method : '*';
  const fault = state.faults.get(key);
  if (!fault) return act();
  if (fault.times !== undefined) {
    fault.times -= 1;
    if (fault.times <= 0) state.faults.delete(key);
  }
  const { code = 500, description = 'Internal Server Error', retryAfter } = fault;
  switch (fault.kind) {
    case 'status':
      return failure(code, description, retryAfter === undefined ? {} : { retry_after: retryAfter });
    case 'html':
      return new Response('<html><body>502 Bad Gateway</body></html>', {
        status: code,
        headers: { 'content-type': 'text/html' },
      });
    case 'garbage':
      return new Response('{"ok":true,"result":', { headers: { 'content-type': 'application/json' } });
    case 'hang':
      await new Promise<void>((wake) => state.hanging.add(wake));
      return act();
    case 'cut':
      return cutAnswer();
    case 'cutAfter':
      await act();
      return cutAnswer();
  }
}

const USERNAME = 'bellbird_test_bot';

function act(state: State, method: string, payload: JsonRecord): Response | Promise<Response> {
  const { callback_query_id: query, text, commands } = payload;
  switch (method) {
    case 'getMe':
      return success({ id: 123456, is_bot: true, first_name: 'Bellbird', username: USERNAME });
    case 'deleteWebhook':
      state.webhook = null;
      return success(true);
    case 'getWebhookInfo':
      return success({ url: state.webhook ?? '', has_custom_certificate: false, pending_update_count: 0 });
    case 'setMyCommands':
      state.commands.splice(0, state.commands.length, ...(commands as State['commands']));
      return success(true);
    case 'getUpdates':
      return getUpdates(state, payload);
    case 'sendMessage':
      return sendMessage(state, payload);
    case 'editMessageText':
      return editMessageText(state, payload);
    case 'answerCallbackQuery':
      state.answered.set(String(query), typeof text === 'string' ? text : null);
      return success(true);
    default:
      return failure(404, 'Not Found: method not found');
  }
}

const chatOf = (chat: number, isGroup: boolean, name: string): JsonRecord =>
  isGroup
    ? { id: chat, type: 'supergroup', title: 'A group' }
    : { id: chat, type: 'private', first_name: name };

function createHands(state: State) {
  const push = (update: JsonRecord): void => {
    state.nextUpdate += 1;
    state.updates.push({ update_id: state.nextUpdate, ...update });
    state.poll?.end(null);
  };
  const sent = (chat: number): FakeMessage[] =>
    state.messages.filter(({ chatId }) => chatId === String(chat));
  return {
    /** Any update; it gets an id unless it has one. */
    push,
    /** Messages sent to a chat, oldest first, in their current state. */
    sent,
    /** A user writes in a chat. */
    write(
      chat: number,
      text: string,
      { from = chat, name = 'Anna', group = chat < 0, edited = false } = {},
    ): void {
      state.nextMessage += 1;
      const message = {
        message_id: state.nextMessage,
        date: 1,
        chat: chatOf(chat, group, name),
        from: { id: from, is_bot: false, first_name: name },
        text,
      };
      push(edited ? { edited_message: { ...message, edit_date: 2 } } : { message });
    },
    /** Presses the button with that label under the newest message that has it. @returns the callback query’s id */
    press(chat: number, label: string, from = chat): string {
      const message = sent(chat).findLast(({ buttons }) => buttons.some(({ text }) => text === label));
      const button = message?.buttons.find(({ text }) => text === label);
      if (!message || !button) throw new Error(`There is no button "${label}" in chat ${chat}.`);
      const id = `press-${state.nextUpdate + 1}`;
      const shown = {
        ...message.payload,
        message_id: message.id,
        date: 1,
        chat: chatOf(chat, chat < 0, 'Anna'),
      };
      const person = { id: from, is_bot: false, first_name: 'Anna' };
      push({ callback_query: { id, from: person, chat_instance: '1', data: button.data, message: shown } });
      return id;
    },
  };
}

/**
 * Telegram’s Bot API on a free port of 127.0.0.1, as far as a polling bot uses it.
 * @param options.port to use the same address again after a stop
 */
export function startFakeTelegram(options: { token?: string; port?: number } = {}) {
  const { token = '123456:fake-telegram-token-of-the-tests-0000', port = 0 } = options;
  const state = createState();
  const requests: { method: string; payload: JsonRecord; at: number }[] = [];
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const [, bot, method = ''] = new URL(request.url).pathname.split('/');
      const body: unknown = await request.json().catch(() => ({}));
      const payload = isRecord(body) ? body : {};
      requests.push({ method, payload, at: performance.now() });
      if (bot !== `bot${token}`) return failure(401, 'Unauthorized');
      return faulty(state, method, () => act(state, method, payload));
    },
  });
  const wakeAll = (): void => {
    for (const wake of state.hanging) wake();
    state.hanging.clear();
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    token,
    username: USERNAME,
    answered: state.answered,
    commands: state.commands,
    /** Every request, oldest first, by the clock of `performance`, in ms. */
    requests,
    ...createHands(state),
    /** Sets the fault of a method, or of every method; null ends it. */
    setFault(method: string, fault: TelegramFault | null): void {
      if (fault) state.faults.set(method, { ...fault });
      else state.faults.delete(method);
      wakeAll();
    },
    /** Another program sets a webhook, or removes it. */
    setWebhook: (url: string | null) => void (state.webhook = url),
    /** Updates that no request has fetched. */
    waiting: () => state.updates.length,
    /** True while a long poll is open. */
    isPolled: () => state.poll !== null,
    /** Closes every long poll. */
    cutPolls: () => state.poll?.end(cutAnswer()),
    async stop(): Promise<void> {
      state.poll?.end(null);
      wakeAll();
      await server.stop(true);
    },
  };
}

export type FakeTelegram = ReturnType<typeof startFakeTelegram>;
