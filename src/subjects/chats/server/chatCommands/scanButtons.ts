import { answeredScanMessage, scanWhyMessage } from '../../../alerts/rules/scanAlerts/scanAlertMessage.ts';
import type { ScanButtonAction } from '../../rules/chatMessage.ts';
import type { ChatMessage } from '../../rules/chatMessage.ts';
import { codeText } from '../../../alerts/rules/stockTitle.ts';
import { SNOOZE_MS } from '../../../alerts/rules/snooze.ts';
import { formatTime } from '../../../../texts/format.ts';
import type { ChatCommandsDeps } from './deps.ts';

/** A snooze pressed again within this time is the same press. */
const SAME_PRESS_MS = 60_000;

/** A press of a button under the message of a scan alert. `target`: the alert, or the trigger for its stock and its why. */
export type ScanButtonPress = { action: ScanButtonAction; target: number; shown: ChatMessage | null };

const GONE = 'This alert no longer exists.';

function mute(
  { scanAlerts }: ChatCommandsDeps,
  userId: number,
  { target, shown }: ScanButtonPress,
): ChatMessage {
  const trigger = scanAlerts.triggerById(userId, target);
  const alert = trigger && scanAlerts.get(userId, trigger.scanAlertId);
  if (!alert || trigger.symbol === null) return answeredScanMessage(shown, GONE, null);
  scanAlerts.mute(userId, alert.id, trigger.symbol, true);
  const answer = `${codeText(trigger.symbol)} is not told again today.`;
  return answeredScanMessage(shown, answer, { id: alert.id, isOn: alert.active });
}

function snooze(deps: ChatCommandsDeps, userId: number, { target, shown }: ScanButtonPress): ChatMessage {
  const { scanAlerts, clock } = deps;
  const alert = scanAlerts.get(userId, target);
  if (!alert) return answeredScanMessage(shown, GONE, null);
  if (!alert.active) return answeredScanMessage(shown, 'Switched off.', { id: target, isOn: false });
  const known = alert.snoozedUntil ?? 0;
  const wanted = clock.now() + SNOOZE_MS;
  const isSamePress = known <= wanted && known > wanted - SAME_PRESS_MS;
  const until = isSamePress ? known : wanted;
  if (!isSamePress) scanAlerts.change(userId, target, { snoozed_until: new Date(until).toISOString() });
  return answeredScanMessage(shown, `Snoozed until ${formatTime(until)} Sydney.`, { id: target, isOn: true });
}

function toggle(
  { scanAlerts }: ChatCommandsDeps,
  userId: number,
  { action, target, shown }: ScanButtonPress,
): ChatMessage {
  const isOn = action === 'scanon';
  const alert = scanAlerts.get(userId, target);
  if (!alert) return answeredScanMessage(shown, GONE, null);
  if (alert.active !== isOn) scanAlerts.change(userId, target, { active: isOn });
  return answeredScanMessage(shown, isOn ? 'Switched on.' : 'Switched off.', { id: target, isOn });
}

/**
 * Does what a button of a scan alert's message says. `edits`: the pressed message changes.
 * @throws AppError with a sentence when a service refuses
 */
export function answerScanButtonPress(
  deps: ChatCommandsDeps,
  userId: number,
  press: ScanButtonPress,
): { message: ChatMessage; edits: boolean } {
  switch (press.action) {
    case 'scanwhy':
      return { message: scanWhyMessage(deps.scanAlerts.triggerById(userId, press.target)), edits: false };
    case 'scanmute':
      return { message: mute(deps, userId, press), edits: true };
    case 'scansnooze':
      return { message: snooze(deps, userId, press), edits: true };
    default:
      return { message: toggle(deps, userId, press), edits: true };
  }
}
