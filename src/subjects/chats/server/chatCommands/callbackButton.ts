import {
  confirmedMessage,
  goneMessage,
  refusedMessage,
  snoozedMessage,
  staleRequestMessage,
  switchedOffMessage,
  switchedOnMessage,
  switchedOnText,
  whyMessage,
} from '#subjects/alerts/rules/buttonMessage.ts';
import { SNOOZE_MS } from '#subjects/alerts/rules/alert.ts';
import { answeredWeekly, isWeeklyMessage } from '#subjects/alerts/rules/attention.ts';
import { ALERT_LIST_TITLE, noButtonReply, note, ownerOnlyReply } from '#subjects/chats/rules/replies.ts';
import {
  ALERT_ACTIONS,
  type ButtonAction,
  type ChatMessage,
  SCAN_ALERT_ACTIONS,
} from '#platform/chatClients/rules/chatMessage.ts';
import type { ChatEvent, ChatReply } from '#platform/chatClients/received.ts';
import type { App } from '#platform/app.ts';
import { alertList, isOwner, whenOn } from './commands.ts';
import { answeredScanMessage, scanWhyMessage } from '#subjects/alerts/rules/scanAlerts/scanAlertMessage.ts';
import { codeText } from '#subjects/alerts/rules/stockTitle.ts';
import { formatTime } from '#texts/format.ts';

/** Pressing snooze again within this time (ms) counts once. */
const SAME_PRESS_MS = 60_000;

type ButtonPress = Extract<ChatEvent, { kind: 'button' }>;

/** The end of a new snooze, or of the snooze that the same press started. */
function snoozeEnd(known: number | null, now: number): { until: number; isSamePress: boolean } {
  const until = now + SNOOZE_MS;
  const isSamePress = known !== null && known <= until && known > until - SAME_PRESS_MS;
  return { until: isSamePress ? known : until, isSamePress };
}

/** Edits the message of the pressed button if its text is known; otherwise sends a new one. */
const edited = ({ shown }: ButtonPress, message: ChatMessage): ChatReply => ({
  message,
  edits: shown !== null,
});
const fresh = (message: ChatMessage): ChatReply => ({ message, edits: false });

function answerQuestion(app: App, press: ButtonPress): ChatReply {
  const { linkedChats } = app;
  const outcome = linkedChats.answer(press, press.target, {
    isYes: press.action === 'confirm',
    isOwner: isOwner(app, press),
    topicId: press.topicId ?? null,
  });
  if (outcome === 'refused') return edited(press, refusedMessage());
  if (outcome === 'not theirs') return fresh(ownerOnlyReply());
  if (outcome !== 'confirmed') return edited(press, staleRequestMessage());
  return edited(press, confirmedMessage(linkedChats.accountOf(press)?.username ?? ''));
}

function snoozeAlert({ alerts, clock }: App, press: ButtonPress, userId: number): ChatMessage {
  const { target, shown } = press;
  const alert = alerts.get(userId, target);
  if (!alert) return goneMessage(shown);
  if (!alert.active) return switchedOffMessage(shown, target);
  const { until, isSamePress } = snoozeEnd(alert.snoozedUntil, clock.now());
  if (!isSamePress) alerts.snooze(userId, target, until);
  return snoozedMessage(shown, target, until);
}

const weeklyAnswer = (isOn: boolean, when: string | null): string =>
  isOn ? switchedOnText(when).replace('S', 's') : 'paused.';

const WEEKLY_GONE = 'no longer there.';

function toggleAlert(app: App, press: ButtonPress, userId: number): ChatMessage {
  const { alerts } = app;
  const { action, target, shown } = press;
  const isOn = action === 'on';
  const alert = alerts.get(userId, target);
  if (alert && alert.active !== isOn) alerts.setActive(userId, target, isOn);
  if (shown?.title === ALERT_LIST_TITLE) {
    return alertList(app, { account: { id: userId } });
  }
  if (shown !== null && isWeeklyMessage(shown)) {
    const answer = alert ? weeklyAnswer(isOn, whenOn(app, alerts, alert)) : WEEKLY_GONE;
    return answeredWeekly(shown, press, answer);
  }
  if (!alert) return goneMessage(shown);
  return isOn
    ? switchedOnMessage(shown, target, whenOn(app, alerts, alert))
    : switchedOffMessage(shown, target);
}

const SCAN_ALERT_GONE = 'This alert no longer exists.';

