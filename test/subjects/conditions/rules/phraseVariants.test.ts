import type { Condition, Operator } from '#subjects/conditions/rules/condition.ts';
import { meaningOf, PHRASE_CATALOG, reading } from '#support/phrases.ts';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { PHRASES } from '../../../fixtures/phrases.ts';

/** A condition and whether it is one of several alternatives. */
type Right = { condition: Condition; isAlternative: boolean };
/** A phrase in another spelling, with all readings that need no doubt. */
type PhraseVariant = { kind: string; says: string; right: readonly Right[] };

const rightOf = (says: string): Right[] =>
  reading(says).proposals.map(({ condition, group }) => ({ condition, isAlternative: group !== null }));

/** The phrase with a pattern replaced at one place each time; its meaning stays. */
function respelled(
  kind: string,
  says: string,
  pattern: RegExp,
  write: (found: RegExpExecArray) => readonly string[],
  right: readonly Right[] = rightOf(says),
): PhraseVariant[] {
  return [...says.matchAll(pattern)].flatMap((found) =>
    write(found).map((text) => ({
      kind,
      right,
      says: says.slice(0, found.index) + text + says.slice(found.index + found[0].length),
    })),
  );
}

const group = (found: RegExpExecArray, place: number): string => found[place] ?? '';

/** "under 20c" as "under-20c": the hyphen is not a minus. */
const hyphens = (says: string): PhraseVariant[] =>
  respelled('hyphen before a number', says, /\b(under|over|above|below|sub|than) (?=[$\d.])/gi, (found) =>
    ['-', '‐', '‑', '–'].map((hyphen) => group(found, 1) + hyphen),
  );

/** "under 20c" as "sub-20c". */
const subs = (says: string): PhraseVariant[] =>
  respelled('sub before a number', says, /\b(?:under|below) (?=[$\d.])/gi, () => ['sub ', 'sub-', 'sub–']);

/** "20-day" with other hyphens, and without. */
const joints = (says: string): PhraseVariant[] =>
  respelled(
    'hyphen within a name',
    says,
    /(?<=[\da-z])[- ](?=day\b|week\b|minute\b|sensitive\b|open\b)/gi,
    () => ['-', '–', '‑', ' '],
  );

const RANGE = /\bbetween (\$?[\d.]+)(c|m|%)? and (\$?[\d.]+)(c|m|%)?(?![\d%a-z])/gi;

/** "between 5c and 20c" with dashes, other words, and a shared unit. */
function ranges(says: string): PhraseVariant[] {
  return respelled('range', says, RANGE, (found) => {
    const [low, unit, high, otherUnit] = [1, 2, 3, 4].map((place) => group(found, place));
    const words = [' and ', ' to ', '-', '–', ' - ', ' – '];
    const spelled = [
      ...words.map((word) => `between ${low}${unit}${word}${high}${otherUnit}`),
      ...words.slice(1).map((word) => `from ${low}${unit}${word}${high}${otherUnit}`),
    ];
    if (unit !== otherUnit || unit === '') return spelled;
    const [bareLow, bareHigh] = [low, high].map((number) => number?.replace('$', '') ?? '');
    const once = words.flatMap((word) => [
      `between ${low}${unit}${word}${high}`,
      `between ${low}${word}${high}${unit}`,
      `between ${low}${unit}${word}${bareHigh}`,
      `between ${bareLow}${word}${high}${unit}`,
    ]);
    return [...spelled, ...once];
  });
}

/** The same price or amount in other units. */
const units = (says: string): PhraseVariant[] => [
  ...respelled('dollars in cents', says, /\$(\d?\.\d+)\b(?![km%])/g, (found) => {
    const cents = Math.round(Number(group(found, 1)) * 100);
    return [`${cents}c`, `${cents} cents`, `${cents}¢`, `A$${group(found, 1)}`, `${group(found, 1)} dollars`];
  }),
  ...respelled('cents in dollars', says, /\b(\d+) ?(?:c|cents)\b/g, (found) => {
    const dollars = String(Number(group(found, 1)) / 100);
    return [`$${dollars}`, `$${dollars.slice(1)}`, `${group(found, 1)} cents`, `${group(found, 1)} c`];
  }),
  ...respelled('thousands and millions', says, /\b(\d+)(k|m)\b/g, (found) => {
    const count = Number(group(found, 1));
    const isThousand = group(found, 2) === 'k';
    const whole = (count * (isThousand ? 1e3 : 1e6)).toLocaleString('en-AU');
    return isThousand
      ? [whole, `${count} thousand`, `${count / 1000}m`, `${count}K`]
      : [whole, `${count} million`, `${count * 1000}k`, `${count}M`, `${count / 1000}b`, `${count}mln`];
  }),
];

