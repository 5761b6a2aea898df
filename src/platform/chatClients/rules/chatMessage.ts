/** What pressing a button under a message asks for. */
export type ButtonAction = 'snooze' | 'off' | 'on' | 'why' | 'confirm' | 'refuse' | ScanButtonAction;

/** Of the messages of scan alerts; `scanmute`: not this stock today. */
export type ScanButtonAction = 'scansnooze' | 'scanoff' | 'scanon' | 'scanwhy' | 'scanmute';

/** Those that act on an alert, and on a scan alert; one takes the place of another when it was pressed. */
export const ALERT_ACTIONS: ReadonlySet<ButtonAction> = new Set(['snooze', 'off', 'on']);
export const SCAN_ALERT_ACTIONS: ReadonlySet<ButtonAction> = new Set(['scansnooze', 'scanoff', 'scanon']);

/** A button under a message. `target` is what it acts on: an alert, a trigger, a scan alert or a linked chat by its id. */
export type ChatButton = { action: ButtonAction; target: number; label: string };

/**
 * A message as every platform can show it. All texts are plain: each platform escapes them, and cuts them to its length.
 */
export type ChatMessage = {
  /** Shown in bold; what a notification shows first. */
  title: string;
  lines: readonly string[];
  /** A link below the lines; null when the server has no public address. */
  link: { text: string; url: string } | null;
  /** Where in the app it leads, from the `#` on, also where the server has no public address; left out for nowhere. */
  page?: string;
  buttons: readonly ChatButton[];
};
