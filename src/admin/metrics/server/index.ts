import { isWaiting } from '#admin/updates/server/service.ts';
import type { App, Part } from '#platform/app.ts';
import { databaseSize } from '#platform/db/figures.ts';
import type { SourceReading } from './hostMetrics.ts';
import { collectMetrics, type Readings } from './metrics.ts';
import { NotFoundError } from 'elysia';
import { serve } from '#platform/http/routes.ts';
import { METRICS } from '../contract.ts';
import { AppError } from '#platform/http/errors.ts';
import { createKeyCheck } from '#platform/http/keyChecks.ts';
import { CONTENT_TYPE, exposition } from './metric.ts';

const reading = (
  name: string,
  info: { healthy: boolean; lastUpdate: number | null } | null,
): Record<string, SourceReading> =>
  info === null ? {} : { [name]: { healthy: info.healthy, lastSuccess: info.lastUpdate } };

export function readingsOf(app: App): Readings {
  const { alerts, backups, endpointCalls, market, serverAlerts, outbox, process, requestLog, stream, tick } =
    app;
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
    services: serverAlerts.services,
    backups: () => ({
      count: backups.list().length,
      newest: backups.newest(),
      hasFailed: backups.failure() !== null,
      everyDays: app.config.backup.everyDays,
    }),
    disk: app.diskRoom,
    logged: app.logged,
    certificateEnd: () => serverAlerts.certificate()?.endsAt ?? null,
    isUpdateWaiting() {
      const offer = app.updates.lastOffer();
      return offer && isWaiting(offer);
    },
    serverAlerts: serverAlerts.status,
  };
}

const WRONG_KEY = 'The metrics key is missing or wrong. Send it as "Authorization: Bearer <key>".';

/** GET /metrics: figures for a collector such as Prometheus. The address exists only if a key is configured. */
export function createMetrics(app: App) {
  const { config, log } = app;
  const { metricsKey } = config;
  const readings = readingsOf(app);
  const isKey = metricsKey === null ? null : createKeyCheck(metricsKey);
  const failed = (error: unknown): void => log.child('metrics').warn('Could not read a metric', { error });
  const routes = () =>
    serve(METRICS, {
      'GET /metrics': ({ request }) => {
        if (isKey === null) throw new NotFoundError();
        if (!isKey(request.headers.get('authorization'))) {
          throw new AppError(401, WRONG_KEY, { headers: { 'www-authenticate': 'Bearer' } });
        }
        const text = exposition(collectMetrics(readings, failed));
        return new Response(text, { headers: { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' } });
      },
    });
  return { name: 'metrics', routes } satisfies Part;
}
