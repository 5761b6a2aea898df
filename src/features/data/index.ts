import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';

/** The market's stream. Public: a visitor sees live prices on the Calls page. */
export const data = ({ stream, keepOpen }: Deps) =>
  new Elysia({ prefix: '/data' }).get('/stream', ({ request }) => {
    keepOpen(request);
    return stream.open(request);
  });
