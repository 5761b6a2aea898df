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

/** The group of this window. It survives a reload, and a window opened from this one starts with a copy. */
const readGroup = (): LinkChoice => readLinkChoice(readStoredText(GROUP_KEY, 'window')) ?? FIRST_GROUP;

const state = signal<LinkChoice>(readGroup());
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
const send = (message: LinkMessage) => channel?.postMessage(message);
const book = new LinkBook({ send, group: state.peek(), window: window.name });

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = readLinkMessage(data);
  if (message) book.hear(message);
});

export const linkGroup: ReadonlySignal<LinkChoice> = state;

export function joinGroup(group: LinkChoice): void {
  state.value = group;
  writeStoredText(GROUP_KEY, group, 'window');
  book.join(group);
}

export const chooseStock = (code: string): void => book.choose(code);

/** Follows the group; with `hasStock`, the chart already shows a stock. Returns the stop function. */
export const followGroup = (follower: Follower, hasStock: boolean): (() => void) =>
  book.follow(follower, hasStock);

/** An existing window answers within this time (ms); after that it is asked again. */
const ANSWER_MS = 150;
/** Limit of requests, for a window that is loading. After a key, browsers allow new windows for longer. */
const MAX_ANSWERS = 16;

export function isInMyGroup(other: Window): boolean {
  try {
    const kept = other.closed ? null : other.sessionStorage.getItem(GROUP_KEY);
    return kept !== null && readLinkChoice(kept) === state.peek();
  } catch {
    return false; // The window shows a page of another site, or storage is switched off.
  }
}

/**
 * Asks for a chart window of this group.
 * @param isThere whether one is known to exist, so that its answer is awaited
 * @returns the window's name; null for none
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

export const newWindowName = (): string => `bellbird:chart:${uniqueName()}`;
