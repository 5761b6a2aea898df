import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { streamState } from '../live/market.ts';
import { appInfo, loadAppInfo } from '../shared/appInfo.ts';

/** A window that is shown again asks the server at most this often. */
const ASK_EVERY_MS = 60_000;

/** What programs that were run from their sources, and builds of old, call themselves: two of them can't be told apart. */
const NO_COMMIT: ReadonlySet<string> = new Set(['unknown', 'development']);

const knownCommit = (commit: string | undefined): string | null =>
  typeof commit === 'string' && commit !== '' && !NO_COMMIT.has(commit) ? commit : null;

const dismissed = signal<string | null>(null);

/** The commit that the server runs while this page is of another one; null while they agree or one is not known. */
const newCommit = computed(() => {
  // The build writes into the page which commit it is of.
  const own = knownCommit(document.documentElement.dataset.commit);
  const servers = knownCommit(appInfo.value?.commit);
  return own !== null && servers !== own ? servers : null;
});

/** Whether to offer the reload: the server is of another commit, and the user did not dismiss the offer for that one. */
export const offersNewVersion: ReadonlySignal<boolean> = computed(
  () => newCommit.value !== null && newCommit.value !== dismissed.value,
);

/** Takes the offer away until the server changes once more. */
export function dismissNewVersion(): void {
  dismissed.value = newCommit.peek();
}

/**
 * Asks the server which commit it runs: now, when the data stream is back after a break, as the server may have been
 * restarted with another version, and when the window is shown again. Returns the stop function, which also
 * forgets what was dismissed.
 * @param now ms since any moment; only goes forward
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

/** Remembers which boxes somebody typed into. Returns the stop function. */
export function watchTyping(): () => void {
  const remember = ({ target }: Event) => {
    if (target) typedInto.add(target);
  };
  document.addEventListener('input', remember, true);
  return () => document.removeEventListener('input', remember, true);
}

/** Whether a text box on the page holds something that was typed into it, which a reload would lose. */
export const holdsTypedText = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_BOXES)].some(
    (box) => typedInto.has(box) && box.value !== '',
  );
