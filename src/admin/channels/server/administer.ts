import { checkChannel, MAX_CHANNELS } from '../rules/channel.ts';
import { lastSummary } from '../rules/summaryTime.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { readBoolean } from '#lib/read.ts';
import type { ChannelsDeps } from './deps.ts';
import type { ChannelChange, ChannelRow } from './store.ts';

const SWITCHED_ON_LATER = 'It was switched on after 16:30 Sydney.';

/** @throws AppError 404 */
export function channelOf({ store }: Pick<ChannelsDeps, 'store'>, id: number): ChannelRow {
  const row = store.byId(id);
  if (!row) throw new AppError(404, 'That channel no longer exists.');
  return row;
}

/**
 * Adds a channel, which can be chosen for messages unless it says otherwise.
 * @throws AppError 400 for a form that can't be taken or a chat that is a channel already; 429
 */
export function addChannel(
  deps: ChannelsDeps,
  userId: number,
  sent: { name?: unknown; chatId?: unknown; platform?: unknown; subscribed?: unknown },
): ChannelRow {
  const { store, audit, clock } = deps;
  deps.countChange(userId);
  const form = accepted(checkChannel(sent));
  return store.inTransaction(() => {
    const same = store.byChat(form.platform, form.chatId);
    if (same) {
      throw new AppError(400, {
        field: 'chatId',
        message: `This chat is the channel "${same.name}" already.`,
      });
    }
    if (store.all().length >= MAX_CHANNELS) {
      throw new AppError(400, `There are ${MAX_CHANNELS} channels already. Delete one first.`);
    }
    const row = store.insert({ ...form, subscribed: readBoolean(sent.subscribed) ?? true }, clock.now());
    audit.record({ userId, action: 'add channel', target: row.name, after: form });
    return row;
  });
}

function changeOf(sent: { subscribed?: unknown; sendDaily?: unknown }): ChannelChange {
  const subscribed = readBoolean(sent.subscribed);
  const sendDaily = readBoolean(sent.sendDaily);
  if (subscribed === null && sendDaily === null) {
    throw new AppError(400, 'Say whether the channel is subscribed or gets the daily summary: 0 or 1.');
  }
  return { ...(subscribed !== null && { subscribed }), ...(sendDaily !== null && { sendDaily }) };
}

/** The day that is over already gets no summary any more. */
function skipLast({ store, source }: ChannelsDeps, channel: ChannelRow): void {
  const { date } = lastSummary(source.clock.now());
  const skippedReason = SWITCHED_ON_LATER;
  store.insertSummary({ channel, source: source.name, date, nonce: null, skippedReason });
}

/** Switches what a channel gets. @throws AppError 400, 404, 429 */
export function changeChannel(
  deps: ChannelsDeps,
  userId: number,
  id: number,
  sent: { subscribed?: unknown; sendDaily?: unknown },
): ChannelRow {
  const { store, audit } = deps;
  deps.countChange(userId);
  const change = changeOf(sent);
  return store.inTransaction(() => {
    const { subscribed, sendDaily, name } = channelOf(deps, id);
    const row = store.change(id, change);
    if (row.sendDaily && !sendDaily) skipLast(deps, row);
    if (row.subscribed !== subscribed || row.sendDaily !== sendDaily) {
      const after = { subscribed: row.subscribed, sendDaily: row.sendDaily };
      audit.record({
        userId,
        action: 'change channel',
        target: name,
        before: { subscribed, sendDaily },
        after,
      });
    }
    return row;
  });
}

/** Deletes a channel; what waits to be sent there is not sent. @throws AppError 404, 429 */
export function deleteChannel(deps: ChannelsDeps, userId: number, id: number): void {
  const { store, audit, heard } = deps;
  deps.countChange(userId);
  store.inTransaction(() => {
    const { name, platform, chatId } = channelOf(deps, id);
    store.remove(id);
    audit.record({ userId, action: 'delete channel', target: name, before: { name, platform, chatId } });
  });
  heard.forget(id);
}
