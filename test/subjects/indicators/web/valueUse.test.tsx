import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import { ColumnsPanel } from '../../../../src/subjects/scanners/web/shared/columnsConfigurator/ColumnsPanel.tsx';
import { forgetCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import { ValueUse } from '../../../../src/subjects/indicators/web/shared/ValueUse.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, patchSettings, startSettings } from '../../../../web/shared/settings.ts';
import { findings } from '../../../support/axe.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import { fakeApi, MAGGIE } from '../../../support/fakeApi.ts';

const reason = 'The Free plan has 20 indicator values.';
const LABELS = ['RSI 1 h', 'EMA D', 'SMA W', 'CCI D', 'ATR D', 'MOM D'];
const body = {
  ...MAGGIE,
  indicatorValues: { limit: 20, used: 26 },
  waitingColumns: {
    intraDaySmall: LABELS.map((label, index) => ({ id: `c${index}`, label, reason })),
    custom: [{ id: 'x', label: 'Williams %R', reason }],
  },
};

let server: ReturnType<typeof fakeApi>;
let stop: () => void;
beforeEach(async () => {
  server = fakeApi({ 'GET /api/settings': { body }, ...CATALOGS });
  forgetCatalogs();
  stop = startSettings();
  startSession({ accessToken: 't', accessLevel: 1 });
  await loadSettings();
});
afterEach(() => {
  endSession();
  stop();
  server.restore();
});

const table = (name: string) => screen.getByRole('region', { name });

test('Settings say how many indicator values the plan has, and which columns wait and why', async () => {
  const { container } = render(<ColumnsPanel />);
  await waitFor(() => expect(table('Custom Scanner')).toBeTruthy());
  expect(container.textContent).toContain(
    'Your plan has 20 different indicator values for columns, scans and alerts together; 26 are in use. Alerts come first; whatever is over the limit waits. Nothing you saved is lost.',
  );
  expect(table('Intra-day < $1').textContent).toContain(
    `6 columns are waiting for values: RSI 1 h, EMA D, SMA W, CCI D and 2 more. ${reason}`,
  );
  expect(table('Custom Scanner').textContent).toContain(
    `A column is waiting for values: Williams %R. ${reason}`,
  );
  expect(table('Intra-day Large Cap').textContent).not.toContain('wait');
  expect(await findings(container)).toEqual([]);
});

test('where alerts are made the number stands too; a server that does not say it leaves it out', () => {
  const { container } = render(<ValueUse />);
  expect(container.textContent).toBe(
    'Your plan has 20 different indicator values for columns, scans and alerts together.',
  );
  act(() => patchSettings({ indicatorValues: null }));
  expect(container.textContent).toBe('');
});
