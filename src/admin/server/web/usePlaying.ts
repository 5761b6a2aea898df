import { useEffect, useState } from 'react';
import { messageOf } from '../../../../web/api/client.ts';
import { requireDone } from '../../../../web/api/done.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';
import { askProcess, useServerReturn } from '../../web/parts/useServerReturn.ts';

const SILENT = 'The server does not answer. Nothing was changed; try again.';

/**
 * Asks for what another market begins with, after a restart, and waits for that.
 * @param onBack called when the next process answers
 */
export function usePlaying(onBack: () => void) {
  const server = useServerReturn();
  const { standing } = server;
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    if (standing === 'back') onBack();
  }, [standing, onBack]);
  const ask = async (action: () => Promise<unknown>, failure: string) => {
    setRefusal(null);
    setSending(true);
    server.reset();
    try {
      const before = await askProcess();
      if (before === null) setRefusal(SILENT);
      else {
        requireDone(await asAdminAction('other', action()), failure);
        server.waitForNext(before);
      }
    } catch (problem) {
      setRefusal(messageOf(problem, failure));
    }
    setSending(false);
  };
  return {
    ...{ server, refusal, ask },
    isBusy: isSending || standing === 'waiting',
    dismiss: () => setRefusal(null),
  };
}
