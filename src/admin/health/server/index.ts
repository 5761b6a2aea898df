import { serve } from '#platform/http/routes.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { healthAnswer } from '../answers/health.ts';
import { HEALTH } from '../contract.ts';
import type { App, Part } from '#platform/app.ts';

export type HealthView = Wire<typeof healthAnswer>;

export function createHealth({ clock, about }: App) {
  const started = clock.monotonic();
  const view = (): HealthView => {
    const { pid, version, commit, startedAt } = about;
    const uptimeSec = Math.round((clock.monotonic() - started) / 1000);
    return { ok: true, pid, uptimeSec, startedAt, version, commit };
  };
  return {
    name: 'health',
    routes: () => serve(HEALTH, { 'GET /healthz': view }),
    service: { view },
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    health: { view(): HealthView };
  }
}
