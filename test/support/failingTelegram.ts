import { isRecord } from '../../src/lib/json.ts';
import {
  type Arrival,
  type Call,
  type Mishap,
  type Platform,
  replyOf,
  type Reply,
} from './failingPlatform.ts';

/** Looks like a real one, and shows wherever it leaks. */
export const TELEGRAM_TOKEN = '987654321:AAmarkedTelegramToken_abcdefghijklmn';

export type FailingTelegram = {
  answer(call: Call): Reply;
  arrivals: Arrival[];
  /** When and where to each message was sent, taken or not. */
  attempts: { chatId: string; at: number }[];
  /** Decides what goes wrong with the next call; nothing does until then. */
  setMishap(decide: (call: Call) => Mishap): void;
  /** Answers in place of the platform; null leaves it to it. */
  setRefusal(decide: (chatId: string) => Record<string, unknown> | null): void;
};

const REPEAT = '(may be a repeat)';

/** A Telegram that keeps count of what it delivered, whatever it answers. */
export function createFailingTelegram(options: {
  now(): number;
  retryAfterSeconds?: number;
}): FailingTelegram {
  const { now, retryAfterSeconds = 1 } = options;
  const arrivals: Arrival[] = [];
  const attempts: { chatId: string; at: number }[] = [];
  let decide: (call: Call) => Mishap = () => 'none';
  let refuse: (chatId: string) => Record<string, unknown> | null = () => null;

  const platform: Platform = {
    isSending: ({ path }) => path.endsWith('/sendMessage'),
    limited: () => ({
      status: 429,
      body: {
        ok: false,
        error_code: 429,
        description: `Too Many Requests: retry after ${retryAfterSeconds}`,
        parameters: { retry_after: retryAfterSeconds },
      },
    }),
    handle({ path, body }) {
      if (!path.startsWith(`/bot${TELEGRAM_TOKEN}/`)) {
        return { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } };
      }
      if (!path.endsWith('/sendMessage')) {
        return { status: 200, body: { ok: true, result: { id: 1, is_bot: true, username: 'bell_bot' } } };
      }
      const { chat_id: chat, text } = isRecord(body) ? body : {};
      const chatId = String(chat);
      const refusal = refuse(chatId);
      if (refusal !== null) return { status: Number(refusal['error_code']), body: { ok: false, ...refusal } };
      arrivals.push({ chatId, text: String(text), isMarked: String(text).includes(REPEAT), at: now() });
      return { status: 200, body: { ok: true, result: { message_id: arrivals.length, date: 0 } } };
    },
  };

  return {
    arrivals,
    attempts,
    answer(call) {
      if (platform.isSending(call)) {
        attempts.push({ chatId: String(isRecord(call.body) ? call.body['chat_id'] : ''), at: now() });
      }
      return replyOf(platform, call, decide(call));
    },
    setMishap: (next) => void (decide = next),
    setRefusal: (next) => void (refuse = next),
  };
}
