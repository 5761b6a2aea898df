CREATE TABLE `call_ledger` (
	`number` integer PRIMARY KEY NOT NULL,
	`line` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `call_ledger_people` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`ref` text NOT NULL,
	`salt` text NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `call_ledger_people_ref_unique` ON `call_ledger_people` (`ref`);--> statement-breakpoint
ALTER TABLE `call_corrections` ADD `reason_salt` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `rationale_salt` text;--> statement-breakpoint
ALTER TABLE `channel_messages` ADD `head_date` text;--> statement-breakpoint
CREATE UNIQUE INDEX `channel_messages_head` ON `channel_messages` (`channel_id`,`head_date`);