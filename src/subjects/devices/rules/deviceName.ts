import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';
import { MAX_DEVICE_NAME } from './device.ts';

/** Checks what a person calls a device. @returns it trimmed */
export function checkDeviceName(sent: string): Result<string> {
  const name = sent.trim();
  if (name === '') return refuse('Give the device a name.', 'name');
  if (name.length > MAX_DEVICE_NAME) {
    return refuse(`The name of a device has at most ${MAX_DEVICE_NAME} characters.`, 'name');
  }
  return isPlainLine(name)
    ? ok(name)
    : refuse('The name of a device is one line of plain text, without invisible characters.', 'name');
}

/** A name that none of the others has: 'Chrome on Android', then 'Chrome on Android 2'. */
export function freeDeviceName(guess: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? guess : `${guess} ${number}`;
    if (!taken.includes(name)) return name;
  }
}
