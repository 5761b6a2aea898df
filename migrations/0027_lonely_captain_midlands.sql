ALTER TABLE `scan_alert_triggers` ADD `guard` text;--> statement-breakpoint
ALTER TABLE `scan_alerts` ADD `guard` text;