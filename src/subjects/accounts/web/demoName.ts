import { readStoredText, writeStoredText } from '#web/shared/storage.ts';
import { MAX_USERNAME_LENGTH } from '../rules/accountRules.ts';
import { DEMO_MARK } from '../rules/browserDemo.ts';

const KEY = 'bellbird.demo';

let unkept: string | null = null;

/** What tells this browser's demo accounts from those of others, the same each time. */
function ownMark(): string {
  const known = readStoredText(KEY);
  if (known !== null && DEMO_MARK.test(known)) return known;
  // Where nothing can be stored it lasts as long as the page.
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  unkept ??= [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStoredText(KEY, unkept);
  return unkept;
}

/**
 * The name of the demo account that is this browser's own. It begins with what was typed, because the rights of a demo
 * account follow from the beginning of its name.
 */
export function demoName(typed: string): string {
  const end = `-${ownMark()}`;
  const name = typed.trim() || 'demo';
  return name.endsWith(end) ? name : `${name.slice(0, MAX_USERNAME_LENGTH - end.length)}${end}`;
}
