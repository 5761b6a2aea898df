import type { TriggerKind } from '#platform/outbox/rules/delivery.ts';
import { serve } from '#platform/http/routes.ts';
import { ALERTS } from '../contract.ts';
import { boundBehind, readPlace, triggerPage, TRIGGERS_AT_ONCE } from '../rules/trigger.ts';
import type { ScanAlerts } from './scanAlerts/service.ts';
import type { Alerts } from './service.ts';

/** What all alerts of a user told, those on stocks and those on whole scans, in one list. */
export function triggerRoutes(alerts: Alerts, scanAlerts: ScanAlerts) {
  function page(userId: number, before: string | undefined, limit: number) {
    const place = before === undefined ? null : readPlace(before);
    const bound = (kind: TriggerKind) => boundBehind(place, kind);
    // One more of each than is shown says whether there are more.
    const found = [
      ...alerts.listedTriggers(userId, bound('alert'), limit + 1),
      ...scanAlerts.listedTriggers(userId, bound('scan'), limit + 1),
    ];
    return triggerPage(found, limit);
  }
  return serve(ALERTS, {
    'GET /api/alerts/triggers': ({ user, query: { before, limit = TRIGGERS_AT_ONCE } }) =>
      page(user.id, before, limit),
  });
}
