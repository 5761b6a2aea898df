import type { RelayState } from '#admin/relays/rules/relayState.ts';
import { isWaiting } from '#admin/updates/server/service.ts';
import type { App } from '#platform/app.ts';
import { databaseSize } from '#platform/db/figures.ts';
import { each, type Metric, type Sample, seconds } from './metric.ts';

type Relays = RelayState['relays'];

/** A value of the relays by name. Values of relays with equal names are joined, because a series must be unique. */
function byRelay(
  relays: Relays,
  value: (relay: Relays[number]) => number | null,
  join = (one: number, other: number): number => one + other,
): Sample[] {
  const values = new Map<string, number>();
  for (const relay of relays) {
    const own = value(relay);
    const others = values.get(relay.name);
    if (own !== null) values.set(relay.name, others === undefined ? own : join(others, own));
  }
  return each('relay', Object.fromEntries(values));
}

function ofRelays({ relayState }: App): Metric[] {
  const state = relayState?.();
  if (!state) return [];
  const { engine, isPublishing, frames, bytes, relays } = state;
  const lag = byRelay(relays, ({ lagMs }) => (lagMs === null ? null : seconds(lagMs)), Math.max);
  return [
    ['bellbird_engine_up', '1 if Redis or Valkey answers, otherwise 0.', engine.isUp],
    ['bellbird_engine_publishing', '1 while this server publishes to relays, otherwise 0.', isPublishing],
    ['bellbird_engine_frames_total', 'Messages published to relays since the start.', frames],
    ['bellbird_engine_bytes_total', 'Bytes published to relays since the start.', bytes],
    ['bellbird_relays', 'Connected relays.', relays.length],
    ['bellbird_relay_pages', 'Open market streams.', byRelay(relays, ({ pages }) => pages)],
    ['bellbird_relay_alert_pages', 'Open alert streams.', byRelay(relays, ({ alertPages }) => alertPages)],
    ['bellbird_relay_lag_seconds', 'Age of the oldest message that a relay has not delivered yet.', lag],
  ];
}

function ofMarket({ alerts, market, source, stream }: App): Metric[] {
  const { measuredLagMs } = source.health();
  const clients = each('stream', { market: stream.clients(), alerts: alerts.counts().streams });
  const lagHelp = 'Measured age of the market source’s quotes; absent if it cannot be measured.';
  return [
    ['bellbird_stream_clients', 'Open streams by kind.', clients],
    ['bellbird_stocks', 'Stocks in the market.', market.all().size],
    ['bellbird_quote_lag_seconds', lagHelp, measuredLagMs === null ? null : seconds(measuredLagMs)],
  ];
}

function ofTicks({ tick }: App): Metric[] {
  const { ticks, lastMs, slowestMs, totalMs, lagMs } = tick.pace();
  return [
    ['bellbird_ticks_total', 'Market ticks since the start.', ticks],
    ['bellbird_tick_seconds_total', 'Total duration of all ticks.', seconds(totalMs)],
    ['bellbird_tick_last_seconds', 'Duration of the last tick.', seconds(lastMs)],
    [
      'bellbird_tick_slowest_seconds',
      'Duration of the slowest of the last hundred ticks.',
      seconds(slowestMs),
    ],
    ['bellbird_tick_lag_seconds', 'Delay of the last tick.', seconds(lagMs)],
  ];
}

function ofOutbox({ outbox }: App): Metric[] {
  const { sentToday, ...states } = outbox.counts();
  return [
    ['bellbird_outbox_messages', 'Messages to chats by state.', each('state', states)],
    ['bellbird_outbox_sent_today', 'Messages delivered since midnight in Sydney.', sentToday],
  ];
}

function ofAlerts(app: App): Metric[] {
  const { alerts, waiting, unsaved } = app.alerts.counts();
  return [
    ['bellbird_alerts', 'Alerts evaluated on each tick.', alerts],
    ['bellbird_alerts_waiting', 'Triggers not committed yet.', waiting],
    ['bellbird_alerts_unsaved', 'Alerts whose state is not saved yet.', unsaved],
  ];
}

function ofRequests({ endpointCalls, requestLog }: App): Metric[] {
  const services = endpointCalls.byService();
  const byService = (value: 'calls' | 'errors'): Sample[] =>
    each('service', Object.fromEntries(services.map((one) => [one.service, one[value]])));
  const callsHelp = 'External requests by service: a source, a chat platform, push or the model.';
  const errorsHelp = 'External requests without a usable answer, by service.';
  return [
    [
      'bellbird_http_requests_total',
      'Answered API requests by status class.',
      each('class', requestLog.totals()),
    ],
    ['bellbird_outgoing_calls_total', callsHelp, byService('calls')],
    ['bellbird_outgoing_errors_total', errorsHelp, byService('errors')],
  ];
}

function ofProcess({ process }: App): Metric[] {
  const { uptimeSec, memory, cpuSec, loopLag } = process.figures();
  const worstHelp = 'Longest delay of the event loop in the last minute or two.';
  return [
    ['bellbird_uptime_seconds', 'Time since the start of the process.', uptimeSec],
    ['bellbird_memory_bytes', 'Memory of the process by kind.', each('kind', memory)],
    ['bellbird_cpu_seconds_total', 'Processor time used since the start.', each('mode', cpuSec)],
    ['bellbird_event_loop_lag_seconds', 'Latest delay of the event loop.', seconds(loopLag.lastMs)],
    ['bellbird_event_loop_lag_worst_seconds', worstHelp, seconds(loopLag.worstMs)],
  ];
}

