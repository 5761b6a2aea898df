import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { PHRASES } from '../../../fixtures/phrases.ts';
import { meaningOf, PHRASE_CATALOG, reading } from '../../../support/phrases.ts';
import { variantsOf, wrongOf } from '../../../support/phraseVariants.ts';

const page = await Bun.file(join(import.meta.dir, '../../../../docs/phrases.md')).text();
const documented = [...page.matchAll(/^\| (.*) \| .* \|$/gm)].slice(1).map(([, says = '']) => says);
/** Values whose numbers have no unit, and others that the phrases leave out. */
const MORE = [
  ...[
    'ATR above 5',
    'MACD above 1',
    'CCI above 100',
    'momentum above 2',
    'Williams %R below -80',
    'MFI above 80',
  ],
  ...['ADX above 25', 'price above 5', 'price under $1', 'price between 10c and 20c', 'volume above 2m'],
  ...['change % above 3', 'ROC above 5', 'ATR % above 5', 'Aroon up above 70', 'price between $1 and $2'],
  ...['value between 100k and 500k', 'volume between 1m and 5m', 'RSI between 30% and 70%', 'pips above 5'],
];
const phrases = [...new Set([...PHRASES.map(({ says }) => says), ...documented, ...MORE])];
const variants = phrases.flatMap(variantsOf);

describe('mechanical variants of every phrase', () => {
  test('there are thousands, of every kind', () => {
    expect(variants.length).toBeGreaterThan(5000);
    expect(new Set(variants.map(({ kind }) => kind)).size).toBe(13);
  });

  test('are never read as something else without a doubt', () => {
    const wrong = variants.flatMap((variant) =>
      wrongOf(variant).map(({ condition }) => ({
        ...{ kind: variant.kind, says: variant.says },
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
      'The first number of a range is to be the lower one. A unit beside one number alone counts for both.',
    ],
    ['price above 1,5', 'Write a point before decimals and commas between thousands: 1.5 and 1,500.'],
  ])('%s is refused: %s', (text, why) =>
    expect(reading(text)).toEqual({ proposals: [], missed: [{ said: text, why }] }),
  );
});
