/** Characters of a notification's text: with the rest they are less than the 4,096 bytes that every push service takes. */
export const MAX_NOTICE = 900;

/** What is sent to a device: its service worker makes a notification of it. */
export type PushNotice = {
  title: string;
  body: string;
  /** A notification takes the place of the one with the same tag. */
  tag: string;
  /** Where a press leads, from the `#` on; empty for the first page. */
  page: string;
  /** The same at every attempt to send a message. */
  nonce: string;
  /** What lets the buttons act; null for a notification without buttons. */
  token: string | null;
};

/** What the buttons of a notification do. */
export const NOTICE_ACTIONS = ['snooze', 'today'] as const;
export type NoticeAction = (typeof NOTICE_ACTIONS)[number];
export const NOTICE_ACTION_LABELS: Readonly<Record<NoticeAction, string>> = {
  snooze: 'Snooze 15 min',
  today: 'Off today',
};
