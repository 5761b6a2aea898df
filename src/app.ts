import { type AnyElysia, Elysia } from 'elysia';
import type { Auth } from './platform/http/auth.ts';
import { errors } from './platform/http/errors.ts';
import { routesPlugin } from './platform/http/routes.ts';
import type { Core, Part } from './part.ts';

/** The parts with hooks for all routes. */
type Frame = Readonly<Record<'requestLog' | 'changeGate', { hooks(): AnyElysia }>>;

/**
 * Puts the parts' routes together into one application. It holds no HTML and opens no port, so that a test can call
 * `handle` on it.
 */
export function createApp(core: Core, auth: Auth, parts: Frame & Readonly<Record<string, Part>>): AnyElysia {
  // A host name of one or two letters ("http://pi/") is shorter than Elysia assumes by default.
  const app: AnyElysia = new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(core))
    .use(parts.requestLog.hooks())
    .use(parts.changeGate.hooks())
    .headers({ 'cache-control': 'no-store' });
  const routes = Object.values<Part>(parts).flatMap((part) => part.routes?.(app) ?? []);
  return app.use(routesPlugin(auth, routes));
}
