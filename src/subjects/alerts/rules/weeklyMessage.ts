import { addDays, fromSydney, sydneyDate, weekdayOf } from '#market/rules/sydneyTime.ts';
import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { plainLine } from '#texts/plainText.ts';
import { type Attention, attentionCount } from './attention.ts';
import { namedFew } from './manyAlerts.ts';

const SATURDAY = 6;
const HOUR = 10;
/** If the server was off at ten on Saturday, it sends the message until the end of Sunday. */
const DAYS_LATE = 2;

/**
 * The Saturday whose message is due: from its 10:00 in Sydney to the end of Sunday.
 * @param now epoch ms @returns its date, YYYY-MM-DD; null at any other time
 */
export function dueWeek(now: number): string | null {
  const today = sydneyDate(now);
  for (let back = 0; back < DAYS_LATE; back += 1) {
    const date = addDays(today, -back);
    if (weekdayOf(date) === SATURDAY) return now >= fromSydney(date, HOUR, 0) ? date : null;
  }
  return null;
}

const WEEK_DAYS = 7;

/**
 * Whether a user was sent the message of a week already. A clock that was far ahead and is right again does not silence it.
 * @param told the last Saturday whose message was sent, YYYY-MM-DD
 */
export const wasTold = (told: string | null, week: string): boolean =>
  told !== null && told >= week && told <= addDays(week, WEEK_DAYS);

const MAX_LINES = 8;
const MAX_LINE = 200;
const MAX_BUTTONS = 3;
const MAX_LABEL = 30;

/** The filter *Needs attention* of All alerts: a route of the app. */
export const ATTENTION_PATH = '/watchlist/alerts/attention';

/** By the end of its title, which was another one in older versions. */
export const isWeeklyMessage = ({ title }: Pick<ChatMessage, 'title'>): boolean =>
  /needs? attention$|to look at among your alerts$/.test(title);

const pauseButton = ({ of, id, called }: Attention): ChatButton => ({
  action: of === 'alert' ? 'off' : 'scanoff',
  target: id,
  label: `Pause ${plainLine(called, MAX_LABEL)}`,
});

/**
 * Lists the alerts that need attention, those with the same reason on one line.
 * @param reasons at least one @param publicUrl the server's, without a slash at its end; null when it has none
 */
export function weeklyMessage(reasons: readonly Attention[], publicUrl: string | null): ChatMessage {
  const lines = [...Map.groupBy(reasons, ({ text }) => text)].map(([text, same]) =>
    plainLine(`${namedFew(same.map(({ called }) => called))}: ${text}`, MAX_LINE),
  );
  const more = lines.length - MAX_LINES;
  const count = attentionCount(reasons);
  const alerts = new Map(reasons.map((one) => [`${one.of} ${one.id}`, one]));
  return {
    title: count === 1 ? '1 alert needs attention' : `${count} alerts need attention`,
    lines: [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`And ${more} more.`] : [])],
    link: publicUrl === null ? null : { text: 'Show these alerts', url: `${publicUrl}/#${ATTENTION_PATH}` },
    page: `#${ATTENTION_PATH}`,
    buttons: [...alerts.values()].slice(0, MAX_BUTTONS).map(pauseButton),
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
