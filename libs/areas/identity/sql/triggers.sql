-- Records the blocked person when a block begins or ends: the events hidden from this person must be counted again.
CREATE OR REPLACE TRIGGER user_blocks_hide AFTER INSERT OR DELETE ON user_blocks FOR EACH ROW
  EXECUTE FUNCTION record_hidden_from_change();

-- Records in the feed of changes that a ban has hidden the person's posts and upcoming events, or that they are visible
-- again.
CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF banned ON users FOR EACH ROW
  WHEN (OLD.banned <> NEW.banned) EXECUTE FUNCTION record_visibility_of_person();

-- A ban removes the person's events from live_events. The end of the ban adds them again.
CREATE OR REPLACE TRIGGER users_ban_live AFTER UPDATE OF banned, banned_until ON users FOR EACH ROW
  WHEN ((OLD.banned, OLD.banned_until)
    IS DISTINCT FROM (NEW.banned, NEW.banned_until)) EXECUTE FUNCTION live_events_of_person();

-- Notifies the processes that read from replicas when a ban hides content.
CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF banned ON users FOR EACH ROW
  WHEN (NEW.banned AND NOT OLD.banned) EXECUTE FUNCTION notify_out_of_sight();

-- Computes users.folded, the text that searches for people use.
CREATE OR REPLACE TRIGGER users_fold BEFORE INSERT OR UPDATE OF name, nickname, slug, gone, folded ON users FOR EACH ROW
  EXECUTE FUNCTION users_fold();

-- These two triggers update people_words, in which searches for people find accounts.
CREATE OR REPLACE TRIGGER people_words_come_and_go AFTER INSERT OR DELETE ON users FOR EACH ROW
  EXECUTE FUNCTION people_words_follow();

CREATE OR REPLACE TRIGGER people_words_change AFTER UPDATE OF name, nickname, slug, searchable, gone, folded ON users FOR EACH ROW
  WHEN ((OLD.name, OLD.slug, OLD.searchable, OLD.gone, OLD.folded)
    IS DISTINCT FROM (NEW.name, NEW.slug, NEW.searchable, NEW.gone, NEW.folded)) EXECUTE FUNCTION people_words_follow();

CREATE OR REPLACE TRIGGER door_links_end_with_a_ban AFTER UPDATE OF banned ON users FOR EACH ROW
  WHEN (NEW.banned AND NOT OLD.banned) EXECUTE FUNCTION end_door_links();

-- Adds an entry to the feed of changes for each event whose settlement shows the person's bank account.
CREATE OR REPLACE TRIGGER bank_account_is_recorded AFTER UPDATE OF iban ON users FOR EACH ROW
  WHEN (OLD.iban IS DISTINCT FROM NEW.iban) EXECUTE FUNCTION record_bank_account_change();
