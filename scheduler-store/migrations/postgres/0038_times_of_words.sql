-- The moment of each post beside its words, so that posts found by words are put in order without
-- a look at each. NULL until it is stored: a start does that for posts of earlier versions, in
-- batches behind its other work.
ALTER TABLE post_words ADD COLUMN moment timestamptz;
CREATE INDEX post_words_without_moment ON post_words (post_id) WHERE moment IS NULL;
-- A moment that changes leaves the index of words alone where its page has room.
ALTER TABLE post_words SET (fillfactor = 90);
CREATE FUNCTION scheduler_move_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE post_words SET moment = NEW.moment WHERE post_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER posts_move_words AFTER UPDATE OF moment ON posts
  FOR EACH ROW WHEN (OLD.moment IS DISTINCT FROM NEW.moment)
  EXECUTE FUNCTION scheduler_move_words();
