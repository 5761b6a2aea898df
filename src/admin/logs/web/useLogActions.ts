import { useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { messageOf } from '../../../../web/api/client.ts';
import { saveFile } from '../../../../web/shared/saveFile.ts';
import { clearLog, fetchFile } from './api.ts';

/** Saving and clearing files, and why the last of it failed. @param onCleared a file is empty now */
export function useLogActions(onCleared: () => void) {
  const [failure, setFailure] = useState<string | null>(null);
  const [asked, ask] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const run = async (work: () => Promise<void>, fallback: string): Promise<void> => {
    if (isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      setFailure(messageOf(problem, fallback));
    }
    setBusy(false);
  };
  return {
    failure,
    dismissFailure: () => setFailure(null),
    isBusy,
    /** The file that is to be cleared, once the question is answered; null while none is. */
    asked,
    /** Asks whether to clear a file; null takes it back. */
    ask,
    download: (name: string) =>
      void run(async () => saveFile(await fetchFile(name), name), ADMIN_MESSAGES.downloadLog),
    clear: (name: string) =>
      void run(async () => {
        await clearLog(name);
        onCleared();
      }, ADMIN_MESSAGES.clearLog).then(() => ask(null)),
  };
}
