CREATE TABLE `last_trades` (
	`source` text PRIMARY KEY NOT NULL,
	`seen_until` integer NOT NULL,
	`trades` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `price_adjustments` (
	`source` text NOT NULL,
	`code` text NOT NULL,
	`date` text NOT NULL,
	`factor` real NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`source`, `code`, `date`)
);
