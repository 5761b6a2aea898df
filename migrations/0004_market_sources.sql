CREATE TABLE `__new_daily_bars` (
	`source` text NOT NULL,
	`code` text NOT NULL,
	`date` text NOT NULL,
	`open` real NOT NULL,
	`high` real NOT NULL,
	`low` real NOT NULL,
	`close` real NOT NULL,
	`volume` real NOT NULL,
	PRIMARY KEY(`source`, `code`, `date`)
);
--> statement-breakpoint
-- Bars were never kept of the simulator, which can give its past again, and minutes only of the ingest source.
INSERT INTO `__new_daily_bars`("source", "code", "date", "open", "high", "low", "close", "volume") SELECT CASE WHEN EXISTS (SELECT 1 FROM `minute_segments` WHERE `date` >= date((SELECT max(`date`) FROM `daily_bars`), '-9 days')) THEN 'ingest' ELSE 'tradingview' END, "code", "date", "open", "high", "low", "close", "volume" FROM `daily_bars`;--> statement-breakpoint
DROP TABLE `daily_bars`;--> statement-breakpoint
ALTER TABLE `__new_daily_bars` RENAME TO `daily_bars`;--> statement-breakpoint
CREATE TABLE `__new_minute_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`date` text NOT NULL,
	`bars` blob NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_minute_segments`("id", "source", "date", "bars") SELECT "id", 'ingest', "date", "bars" FROM `minute_segments`;--> statement-breakpoint
DROP TABLE `minute_segments`;--> statement-breakpoint
ALTER TABLE `__new_minute_segments` RENAME TO `minute_segments`;--> statement-breakpoint
CREATE INDEX `minute_segments_source` ON `minute_segments` (`source`,`date`);--> statement-breakpoint
-- Snapshots of a simulated auction can't be told from real ones any more.
DROP TABLE `pre_open_snapshots`;--> statement-breakpoint
CREATE TABLE `pre_open_snapshots` (
	`source` text NOT NULL,
	`date` text NOT NULL,
	`code` text NOT NULL,
	`snapshot` text NOT NULL,
	PRIMARY KEY(`source`, `date`, `code`)
);
--> statement-breakpoint
CREATE TABLE `last_sessions` (
	`source` text PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`stocks` blob NOT NULL
);
