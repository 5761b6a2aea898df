import {
  type AnyField,
  boolean,
  choice,
  count,
  type Field,
  isoTime,
  list,
  or,
  orNull,
  text,
  type Wire,
  words,
} from '#lib/contract/fields.ts';
import { object, optional, extension } from '#lib/contract/objects.ts';
import { byRules, described, sent } from '#lib/contract/requests.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';
import { checkEventFilter, eventFilterChoiceText } from '../rules/eventFilter.ts';
import { checkExpiry, expiryText } from '../rules/expiry.ts';

export const SCAN_EVENTS = ['enters', 'leaves'] as const;

export type ScanEvent = (typeof SCAN_EVENTS)[number];

/** Stocks that a scan alert covers: the whole market, or the owner's watchlist at the time. */
export const SCAN_SCOPES = ['market', 'watchlist'] as const;

export type ScanScope = (typeof SCAN_SCOPES)[number];

/** Sounds that the page generates from tones; `none` is silent. */
export const ALERT_SOUNDS = ['bell', 'chime', 'knock', 'rise', 'siren', 'none'] as const;

export type AlertSound = (typeof ALERT_SOUNDS)[number];

export const SOUND_NAMES: Readonly<Record<AlertSound, string>> = {
  bell: 'Bell',
  chime: 'Chime',
  knock: 'Knock',
  rise: 'Rise',
  siren: 'Siren',
  none: 'None',
};

/* An option of alerts. Answers, requests, drafts, the service, export and import follow from this declaration. An
   option also needs a column (`tables/alertSchema.ts`), a member of an exported file (`transfer/answers/file.ts`)
   and a field (`AlertFields.tsx`, `ScanAlertDialog.tsx`). */

type Option<Name extends string, Value, Answer extends AnyField, Chosen extends AnyField> = {
  readonly name: Name;
  readonly start: Value;
  /** @param now the market's clock, epoch ms */
  check(sent: unknown, now: number): Result<Value>;
  readonly answer: Answer;
  readonly chosen: Chosen;
  /** Converts the value for answers, if they use another form. */
  toAnswer?(value: Value): Wire<Answer>;
  /** A line of the alert's description; null for none. @param repeats whether the alert is persistent */
  describe?(value: Wire<Answer>, repeats: boolean): string | null;
};

const option = <const Name extends string, Value, Answer extends AnyField, Chosen extends AnyField>(
  made: Option<Name, Value, Answer, Chosen>,
) => made;

/** In code points, not UTF-16 units, so that an emoji counts as one character. */
export const MAX_ALERT_NAME = 80;
/** In code points. With its other lines, a message then stays below each platform's limit. */
export const MAX_ALERT_NOTE = 160;
export const MAX_GROUP_NAME = 30;

function checkLine(value: unknown, field: string, most: number): Result<string | null> {
  if (value === undefined || value === null) return ok(null);
  if (typeof value !== 'string') return refuse(`The ${field} of an alert must be text.`, field);
  const line = value.trim();
  // Counts code points only if the result can matter, so that a huge text is not split.
  if (line.length > 2 * most || [...line].length > most) {
    return refuse(`The ${field} of an alert can have at most ${most} characters.`, field);
  }
  if (!isPlainLine(line)) {
    return refuse(
      `The ${field} of an alert must be one line of plain text, without invisible characters.`,
      field,
    );
  }
  return ok(line || null);
}

const line = <const Name extends string>(
  name: Name,
  most: number,
  answer: Field<string>,
  describe: (value: string | null) => string | null,
) =>
  option({
    name,
    start: null,
    check: (value) => checkLine(value, name, most),
    answer: extension(orNull(answer)),
    chosen: byRules(optional(orNull(text))),
    describe,
  });

const flag = <const Name extends string, Answer extends Field<boolean, boolean>>(
  name: Name,
  answer: Answer,
  describe: (value: boolean) => string | null,
) => {
  const error = `\`${name}\` must be true or false.`;
  return option({
    name,
    start: false as boolean,
    check: (value) => (typeof value === 'boolean' ? ok(value) : refuse(error, name)),
    answer,
    chosen: optional(sent(boolean, { error }, {})),
    describe,
  });
};

