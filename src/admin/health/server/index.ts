import { Elysia, t } from 'elysia';
import type { About } from '../../../about.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Core, Part } from '../../../part.ts';

const healthView = t.Object({
  ok: t.Literal(true),
  pid: t.Integer(),
  uptimeSec: t.Number(),
  /** Epoch ms of the process's start: tells processes apart where all have the same pid, as in containers. */
  startedAt: t.Integer(),
  version: t.String(),
  commit: t.String(),
});

export type HealthNeeds = { auth: Auth; about: About };

export type HealthView = typeof healthView.static;

function routesOf(view: () => HealthView, { auth }: Pick<HealthNeeds, 'auth'>) {
  return new Elysia({ name: 'health' })
    .use(auth)
    .get('/healthz', view, { anyone: true, response: { 200: healthView } });
}

/** GET /healthz: that the process answers, and which program it is. */
export function createHealth({ clock }: Pick<Core, 'clock'>, { auth, about }: HealthNeeds) {
  const started = clock.monotonic();
  const view = (): HealthView => {
    const { pid, version, commit, startedAt } = about;
    const uptimeSec = Math.round((clock.monotonic() - started) / 1000);
    return { ok: true, pid, uptimeSec, startedAt, version, commit };
  };
  return { name: 'health', routes: () => routesOf(view, { auth }), service: { view } } satisfies Part;
}
