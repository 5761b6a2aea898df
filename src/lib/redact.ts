const HIDDEN = '[redacted]';

/** Words that a secret's name ends in: passwordHash, botToken, INGEST_KEY. What stands before does not matter. */
const NAME = '(?:password|passwd|secret|token|api[_-]?key|ingest[_-]?key)(?:hash)?';
const HEADER = '(?:authorization|cookie|set-cookie|x-api-key)';

/** Names whose values are secrets wherever they stand as the key of an object. */
export const SECRET_KEY = new RegExp(`^${HEADER}$|${NAME}$`, 'i');

/** What a text loses: `pattern` is replaced by `replacement` everywhere. */
export type RedactionRule = { name: string; pattern: RegExp; replacement: string };

/**
 * Every quantifier has a limit, and what may stand before a secret is not searched for but left alone: a search that
 * begins again at each letter of a long text must not walk through the rest of it each time.
 */
export const REDACTION_RULES: readonly RedactionRule[] = [
  // Telegram puts its token into the path of every address: /bot123456:AA…/sendMessage.
  { name: 'Telegram address', pattern: /bot\d{1,20}:[\w-]{1,256}/gi, replacement: `bot${HIDDEN}` },
  { name: 'Telegram token', pattern: /\b\d{6,20}:[\w-]{30,256}/g, replacement: HIDDEN },
  {
    name: 'JSON Web Token',
    // A further token that begins within the first part ends the walk: it is found by itself.
    pattern: /\beyJ(?:(?!-eyJ)[\w-]){1,1024}\.[\w-]{1,8192}\.[\w-]{0,8192}/g,
    replacement: HIDDEN,
  },
  { name: 'Discord token', pattern: /\b[\w-]{23,64}\.[\w-]{6}\.[\w-]{27,256}/g, replacement: HIDDEN },
  { name: 'model key', pattern: /\bsk-[\w-]{16,512}/g, replacement: HIDDEN },
  {
    name: 'scheme',
    pattern: /\b(Bearer|Bot|Basic)\s{1,8}[\w.~+/=:-]{8,16384}/gi,
    replacement: `$1 ${HIDDEN}`,
  },
  {
    name: 'query',
    pattern: new RegExp(`([?&](?:[\\w-]{0,64}${NAME}|setup)=)[^&\\s#"'<>]{0,16384}`, 'gi'),
    replacement: `$1${HIDDEN}`,
  },
  {
    name: 'address with a password',
    pattern: /(:\/\/)[^\s/@:?#"'<>]{0,256}:[^\s/@?#"'<>]{1,256}@/g,
    replacement: `$1${HIDDEN}@`,
  },
  {
    name: 'header',
    pattern: new RegExp(
      `(${HEADER}["']?\\s{0,8}[:=](?!\\s{0,8}["']?\\[redacted\\])\\s{0,8}["']?)[^"'\\r\\n}]{1,16384}`,
      'gi',
    ),
    replacement: `$1${HIDDEN}`,
  },
  {
    name: 'quoted value',
    // Up to a quote like the first one, which is not asked for: a text that was cut off has none.
    pattern: new RegExp(
      `((?:${NAME}|\\bsetup)["']?\\s{0,8}[:=]\\s{0,8})(["'])(?:\\\\.|(?!\\2)[^\\\\\\r\\n]){1,16384}`,
      'gi',
    ),
    replacement: `$1$2${HIDDEN}`,
  },
];

/** Deeper, or round a circle, nothing is read: what is logged may be anything. */
const MAX_DEPTH = 12;

function errorText(error: Error, depth = 0): string {
  const own = error.stack ?? error.message;
  if (error.cause === undefined || depth > 4) return own;
  const { cause } = error;
  const reason = cause instanceof Error ? errorText(cause, depth + 1) : Bun.inspect(cause);
  return `${own}\nCaused by: ${reason}`;
}

export type Redactor = {
  /** Hides every secret in a text. */
  text(value: string): string;
  /**
   * A copy of any value as JSON can hold it, with secrets hidden by the name of the key or the look of the text.
   * Errors become their stacks with their causes, dates ISO 8601.
   */
  value(value: unknown): unknown;
};

function redactText(input: string, literal: readonly string[]): string {
  let output = input;
  for (const secret of literal) output = output.replaceAll(secret, HIDDEN);
  for (const { pattern, replacement } of REDACTION_RULES) output = output.replace(pattern, replacement);
  return output;
}

/** @param above the objects that this one is in */
function redactValue(input: unknown, text: (value: string) => string, above: readonly unknown[]): unknown {
  if (typeof input === 'string') return text(input);
  // JSON has no way to write these.
  if (typeof input === 'bigint') return input.toString();
  if (typeof input === 'function' || typeof input === 'symbol') return `[${typeof input}]`;
  if (typeof input !== 'object' || input === null) return input;
  if (input instanceof Error) return text(errorText(input));
  if (input instanceof Date) return Number.isNaN(input.getTime()) ? null : input.toISOString();
  if (above.includes(input)) return '[circular]';
  if (above.length === MAX_DEPTH) return '[too deep]';
  const within = [...above, input];
  if (Array.isArray(input)) return input.map((inner) => redactValue(inner, text, within));
  return Object.fromEntries(
    Object.entries(input).map(([key, inner]) => [
      key,
      SECRET_KEY.test(key) && inner !== null && inner !== undefined
        ? HIDDEN
        : redactValue(inner, text, within),
    ]),
  );
}

/**
 * The one place that hides secrets: log lines, endpoint names and inspected state all pass through it.
 *
 * @param secrets the literal secrets of this installation (bot tokens, keys); short ones (under 6) are left out,
 *   because they would blacken ordinary words
 */
export function createRedactor(secrets: readonly (string | null)[] = []): Redactor {
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= 6);
  // Also as they stand in an address and in JSON.
  const literal = [
    ...new Set(
      known.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
    ),
  ];
  const text = (input: string): string => redactText(input, literal);
  return { text, value: (input) => redactValue(input, text, []) };
}
