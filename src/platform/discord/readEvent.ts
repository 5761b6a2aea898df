import { plainLine } from '#texts/plainText.ts';
import type { ChatButton, ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readList, readRecord, readText } from '#lib/read.ts';
import { type ChatEvent, readButtonData } from '../chatClients/received.ts';
import { REPEAT_MARK } from '../chatClients/messageText.ts';

export type AnswerWay =
  | { kind: 'message'; channelId: string }
  | ({ kind: 'command' } & Interaction)
  | ({ kind: 'press' } & Interaction);

type Interaction = {
  interactionId: string;
  interactionToken: string;
  applicationId: string;
  /** The event is in a server's channel, so only the person sees the answer. */
  isPrivate: boolean;
};

/** An event that needs an answer. `id` is the platform's own. */
export type DiscordEvent = { id: string; event: ChatEvent; way: AnswerWay };

const MAX_NAME = 80;
const APPLICATION_COMMAND = 2;
const MESSAGE_COMPONENT = 3;

const snowflake = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : null;

/** A chat is identified by its person, because the ID of a direct-message channel has no other use. */
function originOf(user: JsonRecord, isGroup: boolean) {
  const id = snowflake(user['id']);
  if (id === null || user['bot'] === true) return null;
  const name = plainLine(readText(user['global_name']) ?? readText(user['username']) ?? '', MAX_NAME);
  return { platform: 'discord' as const, chatId: id, personId: id, displayName: name || null, isGroup };
}

function readMessage(message: JsonRecord): DiscordEvent | null {
  const [id, channelId] = [snowflake(message['id']), snowflake(message['channel_id'])];
  const origin = originOf(readRecord(message['author']), false);
  if (id === null || channelId === null || !origin || message['guild_id'] !== undefined) return null;
  const text = typeof message['content'] === 'string' ? message['content'] : '';
  return { id, event: { ...origin, kind: 'text', text }, way: { kind: 'message', channelId } };
}

function commandText(data: JsonRecord): string | null {
  if (typeof data['name'] !== 'string') return null;
  const values = readList(data['options'], (option) => readText(readRecord(option)['value']));
  return [`/${data['name']}`, ...values].join(' ');
}

function readButton(value: unknown): ChatButton | null {
  const { custom_id: data, label } = readRecord(value);
  const button = typeof data === 'string' ? readButtonData(data) : null;
  return button && typeof label === 'string' ? { ...button, label } : null;
}

const LINK = /^\[(.{0,400})\]\(<([^>\s]{1,2000})>\)$/;
const unescaped = (text: string): string => text.replaceAll(/\\([\\*_~`|<>[\]()#@:+.-])/g, '$1');

function readShown(message: JsonRecord): ChatMessage | null {
  const { content } = message;
  if (typeof content !== 'string' || content === '') return null;
  const [first = '', ...rest] = content.split('\n');
  const link = LINK.exec(rest.at(-1) ?? '');
  const lines = (link ? rest.slice(0, -1) : rest).filter((line) => line !== `*${REPEAT_MARK}*`);
  const rows = readList(message['components'], (row) => readRecord(row)['components'] ?? null);
  return {
    title: unescaped(first.replace(/^\*\*(.{0,2000})\*\*$/, '$1')),
    lines: lines.map(unescaped),
    link: link ? { text: unescaped(link[1] ?? ''), url: link[2] ?? '' } : null,
    buttons: readList(rows.flat(), readButton),
  };
}

function readInteraction(interaction: JsonRecord): DiscordEvent | null {
  const [id, applicationId] = [snowflake(interaction['id']), snowflake(interaction['application_id'])];
  const token = interaction['token'];
  if (id === null || applicationId === null || typeof token !== 'string') return null;
  const member = interaction['member'];
  const isGroup = isRecord(member);
  const origin = originOf(readRecord(isGroup ? member['user'] : interaction['user']), isGroup);
  if (!origin) return null;
  const way: Interaction = { interactionId: id, interactionToken: token, applicationId, isPrivate: isGroup };
  const data = readRecord(interaction['data']);
  if (interaction['type'] === APPLICATION_COMMAND) {
    const text = commandText(data);
    return text === null
      ? null
      : { id, event: { ...origin, kind: 'text', text }, way: { kind: 'command', ...way } };
  }
  const button = typeof data['custom_id'] === 'string' ? readButtonData(data['custom_id']) : null;
  if (interaction['type'] !== MESSAGE_COMPONENT || !button) return null;
  const shown = readShown(readRecord(interaction['message']));
  return { id, event: { ...origin, kind: 'button', ...button, shown }, way: { kind: 'press', ...way } };
}

/**
 * Reads direct messages, commands and pressed buttons of the gateway tolerantly. Ignores other bots and unknown
 * forms.
 * @param type the event's name, for instance MESSAGE_CREATE
 */
export function readEvent(type: unknown, data: unknown): DiscordEvent | null {
  if (type === 'MESSAGE_CREATE') return readMessage(readRecord(data));
  return type === 'INTERACTION_CREATE' ? readInteraction(readRecord(data)) : null;
}
