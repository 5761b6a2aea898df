import { healthAnswer } from '../admin/health/answers/health.ts';
import { loadConfig } from '../config/config.ts';
import { errorCode, StartError } from '../lib/errors.ts';
import { ownAddress } from '../lib/addresses.ts';
import { EXIT, type Io } from './io.ts';

/** Below what images usually give a health check. */
const WITHIN_MS = 5000;

/**
 * `health`: whether the server or relay that these settings make answers on this machine, for an image without a shell.
 *
 * @returns the exit code
 * @throws ConfigError, or StartError with a sentence when it does not answer as a healthy one does
 */
export async function health({ env, out }: Pick<Io, 'env' | 'out'>): Promise<number> {
  const { config } = loadConfig(env);
  const address = `${ownAddress(config)}/healthz`;
  const failed = (reason: string): StartError => new StartError(`${address} ${reason}.`);
  const response = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS) }).catch(
    (error: unknown) => {
      throw failed(`does not answer (${error instanceof DOMException ? error.message : errorCode(error)})`);
    },
  );
  const answer = healthAnswer.read(await response.json().catch(() => null));
  if (!response.ok || answer === null)
    throw failed(`answers with ${response.status}, but not as a healthy server`);
  out(`Bellbird ${answer.version ?? ''} is healthy at ${address}.`);
  return EXIT.ok;
}
