CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_action` ON `audit_entries` (`action`);--> statement-breakpoint
CREATE INDEX `audit_entries_user` ON `audit_entries` (`user_id`);--> statement-breakpoint
CREATE TABLE `broadcasts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`sent_at` integer NOT NULL,
	`message` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `channel_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` integer,
	`channel_name` text NOT NULL,
	`broadcast_id` integer,
	`summary_date` text,
	`summary_source` text,
	`nonce` text,
	`skipped_reason` text,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`broadcast_id`) REFERENCES `broadcasts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_messages_broadcast` ON `channel_messages` (`broadcast_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `channel_messages_summary` ON `channel_messages` (`channel_id`,`summary_source`,`summary_date`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`platform` text NOT NULL,
	`chat_id` text NOT NULL,
	`subscribed` integer NOT NULL,
	`send_daily` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`broken_at` integer,
	`broken_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channels_chat` ON `channels` (`platform`,`chat_id`);--> statement-breakpoint
CREATE TABLE `endpoint_calls` (
	`date` text NOT NULL,
	`method` text NOT NULL,
	`endpoint` text NOT NULL,
	`count` integer NOT NULL,
	`errors` integer NOT NULL,
	`total_ms` integer NOT NULL,
	`slowest_ms` integer NOT NULL,
	`last_at` integer NOT NULL,
	`last_success_at` integer,
	`last_error` text,
	PRIMARY KEY(`date`, `method`, `endpoint`)
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `upgrade_requested_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `upgrade_declined_reason` text;--> statement-breakpoint
ALTER TABLE `users` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `target` text DEFAULT 'chat' NOT NULL;