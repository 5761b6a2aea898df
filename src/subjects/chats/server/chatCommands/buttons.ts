import {
  goneMessage,
  snoozedMessage,
  switchedOffMessage,
  switchedOnMessage,
  whyMessage,
} from '../../../alerts/rules/buttonMessage.ts';
import { SNOOZE_MS } from '../../../alerts/rules/snooze.ts';
import { confirmedMessage, refusedMessage, staleRequestMessage } from '../../../alerts/rules/linkMessage.ts';
import { ALERT_LIST_TITLE, alertListReply } from '../../rules/alertListReply.ts';
import { type ButtonAction, type ChatMessage, type ScanButtonAction } from '../../rules/chatMessage.ts';
import { noButtonReply, note, ownerOnlyReply } from '../../rules/linkReplies.ts';
import type { ChatEvent, ChatReply } from '../../../../platform/chatClients/received.ts';
import type { ChatCommandsDeps } from './deps.ts';
import { isOwner, isUnderMessage } from './groups.ts';
import { answerScanButtonPress } from './scanButtons.ts';

/** A snooze pressed again within this time is the same press. */
const SAME_PRESS_MS = 60_000;

export type ButtonPress = Extract<ChatEvent, { kind: 'button' }>;

const isScanAction = (action: ButtonAction): action is ScanButtonAction => action.startsWith('scan');

/** The pressed message changes, where it is known; otherwise the answer is a new one. */
const edited = ({ shown }: ButtonPress, message: ChatMessage): ChatReply => ({
  message,
  edits: shown !== null,
});
const fresh = (message: ChatMessage): ChatReply => ({ message, edits: false });

function answerQuestion(deps: ChatCommandsDeps, press: ButtonPress): ChatReply {
  const { linkedChats } = deps;
  const outcome = linkedChats.answer(press, press.target, {
    isYes: press.action === 'confirm',
    isOwner: isOwner(deps, press),
  });
  if (outcome === 'refused') return edited(press, refusedMessage());
  if (outcome === 'not theirs') return fresh(ownerOnlyReply());
  if (outcome !== 'confirmed') return edited(press, staleRequestMessage());
  return edited(press, confirmedMessage(linkedChats.accountOf(press)?.username ?? ''));
}

function snooze({ alerts, clock }: ChatCommandsDeps, press: ButtonPress, userId: number): ChatMessage {
  const { target, shown } = press;
  const alert = alerts.list(userId).find(({ id }) => id === target);
  if (!alert) return goneMessage(shown);
  if (!alert.active) return switchedOffMessage(shown, target);
  const until = clock.now() + SNOOZE_MS;
  const known = alert.snoozedUntil ?? 0;
  if (known <= until && known > until - SAME_PRESS_MS) return snoozedMessage(shown, target, known);
  alerts.snooze(userId, target, until);
  return snoozedMessage(shown, target, until);
}

function toggle(deps: ChatCommandsDeps, press: ButtonPress, userId: number): ChatMessage {
  const { alerts, catalog, clock } = deps;
  const { action, target, shown } = press;
  const isOn = action === 'on';
  const alert = alerts.list(userId).find(({ id }) => id === target);
  if (alert && alert.active !== isOn) alerts.setActive(userId, target, isOn);
  if (shown?.title === ALERT_LIST_TITLE) {
    return alertListReply(alerts.list(userId), { now: clock.now(), catalog: catalog.current() });
  }
  if (!alert) return goneMessage(shown);
  return isOn ? switchedOnMessage(shown, target) : switchedOffMessage(shown, target);
}

/**
 * Does what a button says. Alerts obey only chats that are linked to their owner, and in a group only buttons that stand
 * under the message that was pressed there.
 *
 * @throws AppError with a sentence when a service refuses
 */
export function answerButtonPress(deps: ChatCommandsDeps, press: ButtonPress): ChatReply {
  const { action, target } = press;
  if (press.isGroup && !isUnderMessage(press)) return fresh(noButtonReply());
  if (action === 'confirm' || action === 'refuse') return answerQuestion(deps, press);
  const account = deps.linkedChats.accountOf(press);
  if (!account) {
    return fresh(note('This chat is not linked any more', 'Send /link to link it to your Bellbird account.'));
  }
  if (isScanAction(action)) {
    const { message: answer, edits } = answerScanButtonPress(deps, account.id, { ...press, action });
    return edits ? edited(press, answer) : fresh(answer);
  }
  if (action === 'why') return fresh(whyMessage(deps.alerts.triggerById(account.id, target)));
  const message = action === 'snooze' ? snooze(deps, press, account.id) : toggle(deps, press, account.id);
  return edited(press, message);
}
