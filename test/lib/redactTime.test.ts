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
  header: ['cookie', 'cookie ', 'cookie        ', 'authorization:[', 'cookie: "[redacted]', 'x-api-key='],
  'quoted value': ['token', 'token"', 'token        ', 'token="\\', 'token=" ', 'token=\'"', '\\"', 'setup:'],
};

const SHORT = 20_000;
const LONGER = 4;

/** The least time of several runs, in which nothing else got in the way; ms. */
function timeOf(run: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    for (let round = 0; round < 4; round += 1) run();
    return performance.now() - started;
  });
  return Math.min(...times);
}

/** How many times longer it takes for a text that is four times as long: 4 when each letter costs the same. */
function growthOf(replace: (text: string) => unknown, unit: string, short = SHORT): number {
  const [text, longer] = [short, short * LONGER].map((length) =>
    unit.repeat(Math.ceil(length / unit.length)),
  );
  const growth = (): number => timeOf(() => replace(longer ?? '')) / timeOf(() => replace(text ?? ''));
  // Measured again before it is believed: on a busy machine one of the two may have had bad luck.
  return [growth, growth].reduce((least, again) => (least < MAX_GROWTH ? least : again()), growth());
}

/** Quadratic would be 16. */
const MAX_GROWTH = 10;

describe('a text four times as long takes about four times as long', () => {
  test('every rule has its worst texts here', () => {
    expect(REDACTION_RULES.map(({ name }) => name)).toEqual(Object.keys(WORST));
  });

  for (const { name, pattern, replacement } of REDACTION_RULES) {
    for (const unit of WORST[name] ?? []) {
      test(`${name}: ${JSON.stringify(unit.slice(0, 20))}`, () => {
        expect(growthOf((text) => text.replace(pattern, replacement), unit)).toBeLessThan(MAX_GROWTH);
      });
    }
  }

  test('all together, and the key of an object', () => {
    const { text, value } = createRedactor(['a literal secret']);
    expect(growthOf(text, 'a-')).toBeLessThan(MAX_GROWTH);
    expect(growthOf((key) => value({ [key]: 1 }), 'token-')).toBeLessThan(MAX_GROWTH);
  });

  test('the measure finds a pattern that walks through the rest of the text at each letter', () => {
    const careless = /[\w-]*(?:password|secret)=/g;
    expect(growthOf((text) => text.replace(careless, ''), 'a-', 250)).toBeGreaterThan(MAX_GROWTH);
  });

  test('no quantifier is without a limit', () => {
    for (const { pattern } of REDACTION_RULES) {
      // Escapes and sets aside, so that a plus among the letters of a set is no quantifier.
      const bare = pattern.source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      expect(bare).not.toMatch(/[*+]|\{\d+,\}/);
    }
  });
});