/** Kinds of values that a percent sign does not change. */
const isPercent = ({ lhs }: Condition): boolean =>
  (lhs.type === 'field' && /percent|day_range/.test(lhs.key)) ||
  (lhs.type === 'indicator' && /^(change|atrp|roc)/.test(lhs.family));

/** ATR in percent is another indicator. */
const ofAtr = ({ condition, isAlternative }: Right): Right[] =>
  condition.lhs.type === 'indicator' && condition.lhs.family === 'atr'
    ? [{ condition: { ...condition, lhs: { ...condition.lhs, family: 'atrp', key: 'atrp' } }, isAlternative }]
    : [];

/** A number with a percent sign is not a plain number, so its former comparison no longer applies. */
const percents = (says: string): PhraseVariant[] =>
  respelled('percent sign', says, /(?<= )\d+(?:\.\d+)?(?=$| and\b| or\b|,)/gi, (found) => [
    `${found[0]}%`,
    `${found[0]} %`,
    `${found[0]} per cent`,
  ]).map((variant) => {
    const number = Number(/(\d[\d.]*) ?(?:%|per cent)/.exec(differenceOf(says, variant.says))?.[1]);
    const isOf = ({ rhs }: Condition): boolean => rhs.type === 'number' && Math.abs(rhs.value) === number;
    return {
      ...variant,
      right: [
        ...variant.right.filter(({ condition }) => isPercent(condition) || !isOf(condition)),
        ...variant.right.flatMap(ofAtr),
      ],
    };
  });

/** The changed part of a variant and the text after it. */
function differenceOf(says: string, variant: string): string {
  let at = 0;
  while (at < says.length && says[at] === variant[at]) at += 1;
  return variant.slice(variant.lastIndexOf(' ', at - 1) + 1);
}

const OPPOSITES: Partial<Record<Operator, Operator>> = { '>': '<=', '<': '>=', '>=': '<', '<=': '>' };

/** A negation before the phrase: its first condition must not be read as if it were positive. */
function negated(says: string): PhraseVariant[] {
  const [first, ...others] = rightOf(says);
  if (!first) return [];
  return ['not', 'no', 'never', 'except', 'excluding', 'without', 'unless', 'neither', 'but not', 'non'].map(
    (word) => ({
      kind: 'negation',
      says: `${word} ${says}`,
      right: [...opposite(first), ...others],
    }),
  );
}

function opposite({ condition, isAlternative }: Right): Right[] {
  const isYes = condition.op === '==' && condition.rhs.type === 'number' && condition.rhs.value === 1;
  if (isYes) return [{ condition: { ...condition, rhs: { type: 'number', value: 0 } }, isAlternative }];
  if (condition.rhs.type === 'text') return [{ condition: { ...condition, op: '!=' }, isAlternative }];
  const op = OPPOSITES[condition.op];
  return op ? [{ condition: { ...condition, op }, isAlternative }] : [];
}

const NOT = { above: '<=', over: '<=', below: '>=', under: '>=' } as const satisfies Record<string, Operator>;

