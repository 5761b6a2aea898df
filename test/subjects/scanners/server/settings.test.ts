import { describe } from 'bun:test';
import { scenarios } from '../../../support/scenario.ts';
import type { TestApp } from '../../../support/testApp.ts';

describe('POST /api/settings/quote-site', () => {
  const base = { method: 'POST', url: '/api/settings/quote-site', as: 'free' } as const;
  scenarios([
    ...(['asx'] as const).map((site) => ({
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
  ]);
});