type CountRange = { least: number; most: number; start: number };

const rangeText = ({ least, most }: CountRange): string => `from ${least} to ${most}`;

/** An option that is a whole number. @param what its name at the start of a sentence */
const counted = <const Name extends string>(
  name: Name,
  range: CountRange,
  what: string,
  description: string,
) => {
  const { least, most, start } = range;
  const form = or(sent(count, {}, { minimum: least, maximum: most, description }), start);
  const isWithin = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  const made = option({
    name,
    start,
    check: (value) =>
      isWithin(value) ? ok(value) : refuse(`${what} must be a whole number ${rangeText(range)}.`, name),
    answer: extension(form),
    chosen: byRules(optional(form)),
  });
  return { ...made, range };
};

const oneOf = <const Name extends string, const T extends string>(
  name: Name,
  of: readonly [T, ...T[]],
  error: string,
) =>
  option({
    name,
    start: of[0],
    check: (value) => {
      const known = of.find((one) => one === value);
      return known ? ok(known) : refuse(error, name);
    },
    answer: extension(or(choice(of), of[0])),
    chosen: byRules(optional(choice(of))),
  });

/** The currencies whose HIGH impact events messages mention. */
const eventFilter = object({ mode: choice(['mark']), currencies: list(text) }, ['mode']);

const sound = described(choice(ALERT_SOUNDS), 'Sound in open windows; null for the browser’s default.');

const NAME = line('name', MAX_ALERT_NAME, words, (name) => (name === null ? 'No name' : `Name: ${name}`));

const GUARD = option({
  name: 'event_guard',
  start: null,
  check: checkEventFilter,
  answer: extension(
    orNull(described(eventFilter, 'Currencies whose high-impact events are mentioned; null for none.')),
  ),
  chosen: byRules(optional(orNull(object({ mode: text, currencies: optional(list(text)) })))),
  describe: (filter) => filter && eventFilterChoiceText(filter),
});

/** Options of every alert: its group, and how it notifies. */
const DELIVERY_OPTIONS = {
  urgent: flag(
    'urgent',
    extension(or(described(boolean, 'Messages are not held by quiet hours or digests.'), false)),
    (isUrgent) => (isUrgent ? 'Urgent' : null),
  ),
  group: line(
    'group',
    MAX_GROUP_NAME,
    described(words, 'Group name, at most 30 characters.'),
    (group) => group && `Group: ${group}`,
  ),
  sound: option({
    name: 'sound',
    start: null,
    check: (value): Result<AlertSound | null> => {
      const known = ALERT_SOUNDS.find((one) => one === value);
      return value === null || known !== undefined
        ? ok(known ?? null)
        : refuse(`The sound of an alert must be one of ${ALERT_SOUNDS.join(', ')}.`, 'sound');
    },
    answer: extension(orNull(sound)),
    chosen: byRules(optional(orNull(choice(ALERT_SOUNDS)))),
    describe: (chosen) => chosen && `Sound: ${SOUND_NAMES[chosen]}`,
  }),
};

/** Minutes until a scan alert may report the same stock again; at most one session. */
const SCAN_COOLDOWN = counted(
  'cooldown_minutes',
  { least: 1, most: 390, start: 30 },
  'The cooldown of a stock in minutes',
  'Minutes before the same stock is reported again.',
);

/**
 * Minutes that a persistent alert stays quiet after it fires: 1 by the specification (section 9), at most one
 * session.
 */
const COOLDOWN = {
  ...counted(
    'cooldown_minutes',
    { least: 1, most: 390, start: 1 },
    'The cooldown of an alert in minutes',
    'Minutes between two triggers of a repeating alert.',
  ),
  chosen: SCAN_COOLDOWN.chosen,
  describe: (minutes: number, repeats: boolean) =>
    repeats && minutes > 1 ? `Quiet for ${minutes} min after it fired` : null,
};

