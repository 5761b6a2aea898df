import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { streamState } from '../live/market.ts';
import { appInfo, loadAppInfo } from '../shared/appInfo.ts';

/** Minimum time between requests when a window becomes visible, ms. */
const ASK_EVERY_MS = 60_000;

/** Names of builds without a commit, which cannot be distinguished. */
const NO_COMMIT: ReadonlySet<string> = new Set(['unknown', 'development']);

const knownCommit = (commit: string | undefined): string | null =>
  typeof commit === 'string' && commit !== '' && !NO_COMMIT.has(commit) ? commit : null;

const dismissed = signal<string | null>(null);

/** The server's commit if it differs from the page's; null if it is equal or unknown. */
const newCommit = computed(() => {
  // The build writes the commit into the page.
  const own = knownCommit(document.documentElement.dataset.commit);
  const servers = knownCommit(appInfo.value?.commit);
  return own !== null && servers !== own ? servers : null;
});

/** Whether to offer the reload: the commits differ, and the user did not dismiss the offer for this one. */
export const offersNewVersion: ReadonlySignal<boolean> = computed(
  () => newCommit.value !== null && newCommit.value !== dismissed.value,
);

export function dismissNewVersion(): void {
  dismissed.value = newCommit.peek();
}

/**
 * Checks the server's commit now, when the stream returns after a break, and when the window becomes visible. Returns
 * the stop function, which also resets dismissals.
 * @param now ms since any moment; never decreases
 */
export function watchVersion(now: () => number = () => performance.now()): () => void {
  let askedAt = Number.NEGATIVE_INFINITY;
  let wasBroken = false;
  const ask = () => {
    askedAt = now();
    void loadAppInfo();
  };
  const shown = () => {
    if (!document.hidden && now() - askedAt >= ASK_EVERY_MS) ask();
  };
  ask();
  document.addEventListener('visibilitychange', shown);
  const stopFollowing = effect(function followStream() {
    const link = streamState.value;
    if (link === 'live' && wasBroken) ask();
    if (link === 'live') wasBroken = false;
    else if (link !== 'connecting') wasBroken = true;
  });
  return () => {
    document.removeEventListener('visibilitychange', shown);
    stopFollowing();
    dismissed.value = null;
  };
}

const TEXT_BOXES = 'textarea, input:not([type=radio], [type=checkbox], [type=range])';

const typedInto = new WeakSet<EventTarget>();

/** Tracks which fields the user typed into. Returns the stop function. */
export function watchTyping(): () => void {
  const remember = ({ target }: Event) => {
    if (target) typedInto.add(target);
  };
  document.addEventListener('input', remember, true);
  return () => document.removeEventListener('input', remember, true);
}

/** Whether a reload would lose typed text. */
export const holdsTypedText = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_BOXES)].some(
    (box) => typedInto.has(box) && box.value !== '',
  );
