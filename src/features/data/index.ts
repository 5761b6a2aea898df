import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { auth } from '../../http/auth.ts';

/** The market's stream. Public: a visitor sees live prices on the Calls page. */
export const data = (deps: Parameters<typeof auth>[0] & Pick<Deps, 'stream' | 'keepOpen'>) =>
  new Elysia({ name: 'data', prefix: '/data' }).use(auth(deps)).get(
    '/stream',
    ({ request }) => {
      if (request.method === 'GET') deps.keepOpen(request);
      return deps.stream.open(request);
    },
    { anyone: true },
  );
