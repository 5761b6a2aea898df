import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { act } from '@testing-library/react';
import fc from 'fast-check';
import { CONTRACTS } from '#src/contracts.ts';
import { type AppOnAnswers, openAppOnAnswers, SNAPSHOT } from '#support/appOnAnswers.tsx';
import { answersOf, bareAnswer, spoiledAnswers } from '#support/contractAnswers.ts';

setDefaultTimeout(120_000);

/** An answer for every parameterless path that a screen may load: complete, minimal, empty, or with one invalid member. */
const anyAnswers = fc.record(
  Object.fromEntries(
    Object.entries(CONTRACTS).flatMap(([name, { answer }]) => {
      if (!answer || !name.startsWith('GET /api/') || name.includes(':')) return [];
      // A window keeps these for its lifetime, which would include later tests.
      if (name.endsWith('/price-ranges')) return [];
      const full = answersOf(answer);
      const bare = full.map((given) => bareAnswer(answer, given));
      const path = name.replace(/\/$/, '');
      return [[path, fc.oneof(full, bare, fc.constant({}), full.chain(spoiledAnswers))] as const];
    }),
  ),
);
/** A market with complete stocks, stocks with an invalid member, and stocks with only a name. */
const anyMarket = fc
  .tuple(spoiledAnswers(SNAPSHOT.stocks.BHP), spoiledAnswers(SNAPSHOT))
  .map(([BAD, other]) => [{ ...SNAPSHOT, stocks: { ...SNAPSHOT.stocks, BAD, ABC: {} } }, other]);

let page: AppOnAnswers;
beforeEach(() => {
  page = openAppOnAnswers();
});
afterEach(() => page.close());

test.each([
  ['/login', 0],
  ['/register', 0],
  ['/calls', 0],
  ['/calls', 2],
  ['/pre-market', 2],
  ['/intra-day-mid-large', 2],
  ['/custom-scanner', 2],
  ['/market', 2],
  ['/fx-news', 2],
  ['/watchlist', 2],
  ['/settings', 2],
  ['/admin', 4],
])('%s at level %d renders for any answer of the server', async (route, level) => {
  await fc.assert(
    fc.asyncProperty(anyAnswers, anyMarket, async (answers, snapshots) => {
      for (const [name, body] of Object.entries(answers)) page.answer(name, body);
      // The level that a screen needs is kept.
      const settings = { ...(answers['GET /api/settings'] as object), accessLevel: level };
      page.answer('GET /api/settings', settings);
      await page.open(route, level);
      for (const snapshot of snapshots) page.send('snapshot', snapshot);
      await act(() => new Promise((done) => setTimeout(done, 50)));
      expect(document.querySelector('main h1')).not.toBeNull();
      // Randomly generated ids may be equal.
      expect(page.errors().filter((text) => !text.includes('with the same key'))).toEqual([]);
      page.close();
      page = openAppOnAnswers();
    }),
    // Shrinking would exceed the test’s time limit.
    { numRuns: 4, endOnFailure: true },
  );
});
