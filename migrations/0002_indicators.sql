CREATE TABLE `catalogs` (
	`key` text PRIMARY KEY NOT NULL,
	`fetched_at` integer NOT NULL,
	`fields` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_bars` (
	`code` text NOT NULL,
	`date` text NOT NULL,
	`open` real NOT NULL,
	`high` real NOT NULL,
	`low` real NOT NULL,
	`close` real NOT NULL,
	`volume` real NOT NULL,
	PRIMARY KEY(`code`, `date`)
);
--> statement-breakpoint
CREATE TABLE `indicator_prefs` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`refs` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `indicator_scans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`logic` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `indicator_scans_name` ON `indicator_scans` (`user_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `minute_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`date` text NOT NULL,
	`bars` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `minute_segments_date` ON `minute_segments` (`date`);