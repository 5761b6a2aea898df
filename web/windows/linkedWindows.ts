import { type ReadonlySignal, signal } from '@preact/signals-react';
import { readStoredText, writeStoredText } from '../shared/storage.ts';
import { uniqueName } from '../shared/uniqueName.ts';
import { type Follower, LinkBook } from './linkBook.ts';
import {
  FIRST_GROUP,
  type LinkChoice,
  type LinkMessage,
  readLinkChoice,
  readLinkMessage,
} from './linkGroups.ts';

const CHANNEL = 'bellbird-links';
const GROUP_KEY = 'bellbird.linkGroup';

/** Of this window alone. It outlives a reload, and a window that this one opens begins with a copy of it. */
const readGroup = (): LinkChoice => readLinkChoice(readStoredText(GROUP_KEY, 'window')) ?? FIRST_GROUP;

const state = signal<LinkChoice>(readGroup());
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
const say = (message: LinkMessage) => channel?.postMessage(message);
const book = new LinkBook({ say, group: state.peek(), window: window.name });

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = readLinkMessage(data);
  if (message) book.hear(message);
});

/** The group of this window. */
export const linkGroup: ReadonlySignal<LinkChoice> = state;

/** Puts this window into another group. */
export function joinGroup(group: LinkChoice): void {
  state.value = group;
  writeStoredText(GROUP_KEY, group, 'window');
  book.join(group);
}

/** A stock was chosen in this window: the charts of its group show it. */
export const chooseStock = (code: string): void => book.choose(code);

/** Follows the stocks that are chosen in this window's group; `hasStock` when one is shown already. Returns the end of it. */
export const followGroup = (follower: Follower, hasStock: boolean): (() => void) =>
  book.follow(follower, hasStock);

/** A window that is there answers within it, and is asked again after it where it is known to be there. */
const ANSWER_MS = 150;
/** For a window that is still loading, or on a machine that is busy. Browsers let a page open one for longer after a key. */
const MAX_ANSWERS = 16;

/** Whether another window of this browser is in the group of this one, by what it keeps itself. */
export function isInMyGroup(other: Window): boolean {
  try {
    const kept = other.closed ? null : other.sessionStorage.getItem(GROUP_KEY);
    return kept !== null && readLinkChoice(kept) === state.peek();
  } catch {
    return false; // It shows a page of somebody else by now, or storage is switched off.
  }
}

/**
 * Asks for a chart window of this window's group that shows a stock.
 * @param isThere whether one is known to be there, so that its answer is waited for
 * @returns its name; null when there is none, and in no group
 */
export function showInGroup(code: string, isThere: () => boolean): Promise<string | null> {
  return new Promise((resolve) => {
    const asking = channel && book.show(code, uniqueName(), (name) => finish(name));
    if (!asking) return resolve(null);
    let waits = 0;
    const timer = setInterval(() => {
      waits += 1;
      if (waits >= MAX_ANSWERS || !isThere()) finish(null);
      else asking.again();
    }, ANSWER_MS);
    function finish(name: string | null): void {
      asking?.end();
      clearInterval(timer);
      resolve(name);
    }
  });
}

/** A name for a new chart window, by which it can be found again. */
export const newWindowName = (): string => `bellbird:chart:${uniqueName()}`;