export const STOCK_OPTIONS = {
  name: NAME,
  persistent: flag('persistent', or(boolean, false), (repeats) =>
    repeats ? 'Repeats each time' : 'Fires once',
  ),
  note: line(
    'note',
    MAX_ALERT_NOTE,
    described(words, 'Included in the message.'),
    (note) => note && `Note: ${note}`,
  ),
  guard: GUARD,
  cooldownMinutes: COOLDOWN,
  ...DELIVERY_OPTIONS,
  /** When the alert switches itself off, epoch ms by the market's clock; null for never. */
  expiresAt: option({
    name: 'expires_at',
    start: null,
    check: checkExpiry,
    answer: extension(
      orNull(described(isoTime, 'The alert is switched off at this time, by the market’s clock.')),
    ),
    chosen: byRules(optional(orNull(isoTime))),
    toAnswer: (at: number | null) => (at === null ? null : new Date(at).toISOString()),
    describe: (time) => time && `Expires ${expiryText(Date.parse(time))}`,
  }),
};

export const SCAN_OPTIONS = {
  name: NAME,
  event: oneOf('event', SCAN_EVENTS, '`event` must be "enters" or "leaves".'),
  scope: oneOf('scope', SCAN_SCOPES, '`scope` must be "market" or "watchlist".'),
  cooldownMinutes: SCAN_COOLDOWN,
  dayMaximum: counted(
    'day_maximum',
    { least: 1, most: 20, start: 3 },
    'The maximum per stock and day',
    'Maximum number of reports of one stock per session.',
  ),
  /** Maximum messages per minute; one more message sums up the rest. */
  minuteMaximum: counted(
    'minute_maximum',
    { least: 1, most: 20, start: 5 },
    'The maximum number of messages per minute',
    'Maximum number of messages per minute; one more message combines the rest.',
  ),
  guard: GUARD,
  ...DELIVERY_OPTIONS,
};

type AnyOption = {
  readonly name: string;
  readonly start: unknown;
  check(sent: unknown, now: number): Result<unknown>;
  readonly answer: AnyField;
  readonly chosen: AnyField;
  toAnswer?(value: never): unknown;
};
export type Options = Readonly<Record<string, AnyOption>>;

type ValueOf<O extends AnyOption> = ReturnType<O['check']> extends Result<infer V> ? V : never;
export type Values<O extends Options> = { -readonly [K in keyof O]: ValueOf<O[K]> };
export type OptionValues<O extends Options> = {
  -readonly [K in keyof O as O[K]['name']]: Wire<O[K]['answer']>;
};
/** Option values in a request; an omitted option keeps its value. */
export type SentOptions<O extends Options> = { [K in keyof O as O[K]['name']]?: unknown };
type Members<O extends Options, Of extends 'answer' | 'chosen'> = {
  [K in keyof O as O[K]['name']]: O[K][Of];
};

const mapped = <Made>(
  options: Options,
  make: (option: AnyOption, key: string) => readonly [string, unknown],
) => Object.fromEntries(Object.entries(options).map(([key, one]) => make(one, key))) as Made;

export const membersOf = <O extends Options, Of extends 'answer' | 'chosen'>(options: O, of: Of) =>
  mapped<Members<O, Of>>(options, (one) => [one.name, one[of]]);

export const startOf = <O extends Options>(options: O) =>
  mapped<Values<O>>(options, ({ start }, key) => [key, start]);

export const valuesOf = <O extends Options>(options: O, values: Values<O>) =>
  mapped<OptionValues<O>>(options, ({ name, toAnswer }, key) => {
    const value = values[key];
    return [name, toAnswer ? toAnswer(value as never) : value];
  });

export const pickValues = <O extends Options>(options: O, from: OptionValues<O>) =>
  mapped<OptionValues<O>>(options, ({ name }) => [name, (from as Record<string, unknown>)[name]]);
