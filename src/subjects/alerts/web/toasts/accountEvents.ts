import { batch } from '@preact/signals-react';
import { readAccountChange } from '#web/shared/accountChange.ts';
import { PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { parseJson } from '#lib/json.ts';
import { readRecord } from '#lib/read.ts';
import { api, unwrap } from '#web/api/client.ts';
import { currentHash, goTo } from '#web/router/navigate.ts';
import { pathOf } from '#web/router/resolveRoute.ts';
import { isOpenTo, routeAt, SETTINGS_PATH } from '#web/router/routes.ts';
import { setAccessLevel } from '#subjects/accounts/web/shared/session/session.ts';
import { patchSettings, type Settings, settings } from '#web/shared/settings.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';

/** The account may do something else than before, or the stream was opened: this window shows it at once. */
export function takeAccount(data: string): void {
  const json = parseJson(data);
  const before = settings.peek();
  const change = readAccountChange(readRecord(json.ok ? json.value : null));
  const level = change.accessLevel ?? null;
  const isShut = level !== null && isShutTo(level);
  batch(() => {
    // Before the screen would say that there is nothing.
    if (isShut) goTo(SETTINGS_PATH);
    if (level !== null) setAccessLevel(level);
    patchSettings(change);
  });
  const news = isShut ? 'You are no longer an administrator.' : newsOf(before, change);
  if (news !== null) showSnackbar(news);
}

/** Whether what is shown is not for this level any more. */
function isShutTo(level: number): boolean {
  const shown = routeAt(pathOf(currentHash.peek()));
  return shown !== undefined && !isOpenTo(shown, level);
}

/** What a person did not do in this window, in a sentence; null for nothing of note. */
function newsOf(before: Settings | null, change: Partial<Settings>): string | null {
  if (before === null) return null;
  const { subscriptionType, upgradeDeclinedReason } = change;
  if (subscriptionType !== undefined && subscriptionType !== before.subscriptionType) {
    return `You are now on the ${PLAN_NAMES[subscriptionType]} plan.`;
  }
  return upgradeDeclinedReason && !before.upgradeDeclinedReason
    ? 'Your upgrade request was declined. See the reason in Settings.'
    : null;
}

/** Asks the server for anything: a call that is refused for the session ends it. */
export function askWhetherOver(): void {
  unwrap(api.settings.get()).catch(() => undefined);
}
