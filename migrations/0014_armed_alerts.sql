ALTER TABLE `alerts` ADD `note` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `armed_at` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `undo_logic` text;