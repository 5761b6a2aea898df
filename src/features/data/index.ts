import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { auth } from '../../http/auth.ts';

/** The market's stream. Public: a visitor sees live prices on the Calls page. */
export const data = (deps: Deps) =>
  new Elysia({ name: 'data', prefix: '/data' }).use(auth(deps)).get(
    '/stream',
    ({ request }) => {
      deps.keepOpen(request);
      return deps.stream.open(request);
    },
    { anyone: true },
  );
