import { expect, test } from 'bun:test';
import packageJson from '../../package.json' with { type: 'json' };
import { commandHelp } from '../../src/cli/help.ts';
import { SETTINGS } from '../../src/config.ts';
import { MAX_VALUES_SERVED, valueLimitOf } from '../../src/market/indicators/rules/valueLimits.ts';
import { MAX_ALERT_NAME, MAX_ALERT_NOTE, MAX_ALERTS } from '../../src/subjects/alerts/rules/alertRules.ts';
import { MAX_GROUP_NAME, MAX_GROUPS } from '../../src/subjects/alerts/rules/manner.ts';
import { MAX_SCAN_ALERTS } from '../../src/subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { MAX_WATCHED, MAX_WATCHLISTS } from '../../src/subjects/alerts/rules/watchlist.ts';
import { ALERT_LOGIC } from '../../src/subjects/conditions/rules/condition.ts';
import { docs, guides } from '../support/guides.ts';

const textOf = (page: string): string => guides.find((guide) => guide.page === page)?.text ?? '';

test('the limits in docs/alerts.md are those of the code', () => {
  const rows = textOf('docs/alerts.md')
    .split(/^## Limits$/m)[1]
    ?.match(/^\|.*\|$/gm);
  const figures = (about: RegExp): number[] =>
    (rows?.find((row) => about.test(row)) ?? '').match(/\d+/g)?.map(Number) ?? [];
  const plan = (subscriptionType: 'free' | 'basic' | 'premium') =>
    valueLimitOf({ subscriptionType, isAdmin: false });
  expect(figures(/alerts on stocks \|/)).toEqual([MAX_ALERTS]);
  expect(figures(/alerts on whole scans that/)).toEqual(
    [1, 2, 3].map((level) => MAX_SCAN_ALERTS[level as 1]),
  );
  expect(figures(/lists, and symbols/)).toEqual([MAX_WATCHLISTS, MAX_WATCHED]);
  expect(figures(/conditions of an alert/)).toEqual([ALERT_LOGIC.maxConditions, ALERT_LOGIC.maxScans]);
  expect(figures(/indicator values/)).toEqual([plan('free'), plan('basic'), MAX_VALUES_SERVED]);
  expect(plan('premium')).toBe(plan('basic'));
  expect(figures(/groups of alerts/)).toEqual([MAX_GROUPS]);
  expect(figures(/characters/)).toEqual([MAX_ALERT_NAME, MAX_ALERT_NOTE, MAX_GROUP_NAME]);
});

test('the README lists every setting, and the docs name no other', () => {
  const table = textOf('README.md')
    .split(/^## Settings$/m)[1]
    ?.split(/^## /m)[0];
  const listed = new Set(table?.match(/\bBELLBIRD_[A-Z\d_]+/g));
  expect(Object.keys(SETTINGS).filter((name) => !listed.has(name))).toEqual([]);
  const known = (name: string) =>
    Object.keys(SETTINGS).some((key) => key === name || key.startsWith(`${name}_`));
  const unknown = docs.flatMap(({ page, text }) =>
    (text.match(/\bBELLBIRD_[A-Z\d_]+/g) ?? [])
      .map((name) => name.replace(/_$/, ''))
      .filter((name) => !known(name))
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('the guides name the Bun of package.json', () => {
  const versions = guides.flatMap(
    ({ text }) => text.match(/(?<=\bbun@|\bBun(?:\]\([^)]*\))? )\d+\.\d+\.\d+/g) ?? [],
  );
  expect(versions.length).toBeGreaterThan(3);
  expect(new Set(versions)).toEqual(new Set([packageJson.engines.bun]));
});

test('the commands and options of bellbird that the guides type are in its help', () => {
  const calls = guides.flatMap(({ page, text }) =>
    [...text.matchAll(/(?:^|(?<!cache)[/`"])bellbird(?:\.next)? ([a-z][\w-]*(?: +[^\s`"#;&|)]+)*)/gm)].map(
      ([, words = '']) => ({
        page,
        words: words.split(/ +/),
      }),
    ),
  );
  expect(calls.length).toBeGreaterThan(20);
  const wrong = calls.filter(({ words }) => {
    const help = commandHelp(words);
    return help === null || words.some((word) => word.startsWith('--') && !help.includes(word));
  });
  expect(wrong.map(({ page, words }) => `${page}: ${words.join(' ')}`)).toEqual([]);
});
