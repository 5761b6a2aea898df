import { afterEach, describe, expect, test } from 'bun:test';
import { collectMetrics } from '#admin/metrics/server/metrics.ts';
import { doubtful } from '#lib/checkResult.ts';
import type { App } from '#platform/app.ts';
import { aRelay, aRelayState } from '#support/relayStates.ts';
import { CONTENT_TYPE, exposition } from '#admin/metrics/server/metric.ts';
import { nextTurn } from '#lib/turns.ts';
import { createTestApp, START, type TestApp } from '#support/testApp.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostChecks } from '#admin/serverAlerts/rules/hostChecks.ts';
import { sourceChecks } from '#admin/serverAlerts/rules/sourceChecks.ts';
import { createLoopLag } from '#admin/processWatch/server/service.ts';
import { createHandScheduler } from '#support/handScheduler.ts';

/** The server with a value for each metric. */
function withValues({ services, clock }: TestApp): App {
  const now = clock.now();
  const calendar = { healthy: false, lastUpdate: null };
  const telegram = doubtful('Telegram', 'No.', 'Wait.');
  Object.assign(services.source, { health: () => ({ lastSuccess: now - 12_000, measuredLagMs: 1200 }) });
  Object.assign(services.calendar, { info: () => calendar });
  Object.assign(services.endpointCalls, { byService: () => [{ service: 'telegram', calls: 5, errors: 1 }] });
  Object.assign(services.backups, {
    failure: () => ({ reason: 'No.' }),
    newest: () => ({ madeAt: now - 3_600_000, bytes: 4096 }),
  });
  Object.assign(services.serverAlerts, {
    services: () => ({ telegram }),
    certificate: () => ({ host: 'a', endsAt: 1_800_000_000_000 }),
    status: () => ({ disk: true, prices: false }),
  });
  Object.assign(services.updates, { lastOffer: () => ({ isNew: true, takenBack: null }) });
  return {
    ...services,
    config: { ...services.config, backup: { ...services.config.backup, everyDays: 7 } },
    relayState: () => aRelayState({ relays: [aRelay({})] }),
    diskRoom: () => ({ free: 5e8, size: 3e10 }),
    logged: () => [{ part: 'outbox', level: 'error', count: 3 }],
  };
}

const NAME = '[a-z][a-z0-9_]*';
const LABEL = `[a-z]+="(?:[^"\\\\\n]|\\\\[\\\\"n])*"`;
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (\\S.*)$`);
const SAMPLE = new RegExp(
  `^((${NAME})(?:\\{${LABEL}(?:,${LABEL})*\\})?) (NaN|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
);

/**
 * Parses version 0.0.4 of the text format strictly: each metric once and together, HELP, then TYPE, then samples, each series once. Only counters
 * end with `_total`, and units follow Prometheus.
 */
