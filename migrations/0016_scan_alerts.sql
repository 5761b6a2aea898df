CREATE TABLE `scan_alert_mutes` (
	`scan_alert_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`session` text NOT NULL,
	PRIMARY KEY(`scan_alert_id`, `symbol`),
	FOREIGN KEY (`scan_alert_id`) REFERENCES `scan_alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `scan_alert_triggers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`scan_alert_id` integer NOT NULL,
	`symbol` text,
	`symbols` text NOT NULL,
	`event` text NOT NULL,
	`scan_label` text NOT NULL,
	`scan_hash` integer NOT NULL,
	`triggered_at` integer NOT NULL,
	`market_at` integer NOT NULL,
	`session` text NOT NULL,
	`seen` text NOT NULL,
	`quote_at` integer,
	`source` text NOT NULL,
	`delay_minutes` integer NOT NULL,
	`silent` integer NOT NULL,
	`is_open` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`scan_alert_id`) REFERENCES `scan_alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scan_alert_triggers_alert` ON `scan_alert_triggers` (`scan_alert_id`,`id`);--> statement-breakpoint
CREATE INDEX `scan_alert_triggers_session` ON `scan_alert_triggers` (`session`);--> statement-breakpoint
CREATE TABLE `scan_alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text,
	`scan` text NOT NULL,
	`event` text NOT NULL,
	`scope` text NOT NULL,
	`cooldown_minutes` integer NOT NULL,
	`day_maximum` integer NOT NULL,
	`minute_maximum` integer NOT NULL,
	`active` integer NOT NULL,
	`telegram` integer NOT NULL,
	`discord` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_triggered_at` integer,
	`snoozed_until` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scan_alerts_user` ON `scan_alerts` (`user_id`);--> statement-breakpoint
CREATE TABLE `scan_states` (
	`scan_hash` integer NOT NULL,
	`source` text NOT NULL,
	`session` text NOT NULL,
	`last_trigger_id` integer NOT NULL,
	`members` blob NOT NULL,
	PRIMARY KEY(`scan_hash`, `source`)
);
