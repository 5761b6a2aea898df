import HeartIcon from 'lucide-react/icons/heart';
import LogInIcon from 'lucide-react/icons/log-in';
import LogOutIcon from 'lucide-react/icons/log-out';
import MoonIcon from 'lucide-react/icons/moon';
import SunIcon from 'lucide-react/icons/sun';
import { logOut } from '../shared/session/account.ts';
import { appInfo } from '../shared/appInfo.ts';
import { prefer, preferences } from '../shared/preferences.ts';
import { route } from '../shared/router/router.ts';
import { session } from '../shared/session/session.ts';
import { UserBadge } from '../shared/UserBadge.tsx';
import { BellbirdMark } from '../shared/BellbirdMark.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Nav } from './Nav.tsx';

export function Header() {
  const { isAuthenticated } = session.value;
  const donateUrl = appInfo.value?.donateUrl;
  return (
    <header className="header">
      <a className="brand" href="#/" aria-label="Bellbird, start page">
        <BellbirdMark size={26} />
        <span className="brand-name">Bellbird</span>
      </a>
      <Nav />
      <div className="header-end">
        {donateUrl && (
          <a className="support" href={donateUrl} target="_blank" rel="noopener noreferrer">
            <HeartIcon size={15} aria-hidden />
            <span>Support Me</span>
          </a>
        )}
        <ThemeToggle />
        {isAuthenticated && <UserBadge />}
        {isAuthenticated ? (
          <Button onClick={() => void logOut()}>
            <LogOutIcon size={15} aria-hidden />
            <span className="button-text">Logout</span>
          </Button>
        ) : (
          route.value !== '/login' && (
            <a className="button button-primary" href="#/login">
              <LogInIcon size={15} aria-hidden />
              <span className="button-text">Login</span>
            </a>
          )
        )}
      </div>
    </header>
  );
}

function ThemeToggle() {
  const dark = preferences.value.theme === 'dark';
  return (
    <IconButton
      label={dark ? 'Switch to the light theme' : 'Switch to the dark theme'}
      onClick={() => prefer({ theme: dark ? 'light' : 'dark' })}
    >
      {dark ? <SunIcon size={17} aria-hidden /> : <MoonIcon size={17} aria-hidden />}
    </IconButton>
  );
}
