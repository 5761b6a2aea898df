import { Elysia } from 'elysia';
import type { Core, Part } from '#src/part.ts';
import type { Auth, AuthUser } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { createCallerLimit } from '#platform/http/requestLimits.ts';
import { DEVICES } from '../contract.ts';
import { type Asking, Devices, type DevicesDeps } from './service.ts';
import { DeviceStore } from './store.ts';

export type DevicesNeeds = Pick<DevicesDeps, 'outbox' | 'publicKey'> &
  Pick<Connections, 'clientAddress'> & { auth: Auth };

const MAX_MOVES_A_MINUTE = 20;

/** The origin of the page that asks; an address that no browser gave is not taken. */
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

/** What a person does with one device. */
const deviceRoutes = (auth: Auth, devices: Devices) =>
  new Elysia({ name: 'devices.one', prefix: '/devices/:id' })
    .use(auth)
    .put(
      '/subscription',
      ({ user, params, body, request }) => ({
        device: devices.renew(askingOf(user, request), params.id, body),
      }),
      { minLevel: 1, ...routeSchemas(DEVICES['PUT /api/devices/:id/subscription']) },
    )
    .put('/name', ({ user, params, body }) => ({ device: devices.rename(user.id, params.id, body.name) }), {
      minLevel: 1,
      ...routeSchemas(DEVICES['PUT /api/devices/:id/name']),
    })
    .post('/test', ({ user, params }) => ({ device: devices.test(user.id, params.id) }), {
      minLevel: 1,
      ...routeSchemas(DEVICES['POST /api/devices/:id/test']),
    })
    .delete(
      '',
      ({ user, params }) => {
        devices.remove(user.id, params.id);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(DEVICES['DELETE /api/devices/:id']) },
    );

const routesOf = (auth: Auth, devices: Devices, countMove: (request: Request) => void) =>
  new Elysia({ name: 'devices', prefix: '/devices' })
    .use(auth)
    .get('/', ({ user }) => devices.list(user.id), {
      minLevel: 1,
      ...routeSchemas(DEVICES['GET /api/devices/']),
    })
    .post('/', ({ user, body, request }) => ({ device: devices.register(askingOf(user, request), body) }), {
      minLevel: 1,
      ...routeSchemas(DEVICES['POST /api/devices/']),
    })
    .put(
      '/broadcasts',
      ({ user, body }) => {
        devices.setAdminMessages(user.id, body.wanted);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(DEVICES['PUT /api/devices/broadcasts']) },
    )
    .post(
      '/moved',
      ({ body: { former, ...subscription }, request }) => {
        countMove(request);
        devices.moved(former, subscription);
        return DONE;
      },
      { anyone: true, ...routeSchemas(DEVICES['POST /api/devices/moved']) },
    );

/** The browsers that show people's messages as notifications: the routes of Settings, and where messages go. */
export function createDevices({ db, clock, config }: Core, needs: DevicesNeeds) {
  const { auth, outbox, publicKey, clientAddress } = needs;
  const store = new DeviceStore(db);
  const service = new Devices({ store, clock, publicKey, services: config.pushServices, outbox });
  const limit = createCallerLimit({ clock, clientAddress }, MAX_MOVES_A_MINUTE, 'Too many changes.');
  return {
    name: 'devices',
    service,
    routes: () =>
      new Elysia({ name: 'devices.all' })
        .use(routesOf(auth, service, (request) => limit(null, request)))
        .use(deviceRoutes(auth, service)),
    prune: () => ({ removed: service.dropGone(), hasMore: false }),
    inspect: () => ({
      label: 'Devices',
      description: 'Browsers that show messages as notifications. Their addresses and keys are not shown.',
      summary: Object.fromEntries(store.counts().map(({ status, n }) => [status, n])),
      data: () => ({ counts: store.counts(), reach: service.reach() }),
    }),
  } satisfies Part;
}
