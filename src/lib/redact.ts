const HIDDEN = '[redacted]';

/** Names whose values are secrets wherever they stand: object keys, JSON text, headers, query strings. */
const SECRET_NAME =
  /^(?:authorization|cookie|set-cookie|x-api-key|(?:[\w-]*(?:password|passwd|secret|token|api[_-]?key|ingest[_-]?key))(?:hash)?)$/i;

const NAMES = '(?:[\\w-]*(?:password|passwd|secret|token|api[_-]?key|ingest[_-]?key)(?:hash)?|setup)';

const RULES: readonly [RegExp, string][] = [
  // Telegram puts its token into the path of every address: /bot123456:AA…/sendMessage.
  [/bot\d+:[\w-]+/gi, `bot${HIDDEN}`],
  [/\b\d{6,}:[A-Za-z0-9_-]{30,}/g, HIDDEN],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/\b[A-Za-z\d_-]{23,}\.[\w-]{6}\.[\w-]{27,}/g, HIDDEN],
  [/\bsk-[\w-]{16,}/g, HIDDEN],
  [/\b(Bearer|Bot|Basic)\s+[\w.~+/=:-]{8,}/gi, `$1 ${HIDDEN}`],
  [new RegExp(`([?&]${NAMES}=)[^&\\s#"'<>]*`, 'gi'), `$1${HIDDEN}`],
  [
    /((?:authorization|cookie|set-cookie|x-api-key)["']?\s*[:=](?!\s*["']?\[redacted\])\s*["']?)[^"'\r\n}]+/gi,
    `$1${HIDDEN}`,
  ],
  [new RegExp(`(["']?\\b${NAMES}["']?\\s*[:=]\\s*["'])(?:\\\\.|[^"'\\\\])*(["'])`, 'gi'), `$1${HIDDEN}$2`],
];

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
  /** A copy of any JSON-like value with secrets hidden, by the name of the key or the look of the text. */
  value(value: unknown): unknown;
};

/**
 * The one place that hides secrets: log lines, endpoint names and inspected state all pass through it.
 *
 * @param secrets the literal secrets of this installation (bot tokens, keys); short ones (under 6) are left out,
 *   because they would blacken ordinary words
 */
export function createRedactor(secrets: readonly (string | null)[] = []): Redactor {
  const literal = secrets.filter((secret): secret is string => secret !== null && secret.length >= 6);
  const text = (input: string): string => {
    let output = input;
    for (const secret of literal) output = output.replaceAll(secret, HIDDEN);
    for (const [pattern, replacement] of RULES) output = output.replace(pattern, replacement);
    return output;
  };
  const value = (input: unknown): unknown => {
    if (typeof input === 'string') return text(input);
    if (Array.isArray(input)) return input.map(value);
    if (typeof input !== 'object' || input === null) return input;
    if (input instanceof Error) return text(errorText(input));
    return Object.fromEntries(
      Object.entries(input).map(([key, inner]) => [
        key,
        SECRET_NAME.test(key) && inner !== null && inner !== undefined ? HIDDEN : value(inner),
      ]),
    );
  };
  return { text, value };
}
