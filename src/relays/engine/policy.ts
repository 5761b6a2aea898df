import type { Log } from '#lib/log.ts';
import { isRecord } from '#lib/json.ts';
import type { Connection } from './connection.ts';

/**
 * Tells the log when the engine would throw things away to make room: frames that are dropped in the middle end all
 * streams of the relays.
 * @returns whether it was told
 */
export async function warnOfEviction(connection: Connection, log: Log): Promise<boolean> {
  try {
    const settings = await connection.ask('CONFIG', ['GET', 'maxmemory*']);
    if (!isRecord(settings)) return false;
    const { maxmemory, 'maxmemory-policy': policy } = settings;
    if (maxmemory === '0' || policy === 'noeviction' || typeof policy !== 'string') return false;
    log.warn(
      'The message engine throws away what it keeps when it is full; set its maxmemory-policy to noeviction',
      { policy },
    );
    return true;
  } catch (error) {
    // Many engines do not let everybody read their settings.
    log.debug('The settings of the message engine are not known', { error });
    return false;
  }
}
