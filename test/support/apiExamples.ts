import type { Example } from '../../src/texts/routeContract.ts';
import { ADMIN_SETUPS } from './apiAdminSetups.ts';
import { createExampleApp, done, type Setup, type Stage } from './apiStage.ts';
import { USER_SETUPS } from './apiUserSetups.ts';
import type { FakeModel } from './fakeModel.ts';

/** The rights of an account by level; there is none for level 0. */
const RIGHTS = [
  {},
  {},
  { subscriptionType: 'basic' },
  { subscriptionType: 'premium' },
  { isAdmin: true },
] as const;

const SETUPS: Readonly<Record<string, Setup>> = { ...USER_SETUPS, ...ADMIN_SETUPS };

/** Sends the examples of the API's description, each as a user of its own; all to one application. */
export async function createExamples(model: FakeModel) {
  const app = await createExampleApp(model);
  let users = 0;

  /** A new user of that level; a guest for 0. */
  async function callerOf(level: number): Promise<Pick<Stage, 'user' | 'as'>> {
    if (level === 0) return { user: null, as: 'guest' };
    users += 1;
    const user = await app.addUser(`caller ${users}`, RIGHTS[level] ?? {});
    return { user, as: { token: await app.tokenOf(user) } };
  }

  return {
    app,
    /**
     * @param name method and path of the route, as in 'GET /api/calls/mine'
     * @param level of the caller
     * @returns the open answer, which the caller reads
     */
    async send(name: string, level: number, example: Example): Promise<Response> {
      const { user, as } = await callerOf(level);
      const post: Stage['post'] = (path, body) => done(app, path, body, as);
      const real = await SETUPS[name]?.({ app, user, as, post });
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
