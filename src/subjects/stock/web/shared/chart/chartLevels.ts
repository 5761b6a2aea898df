import { effect, signal, untracked } from '@preact/signals-react';
import { useEffect, useMemo, useRef } from 'react';
import { roundToStep } from '#market/rules/priceStep.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { crossingAt } from '#subjects/alerts/rules/crossingAt.ts';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { chartLevelsAnswer } from '#subjects/stock/contract.ts';
import { MAX_LEVELS, TOO_MANY_LEVELS } from '#subjects/stock/rules/levels.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { setUps } from '#web/shared/settings.ts';
import { onStored, writeStored } from '#web/shared/storage.ts';
import type { AlertOffer, UserLine } from './types.ts';

type Levels = ReadonlyMap<string, readonly number[]>;

const NONE: readonly number[] = [];
/** Changes when a window saves levels, so that the others load them again. */
const CHANGED = 'bellbird.chartLevelsSaved';
/** Delay before levels are saved, ms, because a held arrow key moves one thirty times a second. */
const SAVE_AFTER_MS = 400;

/** The user's levels by stock, AUD; null until they are loaded. */
const levels = signal<Levels | null>(null);
let loads = 0;

async function load(): Promise<void> {
  loads += 1;
  const mine = loads;
  try {
    const answer = await request('GET /api/settings/chart-levels', { read: readerOf(chartLevelsAnswer) });
    if (mine === loads) levels.value = new Map(answer.levels.map(({ symbol, prices }) => [symbol, prices]));
  } catch {
    // Without levels a chart works, and says that they are missing when one is added.
    if (mine === loads) onReconnect(load);
  }
}

let loadedFor: string | null = null;

/** Loads the levels once for all charts; again for another user or epoch, after an import, and from other windows. */
function follow(): () => void {
  const stop = effect(function loadLevels() {
    const user = userOf(session.value.accessToken);
    const keyIn = (epoch: string | null) => user && `${user} ${epoch} ${setUps.value}`;
    const key = keyIn(marketEpoch.value);
    if (key === loadedFor) return;
    // Levels that were loaded before the first snapshot are those of its period.
    if (key !== null && loadedFor === keyIn(null)) {
      loadedFor = key;
      return;
    }
    if (user === null || loadedFor?.split(' ', 1)[0] !== user) levels.value = null;
    loadedFor = key;
    loads += 1;
    if (key !== null) untracked(() => void load());
  });
  const stopStored = onStored([CHANGED], () => void load());
  return () => {
    stop();
    stopStored();
  };
}

function put(code: string, prices: readonly number[]): void {
  levels.value = new Map(levels.peek()).set(code, prices);
}

async function save(code: string): Promise<void> {
  const prices = [...(levels.peek()?.get(code) ?? NONE)];
  try {
    await request('PUT /api/settings/chart-levels', { body: { symbol: code, prices } });
    writeStored(CHANGED, `${code} ${prices.join(' ')}`);
  } catch (problem) {
    showSnackbar(messageOf(problem, `The levels of ${code} could not be saved. Try again.`));
    void load();
  }
}

/**
 * The user's levels of a stock as lines, and how to add one.
 * @param offer sets an alert at a level
 * @returns `add` is null for guests
 */
export function useChartLevels(
  code: string,
  offer: AlertOffer | undefined,
): { lines: readonly UserLine[]; add: ((price: number) => void) | null } {
  useEffect(follow, []);
  const pending = useRef<{ code: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const [saveSoon, flush] = useMemo(() => {
    const saveNow = (): void => {
      if (pending.current === null) return;
      clearTimeout(pending.current.timer);
      void save(pending.current.code);
      pending.current = null;
    };
    const soon = (of: string): void => {
      clearTimeout(pending.current?.timer);
      pending.current = { code: of, timer: setTimeout(saveNow, SAVE_AFTER_MS) };
    };
    return [soon, saveNow];
  }, []);
  // Another stock, or none: what waits is saved first.
  useEffect(() => flush, [flush, code]);
  const prices = levels.value?.get(code) ?? NONE;
  const lines = useMemo(() => {
    const change = (next: readonly number[], isDone: boolean): void => {
      put(code, next);
      if (isDone) saveSoon(code);
    };
    return prices.map(
      (price, index): UserLine => ({
        id: `level ${index}`,
        label: 'Level',
        price,
        tone: 'level',
        onMove: (moved, isDone) => change(prices.with(index, moved), isDone),
        onRemove() {
          change(prices.toSpliced(index, 1), true);
          const run = () => change([...(levels.peek()?.get(code) ?? NONE), price], true);
          showSnackbar(`Level ${priceText(price)} removed`, { label: 'Undo', run });
        },
        ...(offer && { onAlert: () => offer.ask(crossingAt(price, offer.current)) }),
      }),
    );
  }, [code, prices, offer, saveSoon]);
  const add = (price: number): void => {
    const known = levels.peek();
    const at = roundToStep(price);
    if (known === null) {
      void load();
      return showSnackbar('Your levels could not be loaded. Try again.');
    }
    if (prices.length >= MAX_LEVELS) return showSnackbar(TOO_MANY_LEVELS);
    if (prices.includes(at)) return;
    put(code, [...prices, at]);
    saveSoon(code);
  };
  return { lines, add: session.value.isAuthenticated ? add : null };
}
