CREATE TABLE `calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`call_type` text NOT NULL,
	`status` text NOT NULL,
	`entry_price` real NOT NULL,
	`target_price` real NOT NULL,
	`stop_loss_type` text NOT NULL,
	`stop_loss` real,
	`submitted_at` integer NOT NULL,
	`price_at_submission` real,
	`pocketed_value` real,
	`closed_at` integer,
	`price_at_close` real,
	`admin_status` text DEFAULT 'normal' NOT NULL,
	`review_reason` text,
	`filled_at` integer,
	`fill_price` real,
	`highest` real,
	`best` real,
	`worst` real,
	`target_reached_at` integer,
	`target_reached_price` real,
	`stop_reached_at` integer,
	`stop_reached_price` real,
	`stop_reached_level` real,
	`seen` text,
	`tracking_paused` text,
	`verified_percent` real,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calls_public_id_unique` ON `calls` (`public_id`);--> statement-breakpoint
CREATE INDEX `calls_user` ON `calls` (`user_id`,`submitted_at`);--> statement-breakpoint
CREATE INDEX `calls_submitted` ON `calls` (`submitted_at`);--> statement-breakpoint
CREATE INDEX `calls_status` ON `calls` (`status`);