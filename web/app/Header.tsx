import EllipsisIcon from 'lucide-react/icons/ellipsis';
import HeartIcon from 'lucide-react/icons/heart';
import LogInIcon from 'lucide-react/icons/log-in';
import LogOutIcon from 'lucide-react/icons/log-out';
import MoonIcon from 'lucide-react/icons/moon';
import SunIcon from 'lucide-react/icons/sun';

import { appInfo } from '../shared/appInfo.ts';
import { ErrorBoundary } from '../shared/ErrorBoundary.tsx';
import { BellbirdMark } from '../shared/BellbirdMark.tsx';
import { route, wayTo } from '../router/router.ts';
import {
  ADMIN_PATH,
  EARLY_ROUTES,
  LOGIN_PATH,
  navLabel,
  navRoutes,
  type NavRoute,
  needsLogin,
  phoneBar,
  type Route,
  WATCHLIST_PATH,
} from '../router/routes.ts';
import { logOut, session } from '#subjects/accounts/web/shared/session/session.ts';
import { currentLabel } from '../live/marketHours.ts';
import { late } from '../shared/lateStyles.ts';
import { otherTheme, switchTheme, themeSwitchLabel } from '../shared/preferences.ts';
import { UserBadge } from '#subjects/accounts/web/shared/UserBadge.tsx';
import { administers, settings } from '../shared/settings.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { NavBadge } from '../ui/Pill.tsx';
import { unseenTriggers } from '#subjects/alerts/web/shared/alertStream.ts';
import { useAnchor } from '../ui/useAnchor.ts';
import { useWidthQuery } from '../ui/useWidthQuery.ts';
import { Tooltip } from '../ui/Tooltip.tsx';

export function Nav() {
  const { accessLevel } = session.value;
  const isPhone = useWidthQuery('phone');
  const early = accessLevel > 0 && currentLabel.value === 'Pre-Open' ? EARLY_ROUTES : [];
  const items = [...early, ...navRoutes(accessLevel)];
  const { shown, more } = isPhone ? phoneBar(items) : { shown: items, more: [] };
  return (
    <nav className="nav" aria-label="Main">
      {shown.map((item) => (
        <NavLink key={item.path} item={item} isLocked={needsLogin(item, accessLevel)} />
      ))}
      {more.length > 0 && <More items={more} />}
    </nav>
  );
}

function NavLink({ item, isLocked }: { item: NavRoute; isLocked: boolean }) {
  const link = (
    <a
      className="nav-link"
      href={`#${isLocked ? LOGIN_PATH : wayTo(item)}`}
      aria-current={isCurrent(item) ? 'page' : undefined}
    >
      <item.nav.Icon size={18} aria-hidden />
      {/* On narrow screens styles show the short label instead. */}
      <span data-short={item.nav.short}>{navLabel(item)}</span>
      {badgeOf(item)}
    </a>
  );
  return isLocked ? <Tooltip text="Login to access this section">{link}</Tooltip> : link;
}

const NavMenu = late(() => import('./NavMenu.tsx').then((code) => code.NavMenu));

function More({ items }: { items: readonly NavRoute[] }) {
  const { anchor, open, close } = useAnchor();
  return (
    <>
      <button
        type="button"
        className="nav-link"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-current={items.some(isCurrent) ? 'true' : undefined}
        onClick={open}
      >
        <EllipsisIcon size={18} aria-hidden />
        <span>
          More<span className="visually-hidden"> screens</span>
        </span>
        {items.map(badgeOf)}
      </button>
      {anchor && <NavMenu items={items} badgeOf={badgeOf} anchor={anchor} onClose={close} />}
    </>
  );
}

const badgeOf = ({ path }: Route) => {
  if (path === WATCHLIST_PATH) return <Unseen key={path} />;
  return path === ADMIN_PATH && <Waiting key={path} />;
};

/** Whether an item is current; one item stands for all scanners. */
const isCurrent = (item: Route): boolean =>
  item.path === route.value?.path || (item.tab !== undefined && route.value?.tab !== undefined);

const Unseen = () => <NavBadge count={unseenTriggers.value} one="new alert" many="new alerts" />;

/** Loaded only for administrators. If loading fails, the navigation stays as it is. */
const WaitingCount = late(() =>
  import('#admin/serverAlerts/web/shared/WaitingCount.tsx').then((code) => code.WaitingCount),
);

const Waiting = () =>
  // Before the settings are loaded, it is not known whether two-factor login is missing.
  settings.value !== null &&
  administers.value && (
    <ErrorBoundary fallback={() => null}>
      <WaitingCount />
    </ErrorBoundary>
  );

export function Header() {
  const { isAuthenticated } = session.value;
  return (
    <header className="header">
      <a className="brand" href="#/" aria-label="Bellbird, start page">
        <BellbirdMark size={26} />
        <span className="brand-name">Bellbird</span>
      </a>
      <Nav />
      <div className="header-end">
        <SupportLink />
        <ThemeToggle />
        {isAuthenticated && <UserBadge />}
        {isAuthenticated ? <LogoutButton /> : <LoginLink />}
      </div>
    </header>
  );
}

function SupportLink() {
  const donateUrl = appInfo.value?.donateUrl;
  if (!donateUrl) return null;
  return (
    <a className="support" href={donateUrl} target="_blank" rel="noopener noreferrer">
      <HeartIcon size={15} aria-hidden />
      <span>Support Me</span>
    </a>
  );
}

function ThemeToggle() {
  return (
    <IconButton label={themeSwitchLabel.value} onClick={switchTheme}>
      {otherTheme.value === 'light' ? <SunIcon size={17} aria-hidden /> : <MoonIcon size={17} aria-hidden />}
    </IconButton>
  );
}

function LogoutButton() {
  return (
    <Button onClick={() => void logOut()}>
      <LogOutIcon size={15} aria-hidden />
      <span className="button-text">Logout</span>
    </Button>
  );
}

function LoginLink() {
  if (route.value?.path === LOGIN_PATH) return null;
  return (
    <a className="button button-primary" href={`#${LOGIN_PATH}`}>
      <LogInIcon size={15} aria-hidden />
      <span className="button-text">Login</span>
    </a>
  );
}
