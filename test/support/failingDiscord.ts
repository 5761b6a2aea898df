import { isRecord } from '../../src/lib/json.ts';
import {
  type Arrival,
  type Call,
  type Mishap,
  type Platform,
  replyOf,
  type Reply,
} from './failingPlatform.ts';

export const DISCORD_TOKEN = 'markedDiscordTokenXXXXXXXX.abcdef.0123456789_abcdefghijklmnopqrstuv';

export type FailingDiscord = {
  answer(call: Call): Reply;
  arrivals: Arrival[];
  attempts: { chatId: string; at: number }[];
  /** Messages that were sent although the bucket was empty. */
  overLimit(): number;
  setMishap(decide: (call: Call) => Mishap): void;
  setRefusal(decide: (chatId: string) => { status: number; code: number; message: string } | null): void;
};

/** Messages that a channel takes within this time. */
const BUCKET = 5;
const BUCKET_MS = 5000;
const REMEMBERS_MS = 180_000;
const REPEAT = '(may be a repeat)';

/** The channel between the bot and a user has the user's ID with another first digit. */
const channelOf = (userId: string): string => `9${userId.slice(1)}`;
const userOf = (channel: string): string => `1${channel.slice(1)}`;

/** A Discord that keeps count of what it delivered, whatever it answers. Its users' IDs begin with 1. */
export function createFailingDiscord(options: { now(): number }): FailingDiscord {
  const { now } = options;
  const arrivals: Arrival[] = [];
  const attempts: { chatId: string; at: number }[] = [];
  const nonces = new Map<string, { id: string; at: number }>();
  const taken = new Map<string, number[]>();
  let overLimit = 0;
  let decide: (call: Call) => Mishap = () => 'none';
  let refuse: (chatId: string) => { status: number; code: number; message: string } | null = () => null;

  const channelIn = ({ path }: Call): string => /\/channels\/(\d+)\/messages$/.exec(path)?.[1] ?? '';

  /** How many more the channel takes, and until when. */
  function bucketOf(channel: string): { left: number; resetMs: number; times: number[] } {
    const times = (taken.get(channel) ?? []).filter((time) => time > now() - BUCKET_MS);
    const [first = now()] = times;
    return { left: BUCKET - times.length, resetMs: first + BUCKET_MS - now(), times };
  }

  function create(channel: string, body: unknown): ReturnType<Platform['handle']> {
    const { content, nonce, enforce_nonce: isEnforced } = isRecord(body) ? body : {};
    const chatId = userOf(channel);
    const refusal = refuse(chatId);
    if (refusal !== null) return { status: refusal.status, body: refusal };
    const { left, resetMs, times } = bucketOf(channel);
    if (left <= 0) {
      overLimit += 1;
      return { status: 429, body: { message: 'limited', retry_after: resetMs / 1000, global: false } };
    }
    taken.set(channel, [...times, now()]);
    const headers = {
      'x-ratelimit-limit': String(BUCKET),
      'x-ratelimit-remaining': String(left - 1),
      'x-ratelimit-reset-after': String(bucketOf(channel).resetMs / 1000),
      'x-ratelimit-bucket': 'messages',
    };
    const key = `${channel} ${String(nonce)}`;
    const known = nonces.get(key);
    if (isEnforced === true && known && now() - known.at < REMEMBERS_MS) {
      return { status: 200, headers, body: { id: known.id, content } };
    }
    const id = String(arrivals.length + 1);
    nonces.set(key, { id, at: now() });
    const text = String(content);
    arrivals.push({ chatId, text, isMarked: text.includes(REPEAT), at: now() });
    return { status: 200, headers, body: { id, content } };
  }

  const platform: Platform = {
    isSending: (call) => channelIn(call) !== '',
    limited: (all) => ({
      status: 429,
      headers: { 'retry-after': '1', ...(all && { 'x-ratelimit-global': 'true' }) },
      body: { message: 'You are being rate limited.', retry_after: 1.25, global: all },
    }),
    handle(call) {
      const sent = new Headers(call.headers).get('authorization');
      if (sent !== `Bot ${DISCORD_TOKEN}`) {
        return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
      }
      if (platform.isSending(call)) return create(channelIn(call), call.body);
      if (call.path.endsWith('/users/@me/channels')) {
        const recipient = isRecord(call.body) ? String(call.body['recipient_id']) : '';
        return { status: 200, body: { id: channelOf(recipient), type: 1 } };
      }
      return { status: 200, body: { id: '42', username: 'bell', bot: true } };
    },
  };

  return {
    arrivals,
    attempts,
    overLimit: () => overLimit,
    answer(call) {
      if (platform.isSending(call)) attempts.push({ chatId: userOf(channelIn(call)), at: now() });
      return replyOf(platform, call, decide(call));
    },
    setMishap: (next) => void (decide = next),
    setRefusal: (next) => void (refuse = next),
  };
}
