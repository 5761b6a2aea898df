/** The source that follows a recording, as named in the panel, by `BELLBIRD_FEED`. */
export const SOURCE_WORDS = {
  simulator: 'the simulated market',
  tradingview: 'the live market of TradingView',
  ingest: 'live prices sent by a broker bridge',
  replay: 'the recording in the settings',
} as const;

export const RECORDING_ENDING = '.bellbird';

const NAME = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,59}$/;

export function recordingName(typed: string): string | null {
  const name = typed.trim();
  return NAME.test(name) ? name : null;
}

export function nameOfFile(file: string): string | null {
  if (!file.endsWith(RECORDING_ENDING)) return null;
  return recordingName(file.slice(0, -RECORDING_ENDING.length));
}

export function suggestedName(date: string, taken: readonly string[]): string {
  const isTaken = (name: string): boolean => taken.some((one) => one.toLowerCase() === name.toLowerCase());
  let number = 1;
  const name = (): string => (number === 1 ? date : `${date}-${String(number)}`);
  while (isTaken(name())) number += 1;
  return name();
}
