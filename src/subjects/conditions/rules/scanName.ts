import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';

export const MAX_SCAN_NAME_LENGTH = 60;

/**
 * Checks the name of a scan of the custom scanner; that no other scan of its owner has it is for the server to say.
 *
 * @returns the name, trimmed
 */
export function checkScanName(typed: string): Result<string> {
  const name = typed.trim();
  if (name === '') return refuse('Give the scan a name.', 'name');
  if (name.length > MAX_SCAN_NAME_LENGTH)
    return refuse(`The name of a scan has at most ${MAX_SCAN_NAME_LENGTH} characters.`, 'name');
  return isPlainLine(name)
    ? ok(name)
    : refuse('The name of a scan is one line of plain text, without invisible characters.', 'name');
}
