import './Header.css';
import HeartIcon from 'lucide-react/icons/heart';
import LogInIcon from 'lucide-react/icons/log-in';
import LogOutIcon from 'lucide-react/icons/log-out';
import MoonIcon from 'lucide-react/icons/moon';
import SunIcon from 'lucide-react/icons/sun';
import { appInfo } from '../shared/appInfo.ts';
import { BellbirdMark } from '../shared/BellbirdMark.tsx';
import { route } from '../router/router.ts';
import { LOGIN_PATH } from '../router/routes.ts';
import { logOut } from '../../src/subjects/accounts/web/shared/session/logOut.ts';
import { session } from '../../src/subjects/accounts/web/shared/session/session.ts';
import { otherTheme, switchTheme, themeSwitchLabel } from '../shared/theme.ts';
import { UserBadge } from '../../src/subjects/accounts/web/shared/UserBadge.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Nav } from './Nav.tsx';

/** The brand, the navigation, and what belongs to the person. On a phone the navigation stands at the bottom. */
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
