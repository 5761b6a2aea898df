CREATE TABLE `registrations` (
	`address_hash` text NOT NULL,
	`registered_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registrations_at` ON `registrations` (`registered_at`);