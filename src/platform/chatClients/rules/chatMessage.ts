export type ButtonAction =
  | 'snooze'
  | 'off'
  | 'on'
  | 'why'
  | 'confirm'
  | 'refuse'
  | 'callmute'
  | ScanButtonAction;

/** Buttons of scan alerts. `scanmute` mutes this stock for today. */
export type ScanButtonAction = 'scansnooze' | 'scanoff' | 'scanon' | 'scanwhy' | 'scanmute';

/** The buttons that act on an alert, and on a scan alert. A pressed one is replaced by another. */
export const ALERT_ACTIONS: ReadonlySet<ButtonAction> = new Set(['snooze', 'off', 'on']);
export const SCAN_ALERT_ACTIONS: ReadonlySet<ButtonAction> = new Set(['scansnooze', 'scanoff', 'scanon']);

/** A button under a message. `target` is the id of an alert, trigger, scan alert, call or linked chat. */
export type ChatButton = { action: ButtonAction; target: number; label: string };

/** A message that every platform can show. All texts are plain: each platform escapes and shortens them. */
export type ChatMessage = {
  /** Shown in bold, and first in a notification. */
  title: string;
  lines: readonly string[];
  /** A link below the lines; null if the server has no public address. */
  link: { text: string; url: string } | null;
  /** The page in the app, from the `#` on. Independent of the public address; omitted for none. */
  page?: string;
  buttons: readonly ChatButton[];
};