/** "RSI above 70" as "RSI not above 70 or below 30": the negation applies to both. */
function negatedLists(says: string): PhraseVariant[] {
  const right = rightOf(says);
  const [only] = right;
  if (right.length !== 1 || only?.condition.rhs.type !== 'number') return [];
  return Object.entries(NOT).flatMap(([word, op]) => {
    const at = says.search(new RegExp(` ${word} [$\\d.]`));
    if (at < 0 || says.includes('crosses') || says.includes('breaks') || says.includes('falls')) return [];
    const text = `${says.slice(0, at)} not${says.slice(at)}`;
    const first = { condition: { ...only.condition, op }, isAlternative: false };
    // "Up not over 3 %" still means up.
    const up: Right = {
      condition: { ...only.condition, op: '>', rhs: { type: 'number', value: 0 } },
      isAlternative: false,
    };
    const other = word === 'above' || word === 'over' ? 'below' : 'above';
    const number = /\$?[\d.]+(?:c|m|k|%)?$/.exec(says)?.[0];
    if (number === undefined) return [{ kind: 'negated comparison', says: text, right: [first, up] }];
    const second = { ...first, condition: { ...first.condition, op: NOT[other] } };
    return [
      { kind: 'negated comparison', says: text, right: [first, up] },
      ...['or', 'nor', 'and', ','].map((joint) => ({
        kind: 'negated list',
        says: `${text} ${joint} ${other} ${number}`,
        right: [first, up, second],
      })),
    ];
  });
}

const SECTOR_LISTS = [
  'Energy and Materials',
  'Energy or Materials',
  'Energy, Materials',
  'Energy & Materials',
];

/** Appends a list of excluded sectors and a list of included ones to each phrase. */
function sectorLists(says: string): PhraseVariant[] {
  const sectors = ['Energy', 'Materials'];
  const listed = (op: Operator): Right => ({
    condition: { lhs: { type: 'field', key: 'sector' }, op, rhs: { type: 'text', values: sectors } },
    isAlternative: false,
  });
  const left = [
    'not',
    'not in',
    'no',
    'excluding',
    'except',
    'except for',
    'but not',
    'but not in',
    'without',
    'ex',
  ];
  const out = [
    ...SECTOR_LISTS,
    'Energy nor Materials',
    'Energy stocks or Materials stocks',
    'Energy or in Materials',
  ];
  const right = rightOf(says);
  return [', ', ' and ', ' but '].flatMap((joint) => [
    ...left.flatMap((word) =>
      out.map((list) => ({
        kind: 'sectors left out',
        says: `${says}${joint}${word} ${list}`,
        right: [...right, listed('!=')],
      })),
    ),
    {
      kind: 'sectors left out',
      says: `${says}${joint}neither Energy nor Materials`,
      right: [...right, listed('!=')],
    },
    ...SECTOR_LISTS.map((list) => ({
      kind: 'sectors',
      says: `${says}${joint}in ${list}`,
      right: [...right, listed('==')],
    })),
  ]);
}

/** Mechanical variants of one phrase, each with its permitted readings. */
const variantsOf = (says: string): PhraseVariant[] =>
  [hyphens, subs, joints, ranges, units, percents, negated, negatedLists, sectorLists].flatMap((make) =>
    make(says).filter((variant) => variant.says !== says),
  );

/** The conditions of a variant that are misread and not marked as doubtful. */
function wrongOf({ says, right }: PhraseVariant): Right[] {
  const allowed = new Set(right.map((one) => JSON.stringify(one)));
  return reading(says)
    .proposals.filter(({ isDoubtful }) => !isDoubtful)
    .map(({ condition, group: of }) => ({ condition, isAlternative: of !== null }))
    .filter((one) => !allowed.has(JSON.stringify(one)));
}

const page = await Bun.file(join(import.meta.dir, '../../../../docs/phrases.md')).text();
const documented = [...page.matchAll(/^\| (.*) \| .* \|$/gm)].slice(1).map(([, says = '']) => says);
/** Values without units, and others that the phrases do not cover. */
const MORE = [
  'ATR above 5',
  'MACD above 1',
  'CCI above 100',
  'momentum above 2',
  'Williams %R below -80',
  'MFI above 80',
  'ADX above 25',
  'price above 5',
  'price under $1',
  'price between 10c and 20c',
  'volume above 2m',
  'change % above 3',
  'ROC above 5',
  'ATR % above 5',
  'Aroon up above 70',
  'price between $1 and $2',
  'value between 100k and 500k',
  'volume between 1m and 5m',
  'RSI between 30% and 70%',
  'pips above 5',
];
const phrases = [...new Set([...PHRASES.map(({ says }) => says), ...documented, ...MORE])];
const variants = phrases.flatMap(variantsOf);

