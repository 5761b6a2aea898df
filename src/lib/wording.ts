export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

const shown = (value: number, unit: number): string =>
  unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));

/** A size in steps of 1024: '812 B', '9.5 KB', '130 MB'. @param bytes negative or invalid values give 0 */
export function humanSize(bytes: number): string {
  let value = Number.isFinite(bytes) ? Math.max(0, bytes) : 0;
  let unit = 0;
  // A value that rounds to 1024 uses the next unit. 9.96 would show as 10.0, so its decimal is removed below.
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const text = shown(value, unit);
  return `${text === '10.0' ? '10' : text} ${UNITS[unit]}`;
}

export const fileStamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

export const quoted = (sent: unknown): string =>
  typeof sent === 'string' || typeof sent === 'number' ? String(sent).slice(0, 40) : '';
