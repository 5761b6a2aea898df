/** A text whose first letter is a capital one. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** With one decimal below 10, otherwise without; bytes are never parts of one. */
const shown = (value: number, unit: number): string =>
  unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));

/**
 * A number of bytes in words, in steps of 1024: '812 B', '9.5 KB', '130 MB'.
 * @param bytes 0 for what is no number or below it
 */
export function humanSize(bytes: number): string {
  let value = Number.isFinite(bytes) ? Math.max(0, bytes) : 0;
  let unit = 0;
  // What would be shown as 1024 is one of the next unit; 9.96 would be shown as 10.0, which has no decimal.
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const text = shown(value, unit);
  return `${text === '10.0' ? '10' : text} ${UNITS[unit]}`;
}

/** A moment as it stands in a file's name: 2026-11-22T16-10-00-000Z. @param now epoch ms */
export const fileStamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/** The beginning of what somebody sent, as it may be shown in a sentence; '' for anything but a text or a number. */
export const quoted = (sent: unknown): string =>
  typeof sent === 'string' || typeof sent === 'number' ? String(sent).slice(0, 40) : '';
