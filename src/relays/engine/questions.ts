import type { Connection } from './connection.ts';
import { QUESTION_KEY } from './keys.ts';

/** How long a question waits for a primary that is not there yet, ms. */
const QUESTION_MS = 5000;

/**
 * The one question that relays have: whether the primary is there. It is a mark without content, which a thousand who ask
 * leave once, and which the primary takes away without reading it: what somebody else writes there costs it nothing.
 */
export class Questions {
  constructor(private readonly connection: Connection) {}

  async ask(): Promise<void> {
    await this.connection.ask('SET', [QUESTION_KEY, '1', 'PX', String(QUESTION_MS)]);
  }

  /** Takes the question away. @returns whether there was one */
  async take(): Promise<boolean> {
    return (await this.connection.ask('UNLINK', [QUESTION_KEY])) === 1;
  }
}
