const HIDDEN = '[redacted]';

/** Endings of a secret's name: passwordHash, botToken, INGEST_KEY. */
const NAME = '(?:password|passwd|secret|token|api[_-]?key|ingest[_-]?key)(?:hash)?';
const HEADER = '(?:authorization|cookie|set-cookie|x-api-key)';

export const SECRET_KEY = new RegExp(`^${HEADER}$|${NAME}$`, 'i');

export type RedactionRule = { name: string; pattern: RegExp; replacement: string };

/**
 * Every quantifier is bounded, and text before a secret is not searched. Otherwise a long text would be
 * scanned again from each of its letters.
 */
export const REDACTION_RULES: readonly RedactionRule[] = [
  // Telegram has its token in the path of every address: /bot123456:AA…/sendMessage.
  { name: 'Telegram address', pattern: /bot\d{1,20}:[\w-]{1,256}/gi, replacement: `bot${HIDDEN}` },
  { name: 'Telegram token', pattern: /\b\d{6,20}:[\w-]{30,256}/g, replacement: HIDDEN },
  {
    name: 'JSON Web Token',
    // A token inside the first part ends the match and is found separately.
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
    // The closing quote is optional, because the text may be truncated.
    pattern: new RegExp(
      `((?:${NAME}|\\bsetup)["']?\\s{0,8}[:=]\\s{0,8})(["'])(?:\\\\.|(?!\\2)[^\\\\\\r\\n]){1,16384}`,
      'gi',
    ),
    replacement: `$1$2${HIDDEN}`,
  },
];

const MAX_DEPTH = 12;

function errorText(error: Error, depth = 0): string {
  const own = error.stack ?? error.message;
  if (error.cause === undefined || depth > 4) return own;
  const { cause } = error;
  const reason = cause instanceof Error ? errorText(cause, depth + 1) : Bun.inspect(cause);
  return `${own}\nCaused by: ${reason}`;
}

export type Redactor = {
  text(value: string): string;
  /** A copy of any value as JSON with secrets hidden. Errors become stacks with causes, dates ISO 8601. */
  value(value: unknown): unknown;
};

function redactText(input: string, literal: readonly string[]): string {
  let output = input;
  for (const secret of literal) output = output.replaceAll(secret, HIDDEN);
  for (const { pattern, replacement } of REDACTION_RULES) output = output.replace(pattern, replacement);
  return output;
}

function redactValue(input: unknown, text: (value: string) => string, above: readonly unknown[]): unknown {
  if (typeof input === 'string') return text(input);
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
 * The only place that hides secrets: log lines, endpoint names and inspected state all pass through it.
 * @param secrets literal secrets of this installation (bot tokens, keys); those under 6 characters are
 * skipped, because they would hide ordinary words
 */
export function createRedactor(secrets: readonly (string | null)[] = []): Redactor {
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= 6);
  const literal = [
    ...new Set(
      known.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
    ),
  ];
  const text = (input: string): string => redactText(input, literal);
  return { text, value: (input) => redactValue(input, text, []) };
}
