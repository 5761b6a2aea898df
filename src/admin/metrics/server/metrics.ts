import type { About } from '#platform/install/about.ts';
import type { DatabaseSize } from '#platform/db/figures.ts';
import type { RequestClasses } from '#platform/http/requestLog.ts';
import type { TickFigures } from '#market/tick.ts';
import type { OutboxCounts } from '#platform/outbox/report.ts';
import type { SourceHealth } from '#market/sources/quotes.ts';
import type { RelayState } from '#admin/relays/rules/relayState.ts';
import type { ProcessFigures } from '#admin/processWatch/server/service.ts';
import { type HostReadings, HOST_GROUPS } from './hostMetrics.ts';
import { each, type Metric, one, seconds, type Sample } from './metric.ts';

/** A value of the relays by name. Values of relays with equal names are added, because a series must be unique. */
function byRelay(
  relays: RelayState['relays'],
  value: (relay: RelayState['relays'][number]) => number | null,
  join: (one: number, other: number) => number,
): Sample[] {
  const values = new Map<string, number>();
  for (const relay of relays) {
    const own = value(relay);
    const others = values.get(relay.name);
    if (own !== null) values.set(relay.name, others === undefined ? own : join(others, own));
  }
  return each('relay', Object.fromEntries(values));
}

const added = (one: number, other: number): number => one + other;

function ofRelays(readings: { relays(): RelayState | null }): Metric[] {
  const state = readings.relays();
  if (state === null) return [];
  const { engine, isPublishing, frames, bytes, relays } = state;
  const ofEach = (name: string, help: string, samples: Sample[]): Metric => ({
    name,
    type: 'gauge',
    help,
    samples,
  });
  return [
    one('bellbird_engine_up', 'gauge', '1 if Redis or Valkey answers, otherwise 0.', Number(engine.isUp)),
    one(
      'bellbird_engine_publishing',
      'gauge',
      '1 while this server publishes to relays, otherwise 0.',
      Number(isPublishing),
    ),
    one('bellbird_engine_frames_total', 'counter', 'Messages published to relays since the start.', frames),
    one('bellbird_engine_bytes_total', 'counter', 'Bytes published to relays since the start.', bytes),
    one('bellbird_relays', 'gauge', 'Connected relays.', relays.length),
    ofEach(
      'bellbird_relay_pages',
      'Open market streams.',
      byRelay(relays, ({ pages }) => pages, added),
    ),
    ofEach(
      'bellbird_relay_alert_pages',
      'Open alert streams.',
      byRelay(relays, ({ alertPages }) => alertPages, added),
    ),
    ofEach(
      'bellbird_relay_lag_seconds',
      'Age of the oldest message that a relay has not delivered yet.',
      byRelay(relays, ({ lagMs }) => (lagMs === null ? null : seconds(lagMs)), Math.max),
    ),
  ];
}

/** Functions that read the state of the parts. Groups are read separately, so that a failure affects only one. */
export type Readings = HostReadings & {
  about(): Pick<About, 'version' | 'commit'>;
  clients(): { market: number; alerts: number };
  tick(): TickFigures;
  stocks(): number;
  /** Measurements of the price source. */
  source(): Pick<SourceHealth, 'measuredLagMs'>;
  outbox(): OutboxCounts;
  alerts(): { alerts: number; waiting: number; unsaved: number };
  requests(): RequestClasses;
  outgoing(): readonly { service: string; calls: number; errors: number }[];
  process(): ProcessFigures;
  database(): DatabaseSize;
  relays(): RelayState | null;
};

type Group = (readings: Readings) => Metric[];

function ofMarket({ stocks, source }: Readings): Metric[] {
  const { measuredLagMs } = source();
  const lag: Metric = {
    name: 'bellbird_quote_lag_seconds',
    type: 'gauge',
    help: 'Measured age of the market source’s quotes; absent if it cannot be measured.',
    samples: measuredLagMs === null ? [] : [{ value: seconds(measuredLagMs) }],
  };
  return [one('bellbird_stocks', 'gauge', 'Stocks in the market.', stocks()), lag];
}

function ofTicks({ tick }: Readings): Metric[] {
  const { ticks, lastMs, slowestMs, totalMs, lagMs } = tick();
  return [
    one('bellbird_ticks_total', 'counter', 'Market ticks since the start.', ticks),
    one('bellbird_tick_seconds_total', 'counter', 'Total duration of all ticks.', seconds(totalMs)),
    one('bellbird_tick_last_seconds', 'gauge', 'Duration of the last tick.', seconds(lastMs)),
    one(
      'bellbird_tick_slowest_seconds',
      'gauge',
      'Duration of the slowest of the last hundred ticks.',
      seconds(slowestMs),
    ),
    one('bellbird_tick_lag_seconds', 'gauge', 'Delay of the last tick.', seconds(lagMs)),
  ];
}

