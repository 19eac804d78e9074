-- Drops functions, views and triggers that the SQL files defined in the past (docs/adr/0340-sql-files.md). This file is
-- applied last, in the same transaction as the new definitions, so no definition ever calls a function that does not
-- exist.
DROP FUNCTION IF EXISTS change_teller();
DROP FUNCTION IF EXISTS tell_members_event_gone(bigint, bigint, bigint, bigint);
DROP FUNCTION IF EXISTS tell_sight_of_event(bigint, boolean);
DROP FUNCTION IF EXISTS record_sight_of_event(bigint, boolean);
