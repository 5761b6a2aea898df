import { Elysia, t } from 'elysia';
import type { About } from '../../about.ts';
import type { Auth } from '../../http/auth.ts';
import type { Core, Part } from '../../part.ts';

const healthView = t.Object({
  ok: t.Literal(true),
  pid: t.Integer(),
  uptimeSec: t.Number(),
  version: t.String(),
  commit: t.String(),
});

export type HealthNeeds = { auth: Auth; about: About };

function routesOf({ clock }: Pick<Core, 'clock'>, { auth, about }: HealthNeeds) {
  const started = clock.monotonic();
  return new Elysia({ name: 'health' }).use(auth).get(
    '/healthz',
    () => {
      const { pid, version, commit } = about;
      const uptimeSec = Math.round((clock.monotonic() - started) / 1000);
      return { ok: true as const, pid, uptimeSec, version, commit };
    },
    { anyone: true, response: { 200: healthView } },
  );
}

/** GET /healthz: that the process answers, and which program it is. */
export const createHealth = (core: Pick<Core, 'clock'>, needs: HealthNeeds) =>
  ({ name: 'health', routes: routesOf(core, needs) }) satisfies Part;
