import './styles/layers.css';
import './styles/tokens.css';
import './styles/base.css';
import './shared/shared.css';
import './ui/ui.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { watchTyping, watchVersion } from './app/newVersion.ts';
import { preloadScreen } from './app/screens.tsx';
import { startLinkTokens } from '../src/subjects/chats/web/shared/linkToken.ts';
import { startLive } from './live/market.ts';
import { startPopups } from './windows/popup.ts';
import { followScanners, route, startRouter } from './router/router.ts';
import { startPreferences } from './shared/preferences.ts';
import { followOtherWindows, session } from '../src/subjects/accounts/web/shared/session/session.ts';
import { startSettings } from './shared/settings.ts';

const PRELOAD_AFTER_MS = 3000;

startLinkTokens();
startRouter();
const first = route.peek();
startLive(undefined, undefined, first?.tab?.scanner);
startPreferences();
followOtherWindows();
followScanners();
if (first) preloadScreen(first.screen);
// Most users continue to a scanner, so its code is loaded after the first screen is ready.
// A chart has a window of its own, which does not go on to a scanner.
if (session.peek().isAuthenticated && first?.screen !== 'chart') {
  setTimeout(() => preloadScreen('scanner'), PRELOAD_AFTER_MS);
}
startPopups();
startSettings();
watchVersion();
watchTyping();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
// Rendered in slices, so that a phone can paint and respond in between.
startTransition(() => createRoot(root).render(<App />));
