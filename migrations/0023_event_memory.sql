CREATE TABLE `calendar_baskets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`codes` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_baskets_codes_unique` ON `calendar_baskets` (`codes`);--> statement-breakpoint
CREATE TABLE `calendar_moves` (
	`source` text NOT NULL,
	`time` integer NOT NULL,
	`basket_id` integer,
	`after5` real,
	`after30` real,
	`changes` blob NOT NULL,
	PRIMARY KEY(`source`, `time`),
	FOREIGN KEY (`basket_id`) REFERENCES `calendar_baskets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `calendar_outcomes` (
	`series_id` integer NOT NULL,
	`time` integer NOT NULL,
	`actual` real NOT NULL,
	`consensus` real,
	`previous` real,
	`revised` real,
	`corrected` real,
	`potency` integer NOT NULL,
	`is_better` integer,
	PRIMARY KEY(`series_id`, `time`),
	FOREIGN KEY (`series_id`) REFERENCES `calendar_series`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `calendar_series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`country_code` text NOT NULL,
	`unit` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_series_key` ON `calendar_series` (`source`,`key`);--> statement-breakpoint
ALTER TABLE `alert_triggers` ADD `guard` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `guard` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `held` text;