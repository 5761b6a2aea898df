CREATE TABLE `market_clocks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`wall_at` integer NOT NULL,
	`market_at` integer NOT NULL,
	`speed` real NOT NULL
);
--> statement-breakpoint
ALTER TABLE `calls` ADD `rationale` text;