import type { SentTo } from '../../../rules/alertView.ts';
import { TRIGGER_KINDS, type ListedTrigger } from '../../../rules/triggerList.ts';
import { CHAT_PLATFORMS } from '../../../../chats/rules/chatPlatform.ts';
import { SCAN_EVENTS } from '../../../rules/scanAlerts/scanAlert.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readNumber,
  readRecord,
  readText,
} from '../../../../../lib/read.ts';
import { readSeenConditions } from '../../shared/readSeen.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';
import { readDelivery } from '../readAlerts.ts';

export type TriggerPage = { triggers: ListedTrigger[]; next: string | null };

const readKind = readChoice(TRIGGER_KINDS);
const readEvent = readChoice(SCAN_EVENTS);
const readPlatform = readChoice(CHAT_PLATFORMS);

function readSent(value: unknown): SentTo | null {
  const given = readRecord(value);
  const platform = readPlatform(given.platform);
  return platform && { platform, delivery: readDelivery(given.delivery) ?? 'waiting' };
}

/** @returns null for what names no trigger of an alert at a time */
function readTrigger(value: unknown): ListedTrigger | null {
  const given = readRecord(value);
  const [id, alertId] = [readCount(given.id), readCount(given.alertId)];
  const kind = readKind(given.kind);
  const timestamp = readIsoTime(given.timestamp);
  if (id === null || alertId === null || kind === null || timestamp === null) return null;
  return {
    ...{ id, alertId, kind, timestamp },
    name: readText(given.name) || null,
    symbol: readText(given.symbol) || null,
    symbols: readList(given.symbols, readText),
    event: readEvent(given.event),
    scan: readText(given.scan),
    marketTime: readIsoTime(given.marketTime) ?? timestamp,
    seen: readSeenConditions(given.seen),
    quoteTime: readIsoTime(given.quoteTime),
    source: readText(given.source) ?? '',
    delayMinutes: readNumber(given.delayMinutes) ?? 0,
    deactivated: readBoolean(given.deactivated) ?? false,
    silent: readBoolean(given.silent) ?? false,
    delivery: readDelivery(given.delivery),
    sent: readList(given.sent, readSent),
  };
}

/** GET /alerts/triggers: the newest first. */
export function readTriggerPage(body: unknown): TriggerPage {
  const { triggers, next } = readAnswer(body);
  return { triggers: readList(triggers, readTrigger), next: readText(next) };
}
