ALTER TABLE `users` ADD `username_skeleton` text;--> statement-breakpoint
CREATE INDEX `users_skeleton` ON `users` (`username_skeleton`);