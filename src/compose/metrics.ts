import { createMetrics } from '../admin/metrics/server/index.ts';
import type { Readings } from '../admin/metrics/server/metrics.ts';
import type { HostReadings, SourceReading } from '../admin/metrics/server/hostMetrics.ts';
import type { createBackups } from '../admin/backups/server/index.ts';
import type { createUpdates } from '../admin/updates/server/index.ts';
import type { App } from '#platform/app.ts';
import { databaseSize } from '../platform/db/figures.ts';
import type { AlertParts } from './alerts.ts';
import type { CalendarPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import { type createNoticesPart, isWaiting } from './notices.ts';
import type { RequestParts } from './people.ts';
import { relayStateOf, type Runtime } from './runtime.ts';
import type { createWatchers } from './watchers.ts';

type Made = RequestParts &
  Messaging &
  MarketParts &
  AlertParts &
  CalendarPart &
  Pick<ReturnType<typeof createWatchers>, 'endpointCalls' | 'process'> & {
    backups: ReturnType<typeof createBackups>;
    updates: ReturnType<typeof createUpdates>;
    notices: ReturnType<typeof createNoticesPart>;
  };

/** Of one whose prices or texts come from elsewhere; none where it is switched off. */
const reading = (
  name: string,
  info: { healthy: boolean; lastUpdate: number | null } | null,
): Record<string, SourceReading> =>
  info === null ? {} : { [name]: { healthy: info.healthy, lastSuccess: info.lastUpdate } };

function hostReadings(app: App, { logged }: Runtime, made: Made): HostReadings {
  const { announcements, backups, calendar, notices, updates } = made;
  return {
    now: () => app.clock.now(),
    sources() {
      const { healthy, lastSuccess } = app.source.health();
      return {
        prices: { healthy, lastSuccess },
        ...reading('announcements', announcements.service.info()),
        ...reading('calendar', calendar.service.info()),
      };
    },
    services: notices.service.services,
    backups: () => ({
      count: backups.service.list().length,
      newest: backups.service.newest(),
      hasFailed: backups.service.failure() !== null,
      everyDays: app.config.backup.everyDays,
    }),
    disk: backups.room,
    logged: () => logged?.() ?? [],
    certificateEnd: () => notices.service.certificate()?.endsAt ?? null,
    isUpdateWaiting() {
      const offer = updates.service.lastOffer();
      return offer && isWaiting(offer);
    },
    notices: notices.service.standing,
  };
}

/** The figures for Prometheus; made last, as it looks into all that knows something. */
export function createMetricsPart(app: App, runtime: Runtime, made: Made) {
  const { alerts, endpointCalls, market, outbox, process, requestLog, stream, tick } = made;
  const relayState = relayStateOf(runtime);
  const readings: Readings = {
    about: () => runtime.about,
    clients: () => ({ market: stream.service.clients(), alerts: alerts.inspect().summary.streams }),
    tick: () => tick.service.pace(),
    stocks: () => market.service.all().size,
    source: () => app.source.health(),
    outbox: outbox.service.counts,
    alerts: () => alerts.inspect().summary,
    requests: requestLog.service.totals,
    outgoing: endpointCalls.service.byService,
    process: process.service.figures,
    database: () => databaseSize(app.db),
    relays: () => relayState?.() ?? null,
    ...hostReadings(app, runtime, made),
  };
  return createMetrics(app, { readings });
}
