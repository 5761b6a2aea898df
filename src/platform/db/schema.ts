import {
  blob,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

/*
 * Times are epoch ms, booleans 0 or 1. A `*_key` column holds the normalised form of a name, so that it is unique
 * in all spellings. A `*_salt` is random, for the hashes in the ledger of calls.
 */

export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    username: text('username').notNull(),
    usernameKey: text('username_key').notNull().unique(),
    /** Result of `skeletonOf` for the name. Null until it is needed, and after a change of the name. */
    usernameSkeleton: text('username_skeleton'),
    email: text('email'),
    emailKey: text('email_key').unique(),
    passwordHash: text('password_hash').notNull(),
    subscriptionType: text('subscription_type', { enum: ['free', 'basic', 'premium'] })
      .notNull()
      .default('free'),
    requestedSubscriptionType: text('requested_subscription_type', { enum: ['basic', 'premium'] }),
    upgradeRequestedAt: integer('upgrade_requested_at'),
    /** Why the last request was declined, in an administrator's words. Null after a new request or its dismissal. */
    upgradeDeclinedReason: text('upgrade_declined_reason'),
    isAdmin: integer('is_admin', { mode: 'boolean' }).notNull().default(false),
    adminMessagesOnDevices: integer('admin_messages', { mode: 'boolean' }).notNull().default(true),
    quoteLink: text('quote_site').notNull().default('none'),
    /** JSON: a map from table key to a list of column entries. */
    columnPreferences: text('column_preferences', { mode: 'json' })
      .$type<Record<string, unknown>>()
      .notNull()
      .default({}),
    promptTokens: integer('prompt_tokens').notNull().default(0),
    completionTokens: integer('completion_tokens').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** When the account was deleted. Calls and audit entries keep referring to the row. */
    deletedAt: integer('deleted_at'),
  },
  (table) => [index('users_skeleton').on(table.usernameSkeleton)],
);

/** A token is valid while its row is neither revoked nor expired. */
export const loginSessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** The browser in a few words, such as "Firefox on Android"; null if unknown. */
    device: text('device'),
    /** The time of the last request. Written at most once an hour. */
    lastSeenAt: integer('last_seen_at'),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/**
 * The addresses that an account logged in from. Wrong passwords from other addresses do not lock these out.
 * Hashed with the installation's secret: see subjects/accounts/server/sessions.
 */
