import { zlib } from '../zlib.ts';

/** JSON as a row of the database keeps it, deflated. @param level how hard zlib tries, 1 to 9 */
export const packJson = (value: unknown, level = 1): Uint8Array =>
  zlib().deflateRawSync(JSON.stringify(value), { level });

/**
 * The inverse of `packJson`.
 * @param maxBytes more than that is not unpacked
 * @throws where the bytes are damaged, or too many
 */
export const unpackJson = (packed: Uint8Array, maxBytes?: number): unknown =>
  JSON.parse(
    zlib()
      .inflateRawSync(packed, maxBytes === undefined ? {} : { maxOutputLength: maxBytes })
      .toString('utf8'),
  );

/** As `unpackJson`, but null for bytes that can't be read. */
export function unpackJsonOrNull(packed: Uint8Array): unknown {
  try {
    return unpackJson(packed);
  } catch {
    return null;
  }
}