describe('mechanical variants of every phrase', () => {
  test('number thousands, of every kind', () => {
    expect(variants.length).toBeGreaterThan(5000);
    expect(new Set(variants.map(({ kind }) => kind)).size).toBe(13);
  });

  test('are never misread without a doubt', () => {
    const wrong = variants.flatMap((variant) =>
      wrongOf(variant).map(({ condition }) => ({
        kind: variant.kind,
        says: variant.says,
        read: logicText({ op: 'AND', conditions: [condition] }, PHRASE_CATALOG),
      })),
    );
    expect(wrong).toEqual([]);
  });
});

describe('variants with one meaning', () => {
  test.each([
    ['price under-1', 'Last below 1'],
    ['price 1-2', 'Last at or above 1 and Last at or below 2'],
    ['price 5c-10', 'Last at or above 0.05 and Last at or below 0.1'],
    ['price 5–10c', 'Last at or above 0.05 and Last at or below 0.1'],
    ['up 5-10%', 'Change % at or above 5 and Change % at or below 10'],
    ['market cap 50m to 300', 'Market Cap at or above 50,000,000 and Market Cap at or below 300,000,000'],
    ['volume between 500k and 2,000,000', 'Volume at or above 500,000 and Volume at or below 2,000,000'],
    ['no Energy', 'Sector is not Energy'],
    ['non-Energy stocks', 'Sector is not Energy'],
    ['ex-Financials, up 5%', 'Sector is not Financials and Change % at or above 5'],
    ['neither Energy nor Materials', 'Sector is none of Energy or Materials'],
    ['anything but Energy', 'Sector is not Energy'],
    [
      'everything except Energy, Materials and Financials',
      'Sector is none of Energy or Materials or Financials',
    ],
    ['Energy and Materials', 'Sector is one of Energy or Materials'],
    [
      'Energy but not Materials or Financials',
      'Sector is Energy and Sector is none of Materials or Financials',
    ],
    ['RSI neither above 70 nor below 30', 'RSI(14) 1D at or below 70 and RSI(14) 1D at or above 30'],
    [
      'RSI not above 70 or below 30 and up 5%',
      'RSI(14) 1D at or below 70 and RSI(14) 1D at or above 30 and Change % at or above 5',
    ],
    ['CCI below -100', 'CCI(20) 1D below −100'],
    ['CCI below −100', 'CCI(20) 1D below −100'],
    ['ATR between 2 and 5%', 'ATR % 1D at or above 2 and ATR % 1D at or below 5'],
    ['ROC above 5%', 'ROC 1D above 5'],
  ])('%s', (text, means) => {
    expect(meaningOf(text)).toEqual({ means, unsaid: [] });
    expect(reading(text).proposals.filter(({ isDoubtful }) => isDoubtful)).toEqual([]);
  });

  test.each([
    ['CCI below-100'],
    ['change % below-3'],
    ['RSI below 30%'],
    ['price above 5c and below 10'],
    ['volume above 500k and below 2'],
    ['not above 5 and below 2'],
    ['price not above 5 or volume over 1m'],
    ['Energy or not Materials'],
    ['Energy and Materials excluded'],
    ['excluding Energy and large caps'],
    ['avoiding Energy, Materials'],
  ])('%s is doubted', (text) => {
    const { proposals } = reading(text);
    expect(
      proposals
        .filter(({ isDoubtful }) => !isDoubtful)
        .map(({ said }) => said)
        .slice(1),
    ).toEqual([]);
    expect(proposals.some(({ isDoubtful }) => isDoubtful) || proposals.length === 0).toBe(true);
    for (const { note, isDoubtful } of proposals) if (isDoubtful) expect(note).toMatch(/^[A-Z“].*\.$/u);
  });

  test.each([
    ['price under -1', 'The number does not fit: the last price is never below 0.'],
    ['RSI above 150', 'The number does not fit: RSI is from 0 to 100.'],
    ['Williams %R below 80', 'The number does not fit: Williams %R is from -100 to 0.'],
    ['MACD above 1%', 'The number does not fit: MACD is compared with a plain number.'],
    [
      'price between 50c and 2',
      'Put the lower number of a range first. A unit on only one number applies to both.',
    ],
    ['price above 1,5', 'Use a point for decimals and commas for thousands: 1.5 and 1,500.'],
  ])('%s is refused: %s', (text, why) =>
    expect(reading(text)).toEqual({ proposals: [], missed: [{ said: text, why }] }),
  );
});
