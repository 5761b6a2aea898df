import type { App, Part } from '#platform/app.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';
import { createCallerLimit } from '#platform/http/requestLimits.ts';
import { DEVICES } from '../contract.ts';
import { type Asking, Devices } from './service.ts';
import { DeviceStore } from './store.ts';

const MAX_MOVES_A_MINUTE = 20;

/** The origin of the page; an address that does not belong to a web page is ignored. */
function originOf(request: Request): string {
  const named = URL.parse(request.headers.get('origin') ?? '');
  const isWeb = named !== null && (named.protocol === 'https:' || named.protocol === 'http:');
  return (isWeb ? named : new URL(request.url)).origin.slice(0, 300);
}

const askingOf = (user: AuthUser, request: Request): Asking => ({
  userId: user.id,
  sessionId: user.sessionId,
  userAgent: request.headers.get('user-agent'),
  origin: originOf(request),
});

const DONE = { success: true as const };

const deviceRoutes = (devices: Devices) =>
  serve(DEVICES, {
    'PUT /api/devices/:id/subscription': ({ user, params, body, request }) => ({
      device: devices.renew(askingOf(user, request), params.id, body),
    }),
    'PUT /api/devices/:id/name': ({ user, params, body }) => ({
      device: devices.rename(user.id, params.id, body.name),
    }),
    'POST /api/devices/:id/test': ({ user, params }) => ({ device: devices.test(user.id, params.id) }),
    'DELETE /api/devices/:id': ({ user, params }) => {
      devices.remove(user.id, params.id);
      return DONE;
    },
  });

const routesOf = (devices: Devices, countMove: (request: Request) => void) =>
  serve(DEVICES, {
    'GET /api/devices': ({ user }) => devices.list(user.id),
    'POST /api/devices': ({ user, body, request }) => ({
      device: devices.register(askingOf(user, request), body),
    }),
    'PUT /api/devices/broadcasts': ({ user, body }) => {
      devices.setAdminMessages(user.id, body.wanted);
      return DONE;
    },
    'POST /api/devices/moved': ({ body: { former, ...subscription }, request }) => {
      countMove(request);
      devices.moved(former, subscription);
      return DONE;
    },
  });

export function createDevices(app: App) {
  const store = new DeviceStore(app.db);
  const service = new Devices(app, store);
  const limit = createCallerLimit(app, MAX_MOVES_A_MINUTE, 'Too many changes.');
  return {
    name: 'devices',
    service,
    routes: () => [...routesOf(service, (request) => limit(null, request)), ...deviceRoutes(service)],
    prune: () => ({ removed: service.dropGone(), hasMore: false }),
    inspect: () => ({
      label: 'Devices',
      description: 'Browsers that receive notifications. Their addresses and keys are not shown.',
      summary: Object.fromEntries(store.counts().map(({ status, n }) => [status, n])),
      data: () => ({ counts: store.counts(), reach: service.reach() }),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    devices: Devices;
  }
}
