import type { ButtonAction, ChatButton } from './rules/chatMessage.ts';

const ACTIONS: Readonly<Record<ButtonAction, true>> = {
  snooze: true,
  off: true,
  on: true,
  why: true,
  confirm: true,
  refuse: true,
  scansnooze: true,
  scanoff: true,
  scanon: true,
  scanwhy: true,
  scanmute: true,
};

const isButtonAction = (text: string): text is ButtonAction => Object.hasOwn(ACTIONS, text);

/** A button as the platforms carry it, at most 64 bytes: `snooze:17`. */
export const buttonData = ({ action, target }: Pick<ChatButton, 'action' | 'target'>): string =>
  `${action}:${target}`;

/** Reads what a platform says was pressed; null when it is none of our buttons. */
export function readButtonData(data: string): Pick<ChatButton, 'action' | 'target'> | null {
  const [, action, digits] = /^([a-z]{1,16}):(\d{1,15})$/.exec(data) ?? [];
  if (action === undefined || !isButtonAction(action)) return null;
  return { action, target: Number(digits) };
}