function ofSources({ announcements, calendar, clock, source }: App): Metric[] {
  const { healthy, lastSuccess } = source.health();
  const all = Object.entries({
    prices: { healthy, lastUpdate: lastSuccess },
    announcements: announcements.info(),
    calendar: calendar.info(),
  }).flatMap(([name, info]) => (info ? [[name, info] as const] : []));
  const ages = all.map(([name, { lastUpdate }]) => [
    name,
    lastUpdate === null ? null : seconds(Math.max(0, clock.now() - lastUpdate)),
  ]);
  const healths = all.map(([name, info]) => [name, info.healthy]);
  const ageHelp = 'Time since the last good answer of the source; absent before the first.';
  return [
    [
      'bellbird_source_healthy',
      '1 if the source is healthy, otherwise 0.',
      each('source', Object.fromEntries(healths)),
    ],
    ['bellbird_source_last_success_age_seconds', ageHelp, each('source', Object.fromEntries(ages))],
  ];
}

function ofServices({ serverAlerts }: App): Metric[] {
  const healths = Object.entries(serverAlerts.services()).map(([service, found]) => [
    service,
    found && found.state === 'ok',
  ]);
  const help =
    '1 if a bot, web push, the model or the relays work, otherwise 0; absent before the first check.';
  return [['bellbird_service_healthy', help, each('service', Object.fromEntries(healths))]];
}

function ofBackups({ backups, clock, config }: App): Metric[] {
  const newest = backups.newest();
  const age = newest && seconds(Math.max(0, clock.now() - newest.madeAt));
  const interval = config.backup.everyDays * 86_400;
  const ageHelp = 'Age of the newest backup, here or at the backup target; absent if there is none.';
  const sizeHelp = 'Size of the newest backup; absent if there is none.';
  return [
    ['bellbird_backups', 'Backups in the data folder.', backups.list().length],
    ['bellbird_backup_interval_seconds', 'Configured time between two nightly backups.', interval],
    ['bellbird_backup_age_seconds', ageHelp, age],
    ['bellbird_backup_size_bytes', sizeHelp, newest && newest.bytes],
    ['bellbird_backup_last_failed', '1 if the last backup failed, otherwise 0.', backups.failure() !== null],
  ];
}

function ofDisk({ diskRoom }: App): Metric[] {
  const room = diskRoom();
  return [
    ['bellbird_disk_free_bytes', 'Free space on the disk of the data folder.', room && room.free],
    ['bellbird_disk_size_bytes', 'Size of the disk of the data folder.', room && room.size],
  ];
}

function ofLog({ logged }: App): Metric[] {
  const help = 'Warnings and errors in the log since the start, by part.';
  const samples = logged().map(({ part, level, count }) => ({ labels: { part, level }, value: count }));
  return [['bellbird_log_lines_total', help, samples]];
}

function ofChecks({ serverAlerts, updates }: App): Metric[] {
  const endsAt = serverAlerts.certificate()?.endsAt ?? null;
  const offer = updates.lastOffer();
  const endHelp = 'When the certificate of the public address expires, Unix time; absent if unknown.';
  const alertHelp = '1 while this server alert is shown to administrators, otherwise 0.';
  return [
    ['bellbird_certificate_expiry_timestamp_seconds', endHelp, endsAt === null ? null : seconds(endsAt)],
    [
      'bellbird_update_waiting',
      '1 if an update is available, otherwise 0; absent if unknown.',
      offer && isWaiting(offer),
    ],
    ['bellbird_notice_standing', alertHelp, each('notice', serverAlerts.status())],
  ];
}

function ofDatabase({ db }: App): Metric[] {
  const { file, free, writeAheadLog } = databaseSize(db);
  const help = 'Size of the database file, its free pages, and the write-ahead log.';
  return [['bellbird_database_bytes', help, each('part', { file, free, writeAheadLog })]];
}

function ofBuild({ about: { version, commit } }: App): Metric[] {
  return [
    ['bellbird_build_info', 'The running version; always 1.', [{ labels: { version, commit }, value: 1 }]],
  ];
}

const GROUPS = [
  ofBuild,
  ofMarket,
  ofTicks,
  ofOutbox,
  ofAlerts,
  ofRequests,
  ofProcess,
  ofRelays,
  ofSources,
  ofServices,
  ofBackups,
  ofDisk,
  ofLog,
  ofChecks,
  ofDatabase,
];

/** All metrics. A group whose part fails is left out and counted. @param onFailure called for each failure */
export function collectMetrics(app: App, onFailure: (error: unknown) => void): Metric[] {
  let failures = 0;
  const metrics = GROUPS.flatMap((group) => {
    try {
      return group(app);
    } catch (error) {
      failures += 1;
      onFailure(error);
      return [];
    }
  });
  const help = 'Groups of metrics that could not be read in this request.';
  return [...metrics, ['bellbird_unreadable_metric_groups', help, failures]];
}
