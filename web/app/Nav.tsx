import BellIcon from 'lucide-react/icons/bell';
import CalendarIcon from 'lucide-react/icons/calendar-days';
import ChartIcon from 'lucide-react/icons/chart-candlestick';
import MegaphoneIcon from 'lucide-react/icons/megaphone';
import SettingsIcon from 'lucide-react/icons/settings';
import ShieldIcon from 'lucide-react/icons/shield';
import type { ComponentType } from 'react';
import { ADMIN_LEVEL, isScannerPath, type Path } from '../shared/router/routes.ts';
import { route } from '../shared/router/router.ts';
import { session } from '../shared/session/session.ts';
import { Tooltip } from '../ui/Tooltip.tsx';

type Item = {
  to: Path | '/scanners';
  label: string;
  /** Dropped where there is no room. */
  rest?: string;
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  open?: true;
};

const ITEMS: readonly Item[] = [
  { to: '/scanners', label: 'Scanners', Icon: ChartIcon },
  { to: '/fx-news', label: 'FX News', Icon: CalendarIcon },
  { to: '/calls', label: 'Calls', Icon: MegaphoneIcon, open: true },
  { to: '/watchlist', label: 'Watchlist', rest: ' & Alerts', Icon: BellIcon },
  { to: '/settings', label: 'Settings', Icon: SettingsIcon },
];
const ADMIN: Item = { to: '/admin', label: 'Admin', Icon: ShieldIcon };

const isCurrent = (item: Item, path: Path | null): boolean =>
  item.to === '/scanners' ? path !== null && isScannerPath(path) : item.to === path;

/** The main navigation: in the header, or at the bottom of a phone. */
export function Nav() {
  const { isAuthenticated, accessLevel } = session.value;
  const items = accessLevel >= ADMIN_LEVEL ? [...ITEMS, ADMIN] : ITEMS;
  const path = route.value;
  return (
    <nav className="nav" aria-label="Main">
      {items.map((item) => {
        const locked = !isAuthenticated && !item.open;
        const link = (
          <a
            key={item.to}
            className={locked ? 'nav-link nav-link-locked' : 'nav-link'}
            href={locked ? '#/login' : `#${item.to}`}
            aria-current={isCurrent(item, path) ? 'page' : undefined}
          >
            <item.Icon size={18} aria-hidden />
            <span>
              {item.label}
              {item.rest && <span className="nav-rest">{item.rest}</span>}
            </span>
          </a>
        );
        return locked ? (
          <Tooltip key={item.to} text="Login to access this section">
            {link}
          </Tooltip>
        ) : (
          link
        );
      })}
    </nav>
  );
}
