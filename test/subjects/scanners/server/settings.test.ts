import { describe } from 'bun:test';
import { users } from '../../../../src/platform/db/schema.ts';
import { defaultEntries } from '../../../../src/subjects/scanners/rules/columnEntry.ts';
import { scenarios } from '../../../support/scenario.ts';
import type { TestApp } from '../../../support/testApp.ts';

describe('GET /api/settings', () => {
  scenarios([
    {
      name: 'basic user with a pending request',
      method: 'GET',
      url: '/api/settings',
      as: 'basic',
      setup: async (app) => {
        await app.user('basic');
        app.db
          .update(users)
          .set({ requestedSubscriptionType: 'premium', columnPreferences: { custom: [] } })
          .run();
      },
      status: 200,
      json: {
        username: 'basic',
        subscriptionType: 'basic',
        requestedSubscriptionType: 'premium',
        upgradeDeclinedReason: null,
        accessLevel: 2,
        lacksSecondFactor: false,
        quoteSite: 'none',
        columnPreferences: { custom: defaultEntries('custom') },
        indicatorValues: { limit: 100, used: 0 },
        waitingColumns: {},
      },
    },
    {
      name: 'free user whose quote site is no longer known reads none',
      method: 'GET',
      url: '/api/settings',
      as: 'free',
      setup: async (app) => {
        await app.user('free');
        app.db.update(users).set({ quoteLink: 'gone' }).run();
      },
      status: 200,
      contains: ['"quoteSite":"none"'],
    },
  ]);
});

describe('POST /api/settings/quote-site', () => {
  const base = { method: 'POST', url: '/api/settings/quote-site', as: 'free' } as const;
  scenarios([
    ...(['none', 'commsec', 'hotcopper', 'asx', 'google', 'tradingview'] as const).map((site) => ({
      ...base,
      name: `free user chooses ${site}`,
      body: { site },
      status: 200,
      json: { success: true, error: null },
      after: async (app: TestApp) => {
        const answer = await app.request('GET', '/api/settings', { as: 'free' });
        if (!answer.text.includes(`"quoteSite":"${site}"`)) throw new Error(answer.text);
      },
    })),
    {
      ...base,
      name: 'free user chooses what does not exist',
      body: { site: 'bloomberg' },
      status: 400,
      contains: ['"success":false', 'That quote site is not known.', '"field":"site"'],
    },
    {
      ...base,
      name: 'free user without a site',
      body: {},
      status: 400,
      contains: ['"success":false', '"field":"site"'],
    },
    {
      ...base,
      name: 'guest with a bad body is asked to log in first',
      as: 'guest',
      body: { site: 5 },
      status: 401,
    },
  ]);
});
