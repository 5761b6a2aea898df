CREATE TABLE `announcement_summaries` (
	`source` text NOT NULL,
	`announcement_id` text NOT NULL,
	`code` text NOT NULL,
	`date` text NOT NULL,
	`text` text NOT NULL,
	`note` text,
	`model` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`source`, `announcement_id`)
);
--> statement-breakpoint
CREATE INDEX `announcement_summaries_day` ON `announcement_summaries` (`source`,`date`);--> statement-breakpoint
CREATE TABLE `announcements` (
	`number` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`id` text NOT NULL,
	`code` text NOT NULL,
	`date` text NOT NULL,
	`time` integer NOT NULL,
	`headline` text NOT NULL,
	`url` text,
	`document` text,
	`types` text NOT NULL,
	`is_price_sensitive` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `announcements_id` ON `announcements` (`source`,`id`);--> statement-breakpoint
CREATE INDEX `announcements_code` ON `announcements` (`source`,`code`,`time`);--> statement-breakpoint
CREATE INDEX `announcements_time` ON `announcements` (`source`,`time`);--> statement-breakpoint
CREATE TABLE `calendar_events` (
	`source` text NOT NULL,
	`id` text NOT NULL,
	`time` integer NOT NULL,
	`event` text NOT NULL,
	PRIMARY KEY(`source`, `id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_events_time` ON `calendar_events` (`source`,`time`);--> statement-breakpoint
CREATE TABLE `calendar_reminders` (
	`user_id` integer NOT NULL,
	`source` text NOT NULL,
	`event_id` text NOT NULL,
	`before` integer NOT NULL,
	`figure` integer NOT NULL,
	`before_told_at` integer,
	`figure_told_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `source`, `event_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `calendar_reminders_event` ON `calendar_reminders` (`source`,`event_id`);--> statement-breakpoint
CREATE TABLE `model_use` (
	`user_id` integer NOT NULL,
	`date` text NOT NULL,
	`summaries` integer DEFAULT 0 NOT NULL,
	`questions` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `date`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
