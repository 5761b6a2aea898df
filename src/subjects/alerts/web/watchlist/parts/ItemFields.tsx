import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { MAX_ITEM_NOTE, type WatchlistItem } from '#subjects/alerts/rules/watchlist.ts';
import { messageOf } from '#web/api/client.ts';
import { FormError } from '#ui/FormError.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { TextField } from '#ui/TextField.tsx';
import { changeItem } from '../state.ts';
import './ItemFields.css';

const TARGET_LIMITS = { min: 0, max: 1_000_000, step: 0.001 };

/** What is typed and not saved yet; undefined where nothing is. */
type Draft = { note?: string; target?: number | null };

/** Keeps what is typed until it is left or sent with Enter, and after a failure until it is saved. */
function useItemDraft(item: WatchlistItem) {
  const [draft, setDraft] = useState<Draft>({});
  const [error, setError] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    // Text that is not a number leaves the target unchanged. It stays in its box with a message.
    const isUnread = Number.isNaN(draft.target);
    const kept: Draft = isUnread ? { target: Number.NaN } : {};
    const sent: Draft = {
      ...(draft.note !== undefined && draft.note.trim() !== (item.note ?? '') && { note: draft.note }),
      ...(draft.target !== undefined &&
        !isUnread &&
        draft.target !== item.target && { target: draft.target }),
    };
    if (Object.keys(sent).length === 0) return setDraft(kept);
    try {
      await changeItem(item, sent);
      setError(null);
      // What was typed meanwhile stays.
      setDraft((now) => (now.note === draft.note && Object.is(now.target, draft.target) ? kept : now));
    } catch (problem) {
      setError(messageOf(problem, 'Failed to save'));
    }
  };
  const type = (part: Draft) => setDraft((before) => ({ ...before, ...part }));
  return { draft, error, type, save };
}

/** A note and a target of a watched symbol. Nothing is saved while it is typed. */
export function ItemFields({ item }: { item: WatchlistItem }): ReactNode {
  const { draft, error, type, save } = useItemDraft(item);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save();
  };
  return (
    <div
      className="item-fields"
      role="group"
      aria-label={`Note and target of ${item.symbol}`}
      onBlur={() => void save()}
      onKeyDown={onKeyDown}
    >
      <NumberField
        label="Target"
        limits={TARGET_LIMITS}
        value={draft.target === undefined ? item.target : draft.target}
        onNumber={(target) => type({ target })}
      />
      <TextField
        label="Note"
        value={draft.note ?? item.note ?? ''}
        maxLength={MAX_ITEM_NOTE}
        autoComplete="off"
        onChange={({ target }) => type({ note: target.value })}
      />
      {error !== null && <FormError>{error}</FormError>}
    </div>
  );
}
