import './styles/tokens.css';
import './styles/base.css';
import './styles/ui.css';
import './styles/shell.css';
import './styles/table.css';
import './styles/scanners.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { preloadScanners } from './app/screens.tsx';
import { loadAppInfo } from './lib/appInfo.ts';
import { startLive } from './lib/live.ts';
import { startPopups } from './lib/popup.ts';
import { startPreferences } from './lib/preferences.ts';
import { startRouter } from './lib/router.ts';
import { followOtherWindows, session } from './lib/session.ts';
import { startSettings } from './lib/settings.ts';

startLive();
if (session.peek().isAuthenticated) preloadScanners();
startPreferences();
followOtherWindows();
startRouter();
startPopups();
startSettings();
void loadAppInfo();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
createRoot(root).render(<App />);
