import type { AlertTrigger } from '../../shared/alerts/alertStream.ts';

/** What fired, in a few words: 'BHP: Breakout', 'BHP', 'Alert'. */
export const triggerTitle = ({ symbol, name }: AlertTrigger): string =>
  [symbol, name].filter((part) => part !== null).join(': ') || 'Alert';

/** What a screen reader is told. */
export const triggerSentence = (trigger: AlertTrigger): string =>
  `Alert fired. ${triggerTitle(trigger)}. ${trigger.text ?? ''}`.trim();
