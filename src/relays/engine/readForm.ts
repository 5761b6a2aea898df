import { ByteReader } from '#lib/pack.ts';

/** The bytes are not of the form that is read. */
class FormError extends Error {
  override name = 'FormError';
}

/** Ends the reading of a form: the bytes are none of it. @throws */
export function noForm(): never {
  throw new FormError();
}

/** Reads bytes that another version may have written. @returns null where they end too early or are of another form */
export function readForm<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T | null {
  try {
    return read(new ByteReader(bytes, () => new FormError()));
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}
