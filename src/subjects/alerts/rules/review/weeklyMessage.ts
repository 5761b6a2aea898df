import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { plainLine } from '#texts/plainText.ts';
import { type Finding, findingTitle } from './finding.ts';

/** Ends the title, by which a pressed message is known. */
const TITLE_END = 'to look at among your alerts';
const MAX_LINES = 8;
const MAX_LINE = 200;
const MAX_BUTTONS = 3;
const MAX_LABEL = 30;

/** Where the review is in the app, from the `#` on. */
export const REVIEW_PAGE = '#/watchlist/review';

export const isWeeklyMessage = ({ title }: Pick<ChatMessage, 'title'>): boolean => title.endsWith(TITLE_END);

/** Of a finding about one alert that can be paused. */
function pauseButton({ alerts, presses }: Finding): ChatButton[] {
  const [alert] = alerts;
  if (alert === undefined || alerts.length > 1 || !presses.includes('pause')) return [];
  const label = `Pause ${plainLine(alert.called, MAX_LABEL)}`;
  return [{ action: alert.of === 'alert' ? 'off' : 'scanoff', target: alert.id, label }];
}

/**
 * The review of a week as a message.
 * @param findings at least one @param publicUrl the server's, without a slash at its end; null when it has none
 */
export function weeklyMessage(findings: readonly Finding[], publicUrl: string | null): ChatMessage {
  const shown = findings.slice(0, MAX_LINES);
  const more = findings.length - shown.length;
  const count = findings.length === 1 ? '1 thing' : `${findings.length} things`;
  return {
    title: `${count} ${TITLE_END}`,
    lines: [
      ...shown.map((one) => plainLine(`${findingTitle(one)}: ${one.text}`, MAX_LINE)),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    link: publicUrl === null ? null : { text: 'Review your alerts', url: `${publicUrl}/${REVIEW_PAGE}` },
    page: REVIEW_PAGE,
    buttons: shown.flatMap(pauseButton).slice(0, MAX_BUTTONS),
  };
}

const isOfScan = ({ action }: Pick<ChatButton, 'action'>): boolean => action.startsWith('scan');
const nameOn = (label: string): string => label.replace(/^(?:Pause|Resume) /, '');

/** The message after one of its buttons was pressed: what was done stands below, and the button takes it back. */
export function answeredWeekly(
  shown: ChatMessage,
  pressed: Pick<ChatButton, 'action' | 'target'>,
  answer: string,
): ChatMessage {
  const isScan = isOfScan(pressed);
  const isPressed = (button: ChatButton): boolean =>
    button.target === pressed.target && isOfScan(button) === isScan;
  const called = nameOn(shown.buttons.find(isPressed)?.label ?? '');
  const [action, word] = pressed.action.endsWith('off')
    ? ([isScan ? 'scanon' : 'on', 'Resume'] as const)
    : ([isScan ? 'scanoff' : 'off', 'Pause'] as const);
  const buttons = shown.buttons.map((button) =>
    isPressed(button) ? { ...button, action, label: `${word} ${called}` } : button,
  );
  return { ...shown, lines: [...shown.lines, `→ ${called}: ${answer}`], buttons };
}
