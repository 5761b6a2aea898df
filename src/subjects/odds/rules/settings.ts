import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';

export const EXIT_MINUTES = [5, 15, 30, 60] as const;
export const EXIT_KINDS = ['minutes', 'close', 'nextOpen', 'stopTarget'] as const;

/** How a trade ends. `stop` and `target` are percent from the fill, both positive. */
export type OddsExit =
  | { kind: 'minutes'; minutes: (typeof EXIT_MINUTES)[number] }
  | { kind: 'close' }
  | { kind: 'nextOpen' }
  | { kind: 'stopTarget'; stop: number; target: number };

export type OddsSettings = {
  exit: OddsExit;
  /** False counts only the first entry of a stock on a day. */
  everyEntry: boolean;
  /** AUD per trade. */
  amount: number;
  /** Percent of the amount, per side. */
  brokerage: number;
  /** AUD, per side. */
  minBrokerage: number;
  /** Price steps of spread per round trip. */
  steps: number;
};

export const DEFAULT_ODDS_SETTINGS: OddsSettings = {
  exit: { kind: 'minutes', minutes: 30 },
  everyEntry: false,
  amount: 5000,
  brokerage: 0.1,
  minBrokerage: 10,
  steps: 1,
};

type Limits = { min: number; max: number };

export const AMOUNT_LIMITS: Limits = { min: 100, max: 10_000_000 };
export const BROKERAGE_LIMITS: Limits = { min: 0, max: 5 };
export const MIN_BROKERAGE_LIMITS: Limits = { min: 0, max: 100 };
export const STEPS_LIMITS: Limits = { min: 0, max: 5 };
export const STOP_LIMITS: Limits = { min: 0.1, max: 99 };
export const TARGET_LIMITS: Limits = { min: 0.1, max: 1000 };

function checkNumber(
  value: unknown,
  { min, max }: Limits,
  field: string,
  called: string,
  missing: number | null = null,
): Result<number> {
  const given = value ?? missing;
  return typeof given === 'number' && given >= min && given <= max
    ? ok(given)
    : refuse(`${called} must be from ${min} to ${max}.`, field);
}

function checkStopTarget({ stop, target }: Readonly<Record<string, unknown>>): Result<OddsExit> {
  const checkedStop = checkNumber(stop, STOP_LIMITS, 'exit.stop', 'The stop, in percent,');
  if (!checkedStop.ok) return checkedStop;
  const checkedTarget = checkNumber(target, TARGET_LIMITS, 'exit.target', 'The target, in percent,');
  if (!checkedTarget.ok) return checkedTarget;
  return ok({ kind: 'stopTarget', stop: checkedStop.value, target: checkedTarget.value });
}

function checkExit(sent: unknown): Result<OddsExit> {
  if (sent === undefined || sent === null) return ok(DEFAULT_ODDS_SETTINGS.exit);
  const kind = isRecord(sent) ? EXIT_KINDS.find((one) => one === sent['kind']) : undefined;
  if (!isRecord(sent) || kind === undefined) {
    return refuse(`The exit must be one of ${EXIT_KINDS.join(', ')}.`, 'exit.kind');
  }
  if (kind === 'stopTarget') return checkStopTarget(sent);
  if (kind !== 'minutes') return ok({ kind });
  const minutes = EXIT_MINUTES.find((one) => one === sent['minutes']);
  return minutes === undefined
    ? refuse(`The exit can be after ${EXIT_MINUTES.join(', ')} minutes.`, 'exit.minutes')
    : ok({ kind, minutes });
}

/** Checks settings; a missing one gets its default. */
export function checkOddsSettings(sent: unknown): Result<OddsSettings> {
  if (sent === undefined || sent === null) return ok(DEFAULT_ODDS_SETTINGS);
  if (!isRecord(sent)) return refuse('`settings` must be an object.');
  const exit = checkExit(sent['exit']);
  if (!exit.ok) return exit;
  const everyEntry = sent['everyEntry'] ?? DEFAULT_ODDS_SETTINGS.everyEntry;
  if (typeof everyEntry !== 'boolean') return refuse('`everyEntry` must be true or false.', 'everyEntry');
  const numbers = { amount: 0, brokerage: 0, minBrokerage: 0, steps: 0 };
  const checks = [
    ['amount', AMOUNT_LIMITS, 'The amount per trade, in AUD,'],
    ['brokerage', BROKERAGE_LIMITS, 'The brokerage, in percent,'],
    ['minBrokerage', MIN_BROKERAGE_LIMITS, 'The minimum brokerage, in AUD,'],
    ['steps', STEPS_LIMITS, 'The number of price steps'],
  ] as const;
  for (const [name, limits, called] of checks) {
    const checked = checkNumber(sent[name], limits, name, called, DEFAULT_ODDS_SETTINGS[name]);
    if (!checked.ok) return checked;
    numbers[name] = checked.value;
  }
  return ok({ exit: exit.value, everyEntry, ...numbers });
}
