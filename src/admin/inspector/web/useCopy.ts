import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { copyText } from '../../../../web/shared/copyText.ts';

const SAID_MS = 2000;

/**
 * Copies a text and says for two seconds what came of it.
 * @param near what the text comes from
 */
export function useCopy(near: RefObject<HTMLElement | null>) {
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = useCallback(
    async (text: string | null) => {
      const { copied, copyFailed, nothingToCopy } = ADMIN_MESSAGES;
      setSaid(text === null ? nothingToCopy : (await copyText(text, near.current)) ? copied : copyFailed);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setSaid(''), SAID_MS);
    },
    [near],
  );
  return { said, copy };
}
