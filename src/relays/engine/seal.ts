import { createSealFor, type Seal } from '#lib/seal.ts';

/** Seals what goes through the message engine. @param secret shared by the primary and its relays */
export const createSeal = (secret: string): Seal =>
  createSealFor(secret, { salt: 'bellbird relay', info: 'message engine' });
