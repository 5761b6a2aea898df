import { afterEach, describe, expect, test } from 'bun:test';
import { CONTENT_TYPE, exposition } from '../../../../src/admin/metrics/server/metric.ts';
import { collectMetrics } from '../../../../src/admin/metrics/server/metrics.ts';
import { nextTurn } from '../../../../src/lib/nextTurn.ts';
import {
  fullReadings,
  quietReadings as readings,
  readExposition,
  readExposition as read,
} from '../../../support/metrics.ts';
import { createTestApp, START, type TestApp } from '../../../support/testApp.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostConcerns } from '../../../../src/admin/notices/rules/hostConcerns.ts';
import { sourceConcerns } from '../../../../src/admin/notices/rules/sourceConcerns.ts';
import { createLoopLag } from '../../../../src/admin/processWatch/server/service.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';

describe('metrics', () => {
  const KEY = 'the-key-of-the-metrics-1234';

  let app: TestApp | undefined;
  afterEach(() => {
    app?.close();
    app = undefined;
  });
  const open = (key: string | null = KEY): TestApp => {
    app = createTestApp({ env: key === null ? {} : { BELLBIRD_METRICS_KEY: key } });
    return app;
  };
  const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

  describe('GET /metrics', () => {
    test('gives the figures of the server to who has the key', async () => {
      const one = open();
      one.source.give([{ code: 'BHP', last: 1, close: 1 }]);
      one.tick.run();
      one.tick.run();
      await one.request('GET', '/api/settings');
      // Requests are counted one turn of the event loop after their answer.
      await nextTurn();
      const answer = await one.request('GET', '/metrics', withKey(KEY));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(CONTENT_TYPE);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { types, samples } = read(answer.text);
      expect(Object.fromEntries(types)).toMatchObject({
        bellbird_stream_clients: 'gauge',
        bellbird_ticks_total: 'counter',
        bellbird_http_requests_total: 'counter',
        bellbird_event_loop_lag_seconds: 'gauge',
      });
      for (const [name, type] of types)
        expect({ name, isCounter: name.endsWith('_total') }).toEqual({ name, isCounter: type === 'counter' });
      expect(Object.fromEntries(samples)).toMatchObject({
        'bellbird_build_info{version="0.0.0",commit="test"}': 1,
        'bellbird_stream_clients{stream="market"}': 0,
        'bellbird_stream_clients{stream="alerts"}': 0,
        bellbird_stocks: 1,
        bellbird_ticks_total: 2,
        'bellbird_outbox_messages{state="waiting"}': 0,
        bellbird_alerts: 0,
        bellbird_unreadable_metric_groups: 0,
        'bellbird_source_healthy{source="prices"}': 1,
        bellbird_backups: 0,
        bellbird_backup_last_failed: 0,
        'bellbird_notice_standing{notice="prices"}': 0,
        'bellbird_notice_standing{notice="disk"}': 0,
        'bellbird_log_lines_total{part="main",level="error"}': 0,
      });
      expect(samples.get('bellbird_disk_size_bytes')).toBeGreaterThan(
        samples.get('bellbird_disk_free_bytes') ?? Number.POSITIVE_INFINITY,
      );
      expect(samples.get('bellbird_memory_bytes{kind="resident"}')).toBeGreaterThan(1_000_000);
      expect(samples.get('bellbird_database_bytes{part="file"}')).toBeGreaterThan(4096);
      expect(samples.get('bellbird_http_requests_total{class="4xx"}')).toBe(1);
    });

    test('is no address without a configured key', async () => {
      const answer = await open(null).request('GET', '/metrics', withKey(KEY));
      const unknown = await open(null).request('GET', '/api/nothing');
      expect([answer.status, answer.json]).toEqual([404, unknown.json]);
    });

    for (const [what, headers] of Object.entries<Record<string, string>>({
      'no key': {},
      'another key': { authorization: `Bearer ${KEY}x` },
      'the key in the query': {},
    })) {
      test(`is refused with ${what}`, async () => {
        const path = what === 'the key in the query' ? `/metrics?key=${KEY}&token=${KEY}` : '/metrics';
        const answer = await open().request('GET', path, { headers });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(answer.text).not.toContain(KEY);
      });
    }

    test('writes no line of its own into the log, and who has no key does, without what was sent', async () => {
      const one = open();
      await one.request('GET', '/metrics', withKey(KEY));
      await one.request('GET', '/metrics?token=abc', withKey('another-key'));
      await nextTurn();
      const requests = one.lines.filter(({ message }) => message === 'Request');
      expect(requests.map(({ properties }) => [properties['path'], properties['status']])).toEqual([
        ['/metrics', 401],
      ]);
      expect(JSON.stringify(one.lines)).not.toMatch(/another-key|the-key-of|abc/);
    });
  });

  describe('what a host watches', () => {
    test('is told with ages in seconds, and each notice, part and service by its name', () => {
      const { samples } = read(exposition(collectMetrics(fullReadings, () => {})));
      expect(Object.fromEntries(samples)).toMatchObject({
        'bellbird_source_healthy{source="calendar"}': 0,
        'bellbird_source_last_success_age_seconds{source="prices"}': 12,
        bellbird_backup_age_seconds: 3600,
        bellbird_backup_size_bytes: 4096,
        bellbird_backup_interval_seconds: 7 * 86_400,
        bellbird_backup_last_failed: 1,
        bellbird_disk_free_bytes: 5e8,
        bellbird_disk_size_bytes: 3e10,
        'bellbird_log_lines_total{part="outbox",level="error"}': 3,
        'bellbird_outgoing_errors_total{service="telegram"}': 1,
        bellbird_certificate_expiry_timestamp_seconds: 1_800_000_000,
        bellbird_update_waiting: 1,
        'bellbird_notice_standing{notice="disk"}': 1,
      });
      expect(samples.has('bellbird_source_last_success_age_seconds{source="calendar"}')).toBe(false);
    });
  });

  describe('the text', () => {
    test('escapes what labels and help texts may not hold', () => {
      const metric = {
        name: 'a',
        type: 'gauge',
        samples: [{ labels: { l: 'a"b\\c\nd' }, value: 1 }],
      } as const;
      expect(exposition([{ ...metric, help: 'One\ntwo \\ "three"' }])).toBe(
        '# HELP a One\\ntwo \\\\ "three"\n# TYPE a gauge\na{l="a\\"b\\\\c\\nd"} 1\n',
      );
    });
    test('goes on without a part that fails', () => {
      const failures: unknown[] = [];
      const failing = {
        ...readings,
        outbox: () => {
          throw new Error('Busy.');
        },
      };
      const { samples } = read(exposition(collectMetrics(failing, (error) => failures.push(error))));
      expect(failures).toHaveLength(1);
      expect(samples.get('bellbird_unreadable_metric_groups')).toBe(1);
      expect(samples.get('bellbird_stocks')).toBe(2000);
      expect([...samples.keys()].some((name) => name.startsWith('bellbird_outbox'))).toBe(false);
    });
  });
});

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

const MINUTE = 60_000;

describe('the lag of the event loop', () => {
  /** A clock whose timers come late by what `held` says at that moment. */
  function setUp() {
    const clock = createHandScheduler(START);
    let held = 0;
    const lag = createLoopLag(clock, (ms, run) => clock.schedule(ms + held, run));
    return { clock, lag, hold: (ms: number) => (held = ms) };
  }

  test('is how late a timer comes; the worst is forgotten after two minutes', () => {
    const { clock, lag, hold } = setUp();
    lag.start();
    clock.advance(2000);
    expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 0 });
    hold(120);
    clock.advance(1000);
    hold(0);
    clock.advance(2000);
    expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 120 });
    clock.advance(MINUTE);
    expect(lag.figures().worstMs).toBe(120);
    clock.advance(2 * MINUTE);
    expect(lag.figures().worstMs).toBe(0);
  });
});
