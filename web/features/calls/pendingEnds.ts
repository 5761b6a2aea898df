import { type ReadonlySignal, effect, signal } from '@preact/signals-react';
import { type EndKind, TAKE_BACK_MS } from '../../../src/domain/calls/endText.ts';
import { MESSAGES } from '../../../src/domain/messages.ts';
import { readList, readRecord, readText } from '../../../src/lib/read.ts';
import type { Refusal } from '../../../src/lib/result.ts';
import { refusalOf } from '../../shared/api/client.ts';
import { sayBriefly } from '../../shared/saved.ts';
import { session } from '../../shared/session/session.ts';
import { readStored, writeStored } from '../../shared/storage.ts';
import { cancelCall, closeCall } from './api.ts';
import type { MyCall } from './readCalls.ts';
import { reloadAll } from './state.ts';

/** A call that ends at `dueAt` (epoch ms) unless that is taken back. `pocketed` in AUD. */
export type PendingEnd = {
  publicId: MyCall['publicId'];
  symbol: string;
  dueAt: number;
} & ({ kind: 'close'; pocketed: number } | { kind: 'cancel' });

/** What was refused, and for which call. */
export type RefusedEnd = Refusal & { publicId: MyCall['publicId'] };

/** What this tab has begun, so that a page which is loaded again after a crash can say what was not done. */
const STORED_KEY = 'bellbird.pendingEnds';

const waiting = signal<readonly PendingEnd[]>([]);
const sending = signal<ReadonlySet<MyCall['publicId']>>(new Set());
const refusal = signal<RefusedEnd | null>(null);

/** The calls that are about to end. */
export const pendingEnds: ReadonlySignal<readonly PendingEnd[]> = waiting;
/** The calls that a request is under way for. */
export const endingIds: ReadonlySignal<ReadonlySet<MyCall['publicId']>> = sending;
/** What was refused last; null while nothing was. */
export const refusedEnd: ReadonlySignal<RefusedEnd | null> = refusal;
export const refuseEnd = (refused: RefusedEnd | null): void => {
  refusal.value = refused;
};

const timers = new Map<MyCall['publicId'], ReturnType<typeof setTimeout>>();
const ENDED: Readonly<Record<EndKind, string>> = { close: 'closed', cancel: 'cancelled' };

function keep(next: readonly PendingEnd[]): void {
  waiting.value = next;
  const told = next.map(({ symbol, kind }) => ({ symbol, kind }));
  writeStored(STORED_KEY, told.length === 0 ? null : told, 'window');
}

/** Takes an end out of those that wait; null when it waits no more. */
function take(publicId: MyCall['publicId']): PendingEnd | null {
  const found = waiting.peek().find((one) => one.publicId === publicId) ?? null;
  clearTimeout(timers.get(publicId));
  timers.delete(publicId);
  if (found !== null) keep(waiting.peek().filter((one) => one !== found));
  return found;
}

async function send(end: PendingEnd): Promise<void> {
  const { publicId } = end;
  sending.value = new Set(sending.peek()).add(publicId);
  const failed = end.kind === 'close' ? MESSAGES.calls.close : MESSAGES.calls.cancel;
  try {
    const conflict =
      end.kind === 'close' ? await closeCall(publicId, end.pocketed) : await cancelCall(publicId);
    await reloadAll(true);
    refusal.value = conflict && { ...conflict, publicId };
  } catch (cause) {
    refusal.value = { ...refusalOf(cause, failed), publicId };
    sayBriefly(`${end.symbol} was not ${ENDED[end.kind]}: ${refusal.peek()?.message ?? failed}`);
  } finally {
    sending.value = new Set([...sending.peek()].filter((one) => one !== publicId));
  }
}

function sendNow(publicId: MyCall['publicId']): void {
  const end = take(publicId);
  if (end !== null) void send(end);
}

/** Whoever leaves the page has decided: what waits is sent at once, and outlives the page. */
const sendAll = (): void => {
  for (const { publicId } of waiting.peek()) sendNow(publicId);
};

function dropAll(): void {
  for (const { publicId, symbol, kind } of waiting.peek()) {
    take(publicId);
    sayBriefly(`${symbol} was not ${ENDED[kind]}: you were logged out first.`);
  }
}

let isListening = false;
function listen(): void {
  if (isListening) return;
  isListening = true;
  window.addEventListener('pagehide', sendAll);
  effect(function dropWithSession() {
    if (!session.value.isAuthenticated) dropAll();
  });
}

/**
 * Ends a call in ten seconds, in which that can be taken back. The server hears of it only then, so the price that counts is
 * the one of then: nobody gets to choose afterwards between two prices.
 */
export function endSoon(end: PendingEnd): void {
  listen();
  take(end.publicId);
  refusal.value = null;
  keep([...waiting.peek(), end]);
  timers.set(
    end.publicId,
    setTimeout(() => sendNow(end.publicId), Math.max(0, end.dueAt - Date.now())),
  );
}

/** When an end that is begun now is due; epoch ms. */
export const dueInTime = (): number => Date.now() + TAKE_BACK_MS;

/** Leaves a call as it is. */
export const takeBack = (publicId: MyCall['publicId']): void => void take(publicId);

function readLost(value: unknown): string | null {
  const { symbol, kind } = readRecord(value);
  const code = readText(symbol);
  return code === null ? null : `${code} was not ${kind === 'cancel' ? 'cancelled' : 'closed'}`;
}

/** What an earlier page of this tab had begun and could not send, as it was killed: a sentence, told once; else null. */
export function lostEnds(): string | null {
  if (waiting.peek().length > 0) return null;
  const lost = readStored(STORED_KEY, (stored) => readList(stored, readLost), 'window') ?? [];
  writeStored(STORED_KEY, null, 'window');
  return lost.length === 0 ? null : `${lost.join(', ')}: the page closed before the ten seconds were up.`;
}
