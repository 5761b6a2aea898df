import { Elysia } from 'elysia';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { healthAnswer } from '../answers/health.ts';
import { HEALTH } from '../contract.ts';
import type { About } from '#platform/install/about.ts';
import type { Auth } from '#platform/http/auth.ts';
import type { Core, Part } from '#src/part.ts';

export type HealthNeeds = { auth: Auth; about: About };

export type HealthView = Wire<typeof healthAnswer>;

function routesOf(view: () => HealthView, { auth }: Pick<HealthNeeds, 'auth'>) {
  return new Elysia({ name: 'health' })
    .use(auth)
    .get('/healthz', view, { anyone: true, ...routeSchemas(HEALTH['GET /healthz']) });
}

/** GET /healthz: that the process answers, and which program it is. */
export function createHealth({ clock }: Core, { auth, about }: HealthNeeds) {
  const started = clock.monotonic();
  const view = (): HealthView => {
    const { pid, version, commit, startedAt } = about;
    const uptimeSec = Math.round((clock.monotonic() - started) / 1000);
    return { ok: true, pid, uptimeSec, startedAt, version, commit };
  };
  return { name: 'health', routes: () => routesOf(view, { auth }), service: { view } } satisfies Part;
}
