import { expect, test } from 'bun:test';
import { rankSubmitters } from '#subjects/calls/rules/leaderboardRank.ts';
import { cardText, cardTexts } from '#subjects/calls/rules/recordCard.ts';
import { tallyOf } from '#support/rankBoards.ts';

const HASH = 'ab'.repeat(32);

test('a card has the whole hash of the ledger, and a dash for an unknown move of the market', () => {
  const [entry] = rankSubmitters([
    tallyOf('Ann', [{ percent: 5, isShort: false, market: null, symbol: 'BHP', from: 0, until: 1 }]),
  ]);
  if (!entry) throw new Error('There is no entry.');
  const text = cardText(
    cardTexts({
      name: 'Ann',
      source: 'simulator',
      metrics: entry.metrics,
      head: { number: 12, hash: HASH },
      at: Date.UTC(2026, 11, 1, 14),
      address: 'https://example.test/#/calls/by/Ann',
      verifyAddress: 'https://example.test/#/calls/ledger',
    }),
  );
  expect(text.split('\n')).toEqual([
    'Ann',
    'Calls verified from recorded trades · Simulated · Wednesday 2 December 2026',
    'Rank: Too few to rank (1 of 10 days)',
    'Results: 1',
    'Mean result: +5.0%',
    'Against the market: –',
    'Gained: 100.0%',
    'https://example.test/#/calls/by/Ann',
    `Ledger 12 ${HASH}`,
    'Verify: https://example.test/#/calls/ledger',
    'Past results do not predict future results. General information only, not financial advice.',
  ]);
});
