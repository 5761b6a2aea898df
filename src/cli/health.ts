import { healthAnswer } from '../admin/health/answers/health.ts';
import { loadConfig } from '../config/config.ts';
import { errorCode, StartError } from '../lib/errors.ts';
import { ownAddress } from '../lib/addresses.ts';
import { EXIT, type Io } from './io.ts';

const WITHIN_MS = 5000;

/**
 * `health`: checks the server or relay with these settings on this machine, for images without a shell.
 * @throws ConfigError, or StartError with a sentence if it is not healthy
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
