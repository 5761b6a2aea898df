CREATE TABLE `alert_states` (
	`alert_id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`state` blob NOT NULL,
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `alert_triggers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alert_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`triggered_at` integer NOT NULL,
	`market_at` integer NOT NULL,
	`seen` text NOT NULL,
	`quote_at` integer,
	`source` text NOT NULL,
	`delay_minutes` integer NOT NULL,
	`deactivated` integer NOT NULL,
	`silent` integer NOT NULL,
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_triggers_alert` ON `alert_triggers` (`alert_id`,`triggered_at`);--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`name` text,
	`active` integer NOT NULL,
	`persistent` integer NOT NULL,
	`logic` text NOT NULL,
	`telegram` integer NOT NULL,
	`discord` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_triggered_at` integer,
	`snoozed_until` integer,
	`stopped_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alerts_user` ON `alerts` (`user_id`,`symbol`);--> statement-breakpoint
CREATE INDEX `alerts_active` ON `alerts` (`active`,`symbol`);--> statement-breakpoint
CREATE TABLE `link_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`platform` text NOT NULL,
	`chat_id` text NOT NULL,
	`display_name` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `linked_chats` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`platform` text NOT NULL,
	`chat_id` text NOT NULL,
	`display_name` text,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`broken_at` integer,
	`broken_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `linked_chats_own` ON `linked_chats` (`user_id`,`platform`,`chat_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `linked_chats_confirmed` ON `linked_chats` (`platform`,`chat_id`) WHERE "linked_chats"."confirmed_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`platform` text NOT NULL,
	`chat_id` text NOT NULL,
	`user_id` integer,
	`trigger_id` integer,
	`message` text NOT NULL,
	`nonce` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`uncertain_since` integer,
	`sent_at` integer,
	`message_id` text,
	`failed_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`trigger_id`) REFERENCES `alert_triggers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_nonce_unique` ON `outbox` (`nonce`);--> statement-breakpoint
CREATE INDEX `outbox_open` ON `outbox` (`status`,`platform`,`chat_id`);--> statement-breakpoint
CREATE INDEX `outbox_trigger` ON `outbox` (`trigger_id`);--> statement-breakpoint
CREATE INDEX `outbox_sent` ON `outbox` (`sent_at`) WHERE "outbox"."sent_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `watchlist_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watchlist_items_symbol` ON `watchlist_items` (`user_id`,`symbol`);