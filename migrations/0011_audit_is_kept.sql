-- What administrators did is never changed, deleted or written over.
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_kept` BEFORE DELETE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are never deleted'); END;
--> statement-breakpoint
-- Replacing a row fires no trigger of its deletion.
CREATE TRIGGER `audit_entries_not_replaced` BEFORE INSERT ON `audit_entries` WHEN EXISTS (SELECT 1 FROM `audit_entries` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'audit entries are never written over'); END;
