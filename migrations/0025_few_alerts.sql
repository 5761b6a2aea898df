CREATE TABLE `kept_findings` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `kept_findings_until` ON `kept_findings` (`until`);--> statement-breakpoint
CREATE TABLE `quiet_hours` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`from_minute` integer NOT NULL,
	`until_minute` integer NOT NULL,
	`zone` text NOT NULL,
	`digest` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `review_choices` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`weekly` integer NOT NULL,
	`told_week` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `stock_presence` (
	`source` text NOT NULL,
	`symbol` text NOT NULL,
	`company` text NOT NULL,
	`looked_on` text NOT NULL,
	`missing_since` text,
	`missing_days` integer DEFAULT 0 NOT NULL,
	`halted_since` text,
	PRIMARY KEY(`source`, `symbol`)
);
--> statement-breakpoint
ALTER TABLE `alerts` ADD `cooldown_minutes` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `urgent` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `group_name` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `sound` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `digest_id` integer;--> statement-breakpoint
CREATE INDEX `outbox_held` ON `outbox` (`user_id`,`id`) WHERE "outbox"."status" = 'held';--> statement-breakpoint
ALTER TABLE `scan_alerts` ADD `urgent` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `scan_alerts` ADD `group_name` text;--> statement-breakpoint
ALTER TABLE `scan_alerts` ADD `sound` text;