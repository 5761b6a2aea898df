import { NotFoundError } from 'elysia';
import type { Part, App } from '#platform/app.ts';
import { createAuthenticator, SESSION_ENDED } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createRelayCheck } from '#platform/http/keyChecks.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import { RELAY_ROUTES } from '../contract.ts';

/** Limit of a user's openings: a browser needs one, but returning relays open all of theirs together. */
const MAX_OPENINGS_A_MINUTE = 200;

/** Routes for relays only; other callers get 404. */
function routesOf(app: App) {
  const isRelay = createRelayCheck(app.config.relays.secret, 'asked');
  const userOf = createAuthenticator(app);
  const countOpening = createUserLimit(
    app.clock,
    MAX_OPENINGS_A_MINUTE,
    'Too many live streams were opened for your account within a minute.',
  );
  const admit = (request: Request): void => {
    // A relay's forwarded request has its caller's token, not the relay's.
    if (!isRelay(request)) throw new NotFoundError();
  };
  return serve(RELAY_ROUTES, {
    'POST /api/relays/alert-opening': {
      admit,
      handle: async ({ body: { token, lastEventId } }) => {
        const user = await userOf(token);
        if (!user) throw new AppError(401, SESSION_ENDED);
        countOpening(user.id);
        const { id, sessionId, expiresAt } = user;
        return { userId: id, sessionId, expiresAt, ...app.alerts.openingElsewhere(user, lastEventId) };
      },
    },
    'POST /api/relays/sessions': {
      admit,
      handle: async ({ body: { tokens } }) => {
        const users = await Promise.all(tokens.map(userOf));
        return { good: users.map((user) => user !== null) };
      },
    },
  });
}

export const createRelayRoutes = (app: App) =>
  ({ name: 'relayRoutes', routes: () => routesOf(app) }) satisfies Part;