function ofOutbox({ outbox }: Readings): Metric[] {
  const { sentToday, ...states } = outbox();
  return [
    {
      name: 'bellbird_outbox_messages',
      type: 'gauge',
      help: 'Messages to chats by state.',
      samples: each('state', states),
    },
    one('bellbird_outbox_sent_today', 'gauge', 'Messages delivered since midnight in Sydney.', sentToday),
  ];
}

function ofAlerts({ alerts }: Readings): Metric[] {
  const { alerts: active, waiting, unsaved } = alerts();
  return [
    one('bellbird_alerts', 'gauge', 'Alerts evaluated on each tick.', active),
    one('bellbird_alerts_waiting', 'gauge', 'Triggers not committed yet.', waiting),
    one('bellbird_alerts_unsaved', 'gauge', 'Alerts whose state is not saved yet.', unsaved),
  ];
}

function ofRequests({ requests, outgoing }: Readings): Metric[] {
  const services = outgoing();
  const byService = (value: (of: (typeof services)[number]) => number) =>
    services.map((of) => ({ labels: { service: of.service }, value: value(of) }));
  return [
    {
      name: 'bellbird_http_requests_total',
      type: 'counter',
      help: 'Answered API requests by status class.',
      samples: each('class', requests()),
    },
    {
      name: 'bellbird_outgoing_calls_total',
      type: 'counter',
      help: 'External requests by service: a source, a chat platform, push or the model.',
      samples: byService(({ calls }) => calls),
    },
    {
      name: 'bellbird_outgoing_errors_total',
      type: 'counter',
      help: 'External requests without a usable answer, by service.',
      samples: byService(({ errors }) => errors),
    },
  ];
}

function ofProcess({ process }: Readings): Metric[] {
  const { uptimeSec, memory, cpuSec, loopLag } = process();
  const { lastMs, worstMs } = loopLag;
  return [
    one('bellbird_uptime_seconds', 'gauge', 'Time since the start of the process.', uptimeSec),
    {
      name: 'bellbird_memory_bytes',
      type: 'gauge',
      help: 'Memory of the process by kind.',
      samples: each('kind', memory),
    },
    {
      name: 'bellbird_cpu_seconds_total',
      type: 'counter',
      help: 'Processor time used since the start.',
      samples: each('mode', cpuSec),
    },
    one('bellbird_event_loop_lag_seconds', 'gauge', 'Latest delay of the event loop.', seconds(lastMs)),
    one(
      'bellbird_event_loop_lag_worst_seconds',
      'gauge',
      'Longest delay of the event loop in the last minute or two.',
      seconds(worstMs),
    ),
  ];
}

const GROUPS: readonly Group[] = [
  ({ about }) => {
    const { version, commit } = about();
    const samples = [{ labels: { version, commit }, value: 1 }];
    return [{ name: 'bellbird_build_info', type: 'gauge', help: 'The running version; always 1.', samples }];
  },
  ({ clients }) => [
    {
      name: 'bellbird_stream_clients',
      type: 'gauge',
      help: 'Open streams by kind.',
      samples: each('stream', clients()),
    },
  ],
  ofMarket,
  ofTicks,
  ofOutbox,
  ofAlerts,
  ofRequests,
  ofProcess,
  ofRelays,
  ...HOST_GROUPS,
  ({ database }) => {
    const { file, free, writeAheadLog } = database();
    return [
      {
        name: 'bellbird_database_bytes',
        type: 'gauge',
        help: 'Size of the database file, its free pages, and the write-ahead log.',
        samples: each('part', { file, free, writeAheadLog }),
      },
    ];
  },
];

/** All metrics. A group whose part fails is left out and counted. @param onFailure called for each failure */
export function collectMetrics(readings: Readings, onFailure: (error: unknown) => void): Metric[] {
  let failures = 0;
  const metrics = GROUPS.flatMap((group) => {
    try {
      return group(readings);
    } catch (error) {
      failures += 1;
      onFailure(error);
      return [];
    }
  });
  const help = 'Groups of metrics that could not be read in this request.';
  return [...metrics, one('bellbird_unreadable_metric_groups', 'gauge', help, failures)];
}
