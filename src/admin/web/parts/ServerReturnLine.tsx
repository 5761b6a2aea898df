import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { Banner } from '#ui/Banner.tsx';
import type { ServerReturn } from './useServerReturn.ts';

const WORDS = {
  waiting: ADMIN_MESSAGES.waitingForServer,
  back: ADMIN_MESSAGES.backOnline,
  timedOut: ADMIN_MESSAGES.timedOut,
} as const;

/** How waiting for the server's next process stands; nothing while nobody waits. */
export function ServerReturnLine({ server }: { server: ServerReturn }) {
  const { standing, reset } = server;
  if (standing === 'idle') return null;
  return (
    <Banner
      variant={standing === 'timedOut' ? 'error' : 'info'}
      {...(standing === 'waiting' ? {} : { onDismiss: reset })}
    >
      {WORDS[standing]}
    </Banner>
  );
}
