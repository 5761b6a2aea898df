import { isWaiting } from '#admin/updates/server/service.ts';
import type { App } from '#platform/app.ts';
import { databaseSize } from '#platform/db/figures.ts';
import type { SourceReading } from './hostMetrics.ts';
import type { Readings } from './metrics.ts';

/** One reading of a source of announcements or events; none if it is switched off. */
const reading = (
  name: string,
  info: { healthy: boolean; lastUpdate: number | null } | null,
): Record<string, SourceReading> =>
  info === null ? {} : { [name]: { healthy: info.healthy, lastSuccess: info.lastUpdate } };

/** What the metrics read from the rest of the server. */
export function readingsOf(app: App): Readings {
  const { alerts, backups, endpointCalls, market, notices, outbox, process, requestLog, stream, tick } = app;
  return {
    about: () => app.about,
    clients: () => ({ market: stream.clients(), alerts: alerts.counts().streams }),
    tick: () => tick.pace(),
    stocks: () => market.all().size,
    source: () => app.source.health(),
    outbox: outbox.counts,
    alerts: () => alerts.counts(),
    requests: requestLog.totals,
    outgoing: endpointCalls.byService,
    process: process.figures,
    database: () => databaseSize(app.db),
    relays: () => app.relayState?.() ?? null,
    now: () => app.clock.now(),
    sources() {
      const { healthy, lastSuccess } = app.source.health();
      return {
        prices: { healthy, lastSuccess },
        ...reading('announcements', app.announcements.info()),
        ...reading('calendar', app.calendar.info()),
      };
    },
    services: notices.services,
    backups: () => ({
      count: backups.list().length,
      newest: backups.newest(),
      hasFailed: backups.failure() !== null,
      everyDays: app.config.backup.everyDays,
    }),
    disk: app.diskRoom,
    logged: app.logged,
    certificateEnd: () => notices.certificate()?.endsAt ?? null,
    isUpdateWaiting() {
      const offer = app.updates.lastOffer();
      return offer && isWaiting(offer);
    },
    notices: notices.standing,
  };
}
