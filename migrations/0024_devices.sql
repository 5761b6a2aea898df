CREATE TABLE `devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`origin` text NOT NULL,
	`name` text NOT NULL,
	`session_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`delivered_at` integer,
	`failed_at` integer,
	`failed_reason` text,
	`status` text DEFAULT 'registered' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_endpoint_unique` ON `devices` (`endpoint`);--> statement-breakpoint
CREATE INDEX `devices_user` ON `devices` (`user_id`);--> statement-breakpoint
CREATE INDEX `devices_session` ON `devices` (`session_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `admin_messages` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `devices` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `devices_done` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `devices` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `broadcast_id` integer;--> statement-breakpoint
CREATE INDEX `outbox_broadcast` ON `outbox` (`broadcast_id`,`status`) WHERE "outbox"."broadcast_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `scan_alerts` ADD `devices` text DEFAULT '[]' NOT NULL;