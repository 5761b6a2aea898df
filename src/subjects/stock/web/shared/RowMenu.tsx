import { type ReactNode, useMemo, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { QUOTE_LINKS, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import { MenuItem, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';
import { rowOf } from '#ui/table/rowFocus.ts';
import type { RowMenuRequest } from '#ui/table/tableModel.ts';
import { addToWatchlist } from '#subjects/alerts/web/shared/watchlists.ts';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { showAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { copyText } from '#web/shared/copyText.ts';
import { stocks } from '#web/live/market.ts';
import { isPopup } from '#web/windows/popup.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { settings } from '#web/shared/settings.ts';
import { openChart } from '#web/windows/openChart.ts';
import { isDocked, showStock } from '#web/windows/stockPane.ts';

type RowMenuProps = {
  /** Request for the menu; its row id is the stock's code. */
  menu: RowMenuRequest;
  isOpen: boolean;
  isWatched?: boolean;
  onToggle(code: string): void;
  onClose(): void;
};

async function copyCode(code: string): Promise<void> {
  showBriefly((await copyText(code, null)) ? `Copied ${code}` : 'Copy failed');
}

const placeOf = ({ at, line }: RowMenuRequest) =>
  at === null ? (line.querySelector('th') ?? line) : { getBoundingClientRect: () => new DOMRect(at.x, at.y) };

export function RowMenu({ menu, isOpen, isWatched = false, onToggle, onClose }: RowMenuProps): ReactNode {
  const { id: code } = menu;
  const anchor = useMemo(() => placeOf(menu), [menu]);
  const body = useMemo(() => menu.line.closest('tbody'), [menu]);
  const close = () => {
    onClose();
    rowOf(body, code)?.focus({ preventScroll: true });
  };
  const [alertOn, setAlertOn] = useState<Stock | null>(null);
  const alertMe = () => {
    const stock = isWatched ? undefined : stocks.peek().get(code);
    if (stock) return setAlertOn(stock);
    onClose();
    showAlert(code, null);
  };
  if (alertOn) return <AlertMe row={alertOn} onClose={close} />;
  return (
    <MenuSheet label={code} anchor={anchor} onClose={close}>
      <MenuItem keyName="Enter" onChoose={() => onToggle(code)}>
        {isOpen ? `Close ${code}` : `Open ${code}`}
      </MenuItem>
      {isDocked() && (
        <MenuItem keyName="p" onChoose={() => showStock(code)}>
          Show in the pane
        </MenuItem>
      )}
      {!isWatched && <WatchItem code={code} />}
      <MenuItem keyName="a" staysOpen onChoose={alertMe}>
        Alert me
      </MenuItem>
      {!isPopup && (
        <MenuItem keyName="n" onChoose={() => showStock(code, 'call')}>
          Add Call
        </MenuItem>
      )}
      <MenuItem keyName="c" onChoose={() => void openChart(code)}>
        Open the chart
      </MenuItem>
      <MenuLine />
      <MenuItem onChoose={() => void copyCode(code)}>Copy code</MenuItem>
      <QuoteItem code={code} />
    </MenuSheet>
  );
}

const WatchItem = ({ code }: { code: string }): ReactNode => (
  <MenuItem keyName="w" onChoose={() => void addToWatchlist(code)}>
    Add to your watchlist
  </MenuItem>
);

function QuoteItem({ code }: { code: string }): ReactNode {
  const site = settings.value?.quoteSite ?? 'none';
  const url = quoteLinkUrl(site, code);
  if (url === null) return null;
  return (
    <MenuItem onChoose={() => void window.open(url, '_blank', 'noopener,noreferrer')}>
      Open at {QUOTE_LINKS.find(({ id }) => id === site)?.label ?? site}
    </MenuItem>
  );
}