export const loginAddresses = sqliteTable(
  'login_addresses',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    addressHash: text('address_hash').notNull(),
    lastLoginAt: integer('last_login_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.addressHash] })],
);

/** Registrations of the last day by hashed address: see subjects/accounts/server/limits. */
export const registrations = sqliteTable(
  'registrations',
  { addressHash: text('address_hash').notNull(), registeredAt: integer('registered_at').notNull() },
  (table) => [index('registrations_at').on(table.registeredAt)],
);

export const secondFactors = sqliteTable('second_factors', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Sealed with a key of the installation's secret: see subjects/accounts/server/secondFactor. */
  sealedSecret: text('sealed_secret').notNull(),
  begunAt: integer('begun_at').notNull(),
  /** When the first code was entered. Null until then, and logins need no code. */
  confirmedAt: integer('confirmed_at'),
  /** The 30 s step of the last accepted code, so that each code works once. */
  lastStep: integer('last_step').notNull().default(0),
  recoveryHashes: text('recovery_hashes', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
});

export const facts = sqliteTable('facts', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

/*
 * Market data carries the name of its source, so that simulated prices never appear in a real market. Dates are
 * those of Sydney, YYYY-MM-DD.
 */

/**
 * Trade ideas and the prices since. Rows are never deleted, and submitted values never change. Prices are AUD
 * per share. Only `public_id` leaves the server.
 */
export const calls = sqliteTable(
  'calls',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    publicId: text('public_id').notNull().unique(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    symbol: text('symbol').notNull(),
    /** The market source of the call; 'unknown' for calls of earlier versions. */
    source: text('source').notNull().default('unknown'),
    callType: text('call_type', { enum: ['buy', 'bought'] }).notNull(),
    /** The call gains when the price falls. */
    isShort: integer('is_short', { mode: 'boolean' }).notNull().default(false),
    status: text('status', { enum: ['pending', 'open', 'closed', 'cancelled'] }).notNull(),
    entryPrice: real('entry_price').notNull(),
    targetPrice: real('target_price').notNull(),
    stopLossType: text('stop_loss_type', {
      enum: ['NONE', 'HARD', 'TRAILING_ABS', 'TRAILING_PCT'],
    }).notNull(),
    stopLoss: real('stop_loss'),
    rationale: text('rationale'),
    rationaleSalt: text('rationale_salt'),
    submittedAt: integer('submitted_at').notNull(),
    priceAtSubmission: real('price_at_submission'),
    pocketedValue: real('pocketed_value'),
    closedAt: integer('closed_at'),
    priceAtClose: real('price_at_close'),
    adminStatus: text('admin_status', { enum: ['normal', 'review', 'rejected'] })
      .notNull()
      .default('normal'),
    reviewReason: text('review_reason'),
    /** The call has ended, and the next trade settles it. */
    isAwaitingExit: integer('is_awaiting_exit', { mode: 'boolean' }).notNull().default(false),
    exitTradeAt: integer('exit_trade_at'),
    exitTradePrice: real('exit_trade_price'),
    /** The columns from here to `stop_reached_level` are the tracker's TrackState. */
    filledAt: integer('filled_at'),
    fillPrice: real('fill_price'),
    entryTradeAt: integer('entry_trade_at'),
    entryTradePrice: real('entry_trade_price'),
    highest: real('highest'),
    best: real('best'),
    worst: real('worst'),
    targetReachedAt: integer('target_reached_at'),
    targetReachedPrice: real('target_reached_price'),
    stopReachedAt: integer('stop_reached_at'),
    stopReachedPrice: real('stop_reached_price'),
    stopReachedLevel: real('stop_reached_level'),
    /** JSON: the tracker's Watch. A restarted server derives the missed time from it. */
    watch: text('seen', { mode: 'json' }).$type<Record<string, unknown>>(),
    /** Why the price is no longer tracked, a sentence; otherwise null. */
    trackingPaused: text('tracking_paused'),
    /** The verified result in percent, computed at settlement and used by the leaderboard. */
    verifiedPercent: real('verified_percent'),
  },
  (table) => [
    index('calls_user').on(table.userId, table.submittedAt),
    index('calls_submitted').on(table.submittedAt),
    index('calls_status').on(table.status),
  ],
);

/**
 * How a market's own clock ran relative to the wall clock: a row per change. Calls are stored by the wall clock,
 * which never repeats an hour, and shown by the market's. No rows for a market on the wall clock.
 */
export const marketClocks = sqliteTable('market_clocks', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  source: text('source').notNull(),
  wallAt: integer('wall_at').notNull(),
  marketAt: integer('market_at').notNull(),
  speed: real('speed').notNull(),
});

/** The indicators of a user's custom scanner (specification, section 7.2: prefs.refs). */
export const indicatorPrefs = sqliteTable('indicator_prefs', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  refs: text('refs', { mode: 'json' }).$type<unknown>().notNull(),
});

export const indicatorScans = sqliteTable(
  'indicator_scans',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    logic: text('logic', { mode: 'json' }).$type<unknown>().notNull(),
    /** JSON: ScanLists; null for all stocks. */
    lists: text('lists', { mode: 'json' }).$type<unknown>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [uniqueIndex('indicator_scans_name').on(table.userId, table.nameKey)],
);

/** Indicator catalogs of charting platforms, kept for the next start. */
export const catalogs = sqliteTable('catalogs', {
  key: text('key').primaryKey(),
  fetchedAt: integer('fetched_at').notNull(),
  fields: text('fields', { mode: 'json' }).$type<unknown>().notNull(),
});

/**
 * Daily bars of sources that can't supply their past again, AUD and shares. Days without a trade have no row. An
 * unknown open, high or low is 0.
 */
export const dailyBars = sqliteTable(
  'daily_bars',
  {
    source: text('source').notNull(),
    code: text('code').notNull(),
    date: text('date').notNull(),
    open: real('open').notNull(),
    high: real('high').notNull(),
    low: real('low').notNull(),
    close: real('close').notNull(),
    volume: real('volume').notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.code, table.date] })],
);

/**
 * Changes of the market between two writes, all stocks together: minute bars, auctions, statuses and pre-open
 * snapshots. For sources that do not repeat them after a restart also the stocks of the running session and the
 * one before.
 */
export const segments = sqliteTable(
  'segments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: ['minutes', 'auctions', 'stocks', 'ended', 'preOpen'] }).notNull(),
    source: text('source').notNull(),
    date: text('date').notNull(),
    /** Packed by `packJson`; see market/segments. */
    packed: blob('packed', { mode: 'buffer' }).notNull(),
  },
  (table) => [index('segments_of').on(table.kind, table.source, table.date)],
);
