import { describe, expect, test } from 'bun:test';
import { linkedChats, outbox } from '../../../../src/platform/db/alertSchema.ts';
import { facts } from '../../../../src/platform/db/schema.ts';
import { createBlindSpots } from '../../../../src/subjects/alerts/server/blindSpots/index.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { addAlert, withListed } from '../../../support/alertsApp.ts';
import { trade } from '../../../support/callsApp.ts';
import type { TestApp } from '../../../support/testApp.ts';
import { wholeMessage } from '../../../support/wholeMessage.ts';

const LOOK_MS = 5000;
const MINUTE_MS = 60_000;

async function linkChat({ db, clock, user }: TestApp): Promise<void> {
  const { id: userId } = await user('free');
  const now = clock.now();
  db.insert(linkedChats)
    .values({ userId, platform: 'telegram', chatId: '4711', createdAt: now, confirmedAt: now })
    .run();
}

/** Blind spots of an application, looked for at the hand of the test. */
function createLooks(app: TestApp, days: 'consecutive' | 'independent' = 'consecutive') {
  const { db, clock, parts } = app;
  let turn: (() => void) | null = null;
  const part = createBlindSpots(
    {
      db,
      clock,
      log: createLog(() => undefined),
      source: { ...app.source, health: app.source.health, days },
    },
    {
      outbox: parts.outbox.service,
      chatsOf: parts.linkedChats.service.confirmed,
      placesOf: () => ({ chats: [], devices: [] }),
      schedule(_, run) {
        turn = run;
        return () => {
          turn = null;
        };
      },
    },
  );
  return {
    part,
    /** @param price BHP trades at before every look; null while nothing comes */
    look(minutes: number, price: number | null): void {
      for (let ms = 0; ms < minutes * MINUTE_MS; ms += LOOK_MS) {
        clock.advance(LOOK_MS);
        if (price !== null) trade(app, 'BHP', price);
        turn?.();
      }
    },
  };
}

const told = ({ db }: TestApp): [string, string][] =>
  db
    .select()
    .from(outbox)
    .orderBy(outbox.id)
    .all()
    .map((row) => wholeMessage(db, row))
    .map(({ title, lines }) => [title, lines.join(' ')]);

describe('A whole server', () => {
  test('tells in one chat that it is blind, what fired when prices came, and that it sees again', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, { destinations: { telegram: true }, persistent: true });
      const { part, look } = createLooks(app);
      part.start();
      look(1, 49);
      look(5, null);
      look(3, 51);
      expect(told(app).map(([title]) => title)).toEqual([
        'Your alerts can’t see the market',
        expect.stringMatching(/^BHP 51\.00 ▲/),
        'Your alerts see the market again',
      ]);
      expect(told(app)[2]?.[1]).toContain('1 of your symbols moved through a condition in between: BHP.');
      expect(part.inspect().data()).toEqual({ isLookedAt: true, blindSince: null });
      part.stop();
    }));

  test('writes at most once a minute while all is well', () =>
    withListed(async (app) => {
      const { part, look } = createLooks(app);
      part.start();
      let writes = 0;
      let last = '';
      for (let step = 0; step < 60; step += 1) {
        look(LOOK_MS / MINUTE_MS, 49);
        const kept =
          app.db
            .select()
            .from(facts)
            .all()
            .find(({ key }) => key === 'blind_spots')?.value ?? '';
        if (kept !== last) writes += 1;
        last = kept;
      }
      // A trade lets a second pass besides: sixty looks are six minutes.
      expect(writes).toBe(6);
      part.stop();
    }));

  test('of a market whose days are made up anew is never blind', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, { destinations: { telegram: true } });
      const { part, look } = createLooks(app, 'independent');
      part.start();
      look(1, 49);
      look(10, null);
      part.stop();
      expect(told(app)).toEqual([]);
      expect(part.inspect().data()).toEqual({ isLookedAt: false, blindSince: null });
    }));
});
