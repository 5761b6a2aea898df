import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import './RemoveButton.css';

type RemoveButtonProps = {
  symbol: string;
  /** Its icon alone. */
  isShort: boolean;
  isBusy: boolean;
  inTabOrder: boolean;
  onRemove(): void;
};

/** Takes a symbol off the watchlist. */
export function RemoveButton({
  symbol,
  isShort,
  isBusy,
  inTabOrder,
  onRemove,
}: RemoveButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="remove-button"
      aria-label={`Remove ${symbol}`}
      title={`Remove ${symbol} from the watchlist`}
      disabled={isBusy}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={onRemove}
    >
      {isShort ? <XIcon size={16} aria-hidden /> : 'Remove'}
    </button>
  );
}
