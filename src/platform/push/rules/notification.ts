/** Characters of a notification's text, so that all of it fits into the 4,096 bytes of every push service. */
export const MAX_NOTIFICATION = 900;

export type PushNotification = {
  title: string;
  body: string;
  /** A notification replaces the one with the same tag. */
  tag: string;
  /** The target of a tap, from the `#` on; empty for the first page. */
  page: string;
  nonce: string;
  /** Authorises the buttons; null for a notification without buttons. */
  token: string | null;
};

export const NOTIFICATION_ACTIONS = ['snooze', 'today'] as const;
export type NotificationAction = (typeof NOTIFICATION_ACTIONS)[number];
export const NOTIFICATION_ACTION_LABELS: Readonly<Record<NotificationAction, string>> = {
  snooze: 'Snooze 15 min',
  today: 'Off today',
};
