import { builtInFields } from '../../src/domain/indicators/builtInCatalog.ts';
import type { Example } from '../../src/features/apiDocs/description.ts';
import { ok } from '../../src/lib/result.ts';
import { ALERT } from './alertsApp.ts';
import { BOUGHT, list, trade } from './callsApp.ts';
import { type CalendarApp, createCalendarApp, eventIn } from './calendarApp.ts';
import type { FakeModel } from './fakeModel.ts';
import { aRelease, createHandAnnouncements } from './handAnnouncements.ts';

const INGEST_KEY = 'a key of the tests, long enough';

/** The rights of an account by level; there is none for level 0. */
const RIGHTS = [
  {},
  {},
  { subscriptionType: 'basic' },
  { subscriptionType: 'premium' },
  { isAdmin: true },
] as const;

/** What the example of a route takes the place of with what is really there. */
type Real = Pick<Example, 'params' | 'query' | 'body'> & { headers?: Record<string, string> };
type Stage = {
  app: CalendarApp;
  /** Posts as the user who will send the example. @returns the answer's JSON */
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
};

const alert = async ({ post }: Stage): Promise<Real> => ({
  params: { id: String((await post('/api/alerts', ALERT))['id']) },
});
const call = async ({ post }: Stage): Promise<Real> => ({
  params: { publicId: String((await post('/api/calls', BOUGHT))['publicId']) },
});
const scan = async ({ post }: Stage): Promise<Real> => {
  const conditions = [{ lhs: 'last', op: '>', rhs: 1 }];
  const { scan: made } = await post('/api/indicators/scans', {
    name: 'Mine',
    logic: { op: 'AND', conditions },
  });
  return { params: { id: String((made as { id: number }).id) } };
};
/** Makes what a list is to show. */
const listing =
  (make: (stage: Stage) => Promise<Real>) =>
  async (stage: Stage): Promise<Real> => {
    await make(stage);
    return {};
  };

/** What must be there before the example of a route is sent, by method and path. */
const SETUPS: Readonly<Record<string, (stage: Stage) => Promise<Real> | Real>> = {
  'POST /api/login': listing(async ({ app }) => {
    await app.user('free');
    return {};
  }),
  'POST /api/settings/unlink-chat': async ({ post }) => {
    const body = { chatUserId: '987654321', platform: 'telegram' };
    await post('/api/settings/link-chat', body);
    return { body };
  },
  'POST /api/link/claim': ({ app }) => ({
    body: { token: app.parts.linkedChats.service.newToken('telegram', '555555555', 'Ann') },
  }),
  'POST /api/ingest/market': () => ({ headers: { authorization: INGEST_KEY } }),
  'PUT /api/calendar/reminders/:eventId': ({ app }) => {
    const event = eventIn(60);
    app.events(event);
    return { params: { eventId: event.id } };
  },
  'PUT /api/indicators/scans/:id': scan,
  'DELETE /api/indicators/scans/:id': scan,
  'GET /api/indicators/scans': listing(scan),
  'DELETE /api/watchlist/:id': async ({ post }) => ({
    params: { id: String((await post('/api/watchlist', { symbol: 'BHP' }))['id']) },
  }),
  'GET /api/alerts': listing(alert),
  'PATCH /api/alerts/:id': alert,
  'DELETE /api/alerts/:id': alert,
  'GET /api/alerts/:id/evaluation': alert,
  'GET /api/alerts/:id/triggers': async (stage) => {
    const real = await alert(stage);
    trade(stage.app, 'BHP', 51);
    trade(stage.app, 'BHP', 40);
    return real;
  },
  'GET /api/calls/leaderboard': async ({ app }) => {
    await app.request('POST', '/api/calls', { as: 'premium', body: BOUGHT });
    return {};
  },
  'GET /api/calls/mine': listing(call),
  'POST /api/calls/:publicId/close': call,
  'POST /api/calls/:publicId/cancel': async ({ post }) => {
    const { publicId } = await post('/api/calls', { ...BOUGHT, callType: 'buy', entryPrice: 39 });
    return { params: { publicId: String(publicId) } };
  },
  'POST /api/admin/calls/:publicId/admin-status': call,
  'POST /api/admin/calls/:publicId/corrections': call,
};

/** An application on which every example works: listed stocks, a model, a bridge's key, test mode. */
async function exampleApp(model: FakeModel): Promise<CalendarApp> {
  model.say('Nothing has gapped up today.');
  const announcements = createHandAnnouncements();
  const app = await createCalendarApp({
    env: {
      BELLBIRD_AI_URL: model.url,
      BELLBIRD_AI_MODEL: 'any',
      BELLBIRD_INGEST_KEY: INGEST_KEY,
      BELLBIRD_TELEGRAM_TOKEN: '1:token-of-the-tests',
      BELLBIRD_TEST: '1',
    },
    runtime: { metainfo: async () => ok(builtInFields()) },
    source: { announcements },
  });
  app.parts.announcements.start();
  list(app);
  announcements.give([aRelease('a', { headline: 'Quarterly Report' })]);
  app.tick.run();
  return app;
}

/** Sends the examples of the API's description, each as a user of its own; all to one application. */
export async function createExamples(model: FakeModel) {
  const app = await exampleApp(model);
  let users = 0;

  /** A new user of that level; a guest for 0. */
  async function callerOf(level: number) {
    if (level === 0) return 'guest' as const;
    users += 1;
    return { token: await app.tokenOf(await app.addUser(`caller ${users}`, RIGHTS[level] ?? {})) };
  }

  return {
    app,
    /**
     * @param name method and path of the route, as in 'GET /api/calls/mine'
     * @param level of the caller
     * @returns the open answer, which the caller reads
     */
    async send(name: string, level: number, example: Example): Promise<Response> {
      const as = await callerOf(level);
      const post: Stage['post'] = async (path, body) => {
        const { status, json, text } = await app.request('POST', path, { as, body });
        if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
        return json as Record<string, unknown>;
      };
      const real = await SETUPS[name]?.({ app, post });
      const [method = '', pattern = ''] = name.split(' ');
      const params: Readonly<Record<string, string>> = { ...example.params, ...real?.params };
      const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
      const query = new URLSearchParams({ ...example.query, ...real?.query }).toString();
      const body = real?.body ?? example.body;
      return app.open(method, query === '' ? path : `${path}?${query}`, {
        as,
        ...(body === undefined ? {} : { body }),
        ...(real?.headers ? { headers: real.headers } : {}),
      });
    },
    async close() {
      await app.parts.summaries.stop();
      await app.parts.announcements.stop();
      app.close();
    },
  };
}
