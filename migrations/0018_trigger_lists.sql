ALTER TABLE `outbox` ADD `scan_trigger_id` integer;--> statement-breakpoint
CREATE INDEX `outbox_scan_trigger` ON `outbox` (`scan_trigger_id`) WHERE "outbox"."scan_trigger_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `scan_alert_triggers_user` ON `scan_alert_triggers` (`user_id`,`triggered_at`);