/** Mutes the stock of a trigger for today. */
function muteStock(
  { alerts: { scanAlerts } }: App,
  { target, shown }: ButtonPress,
  userId: number,
): ChatMessage {
  const trigger = scanAlerts.triggerById(userId, target);
  const alert = trigger && scanAlerts.get(userId, trigger.scanAlertId);
  if (!alert || trigger.symbol === null) return answeredScanMessage(shown, SCAN_ALERT_GONE, null);
  scanAlerts.mute(userId, alert.id, trigger.symbol, true);
  const answer = `${codeText(trigger.symbol)} is muted until tomorrow.`;
  return answeredScanMessage(shown, answer, { id: alert.id, isOn: alert.active });
}

function snoozeScanAlert(app: App, { target, shown }: ButtonPress, userId: number): ChatMessage {
  const {
    alerts: { scanAlerts },
    clock,
  } = app;
  const alert = scanAlerts.get(userId, target);
  if (!alert) return answeredScanMessage(shown, SCAN_ALERT_GONE, null);
  if (!alert.active) return answeredScanMessage(shown, 'Switched off.', { id: target, isOn: false });
  const { until, isSamePress } = snoozeEnd(alert.snoozedUntil, clock.now());
  if (!isSamePress) scanAlerts.change(userId, target, { snoozed_until: new Date(until).toISOString() });
  return answeredScanMessage(shown, `Snoozed until ${formatTime(until)} Sydney.`, { id: target, isOn: true });
}

function toggleScanAlert(app: App, press: ButtonPress, userId: number): ChatMessage {
  const { scanAlerts } = app.alerts;
  const { action, target, shown } = press;
  const isOn = action === 'scanon';
  const alert = scanAlerts.get(userId, target);
  if (alert && alert.active !== isOn) scanAlerts.change(userId, target, { active: isOn });
  if (shown !== null && isWeeklyMessage(shown)) {
    const answer = alert ? weeklyAnswer(isOn, whenOn(app, scanAlerts, alert)) : WEEKLY_GONE;
    return answeredWeekly(shown, press, answer);
  }
  if (!alert) return answeredScanMessage(shown, SCAN_ALERT_GONE, null);
  const answer = isOn ? switchedOnText(whenOn(app, scanAlerts, alert)) : 'Switched off.';
  return answeredScanMessage(shown, answer, { id: target, isOn });
}

/** Mutes the stock of a followed call. */
function muteCall({ calls }: App, { target, shown }: ButtonPress, userId: number): ChatMessage {
  const symbol = calls.following.muteCall(userId, target);
  const answer =
    symbol === null
      ? 'You no longer follow this call.'
      : `${codeText(symbol)} is muted. Unmute it on a page of a submitter that you follow.`;
  return answeredScanMessage(shown, answer, null);
}

const SCAN_ACTIONS = {
  scanmute: muteStock,
  scansnooze: snoozeScanAlert,
  scanon: toggleScanAlert,
  scanoff: toggleScanAlert,
};
const isScanAction = (action: ButtonAction): action is keyof typeof SCAN_ACTIONS =>
  Object.hasOwn(SCAN_ACTIONS, action);

const IN_PLACE = [ALERT_ACTIONS, SCAN_ALERT_ACTIONS];

/**
 * Whether the platform shows the button under the message. A member of a group could send the data of a button that was
 * never in the group.
 */
const isUnderMessage = ({ action, target, shown }: ButtonPress): boolean =>
  shown?.buttons.some((button) => {
    if (button.target !== target) return false;
    return button.action === action || IN_PLACE.some((kind) => kind.has(action) && kind.has(button.action));
  }) ?? false;

/**
 * Runs a button. Only chats linked to the owner can change alerts, and in a group only with buttons under the message.
 * @throws AppError with a sentence if a service refuses
 */
export function answerButtonPress(app: App, press: ButtonPress): ChatReply {
  const { action, target } = press;
  if (press.isGroup && !isUnderMessage(press)) return fresh(noButtonReply());
  if (action === 'confirm' || action === 'refuse') return answerQuestion(app, press);
  const account = app.linkedChats.accountOf(press);
  if (!account) {
    return fresh(note('This chat is no longer linked', 'Send /link to link it to your Bellbird account.'));
  }
  if (action === 'scanwhy')
    return fresh(scanWhyMessage(app.alerts.scanAlerts.triggerById(account.id, target)));
  if (isScanAction(action)) return edited(press, SCAN_ACTIONS[action](app, press, account.id));
  if (action === 'callmute') return edited(press, muteCall(app, press, account.id));
  if (action === 'why') return fresh(whyMessage(app.alerts.triggerById(account.id, target)));
  const message =
    action === 'snooze' ? snoozeAlert(app, press, account.id) : toggleAlert(app, press, account.id);
  return edited(press, message);
}
