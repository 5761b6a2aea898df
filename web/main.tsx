import './styles/layers.css';
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { watchVersion } from './app/newVersion/newVersion.ts';
import { watchTyping } from './app/newVersion/typedText.ts';
import { preloadScanners } from './app/screens.tsx';
import { startLive } from './shared/live/market.ts';
import { startPopups } from './shared/popup/popup.ts';
import { startPreferences } from './shared/preferences.ts';
import { startRouter } from './shared/router/router.ts';
import { followOtherWindows, session } from './shared/session/session.ts';
import { startSettings } from './shared/settings.ts';

startLive();
if (session.peek().isAuthenticated) preloadScanners();
startPreferences();
followOtherWindows();
startRouter();
startPopups();
startSettings();
watchVersion();
watchTyping();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
createRoot(root).render(<App />);
