import { MESSAGES } from '../../../../src/domain/messages.ts';
import { Banner } from '../../../ui/Banner.tsx';
import type { ServerReturn } from './useServerReturn.ts';

const WORDS = {
  waiting: MESSAGES.admin.waitingForServer,
  back: MESSAGES.admin.backOnline,
  timedOut: MESSAGES.admin.timedOut,
} as const;

/** How waiting for the server's next process stands; nothing while nobody waits. */
export function ServerReturnLine({ server }: { server: ServerReturn }) {
  const { standing, reset } = server;
  if (standing === 'idle') return null;
  return (
    <Banner
      look={standing === 'timedOut' ? 'error' : 'info'}
      {...(standing === 'waiting' ? {} : { onDismiss: reset })}
    >
      {WORDS[standing]}
    </Banner>
  );
}