function readExposition(text: string): { types: Map<string, string>; samples: Map<string, number> } {
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let helped = '';
  let current = '';
  expect(text).toEndWith('\n');
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, about = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'HELP') {
      expect({ line, isNew: !types.has(about), isSentence: rest.endsWith('.') }).toEqual({
        line,
        isNew: true,
        isSentence: true,
      });
      helped = about;
    } else if (kind === 'TYPE') {
      expect({ line, helped }).toEqual({ line, helped: about });
      expect(['gauge', 'counter']).toContain(rest);
      expect({ about, isCounter: about.endsWith('_total') }).toEqual({
        about,
        isCounter: rest === 'counter',
      });
      expect(about).toMatch(/^bellbird_/);
      expect(about).not.toMatch(/_(?:ms|milliseconds|minutes|hours|days|kb|mb|megabytes|percent)(?:_|$)/);
      types.set(about, rest);
      current = about;
    } else {
      const [, series = '', name = '', value = ''] = SAMPLE.exec(line) ?? [];
      expect({ line, name, isNew: !samples.has(series) }).toEqual({ line, name: current, isNew: true });
      samples.set(series, Number(value.replace('Inf', 'Infinity')));
    }
  }
  return { types, samples };
}

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
    test('returns the server’s figures to a caller with the key', async () => {
      const one = open();
      one.source.apply([{ code: 'BHP', last: 1, close: 1 }]);
      one.tick.run();
      one.tick.run();
      await one.request('GET', '/api/settings');
      // Requests are counted one turn of the event loop after their answer.
      await nextTurn();
      const answer = await one.request('GET', '/metrics', withKey(KEY));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(CONTENT_TYPE);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { types, samples } = readExposition(answer.text);
      expect(Object.fromEntries(types)).toMatchObject({
        bellbird_stream_clients: 'gauge',
        bellbird_ticks_total: 'counter',
        bellbird_http_requests_total: 'counter',
        bellbird_event_loop_lag_seconds: 'gauge',
      });
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

    test('does not exist without a configured key', async () => {
      const answer = await open(null).request('GET', '/metrics', withKey(KEY));
      const unknown = await open(null).request('GET', '/api/nothing');
      expect([answer.status, answer.json]).toEqual([404, unknown.json]);
    });

    test.each([
      ['no key', '/metrics', {}],
      ['another key', '/metrics', { authorization: `Bearer ${KEY}x` }],
      ['the key in the query', `/metrics?key=${KEY}&token=${KEY}`, {}],
    ])('is refused with %s', async (_, path, headers) => {
      const answer = await open().request('GET', path, { headers });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(answer.text).not.toContain(KEY);
    });

    test('logs only requests without the key, and not what they sent', async () => {
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

  test('health checks are reported with ages in seconds, labelled by server alert, part and service', () => {
    const { samples } = readExposition(exposition(collectMetrics(withValues(open()), () => {})));
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

  describe('metrics as text', () => {
    test('escape characters that labels and help texts may not contain', () => {
      const samples = [{ labels: { l: 'a"b\\c\nd' }, value: 1 }];
      expect(exposition([['a', 'One\ntwo \\ "three"', samples]])).toBe(
        '# HELP a One\\ntwo \\\\ "three"\n# TYPE a gauge\na{l="a\\"b\\\\c\\nd"} 1\n',
      );
    });
    test('skip a part that fails', () => {
      const failures: unknown[] = [];
      const { services } = open();
      const counts = () => {
        throw new Error('Busy.');
      };
      const failing = { ...services, outbox: { ...services.outbox, counts } };
      const { samples } = readExposition(
        exposition(collectMetrics(failing, (error) => failures.push(error))),
      );
      expect(failures).toHaveLength(1);
      expect(samples.get('bellbird_unreadable_metric_groups')).toBe(1);
      expect(samples.get('bellbird_stocks')).toBe(0);
      expect([...samples.keys()].some((name) => name.startsWith('bellbird_outbox'))).toBe(false);
    });
  });
});

const deploy = join(import.meta.dir, '../../../../deploy');
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');

const whole = createTestApp();
const { types } = readExposition(exposition(collectMetrics(withValues(whole), () => {})));
whole.close();
const namesIn = (text: string): string[] => [...new Set(text.match(/bellbird_[a-z0-9_]+/g))];

type Rule = { alert: string; expr: string; for: string; labels: object; annotations: object };
const rules = (): Rule[] => {
  const parsed = Bun.YAML.parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
  return parsed.groups.flatMap((group) => group.rules);
};

describe('the alerts for Prometheus', () => {
  test('use only existing metrics', () => {
    const names = rules().flatMap(({ expr }) => namesIn(expr));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !types.has(name))).toEqual([]);
  });
  test('name only existing server alerts', () => {
    const prices = { label: '', healthy: true, problem: null, signInProblem: null };
    const concerns = [
      ...sourceChecks({ prices, announcements: prices, calendar: prices, marketTime: 0, now: 0 }),
      ...hostChecks({
        now: 0,
        firstCheck: 0,
        backups: { newest: 0, failure: null, warning: null, everyDays: 1 },
        freeBytes: 0,
        engine: null,
        clockAhead: [],
      }),
    ];
    const named = rules().flatMap(({ expr }) =>
      [...expr.matchAll(/notice!?="(\w+)"/g)].map(([, name]) => name ?? ''),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !concerns.some(({ key }) => key === name))).toEqual([]);
  });
});

test('the Grafana dashboard uses only existing metrics', () => {
  const names = namesIn(read('grafana/bellbird.json'));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !types.has(name))).toEqual([]);
});

const MINUTE = 60_000;

test('event loop lag is how late a timer fires; the worst value is forgotten after two minutes', () => {
  const clock = createHandScheduler(START);
  /** How late timers fire. */
  let held = 0;
  const lag = createLoopLag(clock, (ms, run) => clock.schedule(ms + held, run));
  lag.start();
  clock.advance(2000);
  expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 0 });
  held = 120;
  clock.advance(1000);
  held = 0;
  clock.advance(2000);
  expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 120 });
  clock.advance(MINUTE);
  expect(lag.figures().worstMs).toBe(120);
  clock.advance(2 * MINUTE);
  expect(lag.figures().worstMs).toBe(0);
});
