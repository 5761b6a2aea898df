import {
  type AnyElysia,
  type DefinitionBase,
  Elysia,
  type EphemeralType,
  type MetadataBase,
  type SingletonBase,
} from 'elysia';
import { errors } from './platform/http/errors.ts';
import type { Core, Part } from './part.ts';

type Intersection<T> = (T extends unknown ? (member: T) => void : never) extends (all: infer All) => void
  ? All
  : never;

type RoutesOf<P> = P extends { routes: () => { '~Routes': infer Routes } } ? Routes : never;

/**
 * The routes of all these parts with what they take and answer, in the form that Eden reads: the browser's client knows
 * the server by this type alone. The parts that stand beside /api are nothing that it asks.
 */
export type AppOf<Parts> = Elysia<
  '',
  SingletonBase,
  DefinitionBase,
  MetadataBase,
  { api: Intersection<{ [Name in keyof Parts]: RoutesOf<Parts[Name]> }[keyof Parts]> },
  EphemeralType,
  EphemeralType
>;

/** What hooks on every route, and what stands beside /api: /healthz, /metrics and /openapi. */
type Frame = Readonly<Record<'requestLog' | 'changeGate' | 'health' | 'metrics', { routes(): AnyElysia }>> & {
  apiDocs: { service: { routesFor(app: AnyElysia): AnyElysia } };
};

/**
 * Puts the parts' routes together into one application. It holds no HTML and opens no port, so that a test can call
 * `handle` on it.
 */
export function createApp<Parts extends Frame & Readonly<Record<string, Part>>>(
  core: Core,
  { requestLog, changeGate, health, metrics, apiDocs, ...others }: Parts,
): AppOf<Omit<Parts, keyof Frame>> {
  const api = new Elysia({ name: 'api', prefix: '/api' });
  for (const part of Object.values<Part>(others)) if (part.routes) api.use(part.routes());
  // A host name of one or two letters ("http://pi/") is shorter than Elysia assumes by default.
  const app = new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(core))
    .use(requestLog.routes())
    .use(changeGate.routes())
    .headers({ 'cache-control': 'no-store' })
    .use(health.routes())
    .use(metrics.routes())
    .use(api);
  return app.use(apiDocs.service.routesFor(app)) as AnyElysia as AppOf<Omit<Parts, keyof Frame>>;
}
