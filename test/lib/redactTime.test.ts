import { describe, expect, test } from 'bun:test';
import { createRedactor, REDACTION_RULES } from '../../src/lib/redact.ts';

/** What each rule finds hardest, to be repeated: beginnings of a match that come to nothing, and long runs. */
const WORST: Record<string, readonly string[]> = {
  'Telegram address': ['bot', 'bot1', 'bot1234567890123456789012345', '1'],
  'Telegram token': ['1', '123456:', '12345678901234567890:a ', '1-'],
  'JSON Web Token': ['-eyJ', 'eyJ', '-eyJa.', 'eyJa.a', '-eyJa.-', 'eyJ-'],
  'Discord token': ['a-', 'a', `${'a'.repeat(23)}.bbbbbb.`, `${'a'.repeat(30)}.`, 'a.'],
  'model key': ['sk-', '-sk', ' sk-a', 'sk'],
  scheme: ['Bearer ', 'Bearer        a', 'Bot\n', 'Basic'],
  query: ['?a', '?-', '&token', `?${'a'.repeat(70)}`, '?', '?setup'],
  'address with a password': ['://', '://a', '://a:', `://${'a'.repeat(300)}:`, '://:b', '://a:b'],
  header: ['cookie', 'cookie ', 'cookie        ', 'authorization:[', 'cookie: "[redacted]', 'x-api-key='],
  'quoted value': ['token', 'token"', 'token        ', 'token="\\', 'token=" ', 'token=\'"', '\\"', 'setup:'],
};

/** Short enough that a run is over before a busy machine gives the processor to somebody else. */
const SHORT = 4000;
const LONGER = 4;
/** Quadratic would be 16. */
const MAX_GROWTH = 10;

/** The least time of many runs, in which nothing else got in the way; ms. */
function timeOf(run: () => void): number {
  const times = Array.from({ length: 25 }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return Math.min(...times);
}

/** How many times longer it takes for a text that is four times as long: 4 when each letter costs the same. */
function growthOf(replace: (text: string) => unknown, unit: string, short = SHORT): number {
  const text = unit.repeat(Math.ceil(short / unit.length));
  const longer = text.repeat(LONGER);
  return timeOf(() => replace(longer)) / timeOf(() => replace(text));
}

/** Measures again until it comes out as expected: one of the two times may have had bad luck. */
function growsSlowly(replace: (text: string) => unknown, unit: string): boolean {
  return Array.from({ length: 8 }).some(() => growthOf(replace, unit) < MAX_GROWTH);
}

describe('a text four times as long takes about four times as long', () => {
  test('every rule has its worst texts here', () => {
    expect(REDACTION_RULES.map(({ name }) => name)).toEqual(Object.keys(WORST));
  });

  for (const { name, pattern, replacement } of REDACTION_RULES) {
    for (const unit of WORST[name] ?? []) {
      test(`${name}: ${JSON.stringify(unit.slice(0, 20))}`, () => {
        expect(growsSlowly((text) => text.replace(pattern, replacement), unit)).toBe(true);
      });
    }
  }

  test('all together, and the key of an object', () => {
    const { text, value } = createRedactor(['a literal secret']);
    expect(growsSlowly(text, 'a-')).toBe(true);
    expect(growsSlowly((key) => value({ [key]: 1 }), 'token-')).toBe(true);
  });

  test('the measure finds a pattern that walks through the rest of the text at each letter', () => {
    const careless = /[\w-]*(?:password|secret)=/g;
    const growth = (): number => growthOf((text) => text.replace(careless, ''), 'a-', 100);
    expect(Array.from({ length: 8 }).some(() => growth() > MAX_GROWTH)).toBe(true);
  });

  test('no quantifier is without a limit', () => {
    for (const { pattern } of REDACTION_RULES) {
      // Escapes and sets aside, so that a plus among the letters of a set is no quantifier.
      const bare = pattern.source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      expect(bare).not.toMatch(/[*+]|\{\d+,\}/);
    }
  });
});
