import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exposition } from '../../../../src/admin/metrics/server/metric.ts';
import { collectMetrics } from '../../../../src/admin/metrics/server/metrics.ts';
import { hostConcerns } from '../../../../src/admin/notices/rules/hostConcerns.ts';
import { sourceConcerns } from '../../../../src/admin/notices/rules/sourceConcerns.ts';
import { fullReadings, readExposition } from '../../../support/metrics.ts';

const deploy = join(import.meta.dir, '../../../../deploy');
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');

const { types } = readExposition(exposition(collectMetrics(fullReadings, () => {})));
const namesIn = (text: string): string[] => [...new Set(text.match(/bellbird_[a-z0-9_]+/g))];

type Rule = { alert: string; expr: string; for: string; labels: object; annotations: object };
const rules = (): Rule[] => {
  const parsed = Bun.YAML.parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
  return parsed.groups.flatMap((group) => group.rules);
};

describe('the alerts for Prometheus', () => {
  test('name only metrics that there are', () => {
    const names = rules().flatMap(({ expr }) => namesIn(expr));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !types.has(name))).toEqual([]);
  });
  test('name only notices that there are', () => {
    const prices = { label: '', healthy: true, problem: null, signInProblem: null };
    const concerns = [
      ...sourceConcerns({ prices, announcements: prices, calendar: prices, marketTime: 0, now: 0 }),
      ...hostConcerns({
        ...{
          now: 0,
          firstLook: 0,
          backups: { newest: 0, failure: null, warning: null, everyDays: 1 },
          freeBytes: 0,
        },
        ...{ engine: null, clockAhead: [] },
      }),
    ];
    const named = rules().flatMap(({ expr }) =>
      [...expr.matchAll(/notice!?="(\w+)"/g)].map(([, name]) => name ?? ''),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !concerns.some(({ key }) => key === name))).toEqual([]);
  });
});

describe('the dashboard for Grafana', () => {
  test('shows only metrics that there are', () => {
    const names = namesIn(read('grafana/bellbird.json'));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !types.has(name))).toEqual([]);
  });
});
