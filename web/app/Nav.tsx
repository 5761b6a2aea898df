import './Nav.css';
import { unseenTriggers } from '../../src/subjects/alerts/web/shared/unseenTriggers.ts';
import {
  LOGIN_PATH,
  navLabel,
  type NavRoute,
  navRoutes,
  needsLogin,
  type Route,
  WATCHLIST_PATH,
} from '../router/routes.ts';
import { wayTo } from '../router/lastScanner.ts';
import { route } from '../router/router.ts';
import { session } from '../../src/subjects/accounts/web/shared/session/session.ts';
import { Tooltip } from '../ui/Tooltip.tsx';

/** The main navigation: in the header, or at the bottom of a phone. */
export function Nav() {
  const { accessLevel } = session.value;
  const shown = route.value;
  return (
    <nav className="nav" aria-label="Main">
      {navRoutes(accessLevel).map((item) => {
        const isLocked = needsLogin(item, accessLevel);
        const link = (
          <a
            key={item.path}
            className="nav-link"
            href={`#${isLocked ? LOGIN_PATH : wayTo(item)}`}
            aria-current={isCurrent(item, shown) ? 'page' : undefined}
          >
            <item.nav.Icon size={18} aria-hidden />
            <Label item={item} />
            {item.path === WATCHLIST_PATH && <Unseen />}
          </a>
        );
        return isLocked ? (
          <Tooltip key={item.path} text="Login to access this section">
            {link}
          </Tooltip>
        ) : (
          link
        );
      })}
    </nav>
  );
}

/** The item of one scanner stands for all of them. */
const isCurrent = (item: Route, shown: Route | null): boolean =>
  item === shown || (item.tab !== undefined && shown?.tab !== undefined);

/** How many alerts fired that were not seen on the watchlist. */
function Unseen() {
  const count = unseenTriggers.value;
  return (
    count > 0 && (
      <span className="nav-badge">
        {count > 99 ? '99+' : count}
        <span className="visually-hidden"> new {count === 1 ? 'alert' : 'alerts'}</span>
      </span>
    )
  );
}

/** What follows the short form is in an element of its own, which styles drop where there is no room. */
function Label({ item }: { item: NavRoute }) {
  const label = navLabel(item);
  const short = item.nav.short ?? label;
  const rest = label.slice(short.length);
  return (
    <span>
      {short}
      {rest && <span className="nav-rest">{rest}</span>}
    </span>
  );
}
