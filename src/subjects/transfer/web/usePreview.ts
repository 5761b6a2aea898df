import { useEffect, useRef, useState } from 'react';
import { setUpChanged } from '../../../../web/shared/settings.ts';
import { tellOfScans } from '../../scanners/web/shared/scans/scanChannel.ts';
import type { Refusal } from '../../../lib/result.ts';
import { MAX_TRANSFER_BYTES } from '../answers/file.ts';
import { TOO_LARGE } from '../rules/checkFile.ts';
import { TRANSFER_KINDS } from '../rules/kind.ts';
import {
  type Asked,
  type Chosen,
  fetchPreview,
  type Preview,
  readFile,
  takeFile,
} from './shared/requests.ts';

type Shown = {
  preview: Preview | null;
  /** Why there is no preview, or why it was not taken; its field is `file` where the file itself is at fault. */
  error: Refusal | null;
  /** Asked again, as another choice or the file itself is looked at, or it is being taken. */
  busy: 'looking' | 'taking' | null;
};

const ALL: Chosen = { without: new Set(), switchOn: false };

const askedOf = (file: unknown, chosen: Chosen): Asked => ({ file, ...chosen, kinds: TRANSFER_KINDS });

/** What a file would change by what is chosen of it, and its taking. */
export function usePreview(file: File) {
  const [shown, setShown] = useState<Shown>({ preview: null, error: null, busy: 'looking' });
  const [chosen, setChosen] = useState<Chosen>(ALL);
  const read = useRef<unknown>(undefined);
  const turn = useRef(0);

  const look = async (next: Chosen) => {
    turn.current += 1;
    const mine = turn.current;
    setChosen(next);
    setShown(({ preview }) => ({ preview, error: null, busy: 'looking' }));
    const found = await fetchPreview(askedOf(read.current, next));
    // Another choice was made meanwhile.
    if (mine !== turn.current) return;
    setShown(({ preview }) =>
      found.ok
        ? { preview: found.value, error: null, busy: null }
        : { preview, error: found.error, busy: null },
    );
  };
  const begin = async () => {
    if (file.size > MAX_TRANSFER_BYTES)
      return setShown({ preview: null, error: { field: 'file', message: TOO_LARGE }, busy: null });
    const parsed = await readFile(file);
    if (!parsed.ok) return setShown({ preview: null, error: parsed.error, busy: null });
    read.current = parsed.value;
    await look(ALL);
  };
  const take = async () => {
    const { preview } = shown;
    if (preview === null || shown.busy !== null) return;
    setShown({ preview, error: null, busy: 'taking' });
    const taken = await takeFile(askedOf(read.current, chosen), preview.seen);
    if (!taken.ok) return setShown({ preview, error: taken.error, busy: null });
    const { isDone, error = null } = taken.value;
    setShown({
      preview: taken.value,
      error: isDone || error === null ? null : { field: null, message: error },
      busy: null,
    });
    if (!isDone) return;
    // Also where no stream tells this window.
    setUpChanged();
    tellOfScans();
  };
  useEffect(() => {
    void begin();
    return () => {
      turn.current += 1;
    };
    // One file, once: another one is another preview.
  }, []);
  return { ...shown, chosen, look, take, retry: () => (read.current === undefined ? begin() : look(chosen)) };
}
