import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';

const WRONG_PASSWORD = 'Something is missing, or that is not the password of this account.';
const PASSWORD_REFUSALS = {
  400: WRONG_PASSWORD,
  403: 'A demo account has no password.',
  429: 'Too many wrong passwords; `Retry-After` says when.',
  503: 'The server is busy with other passwords; `Retry-After` says when to come back.',
};

const record = t.Record(t.String(), t.Unknown());
const records = t.Array(record);
const exportedData = t.Object({
  exportedAt: t.String({ format: 'date-time' }),
  account: record,
  loginSessions: records,
  loginAddresses: records,
  linkedChats: records,
  messages: records,
  watchlist: records,
  alerts: records,
  scanAlerts: records,
  scanAlertFirings: records,
  selectedIndicators: records,
  scans: records,
  calendarReminders: records,
  questionsADay: records,
  calls: records,
  corrections: records,
  administration: records,
  broadcasts: records,
  firings: records,
});

/** What people do with their own account, and the plan that they ask for. */
export const OWN_ACCOUNT: RouteDescriptions = {
  'POST /api/settings/password': {
    tag: 'Own account',
    summary: 'Change the password',
    description: 'Every other login session of the account ends.',
    refusals: PASSWORD_REFUSALS,
    example: { body: { currentPassword: 'a good password', newPassword: 'a better passphrase' } },
  },
  'GET /api/settings/sessions': {
    tag: 'Own account',
    summary: 'List where this account is logged in',
    example: {},
  },
  'POST /api/settings/sessions/end': {
    tag: 'Own account',
    summary: 'End another login session',
    refusals: { 400: 'It is the session that asks: log out instead.', 404: 'It has ended already.' },
    example: { body: { id: 'the-id-of-a-session' } },
  },
  'POST /api/settings/sessions/end-others': {
    tag: 'Own account',
    summary: 'End all other login sessions',
    example: {},
  },
  'GET /api/settings/export': {
    tag: 'Own account',
    summary: 'Download everything that is kept of this account',
    description: 'A file, sent as it is read. No password, no hash and no key is in it. Times are ISO 8601.',
    answer: exportedData,
    refusals: { 429: 'Asked too often within a minute.' },
    example: {},
  },
  'POST /api/settings/delete-account': {
    tag: 'Own account',
    summary: 'Delete this account',
    description: 'Its calls stay, under a neutral name. It can not be taken back.',
    refusals: { ...PASSWORD_REFUSALS, 409: 'It is the last administrator.' },
    example: { body: { password: 'a good password' } },
  },
  'POST /api/settings/request-upgrade': {
    tag: 'Own account',
    summary: 'Ask for a plan',
    description: 'An administrator decides. What is no plan, or not above the present one, changes nothing.',
    body: t.Object({ level: t.Optional(t.UnionEnum(['basic', 'premium'])) }),
    refusals: { 429: 'Asked too often within a minute.' },
    example: { body: { level: 'premium' } },
  },
  'POST /api/settings/withdraw-upgrade': {
    tag: 'Own account',
    summary: 'Take back what was asked for',
    example: {},
  },
  'POST /api/settings/dismiss-declined-upgrade': {
    tag: 'Own account',
    summary: 'Put away why a plan was declined',
    example: {},
  },
};
