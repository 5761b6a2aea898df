CREATE TABLE `call_follows` (
	`user_id` integer NOT NULL,
	`submitter_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `submitter_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submitter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `call_follows_submitter` ON `call_follows` (`submitter_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `call_mutes` (
	`user_id` integer NOT NULL,
	`symbol` text NOT NULL,
	PRIMARY KEY(`user_id`, `symbol`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `call_notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`call_id` integer NOT NULL,
	`event` text NOT NULL,
	`at` integer NOT NULL,
	`done_until` integer DEFAULT 0,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `call_notices_event` ON `call_notices` (`call_id`,`event`);--> statement-breakpoint
CREATE INDEX `call_notices_done` ON `call_notices` (`done_until`);