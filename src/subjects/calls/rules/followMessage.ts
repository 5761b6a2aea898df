import { formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatAlike, formatCallPrice, formatType, sourceLabel, stopWords } from './callFormat.ts';
import type { TrackEvent } from './tracker.ts';
import type { Call } from './types.ts';

/** What followers hear of. An entry trade is none: the new call has been announced already. */
export type NoticeEvent = 'posted' | Exclude<TrackEvent, 'entry'>;

/** Limits per submitter and Sydney day, so that no submitter floods their followers. */
export const MAX_NOTICES_A_DAY = 30;
export const MAX_NEW_CALLS_A_DAY = 10;

/** Submitters that a user can follow, and stocks that a user can mute. */
export const MAX_FOLLOWED = 50;
export const MAX_MUTED = 200;

const MAX_NAME = 60;

type AnnouncedCall = Pick<
  Call,
  | 'publicId'
  | 'symbol'
  | 'callType'
  | 'isShort'
  | 'entryPrice'
  | 'targetPrice'
  | 'stopLossType'
  | 'stopLoss'
  | 'source'
  | 'fillPrice'
  | 'targetReached'
  | 'stopReached'
> & { id: number; submitter: string };

function happenedText(event: NoticeEvent, call: AnnouncedCall): string {
  const at = (price: number | null | undefined): string =>
    price === null || price === undefined ? '' : ` at ${formatCallPrice(price)}`;
  switch (event) {
    case 'posted':
      return call.isShort ? 'new short call' : 'new call';
    case 'filled':
      return `call filled${at(call.fillPrice)}`;
    case 'target':
      return `target reached${at(call.targetReached?.price)}`;
    case 'stop':
      return `stop reached${at(call.stopReached?.price)}`;
  }
}

/** `at` is by the clock of the call's market, epoch ms. */
type NoticeContext = { at: number; publicUrl: string | null };

/** The message to followers. It has no rationale, because a deleted account's rationale must be gone everywhere. */
export function followMessage(
  event: NoticeEvent,
  call: AnnouncedCall,
  { at, publicUrl }: NoticeContext,
): ChatMessage {
  const [entry, target] = formatAlike(call.entryPrice, call.targetPrice);
  const page = `#/calls/${encodeURIComponent(call.publicId)}`;
  const symbol = plainLine(call.symbol, MAX_NAME);
  return {
    title: `${symbol} ${happenedText(event, call)}`,
    lines: [
      `By ${plainLine(call.submitter, MAX_NAME)} · ${formatTime(at)} Sydney`,
      `${formatType(call)} at ${entry}, target ${target}, ${stopWords(call)}`,
      `Source: ${plainLine(sourceLabel(call.source), MAX_NAME)}. General information only, not financial advice.`,
    ],
    link: publicUrl === null ? null : { text: 'Open the call in Bellbird', url: `${publicUrl}/${page}` },
    page,
    buttons: [{ action: 'callmute', target: call.id, label: `Mute ${symbol}` }],
  };
}
