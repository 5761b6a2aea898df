import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';

/** What this installation tells everybody before they sign in: test mode, the donation page, what is running. */
export const info = ({ config }: Deps) =>
  new Elysia({ name: 'info', prefix: '/app' }).get(
    '/',
    () => ({ test: config.testMode, donateUrl: config.donateUrl }),
    { response: t.Object({ test: t.Boolean(), donateUrl: t.Nullable(t.String()) }) },
  );
