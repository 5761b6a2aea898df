PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_alert_states` (
	`alert_id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_alert_states`("alert_id", "source", "state") SELECT "alert_id", "source", "state" FROM `alert_states`;--> statement-breakpoint
DROP TABLE `alert_states`;--> statement-breakpoint
ALTER TABLE `__new_alert_states` RENAME TO `alert_states`;--> statement-breakpoint
PRAGMA foreign_keys=ON;