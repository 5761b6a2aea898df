UPDATE `alerts` SET `guard` = json_set(`guard`, '$.mode', 'mark') WHERE `guard` ->> 'mode' = 'hold';--> statement-breakpoint
UPDATE `scan_alerts` SET `guard` = json_set(`guard`, '$.mode', 'mark') WHERE `guard` ->> 'mode' = 'hold';--> statement-breakpoint
DELETE FROM `alert_triggers` WHERE `guard` ->> 'kind' = 'withheld';--> statement-breakpoint
DELETE FROM `scan_alert_triggers` WHERE `guard` ->> 'kind' = 'withheld';--> statement-breakpoint
ALTER TABLE `alerts` DROP COLUMN `held`;
