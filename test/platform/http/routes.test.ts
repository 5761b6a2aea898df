import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { declaredLevel } from '#platform/http/auth.ts';
import { createTestApp, ROLES, type TestApp } from '#support/testApp.ts';

const LEVELS = { guest: 0, free: 1, basic: 2, premium: 3, admin: 4 } as const;

const whole = createTestApp();
const routes = whole.api.routes.map(({ method, path, hooks }) => ({
  method,
  path,
  level: declaredLevel((hooks as { detail?: Parameters<typeof declaredLevel>[0] }).detail),
}));
whole.close();
const namesOf = (level: number) =>
  routes
    .filter((route) => route.level === level)
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted();
/** Every other route needs a session. */
const OPEN = `
  GET /api/app
  GET /api/backup-download
  GET /api/calendar/company-events
  GET /api/calendar/events/:eventId/history
  GET /api/calls/:publicId
  GET /api/calls/by/:name
  GET /api/calls/leaderboard
  GET /api/calls/ledger
  GET /api/calls/ledger/file
  GET /api/calls/ledger/rows
  GET /api/calls/ranks
  GET /api/data/auction
  GET /api/data/bars
  GET /api/data/day-events
  GET /api/data/day-lines
  GET /api/data/stream
  GET /api/recording-download
  GET /api/replay
  GET /api/setup/restore
  GET /api/setup/restore/target
  GET /api/test/status
  GET /healthz
  GET /metrics
  GET /openapi
  GET /openapi/json
  POST /api/devices/act
  POST /api/devices/moved
  POST /api/ingest/market
  POST /api/ingest/overnight
  POST /api/login
  POST /api/login/second-step
  POST /api/register
  POST /api/relays/alert-opening
  POST /api/relays/sessions
  POST /api/replay/jump
  POST /api/replay/pause
  POST /api/replay/speed
  POST /api/setup/restore/apply
  POST /api/setup/restore/check
  POST /api/setup/restore/piece
  POST /api/simulator/skip
  POST /api/test/seed
`;
const addressOf = (path: string) => path.replaceAll(/:[a-zA-Z]+/g, 'x');

describe('every route declares who may call it', () => {
  test('the open routes and those of paid plans are these', () => {
    expect(namesOf(0)).toEqual(OPEN.trim().split(/\n\s*/));
    expect(namesOf(2)).toEqual(['POST /api/data/news/summarise']);
    expect(namesOf(3)).toEqual(['POST /api/conditions/read']);
  });
  for (const { method, path, level } of routes) {
    test(`${method} ${path} declares a level`, () => expect(level).not.toBeNull());
  }
  test('every route under /api/admin is for administrators', () => {
    expect(routes.filter((route) => /\/admin\b/.test(route.path) && route.level !== 4)).toEqual([]);
  });
});

describe('route by role', () => {
  for (const { method, path, level } of routes) {
    if (level === null || level === 0) continue;
    describe(`${method} ${path}`, () => {
      // Each role calls it once, with its own session.
      let app: TestApp;
      beforeAll(() => {
        app = createTestApp();
      });
      afterAll(() => app.close());
      for (const role of ROLES) {
        const expected = role === 'guest' ? 401 : LEVELS[role] < level ? 403 : null;
        test(`as ${role}: ${expected ?? 'admitted'}`, async () => {
          // A body that no schema accepts: unauthorised callers must not learn that.
          const body = method === 'GET' || method === 'DELETE' ? {} : { rawBody: '[null]' };
          const response = await app.open(method, addressOf(path), { as: role, ...body });
          if (expected === null) expect([401, 403]).not.toContain(response.status);
          else {
            expect(response.status).toBe(expected);
            expect(await response.json()).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
          }
        });
      }
    });
  }
});
